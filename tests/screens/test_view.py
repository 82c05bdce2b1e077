"""What is shown and how: filter, density, folding, zoom, refresh, help, palette, sizes."""

import re
from collections.abc import Sequence

import pytest

from tests.drivers.quiet import until_work_ends
from tests.fakes.boards import relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.config.preferences import Preferences
from tui.context import Density
from tui.dialogs import help as help_dialog
from tui.dialogs.form import FormDialog
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.screens.board.card import card_height
from tui.screens.board.column import COLLAPSED_WIDTH
from tui.screens.boards.screen import BoardsScreen
from tui.screens.pending.screen import PendingScreen
from tui.screens.settings.screen import SettingsScreen
from tui.screens.task.screen import TaskScreen
from tui.widgets import glyphs


async def test_a_filter_follows_typing_and_stays_on_after_enter() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("slash")
        await person.type("label:bug")
        assert person.titles(1) == ["Fix login redirect after SSO"]
        await person.press("enter")
        assert "label:bug" in person.board.bar.words
        assert "1 of 6" in person.text
        await person.press("escape")
        assert len(person.titles(1)) == 6
        assert "label:bug" not in person.board.bar.words


async def test_giving_a_filter_up_shows_everything() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("slash", "b", "escape")
        assert person.titles(1) == ["a", "b", "c"]
        assert person.app.focused is person.deck


async def test_keys_of_the_board_are_text_in_a_filter() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("slash", "x", "q", "D", "enter")
        assert store.submitted == []
        assert "xqD" in person.board.bar.words


async def test_a_filter_is_there_the_next_time() -> None:
    preferences = Preferences()
    async with opened(FakeStore(small()), preferences=preferences) as person:
        await person.press("slash", "b", "enter", "ctrl+e")
    async with opened(FakeStore(small()), preferences=preferences) as person:
        assert person.titles(1) == ["b"]
        assert person.board.look.density is Density.COMPACT


async def test_density_goes_round() -> None:
    async with opened(FakeStore(small()), density=Density.COMPACT) as person:
        for lines, said in ((2, "2 lines a card"), (3, "3 lines a card"), (1, "1 line a card")):
            await person.press("ctrl+e")
            assert person.board.look.density == lines
            assert said in person.said


@pytest.mark.parametrize("density", list(Density))
async def test_a_card_takes_as_many_lines_as_the_density_says(density: Density) -> None:
    async with opened(FakeStore(small()), density=density) as person:
        lines = person.text.splitlines()
        first = next(i for i, line in enumerate(lines) if "a " in line and "▌" in line)
        assert " b " in lines[first + card_height(density)]


LONG = task(1, "Import a file with a preview of what it makes")


def long_titles() -> BoardView:
    """A board with a title of 45 characters in the first of three columns."""
    return BoardView(small().board, small().stages, {**small().tasks, 1: (LONG,)})


async def test_a_title_of_45_characters_is_wrapped_at_blanks_in_26_columns() -> None:
    async with opened(FakeStore(long_titles()), size=(80, 24)) as person:
        column = person.deck.columns[0]
        assert (len(LONG.title), column.size.width) == (45, 26)
        first, second = (line[2:26].strip() for line in person.text.splitlines()[3:5])
        assert (first, second) == ("Import a file with a", "preview of what it…")


@pytest.mark.long
async def test_a_title_is_edited_over_all_its_lines() -> None:
    async with opened(FakeStore(long_titles()), size=(80, 24)) as person:
        await person.press("e", "ctrl+u", *"Shorter")
        shown = person.text
        assert "Shorter" in shown
        assert not any(word in shown for word in ("Import", "preview", "makes"))
        assert "#1" in shown


@pytest.mark.long
async def test_a_column_folds_and_unfolds() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("l", "z")
        assert person.deck.columns[1].size.width == COLLAPSED_WIDTH
        assert person.here is None
        await person.press("x")
        assert "The column is folded" in person.said
        await person.press("z")
        assert person.here == "d"


async def test_a_column_is_shown_alone() -> None:
    async with opened(FakeStore(small()), size=(100, 30)) as person:
        await person.press("Z")
        assert person.deck.columns[0].size.width == 99
        assert person.columns_shown == [1]
        await person.press("l")
        assert person.columns_shown == [2]
        await person.press("Z")
        assert person.columns_shown == [1, 2, 3]


async def test_a_narrow_terminal_shows_one_column() -> None:
    async with opened(FakeStore(small()), size=(40, 12)) as person:
        assert person.deck.columns[0].size.width == 39
        await person.press("l")
        assert person.deck.columns[1].size.width == 39
        await person.pilot.resize_terminal(120, 36)
        await person.pilot.pause()
        assert all(column.display for column in person.deck.columns)


async def test_refresh_asks_and_says_what_came_of_it() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("R")
        await until_work_ends(person.app)
        assert "refresh 1" in store.asked
        assert "Up to date" in person.said
        store.failure = CallboardError("the service cannot be reached", hint="your changes wait")
        await person.press("R")
        await until_work_ends(person.app)
        assert "cannot be reached" in person.said


