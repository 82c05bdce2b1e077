"""Archiving, restoring and deleting the selected tasks.

Cards on the board, archived tasks and subtasks need different operations.
"""

from collections.abc import Callable, Sequence

from tui.model.board import BoardView, Place
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.keyed import keyed

DELETES_SAID = 3
"""The most titles that the confirmation lists."""


def is_archived(tasks: Sequence[Task]) -> bool:
    """Whether there are tasks and all of them are archived."""
    return bool(tasks) and all(task.archived_at is not None for task in tasks)


def archiving(tasks: Sequence[Task], view: BoardView) -> list[Operation]:
    """Operations that restore the tasks if all are archived, else archive those on the board."""
    if is_archived(tasks):
        return [change.RestoreTask.on(task) for task in tasks]
    return [
        change.ArchiveTask.on(task, found[1])
        for task in tasks
        if (found := view.place_of(task.id)) is not None
    ]


def deleting(
    tasks: Sequence[Task], view: BoardView, detail: Callable[[int], TaskDetail | None]
) -> list[Operation]:
    """Operations that delete the tasks; `detail` looks up the parent of a subtask by its id."""
    operations: list[Operation] = []
    for task in tasks:
        parent = None if task.parent_id is None else detail(task.parent_id)
        found = view.place_of(task.id)
        if found is not None:
            operations.append(change.DeleteTask(task, found[1]))
        elif parent is not None and parent.place_of(task.id) is not None:
            operations.append(change.DeleteSubtask.on(parent, task))
        elif task.archived_at is not None:
            operations.append(change.DeleteTask(task, Place()))
    return operations


def what_goes(tasks: Sequence[Task]) -> str:
    """The text of the confirmation: what is lost, and the key for an alternative."""
    if any(task.parent_id is not None for task in tasks):
        text = "{task.close:x} closes it instead and keeps everything."
    elif is_archived(tasks):
        text = "{task.archive:A} restores it instead."
    else:
        text = "{task.archive:A} archives instead and keeps everything."
    text = keyed(f"Comments and history go with it. {text}")
    if len(tasks) == 1:
        return text
    titles = [f"· {task.title}" for task in tasks[:DELETES_SAID]]
    more = len(tasks) - DELETES_SAID
    titles += [f"… and {more} more"] if more > 0 else []
    return "\n".join([*titles, "", text])
