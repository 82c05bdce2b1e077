"""The filter of a board: typed with completions, picked from lists, saved, and kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.strip import Strip

from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import ANN, packed, relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.test_hostile import HOSTILE
from tui.config.preferences import Preferences
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import TaskDetail
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.lane import Lane
from tui.model.people import Account
from tui.model.query.language import read
from tui.model.query.terms import quote
from tui.model.task import Label
from tui.screens.board.bar import _FILTERS
from tui.screens.board.screen import BoardScreen
from tui.text.cells import width as cell_width
from tui.text.clean import line
from tui.widgets.line_input import LineInput

AREA = CustomField(1, 1, "Area", FieldType.SELECT, ("api", "web"))
POINTS = CustomField(2, 1, "Story points", FieldType.NUMBER)
BUG = "Fix login redirect after SSO"


def board_with_fields() -> FakeStore:
    """The board of the pictures, with custom fields, for Ann."""
    view = relaunch()
    lane = (
        *view.in_stage(1),
        task(500, "With values", values=(FieldValue(1, "web"), FieldValue(2, "5"))),
    )
    view = replace(view, tasks={**view.tasks, 1: lane}, fields=(AREA, POINTS))
    store = FakeStore(view, details=[TaskDetail(lane[1], values=(FieldValue(2, "8"),))])
    store.me = Account("ann", ANN.id)
    return store


def all_titles(person: Driver) -> list[str]:
    """The titles that are shown, also behind a dialog."""
    board = next(one for one in person.app.screen_stack if isinstance(one, BoardScreen))
    return [one.title for one in board.deck.shown.all_tasks()]


def typed(person: Driver) -> str:
    """What is in the input."""
    return person.app.screen.query_one(LineInput).value


async def row(person: Driver, words: str, *keys: str) -> None:
    """Choose the row of the list that is found by words, and press keys in what it opens."""
    await person.type(words)
    await person.press("enter", *keys)


async def test_a_filter_is_completed_and_mistakes_are_marked_below_their_place() -> None:
    async with opened(board_with_fields(), size=(100, 20)) as person:
        await person.press("slash")
        assert "14 of 14 cards" in person.said
        await person.type("la")
        assert person.said.startswith("  label: ")
        assert person.hints.startswith(" ↵ keep  tab complete  esc clear")
        await person.press("tab", "tab")
        assert typed(person) == "label:bug"
        await person.press("tab")
        assert typed(person) == "label:auth"
        assert all_titles(person) == [BUG, "Migrate the session store"]
        await person.type(" -@j")
        assert "-@jon" in person.said
        await person.press("tab")
        assert all_titles(person) == [BUG]
        assert "1 of 14 cards" in person.said
        await person.type(" due:tomorow")
        lines = person.text.splitlines()
        why = "! due: must be one of overdue, today, week, none"
        assert lines[-3].startswith(" / label:auth -@jon due:tomorow ")
        assert lines[-3].endswith(f"{why} (ignored) ")
        assert " also  p:  is:  blocked:  blocks:  stage:  changed: " in lines[-2], (
            "not due:, which is typed"
        )
        assert lines[-1].startswith(" tab complete  esc clear "), "it cannot be kept"
        assert all_titles(person) == [BUG], "what is not understood hides nothing"
        await person.press("enter")
        assert typed(person) == "label:auth -@jon due:tomorow", "it is not taken"
        await person.pilot.resize_terminal(40, 12)
        await person.press("backspace")
        assert person.said.startswith(" ! due: must be one of overdue, today")
        assert person.text.splitlines()[-4] == "─" * 40, "that is one line"
        await person.press("ctrl+w", *"overdue", "enter")
        assert person.app.focused is person.deck
        assert "label:auth" in person.text
        assert "+2" in person.text
        await person.pilot.resize_terminal(100, 20)
        await person.pilot.pause()
        assert "⌕ label:auth   -@jon   due:overdue " in person.text
        await person.press("slash", "end", *' "ope')
        assert "0 of 14 cards" in person.said, "a quote that is not closed yet is no mistake"
        await person.press("enter")
        assert "! unmatched quote" in person.text
        await person.press(*["backspace"] * 4, *"x:1", "enter")
        assert "no custom field “x”: quote it to search text" in person.text
        await person.press("escape")
        assert len(all_titles(person)) == 14


async def test_a_wrong_term_is_replaced_by_a_similar_one() -> None:
    async with opened(board_with_fields(), size=(80, 24)) as person:
        await person.press("slash")
        await person.type("label:bgu")
        lines = person.text.splitlines()
        assert lines[-4] == "─" * 80
        assert lines[-3].startswith(" / label:bgu ")
        assert lines[-3].endswith("  ! no label “bgu” (ignored) ")
        assert lines[-2].startswith(" did you mean  bug ")
        assert " also  p:  due:  is:  blocked:  blocks:  stage:  changed: " in lines[-2]
        wrong = [each for strip in strips(person) for each in strip if "label:bgu" in each.text]
        assert any(each.style and each.style.underline for each in wrong)
        await person.press("tab")
        assert typed(person) == "label:bug"
        assert "ignored" not in person.text
        await person.press("ctrl+u")
        await person.type("lable:bug")
        assert "did you mean  label:bug " in person.said
        await person.type(" is:")
        assert person.said.startswith("  is:open "), "what is typed now comes before what is wrong"
        assert "no custom field “lable”" in person.text.splitlines()[-3]
        await person.pilot.resize_terminal(60, 24)
        await person.pilot.pause()
        assert person.text.splitlines()[-4] == "─" * 60
        await person.press("escape")
        assert "ignored" not in person.text
        assert person.hints.startswith(" space lift")


async def test_a_question_mark_before_a_term_explains_the_terms() -> None:
    async with opened(board_with_fields(), size=(100, 30)) as person:
        await person.press("slash", *"what?", "space", "?")
        assert "due:overdue" in person.text
        await person.press("escape")
        assert typed(person) == "what? "
        assert person.app.focused is person.app.screen.query_one(LineInput)


async def test_the_terms_of_the_placeholder_and_of_the_counts_are_accepted() -> None:
    async with opened(board_with_fields(), size=(100, 30)) as person:
        await person.press("slash")
        placeholder = person.app.screen.query_one(LineInput).placeholder
    for query in (str(placeholder), *_FILTERS.values()):
        assert not read(query).problems


def strips(person: Driver) -> list[Strip]:
    """What is drawn, with its styles."""
    return drawn_lines(person.app)


@pytest.mark.long
async def test_a_filter_is_picked_from_lists_step_by_step_and_saved() -> None:
    store, preferences = board_with_fields(), Preferences()
    async with opened(store, size=(100, 30), preferences=preferences) as person:
        await person.press("M")
        assert "The filter shows 3 of 14 cards" in person.said
        await person.press("f")
        assert "Filter · 3 of 14 cards" in person.text
        await row(person, "label", "space", "escape", "enter")
        await person.type("bug")
        await person.press("enter")
        assert all_titles(person) == [BUG], "at once, while the list is open"
        await row(person, "person", "space", "enter")
        await row(person, "label")
        await person.type("bug")
        await person.press("space", "enter")
        await row(person, "area", "down", "space", "enter")
        assert all_titles(person) == ["With values"]
        await row(person, "area", "down", "space", "enter")
        await row(person, "points", "8", "enter")
        assert all_titles(person) == ["Empty state for search"], "an opened task has newer values"
        assert '"Story points":8' in person.text
        await row(person, "save")
        assert '"Story points":8' in person.text
        await person.press("backspace", "enter")
        assert "Name is required" in person.text
        await person.type("Eight")
        await person.press("enter")
        assert "Saved the filter “Eight”" in person.said
        await person.press("M")
        assert all_titles(person) == []
        assert preferences.text(1, "filter") == '"Story points":8 @me'
        await person.press("f")
        await row(person, "clear")
        assert len(all_titles(person)) == 14
        await person.press("f")
        assert "★ Eight" in person.text
        await person.press("enter")
        assert "“Eight” shows 1 of 14 cards" in person.said
        await person.press("f")
        assert "✓ Eight" in person.text
        await person.press("ctrl+x", "escape")
        assert "Deleted the filter “Eight”" in person.said
        await person.press("escape", "f")
        assert "Eight" not in person.text
        await row(person, "previous")
        assert all_titles(person) == ["Empty state for search"], "the filter that Esc cleared"


async def test_a_filter_that_another_window_saves_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    preferences, others = Preferences(path), Preferences(path)
    store = board_with_fields()
    async with opened(store, size=(100, 30), preferences=preferences) as person:
        await person.press("M", "f")
        await row(person, "save", "backspace")
        others.keep(1, filters={"From elsewhere": "#bug"})
        await person.type("Mine")
        await person.press("enter")
        assert preferences.texts_by_name(1, "filters").keys() == {"From elsewhere", "Mine"}
        await person.press("f")
        assert "✓ Mine" in person.text, "as it is the one that is set"
        assert "✓ From elsewhere" not in person.text
        others.read()
        others.keep(1, filters={**others.texts_by_name(1, "filters"), "Another": "@me"})
        await person.type("Mine")
        await person.press("ctrl+x", "escape")
        assert preferences.texts_by_name(1, "filters").keys() == {"From elsewhere", "Another"}


@pytest.mark.long
async def test_a_filter_is_there_the_next_time_and_says_so() -> None:
    store, preferences = board_with_fields(), Preferences()
    preferences.keep(1, filter='"Story points":8')
    async with opened(store, preferences=preferences) as person:
        assert 'Board filtered: "Story points":8  esc to clear it' in person.said
        assert '⌕ "Story points":8 ' in person.text
        assert all_titles(person) == ["Empty state for search"]
        await person.press("n")
        await person.type("Hidden")
        await person.press("enter")
        assert "Added “Hidden”: hidden by the filter  esc to clear it" in person.said
        await person.paste("Hidden as well\nand this")
        await person.press("ctrl+s")
        assert "Added 2 cards: hidden by the filter  esc to clear it" in person.said
        store.details = {}
        await person.press("enter", "escape")
        assert all_titles(person) == [], "the task that was open has no such value any more"
        await person.press("escape")
        assert {"Hidden", "Hidden as well"} <= set(all_titles(person))
        await person.press("slash", *"stage:back", "enter", "0", "g", "g", "L")
        assert (
            "Moved #412 from Backlog to Doing: hidden by the filter  esc to clear it" in person.said
        )
        await person.press("escape")
        assert BUG in person.titles(2)
        store.me = Account("carl", 99)
        await person.press("M")
        assert "not a member of this board" in person.said
        assert len(all_titles(person)) == 17


@pytest.mark.long
async def test_cards_that_others_changed_stay_once_they_were_looked_at() -> None:
    store = board_with_fields()
    store.others_did(RemoteChange(412, ChangeKind.NEW))
    async with opened(store, glance_seconds=0.0) as person:
        await person.press("f")
        await row(person, "changed", "escape")
        assert all_titles(person) == [BUG]
        await store.mark_seen(1, {412})
        assert all_titles(person) == [BUG]
        store.others_did(RemoteChange(398, ChangeKind.NEW))
        assert all_titles(person) == [BUG, "Rate-limit the public API"]
        await person.press("escape", "slash", *"changed:", "enter")
        assert all_titles(person) == ["Rate-limit the public API"]
        await person.press("slash", "ctrl+u", *"zzz", "enter")
        assert "The filter hides all 14 cards" in person.text
        assert person.text.count(" no matches ") == 3
        assert person.text.count("▌no matches ") == 1


@pytest.mark.long
async def test_hostile_names_are_completed_picked_and_drawn_in_any_size() -> None:
    names = [line(one) for one in HOSTILE]
    view = relaunch()
    labels = tuple(Label(900 + at, one) for at, one in enumerate(names))
    fields = tuple(CustomField(at, 1, one) for at, one in enumerate(names, 1))
    first = replace(view.in_stage(1)[0], labels=labels)
    view = replace(view.with_task(first), labels=labels, fields=fields)
    saved = {f"{one}{at}": quote(one) for at, one in enumerate(names)}
    preferences = Preferences()
    preferences.keep(1, filters=saved)
    async with opened(FakeStore(view), preferences=preferences) as person:
        for size in ((40, 15), (80, 24)):
            await person.pilot.resize_terminal(*size)
            for keys, escapes in (('slash - "', 1), ("f", 1), ("f l a b e l enter", 2)):
                await person.press(*keys.split())
                assert_whole(person, size[0])
                await person.press(*["escape"] * escapes)
        await person.press("slash", "#")
        for _ in names:
            await person.press("tab")
            assert_whole(person, 80)
            assert (BUG in all_titles(person)) != (typed(person) == "label:none")


def assert_whole(person: Driver, width: int) -> None:
    """Every line is as wide as the screen, and holds no control characters."""
    lines = person.text.splitlines()
    assert all(cell_width(each) == width for each in lines)
    assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in "".join(lines))


async def test_a_filter_is_saved_when_it_is_typed_and_when_the_program_ends_before() -> None:
    preferences = Preferences()
    async with opened(FakeStore(small()), preferences=preferences) as person:
        await person.press("slash", "a")
        assert preferences.text(1, "filter") == ""
        await person.press("enter")
        assert preferences.text(1, "filter") == "a"
        await person.press("slash", "b")
    assert preferences.text(1, "filter") == "ab"


async def test_a_filter_that_hides_all_names_the_term_to_drop() -> None:
    async with opened(board_with_fields(), size=(120, 20)) as person:
        await person.press("slash")
        await person.type("label:bug due:today")
        await person.press("enter")
        assert all_titles(person) == []
        assert "The filter hides all 14 cards" in person.text
        assert " without label:bug it would show 1 " in person.text
        assert "esc clear   / edit" in person.text
        assert "0 of 14 shown" in person.text.splitlines()[0]
        assert person.hints.startswith(" esc clear filter  / change  n new  M my cards")
        await person.press("escape", "slash")
        await person.type("zzz")
        await person.press("enter")
        assert "The filter hides" in person.text
        assert "without" not in person.text
        await person.press("M")
        assert "You are not a member" not in person.said
        await person.press("escape")
        assert "The filter hides" not in person.text
        assert person.hints.startswith(" space lift")


async def test_packed_cards_are_unpacked_while_the_filter_is_typed() -> None:
    view = relaunch()
    lane = Lane(chunk for each in view.in_stage(1) for chunk in packed([each]).chunks)
    store = FakeStore(replace(view, tasks={**view.tasks, 1: lane}))
    async with opened(store, size=(100, 8)) as person:
        assert any(chunk.is_packed for chunk in lane.chunks)
        await person.press("slash")
        assert not any(chunk.is_packed for chunk in lane.chunks)
        await person.type("login")
        assert all_titles(person) == [BUG]
