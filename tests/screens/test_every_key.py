"""Every key that a terminal sends, on every screen: something changes, or the screen says why."""

from collections.abc import Iterator, Sequence
from string import ascii_letters, digits, punctuation

import pytest
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

from tests.fakes.boards import bare_details
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.pictures.tasks import UNREAD, login_redirect
from tests.screens.driving import Driver, opened
from tests.screens.service_lists import store_with_lists
from tui.screens.base import CallboardScreen
from tui.widgets.bars import key_name

SCREENS = {
    "board": "",
    "card in hand": "space",
    "title typed": "e",
    "filter typed": "slash",
    "search typed": "g l slash",
    "task": "enter",
    "subtasks": "enter 2",
    "fields": "enter 4",
    "thread": "T",
    "standup": "g s",
    "speaker": "g s >",
    "boards": "g b",
    "my work": "g m",
    "inbox": "g o",
    "views": "g v",
    "labels": "g l",
    "members": "g t",
    "insight": "g i",
    "forecast": "g i tab",
    "archived cards": "g x",
    "pending": "g u",
    "agents": "O",
    "settings": "g comma",
    "profiles": "g p",
}
"""How to come to each screen from the board."""

TYPED = {
    *("ctrl+x", "tab", "shift+tab", "ctrl+w", "up", "down", "home", "end"),
    *("ctrl+pagedown", "ctrl+pageup"),
}
"""What does nothing at an end of a text, or where nothing is selected or completed."""
NOT_SEEN = {"ctrl+z", "ctrl+l", "ctrl+q", "q", "escape"}
"""What suspends the program, draws the same again, ends it, or goes back."""
WAYS = ("", "j", "j j l", "G", "G l", "v")
"""Where the cursor may be: a key that moves it has no effect where it is at the end."""

PARTS = (0, *(pytest.param(part, marks=pytest.mark.exhaustive) for part in (1, 2)))
"""Every third key, and the others."""


def sent() -> Iterator[str]:
    """The names of the keys that terminals send, without those of the mouse."""
    named = {
        str(getattr(key, "value", key))
        for keys in ANSI_SEQUENCES_KEYS.values()
        if isinstance(keys, tuple)
        for key in keys
    }
    yield from sorted(key for key in named if not key.startswith("<"))
    yield from (*ascii_letters, *digits, *punctuation, "é", "漢")
    yield from (f"alt+{letter}" for letter in "abcxz1")
    yield from ("super+k", "ctrl+alt+p", "hyper+f1", "menu", "pause")


def told() -> FakeStore:
    """A board of which a task has everything around it."""
    store, _ = store_with_lists()
    details = (*bare_details(store.views[1]), login_redirect())
    store.details = {detail.task.id: detail for detail in details}
    store.unread = frozenset({UNREAD})
    return store


def seen(person: Driver) -> str:
    """What is on the screen, and the terminal's cursor in what is typed."""
    typed = person.app.focused
    at = getattr(typed, "cursor_position", "")
    return f"{type(person.app.screen).__name__} {at}\n{person.text}"


def place(person: Driver) -> tuple[object, type]:
    """The screen in front, and what has the focus."""
    return person.app.screen, type(person.app.focused)


async def without_effect(way: str, keys: Sequence[str]) -> list[str]:
    """Those of the keys after which all is as before, on the screen at the end of a way."""
    found, remaining = list[str](), list(keys)
    while remaining:
        async with opened(told(), size=(80, 24)) as person:
            await person.press(*way.split())
            start = place(person)
            while remaining and place(person) == start:
                key, before = remaining.pop(0), seen(person)
                await person.press(key)
                if seen(person) == before:
                    found.append(key)
                for _ in range(3):
                    if place(person) != start:
                        await person.press("escape")
    return found


@pytest.mark.walk
@pytest.mark.long
@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("part", PARTS)
async def test_no_key_is_without_effect(name: str, part: int) -> None:
    without = NOT_SEEN | (TYPED if "typed" in name else set())
    keys = [key for key in sent() if key not in without]
    assert len(keys) > 200
    if "typed" not in name:  # there the keys move within what others have typed
        # Each screen tries others first, so that all keys are tried by the parts that always run.
        keys = keys[(list(SCREENS).index(name) + part) % len(PARTS) :: len(PARTS)]
    for way in WAYS:
        keys = await without_effect(f"{SCREENS[name]} {way}", keys)
    assert keys == []


