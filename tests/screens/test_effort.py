"""A key on a card is as much work on a board of thousands as on one of a tenth."""

from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.harness.effort import effort
from tests.screens.driving import opened
from tui.model.board import BoardView
from tui.screens.board.column import CardFace
from tui.screens.board.columns import edge_of
from tui.widgets.painted import Line

_FEW, _MANY = 300, 3_000
_AT_MOST = 1.2


def _board(cards: int) -> BoardView:
    """A board with so many cards in each of its three stages."""
    lanes = {
        stage: tuple(
            task(stage * 10_000 + number, f"Card {number}", stage) for number in range(cards)
        )
        for stage in (1, 2, 3)
    }
    return replace(small(), tasks=lanes)


@mostly_long("keys", ["j k", "L H", "J K", "space l j escape", "x x"], every=3)
async def test_keys(keys: str) -> None:
    pressed, counts = keys.split(), []
    for cards in (_FEW, _MANY):
        async with opened(FakeStore(_board(cards))) as person:
            await person.press("j", *pressed)  # what is computed about all cards is computed once
            with effort() as count:
                await person.press(*pressed)
        counts.append(count.lines)
    assert counts[1] <= counts[0] * _AT_MOST, counts


async def test_a_step_with_marked_cards_costs_no_more() -> None:
    counts = []
    async with opened(FakeStore(_board(_FEW))) as person:
        for marks in ((), ("v", "v", "home")):
            await person.press(*marks, "j", "k")
            with effort() as count:
                await person.press("j")
            counts.append(count.lines)
            await person.press("k")
    assert counts[1] <= counts[0] * _AT_MOST, counts


async def test_a_step_back_lays_out_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[CardFace] = []

    def counted(face: CardFace) -> list[Line]:
        laid_out.append(face)
        return lines(face)

    lines = CardFace.lines
    monkeypatch.setattr(CardFace, "lines", counted)
    async with opened(FakeStore(_board(20))) as person:
        await person.press("j", "j", "k")
        laid_out.clear()
        await person.press("j")
        await person.press("k")
        assert not laid_out, "both cards have been drawn with the cursor and without"
        await person.press("j", "j")
        assert len(laid_out) == 1, "only one has not been drawn with the cursor"


async def test_what_is_out_of_sight_is_counted_when_that_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[int] = []

    def counting(*given: Any) -> tuple[Line, Line]:
        counted.append(len(given[0]))
        return edge_of(*given)

    monkeypatch.setattr("tui.screens.board.columns.edge_of", counting)
    async with opened(FakeStore(_board(20))) as person:
        counted.clear()
        await person.press("j", "k", "j")
        assert not counted
        await person.press("G")
        assert counted == [3], "columns"
        assert person.text.count("more") == 2, "nothing is left below in the first column"
