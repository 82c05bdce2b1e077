"""The settings screen: values and keys are changed, kept in the file, and take effect."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color

from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import NOW, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected
from tests.screens.test_every_list import SIZES, in_every_size
from tui.app import CallboardApp
from tui.config.settings import load_settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context, Density
from tui.model.board import BoardView
from tui.screens.binding_ids import key_map
from tui.screens.settings.key_map import BoundKey, KeyMap, normal, unusable
from tui.screens.settings.screen import SettingsScreen
from tui.screens.status_line import StatusLine
from tui.store.events import SyncStatus
from tui.theme import DARK, LIGHT


def on_file(path: Path, text: str = "", view: BoardView | None = None) -> CallboardApp:
    """The program with the settings in a file."""
    path.write_text(text)
    current = CurrentSettings(load_settings(path), path)
    context = Context(FakeStore(view or small()), current=current, now=lambda: NOW)
    return CallboardApp(context, connect=connected, board_id=1)


def one_card(title: str) -> BoardView:
    """The small board, with only one card in its first stage."""
    return replace(small(), tasks={1: (task(11, title),), 2: (), 3: ()})


async def find(person: Driver, words: str) -> None:
    """Put the cursor on the row that a search finds first."""
    await person.press("slash", "ctrl+u", *words, "enter")


def styles(app: CallboardApp) -> list[Style]:
    """The styles of what is drawn."""
    return [part.style for strip in drawn_lines(app) for part in strip if part.style is not None]


def row(person: Driver, word: str) -> str:
    """The row of the screen with a word, its blanks folded."""
    found = next(line for line in person.text.splitlines() if word in line)
    return " ".join(found.split())


@pytest.mark.long
async def test_values_are_changed_by_fitting_dialogs_and_take_effect(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    app = on_file(path, "# mine\nascii = false  # signs\n")
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        assert "#1" in person.text
        await person.press("g", "comma")
        assert isinstance(app.screen, SettingsScreen)
        await person.press("g", "comma")
        assert "You are already here" in person.text
        assert "▌" in person.text
        await find(person, "ascii")
        await person.press("enter")
        assert path.read_text() == "# mine\nascii = true  # signs\n"
        assert row(person, "use ASCII") == ">ASCII signs o on ascii use ASCII characters only"
        await person.press("enter")
        assert "▌ASCII signs" in person.text

        await find(person, "density")
        await person.press("enter")
        assert "Card density: lines per card" in person.text
        assert "1 compact" in row(person, " compact ")
        await person.press("1")
        assert "Card density: compact" in person.said
        await find(person, "animations")
        levels = [app.animation_level]
        await person.press("enter")
        assert [*levels, app.animation_level] == ["none", "full"]
        await find(person, "theme")
        await person.press("enter", "j", "enter")
        assert f'theme = "{app.theme}"' in path.read_text()
        assert app.theme == LIGHT.name
        await person.press("escape", "escape")
        assert person.board.look.density is Density.COMPACT
        assert "#1" not in person.text


@pytest.mark.long
async def test_the_theme_at_the_cursor_is_previewed_and_kept_only_if_chosen(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    app = on_file(path)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "comma")
        await find(person, "theme")
        await person.press("enter", "j")
        assert app.theme == LIGHT.name
        await person.press("j", "k")
        assert app.theme == LIGHT.name
        await person.press("escape")
        assert (app.theme, path.read_text()) == (DARK.name, "")
        await person.press("enter", "j", "enter")
        assert app.theme == LIGHT.name
        assert f'theme = "{LIGHT.name}"' in path.read_text()
        path.write_text("density = 9")
        await person.press("enter", "j", "enter")
        assert "“density” in" in person.text
        assert app.theme == LIGHT.name


async def test_a_theme_of_ones_own_is_offered_and_previewed(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    text = "[themes.sea]\nbased_on = 'nord'\nground = '#0b1d26'\n"
    app = on_file(path, text)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "comma")
        await find(person, "theme")
        await person.press("enter", *"jjjjj")
        assert app.theme == "sea"
        assert app.theme_variables["background"].casefold() == "#0b1d26"
        painted = {style.bgcolor for style in styles(app)}
        header = Color.parse(app.theme_variables["place-ground"]).rich_color
        assert {RichColor.parse("#0b1d26"), header} <= painted, "the screen behind is dimmed"
        await person.press("escape")
        assert (app.theme, path.read_text()) == (DARK.name, text)
        assert RichColor.parse("#0b1d26") not in {style.bgcolor for style in styles(app)}
        await person.press("enter", *"jjjjj", "enter")
        assert app.theme == "sea"
        assert path.read_text() == f'theme = "sea"\n{text}'
    assert on_file(path, path.read_text()).theme == "sea"


async def test_all_marked_settings_are_reset_together(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    app = on_file(path, "density = 1\nstandup_minutes = 6\n")
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "comma", "g", "g", *["v"] * 40)
        await person.press("D")
        assert "2 rows reset to the default" in person.text
        assert "=" not in path.read_text()


@pytest.mark.long
async def test_what_is_typed_is_checked_and_a_default_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    app = on_file(path, "density = 1\n")
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        assert person.board.look.density is Density.COMPACT
        await person.press("g", "comma")
        await in_every_size(person, "settings", SIZES)
        await person.pilot.resize_terminal(100, 30)
        await find(person, "speaker")
        await person.press("enter", *"61", "enter")
        assert "Must be a whole number from 1 to 60." in person.text
        await person.press("backspace", "enter")
        assert "standup_minutes = 6\n" in path.read_text()
        await find(person, "working_days")
        await person.press("enter", *"sun mon moo", "enter")
        assert "Must be a list of days" in person.text
        await person.press(*["backspace"] * 4, "enter")
        assert 'working_days = ["sun", "mon"]\n' in path.read_text()
        await find(person, "first day")
        await person.press("enter", "7")
        assert "takes effect at the next start" in person.text
        await person.press("D")
        assert "first_day" not in path.read_text()
        await person.press("D")
        assert "Already the default" in person.text
        await person.press("a")
        assert "Only actions have keys" in person.text

        path.write_text("density = 9")
        await person.press("enter", "1")
        assert "“density” in" in person.text
        assert path.read_text() == "density = 9"
        await person.press("escape", "escape", "escape")
        assert person.board.look.density is Density.COMPACT


@pytest.mark.long
async def test_keys_are_pressed_and_help_and_footer_follow(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    app = on_file(path)
    async with app.run_test(size=(110, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("j")
        assert " space lift " in person.hints
        await person.press("g", "comma")
        await find(person, "lift or drop card")
        assert "Keys: Board" in person.text
        await person.press("enter", "x")
        await in_every_size(person, "a key", SIZES)
        await person.pilot.resize_terminal(110, 30)
        await person.press()
        assert "‘x’ is the only key of Close or reopen card" in person.text
        await person.press("enter", "backspace", "g")
        assert "‘g’ begins ‘g" in person.text
        await person.press("backspace", "ctrl+h")
        assert "terminals send backspace for ‘^h’" in person.text.replace("ctrl+h", "^h")
        await person.press("backspace", "z", "q")
        assert "‘z’ begins ‘z q’ and is" in person.text
        await person.press("backspace", "f5", "enter")
        assert path.read_text() == '[keys]\n"task.lift" = "f5"\n'
        await person.press("a", "f9", "q", "enter")
        assert path.read_text() == '[keys]\n"task.lift" = "f5,f9 q"\n'

        await person.press("escape", "escape")
        assert " f5 " in person.hints
        assert " space " not in person.board.status.words
        await person.press("question_mark", *"lift or")
        assert "f5 f9 q" in row(person, "lift, carry")
        await person.press("escape", "f9", "q")
        assert "◆ Moving" in person.text
        await person.press("escape", "f5")
        assert "◆ Moving" in person.text
        await person.press("escape", "space")
        assert "◆ Moving" not in person.text

        await person.press("g", "comma")
        await find(person, "close or reopen")
        await person.press("enter", "f5", "enter")
        assert "Move the key from Lift or" in person.text
        await person.press("n", "enter", "f5", "enter", "y")
        assert path.read_text() == '[keys]\n"task.lift" = "f9 q"\n"task.close" = "f5"\n'


async def test_hints_and_empty_texts_name_the_keys_of_the_user(tmp_path: Path) -> None:
    app = on_file(tmp_path / "config.toml", '[keys]\n"task.new" = "f4,n"\n"label.new" = "f6"\n')
    async with app.run_test(size=(110, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("$")
        assert " f4 " in person.hints
        assert "▌f4 to add a card" in person.text
        await person.press("x")
        assert "No card here  f4 to add one" in person.said
        await person.press("g", "l")
        assert "No labels yet" in person.text
        assert "f6 to add one" in person.text
        await person.press("e")
        assert person.text.splitlines()[-2].split() == [
            "No",
            "labels",
            "yet",
            "f6",
            "to",
            "add",
            "one",
        ]

        await person.press("g", "comma")
        await find(person, "title #label")
        await person.press("G", "D", "escape", "escape", "escape", "x")
        assert "No card here  n to add one" in person.said
        assert "▌n to add a card" in person.text


async def test_each_screen_names_its_own_key_that_tries_again(tmp_path: Path) -> None:
    keys = '[keys]\n"boards.refresh" = "f5"\n"list.refresh" = "f6"\n"thread.refresh" = "f7"\n'
    app = on_file(tmp_path / "config.toml", keys)
    async with app.run_test(size=(110, 30)) as pilot:
        person = Driver(app, pilot)
        store = person.board.store
        assert isinstance(store, FakeStore)
        store.now = SyncStatus(problem="no answer")
        for path, again in (("l", "R"), ("gl", "f6"), ("T", "f7"), ("gb", "f5")):
            await person.press(*path)
            assert f"! no answer  {again} try now" in person.app.screen.query_one(StatusLine).words
            if path in {"gl", "T"}:
                await person.press("escape")


async def test_dialogs_name_the_keys_of_the_user(tmp_path: Path) -> None:
    keys = '[keys]\n"dialog.confirm" = "["\n"dialog.cancel" = "f2"\n"task.archive" = "f3"\n'
    app = on_file(tmp_path / "config.toml", keys)
    async with app.run_test(size=(110, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("D")
        assert "[ delete   f2 cancel" in person.text
        assert "f3 to archive" in person.text
        await person.press("f2", "m")
        assert "↵ select bottom   tab top instead   f2 cancel" in person.text
        await person.press("f2", "d")
        assert "↵ save   ↓ choose   tab calendar   f2 cancel" in person.text
        await person.press("f2", "D", "[")
        assert "Deleted “a”" in person.said


async def test_a_text_of_other_people_names_no_key(tmp_path: Path) -> None:
    title = "{task.new:n} of others"
    app = on_file(tmp_path / "config.toml", '[keys]\n"task.new" = "f4"\n', one_card(title))
    async with app.run_test(size=(110, 30)) as pilot:
        person = Driver(app, pilot)
        assert title in person.text
        await person.press("A")
        assert f"rchived “{title}”  u undo" in person.said


def bound(name: str, keys: str, *places: str) -> BoundKey:
    return BoundKey(name, name.capitalize(), keys, "Board", frozenset(places or ("board",)))


MAP = KeyMap(
    [
        bound("open", "enter,o"),
        bound("close", "x"),
        bound("go", "g g"),
        bound("elsewhere", "y", "list"),
        bound("help", "question_mark", "board", "list"),
        bound("inner", "enter", "board"),
    ]
)
OPEN, CLOSE = MAP.actions[:2]


def test_a_key_is_refused_if_something_could_not_be_reached_any_more() -> None:
    assert not MAP.why_not(OPEN, "y", {})
    assert not MAP.why_not(CLOSE, "o", {})
    assert "only key of Close" in MAP.why_not(OPEN, "x", {})
    assert not MAP.why_not(OPEN, "x", {"close": "f5"})
    assert "‘g’ begins ‘g g’, which is Go" in MAP.why_not(OPEN, "g", {})
    assert "‘x’ begins ‘x y’ and is Close" in MAP.why_not(OPEN, "x y", {})
    assert "only key of Help" in MAP.why_not(OPEN, "question_mark", {})


def test_keys_in_conflict_are_named_once_with_both_actions() -> None:
    assert MAP.warnings({"close": "f5", "open": "f6,o", "elsewhere": "x"}) == []
    assert MAP.warnings({"open": "enter,f7"}) == []
    assert MAP.warnings({"open": "?"}) == [
        "keys in conflict: ‘?’: Open (open), Help (help)",
    ]
    assert MAP.warnings({"open": "f5", "close": "f5"}) == [
        "keys in conflict: ‘f5’: Open (open), Close (close)"
    ]
    assert MAP.warnings({"close": "g"}) == [
        "keys in conflict: ‘g’ and ‘g g’: Close (close), Go (go)"
    ]
    (unknown,) = MAP.warnings({"close": "ctlr+n"})
    assert unknown == "Close (close): ‘ctlr+n’ is not the name of a key"


@pytest.mark.parametrize("key", ["a", "?", "f5", "ctrl+n", "shift+up", "comma", "g comma", "é"])
def test_keys_that_a_terminal_sends_can_be_used(key: str) -> None:
    assert unusable(normal(key)) == ""


@pytest.mark.parametrize("key", ["ctrl+i", "ctrl+[", "hello", "ctlr+n", "g g g", "g ctrl+m"])
def test_others_cannot(key: str) -> None:
    assert unusable(normal(key)) != ""


def test_no_default_key_is_unusable() -> None:
    keys = key_map()
    assert len(keys.actions) > 300
    assert {one.section for one in keys.actions} >= {"Every screen", "Board", "Lists", "Task"}
    for action in keys.actions:
        assert all(unusable(key) == "" for key in keys.keys(action, {})), action


@pytest.mark.long
def test_parts_of_a_screen_have_keys_of_their_own_and_those_of_the_screen() -> None:
    actions = {one.id: one for one in key_map().actions}

    def are_together(*ids: str) -> bool:
        first, second = (actions[each].places for each in ids)
        return not first.isdisjoint(second)

    assert are_together("field.edit", "task.back")
    assert not are_together("field.edit", "subtask.open")
    assert are_together("cursor.left", "task.lift")
    assert are_together("rows.open", "label.edit")
    assert are_together("app.help", "label.edit")
    assert not are_together("label.edit", "member.role")
    assert not are_together("dialog.confirm", "app.help")
    assert key_map().warnings({one.id: one.defaults for one in actions.values()}) == []


async def test_a_move_names_the_keys_that_end_it_as_the_user_has_set_them(tmp_path: Path) -> None:
    keys = '[keys]\n"task.open" = "f5"\n"board.back" = "f6"\n"rows.open" = "f7"\n"list.back" = "f8"'
    app = on_file(tmp_path / "config.toml", keys)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("space")
        assert person.hints.startswith(" h j k l carry  f5 drop  f6 back to To do 1")
        await person.press("x")
        assert "‘x’ waits: drop the card first, or press f6" in person.said
        await person.press("f6")
        assert "◆ Moving" not in person.said


async def test_escape_leaves_the_dialog_for_a_key_whatever_key_cancels_others(
    tmp_path: Path,
) -> None:
    app = on_file(tmp_path / "config.toml", '[keys]\n"dialog.cancel" = "f6"\n')
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "comma")
        settings = app.screen
        await find(person, "close or reopen")
        await person.press("enter")
        assert "Press the new key" in person.text
        assert "esc cancel" in person.text
        await person.press("escape")
        assert app.screen is settings
