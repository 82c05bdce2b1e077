"""Boards without cards, the tutorial, and what is out of sight: what they say and offer."""

from dataclasses import replace

import pytest

from tests.fakes.boards import ANN, relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui import tour
from tui.context import Density
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.store.events import SyncStatus

LIST = "Buy milk\nBuy bread\n"


def nothing() -> BoardView:
    return replace(small(), tasks={stage.id: () for stage in small().stages})


@pytest.mark.parametrize("density", [Density.ROOMY, Density.COMPACT])
async def test_a_board_without_cards_says_how_to_write_the_first(density: Density) -> None:
    async with opened(FakeStore(nothing()), size=(120, 30), density=density) as person:
        lines = person.text.splitlines()
        assert lines[0].startswith(" Small  no cards yet ")
        assert lines[1].startswith(" ▸1 To do ")
        for line, words in zip(
            lines[3:6], ("no cards", "n to add a card", "or paste a list"), strict=True
        ):
            assert line.startswith(f" ▌{words} ")
        assert person.text.count(" no cards ") == 2 + 1, "in the other columns, and in the bar"
        assert person.hints.startswith(" n new card  N with all fields  S n new stage  g b boards")
        await person.press("n", *"First", "enter", "escape")
        assert "1 open" in person.text.splitlines()[0]
        assert person.hints.startswith(" space lift")


async def test_a_list_is_pasted_on_a_board_without_cards_only() -> None:
    store = FakeStore(nothing())
    async with opened(store) as person:
        await person.paste("Buy milk")
        assert person.app.screen is person.board, "a word is no list"
        await person.paste(LIST)
        assert "New cards in “To do”" in person.text
        await person.press("ctrl+s")
        assert person.titles(1) == ["Buy milk", "Buy bread"]
        await person.paste(LIST)
        assert len(store.steps) == 1
        assert person.app.screen is person.board


async def test_a_viewer_pastes_nothing() -> None:
    store = FakeStore(nothing())
    board = replace(nothing().board, is_view_only=True)
    store.views[1] = replace(nothing(), board=board)
    store.me = Account("ann", ANN.id)
    async with opened(store) as person:
        await person.paste(LIST)
        assert store.steps == []
        assert person.app.screen is person.board
        assert "N with all fields" not in person.hints


def first_board() -> BoardView:
    stages = tuple(Stage(number, 1, title, number) for number, title in enumerate(tour.STAGES, 1))
    return BoardView(Board(1, tour.TITLE), stages, {1: (task(1, "j down"),), 2: (), 3: ()})


@pytest.mark.parametrize("is_embedded", [True, False])
async def test_the_tour_names_its_keys_and_where_it_is_kept(*, is_embedded: bool) -> None:
    store = FakeStore(first_board())
    async with opened(store, size=(120, 30), is_embedded=is_embedded) as person:
        keys = " j k down, up  space lift  ↵ open  n new  x close  u undo"
        assert person.hints.startswith(keys)
        first = person.text.splitlines()[0]
        assert ("kept on this machine" in first) == is_embedded
        assert ("✓ synced" in first) != is_embedded
        store.now = SyncStatus(pending=1)
        await person.press("x")
        assert "kept on" not in person.text.splitlines()[0]


async def test_a_narrow_board_says_how_many_cards_are_below_between_the_columns() -> None:
    cards = tuple(task(100 + number, f"card {number}") for number in range(20))
    store = FakeStore(replace(small(), tasks={**small().tasks, 2: cards}))
    async with opened(store, size=(40, 15), density=Density.NORMAL) as person:
        await person.press("l")
        edge = person.text.splitlines()[-2]
        assert edge.startswith(" ‹ 1   ↓ 17 more ")
        assert edge.endswith("1 more column › ")


async def test_lifted_cards_say_where_esc_puts_them_back() -> None:
    async with opened(FakeStore(relaunch()), size=(120, 30)) as person:
        await person.press("v", "j", "v", "space", "l")
        assert "◆ 2 marked" in person.text.splitlines()[0], "the lift keeps the marks"
        assert person.hints.startswith(" h j k l carry  ↵ drop  esc back to Backlog ")
        assert person.hints.endswith("│ ? keys ")
        await person.press("escape")
        assert "◆ 2 marked" in person.text.splitlines()[0]
        await person.pilot.resize_terminal(40, 15)
        await person.press("space")
        assert person.hints.startswith(" h j k l carry  ↵ drop")
