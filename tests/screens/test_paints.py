"""What a key makes Textual do, counted: layouts, styles, widgets, and lines that are drawn."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.css.stylesheet import Stylesheet

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.paths import JsonFile
from tui.model.board import BoardView
from tui.screens.board.bar import BoardBar
from tui.screens.board.column import CardFace
from tui.store.events import BoardChanged, StatusChanged
from tui.widgets.line_list import LineList
from tui.widgets.painted import PaintedLines

Counts = Counter[str]


def board(cards: int) -> BoardView:
    """A board with so many cards in each of its three stages."""
    lanes = {
        stage: tuple(
            task(stage * 10_000 + number, f"Card {number}", stage) for number in range(cards)
        )
        for stage in (1, 2, 3)
    }
    return replace(small(), tasks=lanes)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """How often each was called; clear it before what is counted."""
    calls: Counts = Counter()

    def count(owner: type, name: str, what: str) -> None:
        method: Callable[..., Any] = getattr(owner, name)

        def counted(*given: Any, **named: Any) -> Any:
            calls[what] += 1
            return method(*given, **named)

        monkeypatch.setattr(owner, name, counted)

    count(Compositor, "reflow", "layouts")
    count(Stylesheet, "apply", "styles")
    count(App, "_register", "mounts")
    count(PaintedLines, "render_line", "lines")
    count(CardFace, "lines", "cards")
    count(LineList, "row_lines", "columns")
    count(BoardBar, "draw", "bars")
    count(JsonFile, "read", "files")
    return calls


@asynccontextmanager
async def at_rest(cards: int, store: FakeStore | None = None) -> AsyncIterator[Driver]:
    """The program on a board, after its first keys."""
    async with opened(store or FakeStore(board(cards)), size=(120, 40)) as person:
        await person.press("j", "L", "H", "enter", "escape", "j", "k")
        await person.pilot.pause()
        yield person


@pytest.mark.long
async def test_a_step_draws_the_cards_that_were_not_drawn_so_before(counts: Counts) -> None:
    async with at_rest(50) as person:
        counts.clear()
        await person.press("j", "j")
        await person.pilot.pause()
        assert counts["cards"] == 1, "the one that had no cursor yet"
        assert counts["lines"] <= 12
        assert not counts["layouts"] + counts["styles"] + counts["mounts"] + counts["files"]


@pytest.mark.parametrize("key", ["L", pytest.param("J", marks=pytest.mark.long)])
async def test_a_move_draws_the_card_and_its_neighbours(counts: Counts, key: str) -> None:
    drawn = []
    for cards in (30, 3_000):
        async with at_rest(cards) as person:
            counts.clear()
            await person.press(key)
            await person.pilot.pause()
            assert not counts["layouts"] + counts["styles"] + counts["mounts"]
            drawn.append((counts["cards"], counts["lines"]))
    assert drawn[0] == drawn[1]
    assert drawn[0][0] <= 5


async def test_events_that_change_nothing_lay_nothing_out(counts: Counts) -> None:
    store = FakeStore(board(50))
    async with at_rest(50, store):
        counts.clear()
        store.notify(BoardChanged(1))
        assert (counts["columns"], counts["bars"]) == (0, 1)
        store.notify(StatusChanged(1))
        assert (counts["columns"], counts["bars"]) == (0, 1)


@pytest.mark.long
async def test_a_task_that_is_opened_again_mounts_and_styles_nothing(counts: Counts) -> None:
    async with at_rest(50) as person:
        counts.clear()
        await person.press("enter")
        await person.pilot.pause()
        assert not counts["mounts"]
        assert counts["styles"] <= 2, "the focus"
        counts.clear()
        await person.press("escape")
        await person.pilot.pause()
        assert not counts["mounts"] + counts["styles"] + counts["layouts"]
        assert not counts["lines"], "the board is as it was"
