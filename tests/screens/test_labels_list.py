"""The list of labels: on how many cards each is, since when, and what is done with marked ones."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

from tests.fakes.boards import NOW, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.client.documents import Document
from tui.model.task import Label, Status
from tui.store.operations import CreateLabel, DeleteLabel
from tui.store.remote import Remote

BUG, OLD, HIDDEN, UNUSED = (
    Label(number, title, "#f0626b") for number, title in enumerate(("bug", "old", "sub", "none"), 1)
)


class Used:
    """A service that knows which labels tasks have."""

    async def used_labels(self, board_id: int) -> list[Document]:
        del board_id
        return [{"id": label.id} for label in (BUG, OLD, HIDDEN)]


def made(days: int) -> datetime:
    """So many days ago."""
    return (NOW - timedelta(days=days)).astimezone(UTC)


def labelled() -> FakeStore:
    """A board with an open and a closed card with a label, and one in the archive with two."""
    cards = (
        task(11, "a", 1, labels=(BUG,), created_at=made(40)),
        task(12, "b", 1, labels=(BUG,), created_at=made(0), status=Status.CLOSED),
    )
    store = FakeStore(replace(small(), tasks={1: cards}, labels=(BUG, OLD, HIDDEN, UNUSED)))
    archived = task(13, "c", 1, labels=(BUG, OLD), created_at=made(400))
    store.archived = (replace(archived, archived_at=NOW),)
    return store


def rows(person: Driver) -> list[list[str]]:
    """The words of the rows."""
    lines = (line.replace("▌", " ").split() for line in person.text.splitlines()[2:-2])
    return [words for words in lines if words]


async def test_labels_say_on_how_many_cards_they_are_and_when_the_newest_was_made() -> None:
    store = labelled()
    async with opened(store) as person:
        await person.press("g", "l")
        assert person.text.splitlines()[1].split() == ["label", "open", "all", "newest", "card"]
        assert rows(person) == [
            ["■", "bug", "1", "3", "today"],
            ["■", "old", "·", "1", "oct", "2025"],
            ["■", "sub", "·"],
            ["■", "none", "·"],
        ], "without a service it is not known whether subtasks have them"
        assert "4 labels  2 unused" in person.text.splitlines()[0]
    store.remote = cast("Remote", Used())
    async with opened(store) as person:
        await person.press("g", "l")
        assert rows(person)[2:] == [["■", "sub", "·", "≥1"], ["■", "none", "·", "0", "never"]]
        assert "4 labels  1 unused" in person.text.splitlines()[0]
        await person.press("n")
        await person.type("fresh")
        await person.press("enter")
        assert isinstance(store.submitted[-1], CreateLabel)
        assert rows(person)[-1] == ["■", "fresh", "·"], "the service may not know it yet"


async def test_marked_labels_say_what_merges_them() -> None:
    async with opened(labelled(), size=(80, 24)) as person:
        await person.press("g", "l", "v")
        line = person.text.splitlines()[-2]
        assert line.startswith(" ◆ 1 marked: v marks another one to merge them ")
        await person.press("v")
        line = person.text.splitlines()[-2]
        assert line.startswith(" ◆ 2 marked: m to merge them into one ")
        assert line.endswith(" v unmark  esc clear ")
        assert "2 marked" in person.text.splitlines()[0]
        await person.press("escape")
        assert "marked" not in person.text


async def test_the_hints_of_labels_begin_with_what_is_done_to_them() -> None:
    async with opened(labelled(), size=(120, 24)) as person:
        await person.press("g", "l")
        order = " ↵ edit  n new  m merge  D delete  / search  u undo  esc back "
        assert person.text.splitlines()[-1].startswith(order)


async def test_labels_are_deleted_and_merged_once_it_is_said_on_how_many_cards_they_are() -> None:
    store = labelled()
    async with opened(store) as person:
        await person.press("g", "l", "D")
        assert "Delete the label “bug”?" in person.text
        assert "2 cards on the board will lose it" in person.text
        await person.press("n")
        assert not store.submitted
        await person.press("v", "v", "m", "2")
        assert "Merge “bug” into “old”?" in person.text
        assert "2 cards on the board will have “old” instead" in person.text
        await person.press("y")
        gone = [one.label.id for one in store.submitted if isinstance(one, DeleteLabel)]
        assert gone == [BUG.id]
        assert {label.id for task in store.views[1].in_stage(1) for label in task.labels} == {
            OLD.id
        }
        await person.press("escape", "g", "g", "D", "y")
        assert "Deleted the label “old”" in person.text
        assert [row[1] for row in rows(person)] == ["sub", "none"]