async def test_the_board_is_kept_fresh_while_it_is_open() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await until_work_ends(person.app)
        assert store.asked == ["open 1"]


async def test_help_lists_the_keys_and_filters_them() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("question_mark")
        assert "Keys that work here" in person.text
        size = person.app.screen.query_one(".dialog").size
        await person.type("archive")
        assert "A  archive or restore card" in person.text
        assert "due date" not in person.text
        assert person.app.screen.query_one(".dialog").size == size
        await person.press("escape")
        assert person.app.screen is person.board


@pytest.mark.long
async def test_help_has_as_many_columns_as_fit() -> None:
    for width, columns in ((120, 3), (80, 2), (50, 1)):
        async with opened(FakeStore(small()), size=(width, 40)) as person:
            await person.press("question_mark")
            line = next(line for line in person.text.splitlines() if "  Card  " in line)
            row = line.partition("  Card  ")[2].strip("│ ")
            assert len([part for part in row.split("   ") if part]) + 1 == columns


@pytest.mark.long
async def test_help_lists_groups_and_wraps_below_the_words() -> None:
    async with opened(FakeStore(small()), size=(40, 78)) as person:
        await person.press("question_mark")
        lines = [line.strip("│ ") for line in person.text.splitlines()]
        assert [line for line in lines if line in {"Card", "Marks"}] == ["Card", "Marks"]
        await person.type("stage then")
        shown = {" ".join(line.strip("│ ▌").split()) for line in person.text.splitlines()}
        assert {"Stage: S then", "n new on the right"} <= shown
    async with opened(FakeStore(small()), size=(30, 70)) as person:
        await person.press("question_mark")
        rows = person.text.splitlines()
        wrapped = next(at for at, row in enumerate(rows) if row.strip("│ ") == "reopen card")
        assert rows[wrapped - 1][rows[wrapped].index("reopen") :].startswith("close or")


@pytest.mark.long
async def test_help_has_one_key_a_row() -> None:
    async with opened(FakeStore(small()), size=(120, 50)) as person:
        await person.press("question_mark")
        assert "pgdn more" not in person.text
        rows = {" ".join(part.split()) for line in person.text.splitlines()
                for part in line.strip("│ ").split("   ")}  # fmt: skip
        assert {"s set start date", "d set due date", "H move card left", "u undo"} <= rows
        await person.type("assign me")
        assert "i  assign or unassign me" in person.text, "found by its whole name"
        await person.press(*("backspace",) * 9)
        await person.type("home")
        assert "home gg  first card" in person.text, "found by each of its keys"
        await person.pilot.resize_terminal(80, 24)
        await person.press(*("backspace",) * 4)
        assert "pgdn more" in person.text


async def test_help_searches_the_topics_and_opens_the_chosen_one() -> None:
    async with opened(FakeStore(small()), size=(120, 40)) as person:
        await person.press("question_mark")
        await person.type("postgres")
        assert "Help: server  Your own server" in person.text
        assert "can be kept in PostgreSQL" in person.text
        assert "↵ open “server”" in person.text
        await person.press("enter")
        assert "It needs the extra" in person.text
        assert "callboard help server to print it" in person.text
        await person.press("down", "up")
        assert "It needs the extra" in person.text
        await person.type(" zzz")
        assert "No results for “postgres zzz”" in person.text
        await person.press("enter")
        assert person.app.screen is person.board


async def test_help_runs_the_key_at_the_cursor() -> None:
    store = FakeStore(small())
    async with opened(store, size=(120, 40)) as person:
        await person.press("question_mark")
        assert "↵ run" not in person.text, "nothing is chosen before an arrow is pressed"
        await person.type("move card")
        assert "↵ run" in person.text
        await person.press("down", "down", "up", "enter")
        assert person.titles(1) == ["b", "a", "c"]
        await person.press("question_mark", "up", "down", "enter")
        assert isinstance(person.app.screen, TaskScreen), "the second row of all keys"


@pytest.mark.parametrize(
    ("keys", "screen"),
    [
        *(("g b", BoardsScreen), ("N", FormDialog)),
        pytest.param("g ,", SettingsScreen, marks=pytest.mark.long),
    ],
)
async def test_a_key_typed_into_the_help_is_chosen_itself(keys: str, screen: type) -> None:
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        await person.press("question_mark")
        await person.type(keys)
        await person.press("enter")
        assert isinstance(person.app.screen, screen)


@pytest.mark.long
async def test_a_key_typed_into_the_help_is_in_sight() -> None:
    async with opened(FakeStore(small()), size=(80, 16)) as person:
        await person.press("question_mark")
        await person.type("T")
        await person.pilot.pause()
        assert f"{glyphs.BAR}       T  open comments" in person.text


async def test_help_says_of_digits_to_press_them() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("question_mark")
        await person.type("stage by number")
        await person.press("enter")
        assert "close this and press one of 1–9" in person.text
        await person.press("escape", "2")
        assert person.here == "d"


