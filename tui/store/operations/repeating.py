"""Repeats changes of one task on other tasks."""

from collections.abc import Sequence

from tui.model.board import BoardView, Place
from tui.model.task import Task
from tui.store.operations.base import Operation
from tui.store.operations.edit import Edit
from tui.store.operations.labels import LabelOnTask
from tui.store.operations.moving import MoveTask
from tui.store.operations.people import SetAssignees, Watch
from tui.store.operations.setters import set_field

_FIELDS = frozenset({"status", "priority", "due_at", "started_at"})
"""The fields of a task that others may have too; a title or a description is its own."""


def is_repeatable(operation: Operation) -> bool:
    """Whether a change of one task makes sense on another one."""
    if isinstance(operation, Edit):
        return operation.target.kind == "task" and operation.field in _FIELDS
    if isinstance(operation, MoveTask):
        return operation.stage_id != operation.from_stage_id
    return isinstance(operation, LabelOnTask | SetAssignees | Watch)


def repeated(
    operations: Sequence[Operation], tasks: Sequence[Task], view: BoardView
) -> list[Operation]:
    """The repeatable changes of one task as changes of these, which are on the board of `view`.

    What belongs to another board, such as its labels, people and stages, is left out.
    """
    made: list[Operation] = []
    for operation in operations:
        if isinstance(operation, Edit) and isinstance(operation.field, str):
            made += [set_field(task, operation.field, *operation.value) for task in tasks]
        elif operation.board_id != view.board.id:
            continue
        elif isinstance(operation, LabelOnTask):
            made += [type(operation).on(task, operation.label) for task in tasks]
        elif isinstance(operation, SetAssignees):
            made += [SetAssignees.on(task, operation.on_task(task).assignees) for task in tasks]
        elif isinstance(operation, Watch):
            made += [Watch.of(task, on=operation.on) for task in tasks]
        elif isinstance(operation, MoveTask):
            made += _moved(operation, tasks, view)
    return made


def _moved(operation: MoveTask, tasks: Sequence[Task], view: BoardView) -> list[Operation]:
    place, made = view.end_of(operation.stage_id), list[Operation]()
    for task in tasks:
        if task.stage_id is not None and task.stage_id != operation.stage_id:
            title = operation.stage_title
            made.append(MoveTask.on(task, operation.stage_id, place, stage_title=title))
            place = Place(above=task.id)
    return made
