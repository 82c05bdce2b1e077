"""What a person does at a board, one action each, to count what it asks of the service."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from tests.store.counted import Counted
from tui.model.board import Place
from tui.model.task import Label, Priority, Status, Task
from tui.store.operations import (
    ArchiveStage,
    ArchiveTask,
    CreateComment,
    CreateLabel,
    CreateStage,
    CreateTask,
    DeleteLabel,
    DeleteTask,
    MoveTask,
    add_label,
    edit_label,
    rename_board,
    rename_stage,
    set_assignees,
    set_description,
    set_due,
    set_priority,
    set_status,
    set_title,
)
from tui.store.operations.base import Operation

Action = Callable[[Counted], Awaitable[None]]


def _task(one: Counted, number: int = 3) -> Task:
    return one.view.in_stage(one.view.stages[0].id)[number]


def _label(one: Counted) -> Label:
    return one.view.labels[0]


def _place(one: Counted, task: Task) -> Place:
    found = one.view.place_of(task.id)
    assert found is not None, f"{task.title} is not on the board"
    return found[1]


def _submits(make: Callable[[Counted], Operation]) -> Action:
    async def act(one: Counted) -> None:
        await one.store.submit(make(one))

    return act


def _move(one: Counted) -> Operation:
    first, second, *_ = one.view.in_stage(one.view.stages[1].id)
    return MoveTask.on(_task(one), one.view.stages[1].id, Place(first.id, second.id))


async def _restore_stage(one: Counted) -> None:
    await one.store.undo(one.board_id)


ACTIONS: dict[str, Action] = {
    "title": _submits(lambda one: set_title(_task(one), "New")),
    "description": _submits(lambda one: set_description(_task(one), "<p>New</p>")),
    "due": _submits(lambda one: set_due(_task(one), datetime(2026, 12, 1, 12))),  # noqa: DTZ001
    "priority": _submits(lambda one: set_priority(_task(one), Priority.HIGH)),
    "close": _submits(lambda one: set_status(_task(one), Status.CLOSED)),
    "assign": _submits(lambda one: set_assignees(_task(one), one.view.people)),
    "add a label": _submits(lambda one: add_label(_task(one), _label(one))),
    "comment": _submits(lambda one: CreateComment.new(_task(one), "Done?")),
    "create": _submits(lambda one: CreateTask.new(one.board_id, one.view.stages[0].id, "Another")),
    "move": _submits(_move),
    "archive": _submits(lambda one: ArchiveTask.on(_task(one, 5), _place(one, _task(one, 5)))),
    "delete": _submits(lambda one: DeleteTask(_task(one, 6), _place(one, _task(one, 6)))),
    "create a label": _submits(lambda one: CreateLabel.new(one.board_id, "new", "#c0392b")),
    "edit a label": _submits(lambda one: edit_label(one.board_id, _label(one), title="bug")),
    "delete a label": _submits(lambda one: DeleteLabel.on(one.view, _label(one))),
    "create a stage": _submits(lambda one: CreateStage.new(one.board_id, "Later")),
    "rename a stage": _submits(lambda one: rename_stage(one.view.stages[0], "Ideas")),
    "rename the board": _submits(lambda one: rename_board(one.view.board, "Launch")),
    "archive a stage": _submits(lambda one: ArchiveStage.on(one.view, one.view.stages[-1].id)),
    "restore a stage": _restore_stage,
}
"""In the order in which they can be done one after another."""
