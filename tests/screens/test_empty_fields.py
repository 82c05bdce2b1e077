"""The fields of a task that are empty: folded into one line, and unfolded."""

from dataclasses import replace

import pytest

from tests.fakes.boards import NOW, task
from tests.fakes.store import FakeStore
from tests.pictures.tasks import board, login_redirect
from tests.screens.driving import Driver, opened
from tui.model.custom_field import CustomField, FieldValue
from tui.model.detail import TaskDetail, TaskField
from tui.model.fields.rows import FieldRow, RowPiece
from tui.screens.task.screen import TaskScreen
from tui.store.events import DetailChanged, PendingChange, PendingState
from tui.store.operations import Operation

WIDE, NARROW = (120, 40), (80, 24)

CUSTOMER, BILLED = CustomField(7, 1, "Customer"), CustomField(8, 1, "Billed to")


class WaitingStore(FakeStore):
    """A store whose last change waits to be sent."""

    async def submit(self, *operations: Operation) -> None:
        self.kept = [
            PendingChange(number, each.board_id, each, PendingState.WAITING, NOW)
            for number, each in enumerate(operations)
        ]
        await super().submit(*operations)


def bare() -> WaitingStore:
    """A board on which no more than the title is known of the first task."""
    view = replace(board(), fields=(CUSTOMER, BILLED))
    nothing_but_a_title = task(412, "a")
    return WaitingStore(
        view.with_task(nothing_but_a_title), details=[TaskDetail(nothing_but_a_title)]
    )


def fields(person: Driver) -> list[str]:
    """What is listed, by its labels; the line of the empty fields as it is read."""
    assert isinstance(person.app.screen, TaskScreen)
    listed = person.app.screen.panes.fields.rows
    return [
        each.label if isinstance(each, FieldRow) else f"{'-+'[not each.is_open]}{each.empty}"
        for each in listed
    ]


def words(person: Driver) -> str:
    """What is on the screen, with single blanks."""
    return " ".join(person.text.split())


def current(person: Driver) -> str:
    """What the cursor is on."""
    assert isinstance(person.app.screen, TaskScreen)
    return fields(person)[person.app.screen.panes.fields.cursor]


async def test_what_is_set_comes_first_and_the_rest_is_one_line() -> None:
    store = FakeStore(board(), details=[login_redirect()])
    async with opened(store, size=WIDE) as person:
        await person.press("enter")
        before = fields(person)
        assert before[:5] == ["Stage", "Status", "Priority", "Assignees", "Watching"]
        assert before[-2:] == ["Updated", "+9"]
        assert "+ 9 empty" in person.text
        assert "Template" not in person.text
        await person.press("+")
        assert fields(person)[: len(before) - 1] == before[:-1]
        assert fields(person)[len(before) - 1] == "-9"
        assert "Template" in fields(person)[-8:]
        assert "Template" in person.text
        await person.press("-")
        assert fields(person) == before


async def test_enter_on_the_line_unfolds_and_folds() -> None:
    async with opened(bare(), size=NARROW) as person:
        await person.press("enter", "4", "G")
        assert current(person) == "+14"
        await person.press("enter", "j", "j")
        assert current(person) == "Watchers"
        assert "Watchers no one" in words(person)
        await person.press("-")
        assert current(person) == "+14"
        assert "Watchers" not in person.text


async def test_unfolding_where_there_is_little_room_shows_what_was_folded() -> None:
    async with opened(bare(), size=(40, 15)) as person:
        await person.press("enter", "+")
        assert "Assignees" in person.text
        await person.press("-", "1", "+")
        assert "Assignees" in person.text


@pytest.mark.long
async def test_a_key_gives_a_folded_field_its_value() -> None:
    async with opened(bare(), size=WIDE) as person:
        await person.press("enter", "4", "j", "d", *"fri", "enter")
        assert fields(person)[:5] == ["Stage", "Status", "Priority", "Watching", "Due"]
        assert current(person) == "Due"
        await person.press("k", "s", *"mon", "enter")
        assert current(person) == "Start"


@pytest.mark.long
async def test_a_field_that_loses_its_value_stays_until_the_task_is_left() -> None:
    async with opened(bare(), size=WIDE) as person:
        await person.press("enter", "4", "d", *"fri", "enter", "d", "backspace", "enter")
        assert current(person) == "Due"
        assert "no date" in person.text
        await person.press("u")
        assert "no date" not in person.text
        await person.press("U", "]", "[")
        assert "Due" not in fields(person)


async def test_a_value_that_somebody_else_gives_leaves_the_cursor_where_it_is() -> None:
    store = bare()
    async with opened(store, size=WIDE) as person:
        await person.press("enter", "4", "j", "j")
        store.news(store.views[1].with_task(task(412, "a", due_at=NOW)))
        await person.press()
        assert "Due" in fields(person)
        assert current(person) == "Priority"


@pytest.mark.long
async def test_custom_fields_fold_only_once_they_are_known_to_be_empty() -> None:
    store = bare()
    async with opened(store, size=WIDE) as person:
        await person.press("enter")
        assert {"Customer", "Billed to", "Watching"} <= set(fields(person))
        assert "Customer not loaded yet" in words(person)
        values = (FieldValue(BILLED.id, "ACME"),)
        store.details[412] = replace(store.details[412], values=values, watching=False)
        store.notify(DetailChanged(1, 412))
        await person.press()
        assert "Customer" not in fields(person)
        assert "Watching" not in fields(person)
        assert "Billed to ACME" in words(person)


async def test_where_no_field_is_empty_the_key_says_so() -> None:
    async with opened(bare(), size=WIDE) as person:
        await person.press("enter")
        screen = person.app.screen
        assert isinstance(screen, TaskScreen)
        screen.panes.fields.begin()
        screen.panes.fields.show([FieldRow(TaskField.SOURCE, (RowPiece("mail"),))], NOW)
        await person.press("+")
        assert "All fields have values" in screen.status.words
        assert fields(person) == ["Source"]


@pytest.mark.long
async def test_what_is_out_of_sight_is_counted_above_the_keys() -> None:
    store = FakeStore(board(), details=[login_redirect()])
    async with opened(store, size=(120, 20)) as person:
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)
        listed = person.app.screen.panes.fields
        assert f"↓ {listed.out_of_sight} more fields" in person.text
        assert "Priority  " in person.text
        await person.press("4", "G")
        assert "more fields" not in person.text
        await person.press("5")
        assert "more lines" not in person.text
