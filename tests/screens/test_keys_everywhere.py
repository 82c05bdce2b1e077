"""The same keys on every screen, repeating a change, and what a mouse can click."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.fakes.boards import NOW, bare_details, relaunch
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import Driver, opened
from tests.screens.service_lists import store_with_lists
from tui.dialogs.card_menu import CardMenu
from tui.model.task import Status, Task
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.labels import LabelsScreen
from tui.screens.lists.table import TableScreen
from tui.screens.standup.screen import StandupScreen


def lane(store: FakeStore, stage_id: int) -> Sequence[Task]:
    """The cards of a stage."""
    view = store.board(1)
    assert view is not None
    return view.in_stage(stage_id)


@pytest.mark.parametrize(
    "way",
    [
        *("", "enter", "T", "g l"),
        *(
            pytest.param(way, marks=pytest.mark.long)
            for way in (
                *("g m", "g comma", "g i", "g s", "g u", "g p", "g t", "g a", "g x", "g d"),
                *("g c", "g w"),
            )
        ),
    ],
)
async def test_the_lists_of_the_board_are_a_chord_away_on_every_screen(way: str) -> None:
    store, _ = store_with_lists()
    store.details = {each.task.id: each for each in bare_details(store.views[1])}
    async with opened(store) as person:
        await person.press(*way.split(), "g", "l")
        if way == "g l":
            assert "You are already here" in person.text
        labels = person.app.screen
        assert isinstance(labels, LabelsScreen)
        assert labels.board_id == 1
        await person.press("g", "b")
        assert type(person.app.screen) is BoardsScreen
        await person.press("g", "b")
        assert "You are already at the boards" in person.text


async def test_the_lists_are_those_of_the_board_at_the_cursor() -> None:
    store, _ = store_with_lists()
    async with opened(store, board_id=None) as person:
        await person.press("g", "b", "G")
        boards = person.app.screen
        assert isinstance(boards, BoardsScreen)
        board = boards.row_list.row
        assert board is not None
        await person.press("g", "l")
        shown = person.app.screen
        assert isinstance(shown, LabelsScreen)
        assert shown.board_id == board.id
        assert board.title in person.text.splitlines()[0]


async def test_a_list_of_no_board_asks_for_one_that_is_not_archived() -> None:
    store, _ = store_with_lists()
    view = next(iter(store.views.values()))
    gone = replace(view.board, id=99, title="Shop of old", archived_at=NOW)
    store.others = (*store.others, gone)
    async with opened(store, board_id=None) as person:
        await person.press("g", "b", "slash", *"zzz", "enter", "g", "l")
        assert "Labels of which board?" in person.text
        assert gone.title not in person.text
        await person.press("enter")
        assert isinstance(person.app.screen, LabelsScreen)


async def test_esc_closes_what_is_open_and_leaves_no_board() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("v", "escape")
        assert person.deck.marks == frozenset()
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)
        assert "Nothing to close" in person.text
        assert "g b for boards, q to quit" in person.text


async def test_a_change_is_repeated_on_another_card() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        await person.press("full_stop")
        assert "Nothing to repeat yet" in person.text
        await person.press("p", "l", "j", "full_stop")
        first, second = lane(store, 1)[:2]
        assert first.priority == second.priority == "low"
        assert person.said.endswith("  u undo")
        await person.press("full_stop")
        assert "Nothing to repeat here" in person.text


async def test_a_move_is_repeated_with_all_marked_cards() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        ids = [task.id for task in lane(store, 1)[:3]]
        await person.press("L", "1", "g", "g", "v", "v", "full_stop")
        assert [task.id for task in lane(store, 2)][-2:] == ids[1:]
        await person.press("u")
        assert [task.id for task in lane(store, 1)][:2] == ids[1:]


async def test_what_is_a_card_s_own_is_not_repeated() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        await person.press("x", "e", *"abc", "enter", "j", "full_stop")
        first, second = lane(store, 1)[:2]
        assert second.status is Status.CLOSED
        assert first.title != second.title


async def test_the_address_of_a_card_needs_a_pattern() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("o")
        assert "no web address for cards" in person.said


async def click(person: Driver, text: str, button: int = 1) -> None:
    """Click the first cell of a text."""
    lines = person.text.splitlines()
    y = next(at for at, line in enumerate(lines) if text in line)
    await person.pilot.click(offset=(lines[y].index(text), y), button=button)
    await person.press()


async def test_hints_and_counts_can_be_clicked() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await click(person, "overdue")
        board = person.app.screen
        assert isinstance(board, BoardScreen)
        assert board.filter.words == "due:overdue"
        await click(person, "shown")
        assert board.filter.words == ""
        await click(person, "lift")
        assert "◆ Moving" in person.text
        await click(person, "back to Backlog 1")
        assert "◆ Moving" not in person.text
        await click(person, "g go")
        assert "pending changes" in person.text
        await person.press("escape")
        await click(person, "? keys")
        assert "Keys that work here" in person.text


async def test_the_right_button_shows_what_can_be_done_with_a_card() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        second = lane(store, 1)[1]
        await click(person, second.title[:12], button=3)
        assert isinstance(person.app.screen, CardMenu)
        await person.press("escape")
        assert person.here == second.title


async def test_the_right_button_works_in_lists() -> None:
    async with SCENES["standup"].shown((120, 36)) as person:
        app = person.app
        assert isinstance(app.screen, StandupScreen)
        assert isinstance(app.screen, TableScreen)
        await click(person, "Dark theme for mails", button=3)
        assert isinstance(person.app.screen, CardMenu)


async def test_a_chord_lists_what_may_follow_and_the_footer_says_what_it_waits_for() -> None:
    async with opened(FakeStore(relaunch()), size=(80, 24)) as person:
        before = person.hints
        await person.press("g")
        lines = [line.rstrip() for line in person.text.splitlines()[-8:]]
        assert lines[0].startswith("── g  go to ──")
        assert [line.split()[:2] for line in lines[1:6]] == [
            ["b", "boards"],
            ["f", "find"],
            ["m", "my"],
            ["o", "inbox"],
            ["v", "views"],
        ]
        assert lines[1].split()[2:4] == ["s", "standup"], "one column after the other"
        assert "g first card" in " ".join(lines[1:6])
        assert lines[6] == ""
        assert re.fullmatch(r" g … one more key  esc cancel +│ \? keys", lines[7])
        await person.press("escape")
        assert person.hints == before
        assert "go to" not in person.text
        await person.press("g")
        await person.click("cancel")
        assert person.hints == before
        await person.press("S", "question_mark")
        assert "Keys that work here" in person.text
