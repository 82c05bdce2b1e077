"""Refreshing a board from the service, and the hint for when the service is unreachable."""

from tui.actions.action import Action
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.context import TaskContext
from tui.model.remote_changes import summarize
from tui.store.events import SyncStatus


class Refresh(Action[TaskContext]):
    """Fetches changes of the board from the service now."""

    id, keys, label = "board.refresh", "R", "Refresh"

    async def run(self, on: TaskContext) -> None:
        on.say("refreshing …")
        on.host.run_worker(_refresh(on), group="refresh", exclusive=True)


async def _refresh(on: TaskContext) -> None:
    known = on.store.changed_by_others(on.board_id)
    with ErrorsSaid(on.host):
        await on.store.refresh(on.board_id)
        status = on.store.status(on.board_id)
        if status.problem:
            on.say(status.problem, hint=trouble_hint(status), error=True)
            return
        marks = on.store.changed_by_others(on.board_id)
        news = tuple(one for task_id, one in marks.items() if known.get(task_id) != one)
        on.say(summarize(news) if news else "up to date")


def trouble_hint(status: SyncStatus) -> str:
    """The hint for a sync problem: its remedy, the number of pending changes, and the retry key."""
    count = status.pending
    waits = f"{count} change{'s wait' if count > 1 else ' waits'} here" if count else ""
    return " · ".join(filter(None, (status.remedy, waits, "R tries again")))
