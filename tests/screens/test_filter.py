"""The filter of a board: typed with completions, picked from lists, saved, and kept."""

from dataclasses import replace

from tests.boards import ANN, relaunch, task
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.preferences import Preferences
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.model.remote_changes import ChangeKind, RemoteChange
from tui.screens.board.screen import BoardScreen
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


async def test_a_filter_is_completed_and_mistakes_are_marked_below_their_place() -> None:
    async with opened(board_with_fields(), size=(100, 20)) as person:
        await person.press("slash")
        assert "14 of 14 cards" in person.said
        await person.type("la")
        assert person.said.startswith(" label:   tab completes")
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
        at = lines[-2].index("due:tomorow")
        assert lines[-1][at:].startswith(f"{'^' * 11} due: is one of overdue, today, week, none")
        assert all_titles(person) == [BUG], "what is not understood hides nothing"
        await person.press("enter")
        assert typed(person) == "label:auth -@jon due:tomorow", "it is not taken"
        await person.pilot.resize_terminal(40, 12)
        await person.press("backspace")
        assert person.said == " due: is one of overdue, today, week, none"
        await person.press("ctrl+w", *"overdue", "enter")
        assert person.app.focused is person.deck
        assert "label:auth" in person.text
        assert "+2" in person.text
        await person.pilot.resize_terminal(100, 20)
        await person.pilot.pause()
        assert "⌕  label:auth   -@jon   due:overdue " in person.text
        await person.press("slash", "end", *' "ope')
        assert "0 of 14 cards" in person.said, "a quote that is not closed yet is no mistake"
        await person.press("enter")
        assert "the quote is not closed" in person.said
        await person.press(*["backspace"] * 4, *"x:1", "enter")
        assert "no custom field “x”: quotes make words of it" in person.said
        await person.press("escape")
        assert len(all_titles(person)) == 14


async def test_a_filter_is_picked_from_lists_step_by_step_and_saved() -> None:
    store, preferences = board_with_fields(), Preferences()
    async with opened(store, size=(100, 30), preferences=preferences) as person:
        await person.press("M")
        assert "The filter shows 3 of 14 cards" in person.said
        await person.press("f")
        assert "Filter · 3 of 14 cards" in person.text
        await person.type("label")
        await person.press("enter", "space", "escape", "enter")
        await person.type("bug")
        await person.press("enter")
        assert all_titles(person) == [BUG], "at once, while the list is open"
        await person.type("person")
        await person.press("enter", "space", "enter")
        await person.type("label")
        await person.press("enter")
        await person.type("bug")
        await person.press("space", "enter")
        await person.type("area")
        await person.press("enter", "down", "space", "enter")
        assert all_titles(person) == ["With values"]
        await person.type("area")
        await person.press("enter", "down", "space", "enter")
        await person.type("points")
        await person.press("enter", "8", "enter")
        assert all_titles(person) == ["Empty state for search"], "an opened task has newer values"
        assert '"Story points":8' in person.text
        await person.type("save")
        await person.press("enter")
        assert '"Story points":8' in person.text
        await person.press("backspace", "enter")
        assert "Give the filter a name" in person.text
        await person.type("Eight")
        await person.press("enter")
        assert "Saved the filter “Eight”" in person.said
        await person.press("M")
        assert all_titles(person) == []
        assert preferences.text(1, "filter") == '"Story points":8 @me'
        await person.press("f")
        await person.type("clear")
        await person.press("enter")
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
        await person.type("again")
        await person.press("enter")
        assert all_titles(person) == ["Empty state for search"], "the filter that Esc cleared"


async def test_a_filter_is_there_the_next_time_and_says_so() -> None:
    store, preferences = board_with_fields(), Preferences()
    preferences.keep(1, filter='"Story points":8')
    async with opened(store, preferences=preferences) as person:
        assert 'The board is filtered: "Story points":8  esc clears it' in person.said
        assert '⌕  "Story points":8 ' in person.text
        assert all_titles(person) == ["Empty state for search"]
        await person.press("n")
        await person.type("Hidden")
        await person.press("enter")
        assert "Added “Hidden”: hidden by the filter  esc clears it" in person.said
        await person.paste("Hidden as well\nand this")
        await person.press("ctrl+s")
        assert "Added 2 cards: hidden by the filter  esc clears it" in person.said
        store.details = {}
        await person.press("enter", "escape")
        assert all_titles(person) == [], "the task that was open has no such value any more"
        await person.press("escape")
        assert {"Hidden", "Hidden as well"} <= set(all_titles(person))
        await person.press("slash", *"stage:back", "enter", "0", "g", "g", "L")
        assert f"Moved “{BUG}”: hidden by the filter  esc clears it" in person.said
        await person.press("escape")
        assert BUG in person.titles(2)
        store.me = Account("carl", 99)
        await person.press("M")
        assert "not a member of this board" in person.said
        assert len(all_titles(person)) == 17


async def test_cards_that_others_changed_stay_once_they_were_looked_at() -> None:
    store = board_with_fields()
    store.others_did(RemoteChange(412, ChangeKind.NEW))
    async with opened(store, glance_seconds=0.0) as person:
        await person.press("f")
        await person.type("changed")
        await person.press("enter", "escape")
        assert all_titles(person) == [BUG]
        await store.mark_card_seen(1, 412)
        assert all_titles(person) == [BUG]
        store.others_did(RemoteChange(398, ChangeKind.NEW))
        assert all_titles(person) == [BUG, "Rate-limit the public API"]
        await person.press("escape", "slash", *"changed:", "enter")
        assert all_titles(person) == ["Rate-limit the public API"]
        await person.press("slash", "ctrl+u", *"zzz", "enter")
        assert "No card matches the filter  esc clears it" in person.said
        assert person.text.count(" no card matches") == 4
