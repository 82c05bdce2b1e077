"""Changing cards: new, title, close, priority, due date, archive, delete, undo, redo."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.errors import CallboardError
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.task import Priority, Status
from tui.store.events import Undone
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    is_edit,
    set_title,
)
from tui.text.past import in_the_past


@pytest.mark.long
async def test_a_new_card_is_typed_below_the_cursor() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("n")
        await person.type("write tests")
        assert "write tests" in person.text
        assert store.submitted == []
        await person.press("enter")
        assert person.titles(1) == ["a", "write tests", "b", "c"]
        assert person.here == "write tests"
        made, moved = store.submitted
        assert isinstance(made, CreateTask)
        assert isinstance(moved, MoveTask)
        assert moved.place == Place(11, 12)
        assert len(store.steps) == 1


async def test_a_new_card_at_the_end_needs_no_move() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("G", "n", "x", "enter")
        assert person.titles(1) == ["a", "b", "c", "x"]
        assert len(store.submitted) == 1


async def test_a_new_card_in_an_empty_column() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("3", "n", "x", "enter")
        assert person.titles(3) == ["x"]


async def test_esc_keeps_what_was_typed_for_the_next_time() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("n")
        await person.type("half a")
        await person.press("escape")
        assert store.submitted == []
        assert "Saved as a draft" in person.said
        await person.press("n")
        await person.type(" title")
        await person.press("enter")
        assert "half a title" in person.titles(1)
        await person.press("escape", "n", "enter")
        assert "itle is required" in person.said


async def test_a_title_that_could_not_be_kept_is_offered_again() -> None:
    store = FakeStore(small())
    store.failure = CallboardError("The disk is full: the change was not kept.")
    async with opened(store) as person:
        await person.press("n", "x", "y", "enter")
        assert "The disk is full" in person.said
        assert person.titles(1) == ["a", "b", "c"]
        store.failure = None
        await person.press("enter")
        assert person.titles(1) == ["a", "xy", "b", "c"]


async def test_a_board_without_stages_says_so() -> None:
    async with opened(FakeStore(BoardView(Board(1, "Empty")))) as person:
        assert "This board has no stages yet" in person.text
        assert "S n add one   S R archived stages" in person.text
        assert " S n new stage  S R archived " in person.text
        await person.press("n")
        assert "no stages" in person.said
        await person.press("space", "x", "j", "L", "enter", "v")
        assert person.here is None


async def test_the_title_is_edited_in_place() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("j", "e", "backspace")
        await person.type("better")
        await person.press("enter")
        assert person.titles(1) == ["a", "better", "c"]
        (change,) = store.submitted
        assert is_edit(change, "title")
        assert person.here == "better"


async def test_a_title_that_is_not_changed_is_not_sent() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys in ("e enter", "e x escape", "e backspace enter"):
            await person.press(*keys.split())
            assert store.submitted == []
            assert person.titles(1) == ["a", "b", "c"]


async def test_x_closes_and_reopens() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        assert "Closed “a”" in person.said
        assert "✓ a" in person.text
        await person.press("x")
        assert [each.text for each in store.submitted if is_edit(each, "status")] == [
            Status.CLOSED,
            Status.OPEN,
        ]
        assert "Reopened “a”" in person.said


async def test_marked_cards_are_changed_as_one_step() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("v", "v", "x")
        assert len(store.steps) == 1
        assert len(store.steps[0]) == 2
        assert "Closed 2 cards" in person.said
        assert person.deck.marks == frozenset()


async def test_a_range_is_marked_from_the_last_mark() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("v", "G", "V")
        assert person.deck.marks == {11, 12, 13}
        cards = "\n".join(person.text.splitlines()[1:-1])
        assert cards.count("◆") == 3
        assert "3 marked" in person.board.bar.words
        await person.press("escape")
        assert person.deck.marks == frozenset()


async def test_the_priority_is_chosen() -> None:
    view = small().with_task(task(11, "a", priority=Priority.LOW))
    store = FakeStore(view)
    async with opened(store) as person:
        for keys, priority in (
            ("h", Priority.HIGH),
            ("m", Priority.MEDIUM),
            ("k enter", Priority.MEDIUM),
        ):
            await person.press("p")
            assert "Priority of “a”" in person.text
            await person.press(*keys.split())
            (change,) = store.submitted
            assert is_edit(change, "priority")
            assert change.text == priority
            store.submitted.clear()
            store.news(view)


async def test_the_priority_it_has_is_not_sent() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("p", "enter")
        await person.press("p", "escape")
        assert store.submitted == []


async def test_a_due_date_is_said_in_words() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("d")
        await person.type("tomorrow 9:30")
        assert "Saturday 21 November 2026, 09:30" in person.text
        await person.press("enter")
        (change,) = store.submitted
        assert is_edit(change, "due_at")
        assert change.text == "2026-11-21 09:30:00"


@pytest.mark.long
async def test_words_that_are_no_date_are_explained_and_kept() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("d")
        await person.type("soonish")
        await person.press("enter")
        assert "soonish" in person.text
        assert store.submitted == []
        await person.press(*["backspace"] * 7)
        await person.type("+1d")
        await person.press("enter")
        assert len(store.submitted) == 1


async def test_an_empty_due_date_clears_it() -> None:
    due = datetime(2026, 11, 25, 17, 0)  # noqa: DTZ001 (wall-clock time)
    store = FakeStore(small().with_task(task(11, "a", due_at=due)))
    async with opened(store) as person:
        await person.press("d", "backspace", "enter")
        (change,) = store.submitted
        assert is_edit(change, "due_at")
        assert change.text == ""


async def test_archiving_takes_the_card_off_and_undo_brings_it_back() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("j", "A")
        assert isinstance(store.submitted[0], ArchiveTask)
        assert person.titles(1) == ["a", "c"]
        assert person.here == "c"
        assert "Archived “b”" in person.said
        await person.press("u")
        assert person.titles(1) == ["a", "b", "c"]
        assert "Undone: " in person.said
        await person.press("U")
        assert person.titles(1) == ["a", "c"]
        assert "Redone: " in person.said


async def test_nothing_to_undo_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("u")
        assert "Nothing to undo" in person.said
        await person.press("U")
        assert "Nothing to redo" in person.said


async def test_deleting_asks_and_only_y_confirms() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("D")
        assert "Delete “a”?" in person.text
        await person.press("enter", "space", "D")
        assert store.submitted == []
        await person.press("y")
        (change,) = store.submitted
        assert isinstance(change, DeleteTask)
        assert person.titles(1) == ["b", "c"]


async def test_deleting_can_be_refused() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for key in ("n", "escape"):
            await person.press("D", key)
            assert store.submitted == []
            assert "Nothing was deleted" in person.said
            await person.press("j")
            assert "Nothing was deleted" not in person.said


async def test_without_a_card_an_action_says_so() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for key in "expdAD":
            await person.burst("3")
            assert "No card here" not in person.said
            await person.burst(key)
            assert "No card here" in person.said
        assert store.submitted == []


async def test_a_refused_change_is_said_until_esc() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.refuse(set_title(small().in_stage(1)[0], "new"), "the title is too long")
        await person.pilot.pause()
        assert "Refused" in person.said
        assert "the title is too long" in person.said
        await person.press("j")
        assert "Refused" in person.said
        assert "⚠ 1 needs attention" in person.board.bar.words
        await person.press("escape")
        assert "refused" not in person.said


async def test_a_long_error_leaves_room_for_what_to_press() -> None:
    store = FakeStore(small())
    async with opened(store, size=(80, 24)) as person:
        rename = set_title(small().in_stage(1)[0], "a new title")
        store.refuse(rename, "the title must have at most 1,000 characters, not 100,000")
        await person.pilot.pause()
        first, second = person.text.splitlines()[-3:-1]
        assert first.endswith("  g u show ")
        assert "at most 1,000" in first
        assert second.startswith("   100,000. Not done: Rename “a” to “a new title”. ")
        await person.pilot.resize_terminal(140, 24)
        await person.pilot.pause()
        assert "not 100,000" in person.text
        assert "  g u show " in person.text


@pytest.mark.long
async def test_the_footer_has_the_keys_of_a_title_while_it_is_typed() -> None:
    async with opened(FakeStore(small())) as person:
        for last in ("escape", "enter"):
            await person.press("e")
            await person.type("new")
            footer = person.text.splitlines()[-1].strip()
            assert footer.split() == ["↵", "save", "esc", "cancel"]
            await person.press(last)
            assert "save" not in person.hints


async def test_undo_and_redo_put_the_cursor_on_the_card_in_its_column() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("L", "1", "j")
        assert person.here == "c"
        await person.press("u")
        assert person.here == "a"
        assert "Undone: moved “a” to “Doing” · now in “To do”  U redo" in person.said
        await person.press("3", "U")
        assert person.here == "a"
        assert "Redone: moved “a” to “Doing” · now in “Doing”  u undo" in person.said


@pytest.mark.long
async def test_a_field_is_undone_by_its_name_without_the_value() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("d", *"2026-12-01", "enter", "u")
        assert "Undone: due date of “a” · in “To do”  U redo" in person.said
        await person.press("U")
        assert "Redone: due date of “a” · in “To do”  u undo" in person.said
        await person.press("p", "h", "u")
        assert "Undone: priority of “a” · in “To do”" in person.said


async def test_the_keys_of_undo_and_redo_are_said_as_they_are_set() -> None:
    async with opened(FakeStore(small())) as person:
        person.board.context.current.set("board.undo", "f5,u", "keys")
        person.board.context.current.set("board.redo", "ctrl+y", "keys")
        person.app.follow_settings()
        await person.press("x")
        assert "Closed “a”  f5 undo" in person.said
        await person.press("f5")
        assert "^y redo" in person.said.replace("ctrl+y", "^y")


async def test_undo_unfolds_the_column_it_goes_to_and_says_what_a_filter_hides() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("x", "z", "3", "u")
        assert person.here == "a"
        assert "Undone: closed “a” · in “To do”" in person.said
        await person.press("x", "slash", "d", "enter", "u")
        assert "· in “To do”, hidden by the filter" in person.said


async def test_undo_goes_to_what_comes_back_and_says_where_the_rest_went() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("j", "A", "2", "u")
        assert person.here == "b"
        assert "Undone: archived “b” · now in “To do”" in person.said
        await person.press("U")
        assert person.here == "c"
        assert "Redone: archived “b” · now in the archive" in person.said
        await person.press("home", "D", "y", "3", "u")
        assert person.here == "a"
        assert "Undone: deleted “a” · now in “To do”" in person.said


class Reviving(FakeStore):
    """Gives what comes back another id, as a service does with what was deleted."""

    async def undo(self, board_id: int, *, force: bool = False) -> Undone | None:
        undone = await super().undo(board_id, force=force)
        assert undone is not None
        found = self.views[1].task(11)
        assert found is not None
        place = self.views[1].place_of(11)
        assert place is not None
        again = self.views[1].without_task(11).with_task_at(replace(found, id=-5), *place)
        self.news(again)
        return undone._replace(operations=tuple(one.renamed({11: -5}) for one in undone.operations))


async def test_undo_goes_to_a_card_that_has_another_id_now() -> None:
    store = Reviving(small())
    async with opened(store) as person:
        await person.press("D", "y", "2", "u")
        assert person.deck.current is not None
        assert person.deck.current.id == -5
        assert "now in “To do”" in person.said
        accepted = store.views[1].without_task(-5).with_task_at(task(16, "a"), 1, Place(below=12))
        store.news(accepted, **{"_-5": 16})
        assert person.here == "a"


async def test_redo_says_to_which_board_a_card_went() -> None:
    store = FakeStore(small(), BoardView(Board(2, "Ops"), (Stage(9, 2, "Later"),)))
    async with opened(store) as person:
        await person.press("m", "O", "p", "s", "enter", "u")
        assert person.here == "a"
        await person.press("U")
        assert "now on the board “Ops”" in person.said


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("Restore “x”", "restored “x”"),
        ("Recolour the label “x” to red", "recoloured the label “x” to red"),
        ("Duplicate “x”", "duplicated “x”"),
        ("Label “x” with “bug”", "labelled “x” with “bug”"),
        ("Set the priority of “x” to high and 1 more change",
         "set the priority of “x” to high and 1 more change"),
    ],
)  # fmt: skip
def test_a_step_is_told_in_the_past(step: str, said: str) -> None:
    assert in_the_past(step) == said
