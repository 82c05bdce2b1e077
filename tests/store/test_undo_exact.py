"""Undo and redo at real services: what is undone is as it was, what is redone as it had been."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from tests.client.suite.services import Running, embedded, quirky
from tests.quirky.quirks import Quirks
from tests.store.party import until
from tui.client.client import Client
from tui.model.board import BoardView, Place
from tui.model.detail import TaskDetail
from tui.model.task import Priority, Status, Task
from tui.store import operations as change
from tui.store.events import UndoNeedsConfirmation
from tui.store.operations.base import Operation
from tui.store.store import LocalStore

pytestmark = pytest.mark.long

_SERVICES = {
    "embedded": embedded,
    "extended": quirky(Quirks.extended()),
    "old-paid": quirky(Quirks.old_paid()),
}
_AT = datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  wall clock


class Person:
    """Somebody who changes a board of a running service, and undoes it."""

    def __init__(
        self, store: LocalStore, client: Client, board_id: int, stages: tuple[int, ...]
    ) -> None:
        self.store = store
        self.client = client
        self.board_id = board_id
        self.open, self.doing, self.done = stages[:3]

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        if view is None:
            raise LookupError(self.board_id)
        return view

    def detail(self, task: Task) -> TaskDetail:
        detail = self.store.detail(task.id)
        if detail is None:
            raise LookupError(task.id)
        return detail

    def task(self, title: str) -> Task:
        return next(task for task in self.view.all_tasks() if task.title == title)

    def moved(self, title: str, stage_id: int) -> Operation:
        return change.MoveTask.on(self.task(title), stage_id, Place())

    def status(self, title: str, status: Status) -> Operation:
        return change.set_status(self.task(title), status)

    async def delivered(self) -> None:
        await until(self.store, lambda: not self.store.pending())

    async def does(self, *operations: Operation) -> None:
        await self.store.submit(*operations)
        await self.delivered()

    async def seen(self) -> dict[int, list[tuple[object, ...]]]:
        """Every card as the service has it, once it is asked again."""
        await self.delivered()
        await self.store.refresh(self.board_id)
        return self.drawn()

    def drawn(self) -> dict[int, list[tuple[object, ...]]]:
        """Every card as drawn."""
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
        await self.store.undo(self.board_id)
        assert await self.seen() == before
        await self.store.redo(self.board_id)
        assert await self.seen() == after
        await self.store.undo(self.board_id)
        assert await self.seen() == before


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
        gateway = client
        for title in ("A", "B", "C"):
            await gateway.create_task(board_id, stages[0], title, "low")
        store.connect(gateway)
        await store.open_board(board_id)
        person = Person(store, client, board_id, stages)
        await until(store, lambda: len(person.view.in_stage(stages[0])) == 3)
        yield person
        await store.aclose()
        await client.aclose()


async def test_moves_into_and_out_of_a_closing_stage(person: Person) -> None:
    await person.undoes_exactly(person.moved("B", person.done))
    await person.does(person.moved("B", person.done))
    await person.undoes_exactly(person.moved("B", person.doing))
    await person.does(person.status("B", Status.OPEN))
    await person.undoes_exactly(person.moved("B", person.doing))
    await person.does(person.status("A", Status.CLOSED))
    await person.undoes_exactly(person.moved("A", person.done))


async def test_several_cards_at_once(person: Person) -> None:
    await person.does(person.moved("A", person.done))
    await person.does(person.status("A", Status.OPEN))
    await person.does(person.moved("B", person.done))
    await person.undoes_exactly(person.moved("A", person.doing), person.moved("B", person.open))


async def moved_away(person: Person) -> None:
    """A labelled, assigned, open card in a closing stage goes to another board, with a value."""
    client = person.client
    other = await client.create_board("Other", "", "to-do")
    await client.create_field(person.board_id, "Customer", "text")
    await client.create_label(person.board_id, "mine alone", "#ff0000", "#ffffff")
    await person.store.refresh()
    await person.store.refresh(person.board_id)
    view, card = person.view, person.task("B")
    label = next(label for label in view.labels if label.title == "mine alone")
    await person.does(
        change.add_label(card, label),
        change.set_assignees(card, view.people[:2]),
        person.moved("B", person.done),
        person.moved("A", person.done),
    )
    await person.does(person.status("B", Status.OPEN))
    await person.store.open_task(person.board_id, card.id)
    await until(person.store, lambda: person.detail(card).values is not None)
    await person.does(change.set_custom_field(person.detail(card), view.fields[0], "ACME"))
    stages = (await client.board(other["id"]))["stages"]
    card = person.task("B")
    await person.does(change.MoveTaskToBoard(card, other["id"], stages[0]["id"], "Other"))
    assert "B" not in {task.title for task in person.view.all_tasks()}


@pytest.mark.parametrize("person", ["embedded", "extended"], indirect=True)
async def test_a_card_comes_back_from_another_board_as_it_was(person: Person) -> None:
    await moved_away(person)
    await person.store.undo(person.board_id)
    await person.delivered()
    drawn = {
        stage.id: [_card(t) for t in person.view.in_stage(stage.id)] for stage in person.view.stages
    }
    assert await person.seen() == drawn
    card = person.task("B")
    assert [task.title for task in person.view.in_stage(person.done)] == ["A", "B"]
    assert not card.is_closed
    assert [label.title for label in card.labels] == ["mine alone"]
    assert [one.login for one in card.assignees] == ["ann", "bob"]
    await person.store.open_task(person.board_id, card.id)
    await person.store.refresh_task(card.id)
    assert [one.value for one in person.detail(card).values or ()] == ["ACME"]


@pytest.mark.parametrize("person", ["embedded", "extended"], indirect=True)
async def test_a_card_that_was_never_opened_comes_back_with_its_values(person: Person) -> None:
    client, card = person.client, person.task("B")
    other = await client.create_board("Other", "", "to-do")
    field = await client.create_field(person.board_id, "Customer", "text")
    await client.set_field_value(person.board_id, card.id, field["id"], "ACME")
    await person.store.refresh()
    await person.store.refresh(person.board_id)
    stages = (await client.board(other["id"]))["stages"]
    await person.does(change.MoveTaskToBoard(card, other["id"], stages[0]["id"], "Other"))
    assert person.store.detail(card.id) is None
    await person.store.undo(person.board_id)
    await person.delivered()
    await person.store.open_task(person.board_id, card.id)
    await person.store.refresh_task(card.id)
    assert [one.value for one in person.detail(card).values or ()] == ["ACME"]


@pytest.mark.parametrize("person", ["embedded"], indirect=True)
async def test_a_card_without_values_comes_back_without_a_question(person: Person) -> None:
    client, card = person.client, person.task("B")
    other = await client.create_board("Other", "", "to-do")
    await client.create_field(person.board_id, "Customer", "text")
    await person.store.refresh()
    await person.store.refresh(person.board_id)
    stages = (await client.board(other["id"]))["stages"]
    await person.does(change.MoveTaskToBoard(card, other["id"], stages[0]["id"], "Other"))
    await person.store.undo(person.board_id)
    await person.delivered()
    assert person.task("B").stage_id == card.stage_id


@pytest.mark.parametrize("person", ["embedded"], indirect=True)
async def test_what_cannot_be_brought_back_is_said_before(person: Person) -> None:
    await moved_away(person)
    label = next(label for label in person.view.labels if label.title == "mine alone")
    await person.client.delete_label(person.board_id, label.id)
    await person.store.refresh(person.board_id)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await person.store.undo(person.board_id)
    assert asked.value.why == ("The board no longer has the label “mine alone”.",)
    await person.store.undo(person.board_id, force=True)
    await person.delivered()
    assert person.task("B").labels == ()


async def test_what_the_service_writes_in_its_own_way(person: Person) -> None:
    """Undo compares with what the service wrote, not with what was sent."""
    await person.undoes_exactly(change.set_title(person.task("A"), "a  <b>bold</b> & more"))
    html = "<p>one &amp; <b>two</b> > three</p><script>x</script>"
    await person.undoes_exactly(change.set_description(person.task("A"), html))
    await person.undoes_exactly(change.set_due(person.task("A"), _AT))


async def test_all_cards_of_a_stage_at_once(person: Person) -> None:
    stage = person.view.stages[0]
    await person.undoes_exactly(
        change.SortStage.on(stage, change.SortBy.TITLE, descending=True),
        change.OrderTasks(person.board_id, stage.id, "", (person.task("B").id,)),
    )
    reverse = change.SortStage.on(stage, change.SortBy.POSITION, descending=True)
    await person.undoes_exactly(reverse)
    await person.undoes_exactly(change.ArchiveTasks.on(person.view, stage))


async def test_how_a_stage_is_set_up(person: Person) -> None:
    stage, people = person.view.stages[0], person.view.people
    await person.does(
        change.set_setting(stage, "status", Status.CLOSED),
        change.set_setting(stage, "assignees", [people[1].id]),
        change.set_setting(stage, "template", True),
        change.set_stage_color(stage, "#4bce97"),
    )
    await person.seen()
    assert replace(person.view.stages[0], position=0.0) == replace(
        stage,
        position=0.0,
        default_status=Status.CLOSED,
        default_assignees=(people[1].id,),
        is_template=True,
        color="#4bce97",
    )
    await person.store.undo(person.board_id)
    await person.seen()
    assert replace(person.view.stages[0], position=0.0) == replace(stage, position=0.0)


async def test_a_stage_is_added_at_a_place_in_one_step(person: Person) -> None:
    ids = [stage.id for stage in person.view.stages]
    between = Place(above=ids[0], below=ids[1])
    await person.does(*change.new_stage_at(person.board_id, "Next", between))
    await person.seen()
    assert [stage.title for stage in person.view.stages][1] == "Next"
    await person.store.undo(person.board_id)
    await person.seen()
    assert [stage.id for stage in person.view.stages] == ids


@pytest.mark.parametrize("person", ["embedded", "old-paid"], indirect=True)
async def test_a_card_deleted_from_the_archive_is_made_again_there(person: Person) -> None:
    task = person.task("B")
    await person.does(change.set_priority(task, Priority.HIGH))
    await person.does(change.ArchiveTask.on(person.task("B"), Place()))
    [archived] = await person.store.archived_tasks(person.board_id)
    await person.does(change.DeleteTask(archived, Place()))
    await person.store.undo(person.board_id)
    await person.delivered()
    assert person.store.pending() == ()
    assert [card[1] for card in (await person.seen())[person.open]] == ["A", "C"]
    [again] = await person.store.archived_tasks(person.board_id)
    assert (again.title, again.priority, again.id > archived.id) == ("B", Priority.HIGH, True)


@pytest.mark.parametrize("person", ["embedded", "old-paid"], indirect=True)
async def test_a_card_made_again_has_both_its_dates(person: Person) -> None:
    card = person.view.in_stage(person.view.stages[0].id)[0]
    start, due = (
        datetime.fromisoformat("2026-11-02T09:00"),
        datetime.fromisoformat("2026-11-06T17:00"),
    )
    await person.does(change.set_start(card, start), change.set_due(card, due))
    dated = person.task(card.title)
    await person.does(change.DeleteTask(dated, Place()))
    await person.store.undo(person.board_id)
    await person.seen()
    again = person.task(card.title)
    assert again.id != card.id
    assert (again.started_at, again.due_at) == (start, due)
