"""The panel of the tutorial board."""

from dataclasses import replace

import pytest

from tests.boards import small
from tests.fake_store import FakeStore
from tests.screens.driving import opened
from tui import tour
from tui.config.preferences import Preferences
from tui.model.board import Board, BoardView, Stage

_WORDS = "Do what each card says; closed ones count as tried."


def _board() -> BoardView:
    view = small()
    stages = tuple(Stage(number, 1, title, number) for number, title in enumerate(tour.STAGES, 1))
    return replace(view, board=Board(1, tour.TITLE), stages=stages)


async def test_the_tour_says_what_it_is_counts_what_was_tried_and_esc_hides_that() -> None:
    preferences = Preferences()
    async with opened(FakeStore(_board()), size=(120, 36), preferences=preferences) as person:
        assert _WORDS in person.text
        assert "0 of " in person.text.splitlines()[0]
        await person.press("x")
        assert "1 of " in person.text.splitlines()[0]
        assert "tried" in person.text.splitlines()[0]
        await person.press("escape", "escape")
        assert _WORDS not in person.text
    async with opened(FakeStore(_board()), size=(120, 36), preferences=preferences) as person:
        assert _WORDS not in person.text


@pytest.mark.parametrize(("view", "height"), [(_board(), 24), (small(), 36)])
async def test_low_terminals_and_other_boards_have_no_panel(view: BoardView, height: int) -> None:
    async with opened(FakeStore(view), size=(120, height)) as person:
        assert _WORDS not in person.text
