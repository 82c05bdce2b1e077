"""Editing the title, closing and reopening the selected tasks, and refreshing their board."""

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.remote_changes import summarize
from tui.model.task import Status
from tui.store import operations as change
from tui.store.events import SyncStatus
from tui.text.keyed import keyed


class EditTitle(Action[TaskContext]):
    """Edits the title of the first selected task in place."""

    id, keys, label, hint = "task.edit-title", "e", "Edit title", "title"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        if tasks := on.need_tasks():
            on.edit_title(tasks[0])


class Close(Action[TaskContext]):
    """Closes the selected tasks; reopens them if all are closed."""

    id, keys, label, hint = "task.close", "x", "Close or reopen task", "close"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        status = Status.OPEN if all(task.is_closed for task in tasks) else Status.CLOSED
        changed = [task for task in tasks if task.status is not status]
        done = "reopened" if status is Status.OPEN else "closed"
        if changed:
            operations = [change.set_status(task, status) for task in changed]
            await on.change(operations, f"{done} {named(changed)}")


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


AGAIN = "{board.refresh:R} tries again"
"""The key that refreshes a board; lists have their own."""


def trouble_hint(status: SyncStatus, again: str = AGAIN) -> str:
    """The hint for a sync problem: its remedy, the number of pending changes, and the retry key."""
    count = status.pending
    waits = f"{count} change{'s wait' if count > 1 else ' waits'} here" if count else ""
    return " · ".join(filter(None, (status.remedy, waits, keyed(again))))
