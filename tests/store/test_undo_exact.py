"""Undo and redo at real services: what is undone is as it was, what is redone as it had been."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import pytest

from tests.api.suite.services import Running, embedded, quirky
from tests.quirky.quirks import Quirks
from tests.store.party import until
from tui.model.board import BoardView, Place
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.gateway import Gateway
from tui.store.operations.base import Operation
from tui.store.store import LocalStore

_SERVICES = {
    "embedded": embedded,
    "extended": quirky(Quirks.extended()),
    "older-free": quirky(Quirks.older_free()),
    "old-paid": quirky(Quirks.old_paid()),
}
_AT = datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  wall clock


class Person:
    """Somebody who changes a board of a running service, and undoes it."""

    def __init__(self, store: LocalStore, board_id: int, stages: tuple[int, ...]) -> None:
        self.store = store
        self.board_id = board_id
        self.open, self.doing, self.done = stages[:3]

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        if view is None:
            raise LookupError(self.board_id)
        return view

    def task(self, title: str) -> Task:
        return next(task for task in self.view.all_tasks() if task.title == title)

    def moved(self, title: str, stage_id: int) -> Operation:
        return change.MoveTask.on(self.task(title), stage_id, Place())

    def status(self, title: str, status: Status) -> Operation:
        return change.SetStatus.on(self.task(title), status)

    async def delivered(self) -> None:
        await until(self.store, lambda: not self.store.waiting())

    async def does(self, *operations: Operation) -> None:
        await self.store.submit(*operations)
        await self.delivered()

    async def seen(self) -> dict[int, list[tuple[object, ...]]]:
        """Every card as the service has it, once it is asked again."""
        await self.delivered()
        await self.store.refresh(self.board_id)
        return {
            stage.id: [_card(task) for task in self.view.in_stage(stage.id)]
            for stage in self.view.stages
        }

    async def undoes_exactly(self, *operations: Operation) -> None:
        """Do it, undo it, redo it and undo it again, comparing what is there each time."""
        before = await self.seen()
        await self.does(*operations)
        after = await self.seen()
        assert after != before
        for _ in range(2):
            await self.store.undo(self.board_id)
            assert await self.seen() == before
            await self.store.redo(self.board_id)
            assert await self.seen() == after
        await self.store.undo(self.board_id)
        await self.delivered()


def _card(task: Task) -> tuple[object, ...]:
    return (
        task.id,
        task.title,
        task.status,
        task.priority,
        task.due_at,
        task.description,
        task.comments_count,
        sorted(label.id for label in task.labels),
        sorted(person.id for person in task.assignees),
    )


@pytest.fixture(params=sorted(_SERVICES))
async def person(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Person]:
    service: Callable[[Path], AbstractContextManager[Running]] = _SERVICES[request.param]
    with service(tmp_path) as running:
        board_id, stages = running.new_board()
        client = running.client(running.session("ann"), "ann")
        store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
        gateway = Gateway(client)
        for title in ("A", "B", "C"):
            await gateway.create_task(board_id, stages[0], title, "low")
        store.connect(gateway)
        await store.open_board(board_id)
        person = Person(store, board_id, stages)
        await until(store, lambda: len(person.view.in_stage(stages[0])) == 3)
        yield person
        await store.aclose()
        await client.aclose()


async def test_a_card_that_a_stage_closed_is_open_again(person: Person) -> None:
    await person.undoes_exactly(person.moved("B", person.done))


async def test_a_closed_card_that_leaves_a_closing_stage(person: Person) -> None:
    await person.does(person.moved("B", person.done))
    await person.undoes_exactly(person.moved("B", person.doing))


async def test_an_open_card_that_leaves_a_closing_stage_stays_open(person: Person) -> None:
    await person.does(person.moved("B", person.done))
    await person.does(person.status("B", Status.OPEN))
    await person.undoes_exactly(person.moved("B", person.doing))


async def test_a_closed_card_that_goes_into_a_closing_stage(person: Person) -> None:
    await person.does(person.status("B", Status.CLOSED))
    await person.undoes_exactly(person.moved("B", person.done))


async def test_several_cards_at_once(person: Person) -> None:
    await person.does(person.moved("A", person.done))
    await person.does(person.status("A", Status.OPEN))
    await person.does(person.moved("B", person.done))
    await person.undoes_exactly(person.moved("A", person.doing), person.moved("B", person.open))


async def test_what_the_service_writes_in_its_own_way(person: Person) -> None:
    """Undo compares with what the service wrote, not with what was sent."""
    await person.undoes_exactly(change.SetTitle.on(person.task("A"), "a  <b>bold</b> & more"))
    html = "<p>one &amp; <b>two</b> > three</p><script>x</script>"
    await person.undoes_exactly(change.SetDescription.on(person.task("A"), html))
    await person.undoes_exactly(change.SetDue.on(person.task("A"), _AT))
