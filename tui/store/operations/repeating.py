"""Repeats changes of one task on other tasks."""

from collections.abc import Sequence

from tui.model.board import BoardView, Place
from tui.model.task import Label, Task
from tui.store.operations.base import Operation
from tui.store.operations.edit import Edit
from tui.store.operations.moving import MoveTask

_OF_ANY_BOARD = frozenset({"status", "priority", "due_at", "started_at"})
_FIELDS = _OF_ANY_BOARD | {"assignees", "watching"}
"""Fields whose value makes sense on other tasks; titles and descriptions do not."""


def is_repeatable(operation: Operation) -> bool:
    """Whether a change of one task makes sense on another one."""
    if isinstance(operation, Edit):
        is_of_many = isinstance(operation.field, Label) or operation.field in _FIELDS
        return operation.target.kind == "task" and is_of_many
    if isinstance(operation, MoveTask):
        return operation.stage_id != operation.from_stage_id
    return False


def repeated(
    operations: Sequence[Operation], tasks: Sequence[Task], view: BoardView
) -> list[Operation]:
    """The repeatable changes of one task as changes of these, which are on the board of `view`.

    What belongs to another board, such as its labels, people and stages, is left out.
    """
    changes: list[Operation] = []
    for operation in operations:
        is_here = operation.board_id == view.board.id
        if isinstance(operation, Edit):
            if is_here or operation.field in _OF_ANY_BOARD:
                changes += [operation.on(task) for task in tasks]
        elif isinstance(operation, MoveTask) and is_here:
            changes += _moved(operation, tasks, view)
    return changes


def _moved(operation: MoveTask, tasks: Sequence[Task], view: BoardView) -> list[Operation]:
    place, moves = view.end_of(operation.stage_id), list[Operation]()
    for task in tasks:
        if task.stage_id is not None and task.stage_id != operation.stage_id:
            title = operation.stage_title
            moves.append(MoveTask.on(task, operation.stage_id, place, stage_title=title))
            # Each goes below the one before, so that they keep their order.
            place = Place(above=task.id)
    return moves