async def test_help_keeps_the_key_at_the_cursor_in_sight() -> None:
    async with opened(FakeStore(small()), size=(60, 16)) as person:
        await person.press("question_mark")
        heading = person.text.splitlines()[3]
        await person.burst(*("down",) * 7)
        for _ in range(7):  # beyond what is shown at first
            await person.press("down")
            assert glyphs.BAR in person.text
        assert person.text.splitlines()[3] != heading
        await person.burst(*("up",) * 7)
        for _ in range(7):
            await person.press("up")
            assert glyphs.BAR in person.text
        assert person.text.splitlines()[3] == heading
        await person.burst(*("down",) * 30)
        chosen = person.text.partition(glyphs.BAR)[2].split()[:3]
        await person.pilot.resize_terminal(80, 16)
        await person.pilot.pause()
        assert person.text.partition(glyphs.BAR)[2].split()[:3] == chosen


async def test_help_of_an_editor_runs_its_keys() -> None:
    async with opened(FakeStore(small()), size=(100, 40)) as person:
        await person.press("c")
        await person.type("words")
        await person.press("f1")
        await person.type("preview")
        await person.press("enter")
        assert "this is the preview" not in person.text
        await person.type("x")
        assert "this is the preview" in person.text


async def test_the_palette_runs_an_action_by_its_name() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("colon")
        await person.type("task.move-right")
        await person.press("enter")
        assert person.titles(2) == ["a", "d", "e"]


@pytest.mark.long
async def test_the_palette_has_a_line_for_each_action_with_its_key_at_the_right() -> None:
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        await person.press("ctrl+p")
        await person.type("set date")
        lines = [line.strip(" │▌") for line in person.text.splitlines() if "Set" in line]
        assert [" ".join(line.split()) for line in lines[:2]] == [
            "Set due date … d",
            "Set start date … s",
        ]
        assert len({line.rindex(" ") for line in lines[:2]}) == 1
        assert re.search(r"↵ run   esc close +task\.due ", person.text)
        await person.press("escape", "ctrl+p")
        await person.type("reminder")
        assert "Set reminder" in person.text, "an action without a key"
        await person.type("zzz")
        assert "No results for “reminderzzz”" in person.text
        await person.press("enter", "escape")
        assert person.app.screen is person.board


@pytest.mark.long
async def test_the_palette_lists_what_was_used_last_first() -> None:
    kept = Preferences()
    async with opened(FakeStore(small()), preferences=kept) as person:
        for words in ("column.zoom", "task.close"):
            await person.press("ctrl+p")
            await person.type(words)
            await person.press("enter")
    async with opened(FakeStore(small()), preferences=kept, size=(70, 24)) as person:
        await person.press("colon")
        keys = [row.rstrip(" │▁▂▃▄▅▆▇").split(" ")[-1] for row in person.text.splitlines()]
        assert keys.index("x") < keys.index("Z") < keys.index("e")
        await person.press("enter")
        assert "Closed “a”" in person.said


@pytest.mark.long
async def test_the_palette_says_what_an_action_waits_for() -> None:
    store = FakeStore(small())
    async with opened(store, size=(100, 30)) as person:
        await person.press("space", "ctrl+p")
        await person.type("column.collapse")
        assert "Not available: drop the card first" in person.text
        await person.press("enter")
        assert "Drop the card first, or press esc" in person.said
        await person.press("ctrl+p")
        await person.type("task.reminder")
        await person.press("enter")
        assert "Drop the card first" in person.said
        assert person.deck.collapsed == frozenset()
        await person.press("ctrl+p")
        await person.type("zzz")
        await person.press("escape", "l", "enter")
        assert person.titles(2) == ["a", "d", "e"]


async def test_esc_on_the_boards_never_quits() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "b")
        assert isinstance(person.app.screen, BoardsScreen)
        await person.press("escape", "escape")
        assert person.app.is_running


@pytest.mark.parametrize(("keys", "screen"), [("g b", BoardsScreen), ("g u", PendingScreen)])
async def test_chords_go_to_screens(keys: str, screen: type) -> None:
    async with opened(FakeStore(small())) as person:
        await person.press(*keys.split())
        assert isinstance(person.app.screen, screen)


async def test_q_quits() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("q")
        assert person.app.return_code == 0


async def test_help_makes_its_list_once_for_each_width(monkeypatch: pytest.MonkeyPatch) -> None:
    widths = []

    def counted(
        lines: Sequence[list[help_dialog.Cell]], columns: int, room: int
    ) -> list[list[help_dialog.Cell]]:
        widths.append(columns)
        return beside(lines, columns, room)

    beside = help_dialog._beside
    monkeypatch.setattr(help_dialog, "_beside", counted)
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("question_mark")
        assert widths == [3]
        await person.pilot.resize_terminal(80, 24)
        assert widths == [3, 2]


@pytest.mark.long
async def test_help_lists_chords_below_the_rest_and_in_the_order_of_use() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("question_mark")
        await person.type(" then")
        lines = [" ".join(line.strip("│ ").split()) for line in person.text.splitlines()]
        heading = next(line for line in lines if "g then" in line)
        assert heading == "Stage: S then Go: g then Copy: y then"
        assert "b boards" in lines[lines.index(heading) + 1]
        assert "f find" in lines[lines.index(heading) + 2]
