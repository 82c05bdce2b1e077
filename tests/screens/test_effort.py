"""A key on a card is as much work on a board of thousands as on one of a tenth."""

from dataclasses import replace

import pytest

from tests.boards import small, task
from tests.effort import effort
from tests.fake_store import FakeStore
from tests.screens.driving import opened
from tui.model.board import BoardView

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


@pytest.mark.parametrize(
    "keys",
    [("L", "H"), ("J", "K"), ("j", "k"), ("space", "l", "j", "escape"), ("x", "x")],
    ids=" ".join,
)
async def test_keys(keys: tuple[str, ...]) -> None:
    counts = []
    for cards in (_FEW, _MANY):
        async with opened(FakeStore(_board(cards))) as person:
            await person.press("j", *keys)  # what is computed about all cards is computed once
            with effort() as count:
                await person.press(*keys)
        counts.append(count.instructions)
    assert counts[1] <= counts[0] * _AT_MOST, counts
