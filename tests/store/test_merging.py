"""What later changes make up for is not sent, and the service ends up the same."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from tests.store.service import BOARD, DOING, DONE, OPEN, Service, one_board
from tests.store.wire import Wire
from tui.model.board import BoardView, Place
from tui.model.task import Priority, Status, Task
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    Operation,
    set_description,
    set_due,
    set_priority,
    set_status,
    set_title,
)
from tui.store.outbox.undo import recreated

STAGES = (OPEN, DOING, DONE)
DUE = datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  due dates are wall-clock times


@cache
def five_tasks() -> bytes:
    """The database of a service with four open tasks, and one that is closed.

    Their ids are none that a stage has.
    """
    service = Service(one_board(), Path())
    with service.database.transaction(writing=True) as db:
        db.run("insert into sqlite_sequence (name, seq) values ('task', 100)")
    for title in ("Alpha", "Beta", "Gamma"):
        service.add(title, OPEN)
    service.add("Delta", DOING)
    service.set(service.add("Omega", DONE)["id"], "status", "closed")
    content = service.content()
    service.close()
    return content


@contextmanager
def some_service() -> Iterator[Wire]:
    service = Service(five_tasks(), Path())
    yield Wire(service)
    service.close()


@cache
def first_view() -> BoardView:
    """The board that every script begins with."""
    with some_service() as wire:
        return wire.view


class Script:
    """Changes asked for one after another, each on the board as drawn after those before."""

    def __init__(self, view: BoardView) -> None:
        self.view = view
        self.operations: list[Operation] = []

    def task(self, title: str) -> Task:
        return next(task for task in self.view.all_tasks() if task.title == title)

    def do(self, *operations: Operation) -> None:
        """Ask for these, one on top of the other."""
        for operation in operations:
            told = operation.named(self.view)
            self.operations.append(told)
            self.view = told.apply(self.view)

    def move(self, title: str, stage_id: int, index: int) -> None:
        """Move a task to an index among the others of a stage."""
        task = self.task(title)
        self.do(MoveTask.on(task, stage_id, place_at(self.view, task.id, stage_id, index)))


def place_at(view: BoardView, task_id: int, stage_id: int, index: int) -> Place:
    others = [task.id for task in view.in_stage(stage_id) if task.id != task_id]
    index = min(index, len(others))
    return Place(
        others[index - 1] if index else None, others[index] if index < len(others) else None
    )


@pytest.fixture
def script() -> Script:
    return Script(first_view())


async def writes_of(script: Script) -> list[str]:
    """What is sent of a script; what comes of it is what would have come of all of it."""
    with some_service() as long, some_service() as short:
        await long.send(script.operations, merging=False)
        await short.send(script.operations, merging=True)
        assert short.state() == long.state()
        return short.writes


async def test_ten_titles_are_one_request(script: Script) -> None:
    for number in range(10):
        script.do(set_title(script.view.in_stage(OPEN)[0], f"Title {number}"))
    assert await writes_of(script) == ["set_task"]


async def test_a_title_changed_back_is_no_request(script: Script) -> None:
    script.do(set_title(script.task("Alpha"), "Other"))
    script.do(set_due(script.task("Other"), DUE))
    script.do(set_title(script.task("Other"), "Alpha"))
    assert await writes_of(script) == ["set_task"], "the date alone"


async def test_closing_and_reopening_is_no_request(script: Script) -> None:
    script.do(set_status(script.task("Alpha"), Status.CLOSED))
    script.do(set_status(script.task("Alpha"), Status.OPEN))
    assert await writes_of(script) == []


async def test_closing_after_a_due_date_is_sent_since_a_service_may_reopen_for_one(
    script: Script,
) -> None:
    script.do(set_status(script.task("Omega"), Status.OPEN))
    script.do(set_due(script.task("Omega"), DUE))
    script.do(set_status(script.task("Omega"), Status.CLOSED))
    assert await writes_of(script) == ["set_task"] * 3


async def test_five_moves_are_one_request(script: Script) -> None:
    for stage_id, index in ((OPEN, 2), (DOING, 0), (DOING, 1), (OPEN, 1), (DOING, 1)):
        script.move("Alpha", stage_id, index)
    assert await writes_of(script) == ["move_task"]


async def test_a_move_there_and_back_is_no_request(script: Script) -> None:
    script.move("Alpha", DOING, 0)
    script.move("Alpha", OPEN, 0)
    assert await writes_of(script) == []


async def test_a_move_that_another_stands_beside_is_sent(script: Script) -> None:
    script.move("Alpha", DOING, 1)
    script.move("Beta", DOING, 2)
    script.move("Alpha", OPEN, 0)
    assert await writes_of(script) == ["move_task"] * 3


async def test_others_that_move_meanwhile_do_not_matter(script: Script) -> None:
    script.move("Alpha", OPEN, 2)
    script.move("Delta", OPEN, 0)
    script.move("Alpha", DOING, 0)
    assert await writes_of(script) == ["move_task"] * 2


async def test_passing_through_a_stage_that_closes_is_sent(script: Script) -> None:
    script.move("Alpha", DONE, 0)
    script.move("Alpha", DOING, 0)
    assert await writes_of(script) == ["move_task"] * 2


async def test_a_new_task_is_made_with_its_last_title(script: Script) -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    script.do(made)
    script.do(set_title(script.task("New"), "Newer"))
    script.do(set_priority(script.task("Newer"), Priority.HIGH))
    script.do(set_due(script.task("Newer"), DUE))
    assert await writes_of(script) == ["create_task", "set_task"]


async def test_what_was_made_and_deleted_is_no_request(script: Script) -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    script.do(made)
    script.do(set_due(script.task("New"), DUE))
    script.move("New", DOING, 0)
    script.do(set_title(script.task("Alpha"), "Other"))
    script.do(DeleteTask(script.task("New"), Place()))
    assert await writes_of(script) == ["set_task"], "the other task's title"


async def test_what_others_stand_beside_is_made_and_deleted(script: Script) -> None:
    script.do(CreateTask.new(BOARD, DOING, "New"))
    script.move("Alpha", DOING, 2)
    script.do(DeleteTask(script.task("New"), Place()))
    assert await writes_of(script) == ["create_task", "move_task", "delete_task"]


async def test_archiving_and_undoing_it_is_no_request(script: Script) -> None:
    before = script.view
    beta = script.task("Beta")
    found = before.place_of(beta.id)
    archive = ArchiveTask.on(beta, found[1] if found else Place())
    script.do(archive)
    script.do(*archive.inverse(before))
    assert await writes_of(script) == []


@st.composite
def scripts(draw: st.DrawFn, most: int = 12) -> Script:
    """Changes by somebody who comes back to the same few tasks again and again."""
    script = Script(first_view())
    for number in range(draw(st.integers(2, most))):
        before = script.view
        tasks = list(before.all_tasks())
        action = draw(st.sampled_from(_ACTIONS))
        if not tasks or action == "create":
            script.do(CreateTask.new(BOARD, draw(st.sampled_from(STAGES)), f"New {number}"))
            continue
        task = draw(st.sampled_from(tasks))
        operation = draw(_change(before, task, action, number))
        script.do(operation)
        if draw(st.integers(0, 3)) == 0:
            script.do(*recreated(operation.named(before).inverse(before), script.view)[0])
    return script


_ACTIONS = (
    *("create", "move", "move", "move", "title", "status", "status", "priority", "due"),
    *("description", "archive", "delete"),
)


@st.composite
def _change(draw: st.DrawFn, view: BoardView, task: Task, action: str, number: int) -> Operation:
    stage_id = draw(st.sampled_from(STAGES))
    found = view.place_of(task.id)
    here = found[1] if found else Place()
    values: dict[str, Operation] = {
        "move": MoveTask.on(
            task, stage_id, place_at(view, task.id, stage_id, draw(st.integers(0, 3)))
        ),
        "title": set_title(task, draw(st.sampled_from(["Alpha", f"T{number}"]))),
        "status": set_status(task, draw(st.sampled_from(Status))),
        "priority": set_priority(task, draw(st.sampled_from(Priority))),
        "due": set_due(task, draw(st.sampled_from([None, DUE]))),
        "description": set_description(task, draw(st.sampled_from(["", "<p>Why</p>"]))),
        "archive": ArchiveTask.on(task, here),
        "delete": DeleteTask(task, here),
    }
    return values[action]


@pytest.mark.long
@settings(deadline=None)
@given(scripts())
def test_the_service_ends_up_the_same(script: Script) -> None:
    before = len(script.operations)
    assert len(asyncio.run(writes_of(script))) <= before
