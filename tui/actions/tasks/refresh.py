"""Asking the service for news now, and what to do where it does not answer."""

from tui.actions.action import Action
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.context import TaskContext
from tui.model.remote_changes import summarize
from tui.store.events import SyncStatus


class Refresh(Action[TaskContext]):
    """Asks the service for news of the board."""

    id, keys, label = "board.refresh", "R", "Refresh"

    async def run(self, on: TaskContext) -> None:
        on.say("refreshing …")
        on.host.run_worker(_ask_for_news(on), group="refresh", exclusive=True)


async def _ask_for_news(on: TaskContext) -> None:
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
    """What to do where the service does not answer, what is safe, and the key that tries again."""
    count = status.pending
    waits = f"{count} change{'s wait' if count > 1 else ' waits'} here" if count else ""
    return " · ".join(filter(None, (status.remedy, waits, "R tries again")))
