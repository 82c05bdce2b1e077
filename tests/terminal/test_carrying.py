"""A person opens the program for the first time, carries a card, leaves, and comes back."""

from pathlib import Path

import pytest

from tests.drivers.program import (
    FIRST,
    SECOND,
    TOUR,
    column_of,
    columns,
    counts,
    has_tour,
    is_settled,
    program,
    stored,
)
from tests.drivers.terminal import Terminal

pytestmark = pytest.mark.long


def carry_over_two_columns(terminal: Terminal) -> None:
    """Pick up the card at the cursor, carry it over two columns and drop it."""
    terminal.press("space")
    terminal.sees("◆ Moving")
    terminal.press("l")
    terminal.sees("First steps 1 → In progress 1")
    terminal.press("right")
    terminal.sees("First steps 1 → Done 1")
    terminal.press("enter")
    terminal.misses("◆ Moving")
    terminal.until(lambda: column_of(terminal, FIRST) == 2, "the card in the third column")


def test_a_card_carried_on_the_first_day_is_there_on_the_second(new_home: Path) -> None:
    with program(new_home) as terminal:
        terminal.until(lambda: has_tour(terminal, new_home), "the tour")
        carry_over_two_columns(terminal)
        terminal.until(lambda: is_settled(terminal, new_home), "the move at the service")
        terminal.press("q")
        assert terminal.exit_code() == 0

    assert [[title[:20] for title, _, _ in stage] for stage in stored(new_home)][2] == [FIRST]
    with program(new_home) as terminal:
        terminal.until(lambda: columns(terminal), "the board")
        assert column_of(terminal, FIRST) == 2
        assert counts(terminal) == [TOUR[0] - 1, TOUR[1], 1]


def test_the_first_paint_comes_from_the_cache(home: Path) -> None:
    """Without the service's file the board is there all the same, until it is asked for."""
    (home / "data" / "boards.sqlite3").write_bytes(b"\0" * 4096)
    with program(home) as terminal:
        terminal.until(lambda: columns(terminal), "the board from the cache")
        assert column_of(terminal, FIRST) == 0
        assert terminal.exit_code() == 1


def test_a_card_follows_the_mouse_but_a_press_alone_carries_nothing(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        first, second, _ = columns(terminal)
        line = next(y for y, text in enumerate(terminal.lines) if SECOND in text)

        terminal.drag((8, line))
        terminal.until(lambda: f"▌{SECOND}" in terminal.text, "the cursor where the mouse is")
        assert "◆ Moving" not in terminal.text
        assert counts(terminal) == TOUR

        start, target = (first.left + 6, line), (second.left + 6, second.top + 1)
        terminal.drag(start, (start[0] + 1, line), (second.left + 3, line), target)
        terminal.until(lambda: column_of(terminal, SECOND) == 1, "the card in the second column")
        terminal.until(lambda: is_settled(terminal, home), "the move at the service")
        assert counts(terminal) == [TOUR[0] - 1, TOUR[1] + 1, 0]
    assert stored(home)[1][0][0].startswith(SECOND)