@mostly_long(
    "screen, key, meant",
    [
        ("board", "delete", "D delete card, A archive or restore card"),
        ("board", "f2", "e edit title"),
        ("board", "f5", "R refresh"),
        ("board", "ctrl+f", "/ filter cards, g f find anywhere"),
        ("board", "insert", "n new card"),
        ("board", "ctrl+s", "changes are saved at once"),
        ("board", "ctrl+g", "esc cancel"),
        ("board", "f9", "? to list the keys"),
        ("labels", "delete", "D delete label"),
        ("labels", "tab", "j next row"),
        ("members", "delete", "D remove member"),
        ("boards", "f2", "e edit title and description"),
        ("task", "f5", "R refresh"),
        ("thread", "delete", "D delete comment"),
        ("settings", "f2", "↵ change setting or key"),
        ("pending", "f5", "R retry all changes"),
    ],
    every=3,
)
async def test_a_key_without_effect_says_which_one_is_meant(
    screen: str, key: str, meant: str
) -> None:
    async with opened(told(), size=(120, 36)) as person:
        await person.press(*SCREENS[screen].split(), key)
        here = person.app.screen
        assert isinstance(here, CallboardScreen)
        assert here.status.words.lstrip().startswith(f"‘{key_name(key)}’ does nothing here  ")
        assert meant in here.status.words


@pytest.mark.long
async def test_a_key_that_was_changed_is_named_as_it_is_now() -> None:
    async with opened(told()) as person:
        person.app.set_keymap({"task.delete": "X"})
        await person.press("delete")
        assert "X delete card" in person.said


async def test_tab_goes_to_the_next_column() -> None:
    async with opened(told()) as person:
        stages = [stage.id for stage in person.deck.shown.stages]
        await person.press("tab", "tab", "shift+tab")
        assert person.deck.stage_id == stages[1]


@mostly_long("way", ["", "enter", "T", "n", "g l slash", "g l", "e", "slash"], every=4)
async def test_f1_opens_the_help(way: str) -> None:
    async with opened(told()) as person:
        await person.press(*way.split(), "f1")
        assert "Keys that work here" in person.text


@mostly_long(
    "way, hint",
    [
        ("", "q to quit"),
        ("space", "q to quit"),
        ("enter", "q to quit"),
        ("g l", "q to quit"),
        ("n", "esc to cancel, ctrl+q to quit"),
        ("e", "esc to cancel, ctrl+q to quit"),
        ("slash", "esc to cancel, ctrl+q to quit"),
        ("g l slash", "esc to cancel, ctrl+q to quit"),
        ("d end", "esc to cancel, ctrl+q to quit"),
        ("D", "esc to cancel, ctrl+q to quit"),
        ("p", "esc to cancel, ctrl+q to quit"),
        ("question_mark", "esc to cancel, ctrl+q to quit"),
        ("colon", "esc to cancel, ctrl+q to quit"),
        ("c", "ctrl+q to quit, your draft is saved"),
        ("E", "ctrl+q to quit, your draft is saved"),
    ],
    every=3,
)
async def test_ctrl_c_says_how_to_quit(way: str, hint: str) -> None:
    async with opened(told(), size=(80, 24)) as person:
        await person.press(*way.split(), "ctrl+c")
        line = next(line for line in person.text.splitlines() if "ctrl+c" in line)
        assert "‘ctrl+c’ does not quit" in line
        assert hint in line
        await person.press("ctrl+q")
        assert not person.app.is_running


async def test_ctrl_c_copies_what_is_selected_while_typing() -> None:
    async with opened(told()) as person:
        await person.press("n", *"abc", "shift+home", "ctrl+c")
        assert person.app.clipboard == "abc"
        assert "does not quit" not in person.text


async def test_what_is_said_of_a_key_covers_the_terms_of_a_filter_until_one_types_on() -> None:
    async with opened(told(), size=(80, 24)) as person:
        await person.press("slash", "a")
        terms = person.said
        await person.press("f5")
        assert person.said.strip().startswith("‘f5’ does nothing here")
        await person.press("b", "backspace")
        assert person.said == terms
