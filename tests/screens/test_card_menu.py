"""The menu of a card: where it opens, what it lists, and that its keys do what they say."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from textual.geometry import Offset, Region, Size

from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import ANN, relaunch
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import Driver, opened
from tui.dialogs.base import Frame
from tui.dialogs.card_menu import CardMenu, LitLines, menu_offset
from tui.dialogs.palette import PaletteDialog
from tui.model.people import Account
from tui.model.task import Status, Task
from tui.text.cells import width as cell_width
from tui.widgets.bars import key_name

CARDS = (
    *("Open", "Edit title", "Close", "Move …", "Assign …", "Due date …", "Labels …", "Block …"),
    *("Copy link", "Duplicate …", "Archive", "Delete …"),
)
KEYS = ("↵", "e", "x", "m", "a", "d", "t", "b", "y u", "C", "A", "D")


def rows(person: Driver) -> list[tuple[str, str]]:
    """The entries of the menu that is shown, each with what is at its right."""
    frame = person.app.screen.query_one(Frame).region
    lines = [
        strip.crop(frame.x + 1, frame.right - 1).text.lstrip("▌").strip()
        for strip in drawn_lines(person.app)[frame.y + 1 : frame.bottom - 2]
    ]
    parts = [line.rpartition("  ") for line in lines if line.strip("─")]
    return [(word.strip(), key) for word, _, key in parts]


def cards(store: FakeStore, stage_id: int = 1) -> Sequence[Task]:
    view = store.board(1)
    assert view is not None
    return view.in_stage(stage_id)


async def right_click(person: Driver, words: str) -> Offset:
    """Click the first cell of a text with the right button; where that is."""
    lines = person.text.splitlines()
    y = next(at for at, line in enumerate(lines) if words in line)
    point = Offset(cell_width(lines[y].partition(words)[0]), y)
    await person.pilot.click(offset=point, button=3)
    await person.press()
    return point


@pytest.mark.long
async def test_the_menu_lists_what_is_done_with_a_card_beside_it() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=(120, 36)) as person:
        card = person.board.drawn_card
        assert card is not None
        await person.press("comma")
        frame = person.app.screen.query_one(Frame).region
        assert rows(person) == list(zip(CARDS, KEYS, strict=True))
        assert f"#{cards(store)[0].id}" in person.text.splitlines()[frame.y]
        assert (frame.x, frame.y + 1) == (card.region.right, card.region.y), "beside its title"
        lit = person.app.screen.query_one(LitLines)
        assert lit.region == card.region
        await person.press("escape")
        assert person.here == cards(store)[0].title


async def test_its_keys_are_those_of_the_actions() -> None:
    async with opened(FakeStore(relaunch())) as person:
        bound = person.board.keys.by_id()
        await person.press("comma")
        menu = person.app.screen
        assert isinstance(menu, CardMenu)
        for command, word in menu.entries:
            assert command.key == key_name(bound[command.id][0]), word


@pytest.mark.parametrize(
    ("keys", "holds"),
    [
        (("x",), lambda task: task.status is Status.CLOSED),
        (("down", "j", "k", "j", "enter"), lambda task: task.status is Status.CLOSED),
        (("d", *"2031-12-05", "enter"), lambda task: task.due_at.year == 2031),
        pytest.param(
            ("e", *"More", "enter"), lambda task: "More" in task.title, marks=pytest.mark.long
        ),
        pytest.param(
            ("escape", "x"), lambda task: task.status is Status.CLOSED, marks=pytest.mark.long
        ),
        (("z", "escape"), lambda task: task.status is Status.OPEN),
        (("y", "escape", "x"), lambda task: task.status is Status.CLOSED),
    ],
)
async def test_a_key_or_a_row_of_the_menu_runs_its_action(
    keys: Sequence[str], holds: Callable[[Task], bool]
) -> None:
    store = FakeStore(relaunch())
    card = cards(store)[0]
    async with opened(store) as person:
        await person.press("comma", *keys)
        view = store.board(1)
        now = view.task(card.id) if view is not None else None
        assert now is not None
        assert holds(now), now


async def test_a_chord_of_the_menu_waits_for_its_second_key() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("comma", "y")
        assert "y … one more key" in person.text.splitlines()[-1]
        await person.press("z")
        assert "‘y z’ does nothing here" in person.text.splitlines()[-1]
        await person.press("y", "u")
        assert not isinstance(person.app.screen, CardMenu)
        assert "no web address for cards" in person.said, "which only “copy link” says"


async def test_the_right_button_opens_it_at_the_pointer() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=(120, 36)) as person:
        second = cards(store)[1]
        point = await right_click(person, second.title[:12])
        frame = person.app.screen.query_one(Frame).region
        assert frame.offset == (point.x + 1, point.y - 1)
        await person.click("Close")
        now = cards(store)[1]
        assert (now.title, now.status) == (second.title, Status.CLOSED)
        assert person.here == second.title
        await right_click(person, second.title[:12])
        assert "Reopen" in dict(rows(person))
        await person.pilot.click(offset=(118, 30))
        await person.press()
        assert not isinstance(person.app.screen, CardMenu)
        assert cards(store)[1] == now


async def test_the_right_button_on_a_column_without_a_card_shows_all_actions() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await right_click(person, "1 Backlog")
        assert isinstance(person.app.screen, PaletteDialog)


async def test_of_marked_cards_it_lists_what_is_done_with_all() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        await person.press("v", "v", "comma")
        assert "─ 2 cards ─" in person.text
        assert [word for word, _ in rows(person)] == [*CARDS[2:]]
        await person.press("x")
        assert [task.is_closed for task in cards(store)[:3]] == [True, True, False]


async def test_what_is_not_possible_says_why() -> None:
    view = relaunch()
    board = replace(view.board, viewers=frozenset({ANN.id}))
    store = FakeStore(replace(view, board=board))
    store.me = Account("ann", ANN.id)
    async with opened(store) as person:
        await person.press("comma")
        listed = dict(rows(person))
        assert listed["Open"] == "↵"
        assert any(word.startswith("Close  you are a viewer") for word in listed)
        await person.press("x")
        assert "You are a viewer of this board" in person.said


async def test_words_follow_the_card() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("b", *"why", "enter", "x", "comma")
        words = [word for word, _ in rows(person)]
        assert "Unblock" in words
        assert "Reopen" in words


@pytest.mark.parametrize("name", ["standup", "my-work", "task"])
async def test_other_screens_with_cards_have_it(name: str) -> None:
    async with SCENES[name].shown((120, 36)) as person:
        await person.press("comma")
        listed = dict(rows(person))
        assert listed["Edit title"] == "e"
        assert listed["Delete …"] == "D"
        assert listed.get("Open", "↵") == "↵"


async def test_it_stays_on_a_small_screen_and_one_that_shrinks() -> None:
    async with opened(FakeStore(relaunch()), size=(120, 36)) as person:
        await person.press("G", "comma")
        for size in ((120, 36), (80, 24), (40, 15), (24, 8)):
            await person.pilot.resize_terminal(*size)
            await person.press()
            frame = person.app.screen.query_one(Frame).region
            assert Region(0, 0, size[0], size[1] - 1).contains_region(frame), (size, frame)
        await person.press("end", "enter")
        assert "Delete" in person.text, "the last entry can be reached"


@pytest.mark.parametrize(
    ("anchor", "offset"),
    [
        (Region(10, 5, 20, 3), (30, 4)),  # at the right
        (Region(60, 5, 20, 3), (30, 4)),  # at the left
        (Region(0, 5, 79, 1), (50, 4)),  # over its end
        (Region(0, 0, 20, 3), (20, 0)),
        (Region(0, 22, 20, 3), (20, 6)),
    ],
)
def test_where_it_opens(anchor: Region, offset: tuple[int, int]) -> None:
    assert menu_offset(anchor, Size(30, 17), Size(80, 23)) == offset
