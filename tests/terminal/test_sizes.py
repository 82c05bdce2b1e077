"""The terminal changes its size, the program is left early, and it is opened twice."""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.drivers.program import (
    COMMAND,
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
from tui.tour import LESSONS

pytestmark = pytest.mark.long

CARD = "▌" + SECOND[:12]
CHANGES_WHILE_ASKED = """
import fcntl, os, struct, sys, termios

asks, ask = [], os.get_terminal_size

def asked(*of):
    size = ask(*of)
    asks.append(size)
    if len(asks) > 2 and size.columns == 80:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 36, 120, 0, 0))
    return size

os.get_terminal_size = asked
from tui.__main__ import main
sys.exit(main())
"""
"""The program in a terminal that grows just after the driver has read that it has 80 columns.

What starts the program and the driver ask once each before the driver takes the terminal.
"""
UNLESS_HUNG_UP = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")
"""What a program is started with that ignores that its terminal is closed, as by `nohup`."""


def test_a_card_stays_in_sight_at_every_size(home: Path) -> None:
    """Near the top, deep in its column, and in the hand."""
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("j")
        terminal.sees(CARD)
        for size in (
            (80, 24),
            (40, 12),
            (20, 6),
            (120, 36),
            (19, 5),
            (300, 80),
            (41, 7),
            (120, 36),
        ):
            terminal.resize(*size)
            if size[0] > 19:
                terminal.sees(CARD)
        terminal.until(lambda: counts(terminal) == TOUR, "the whole board")

        terminal.press("G")
        terminal.sees(f"▌{LESSONS[-1].title}")
        card = next(line for line in terminal.lines if line.startswith(" ▌"))[2:16]
        for size in ((80, 24), (40, 12), (20, 6), (120, 36)):
            terminal.resize(*size)
            terminal.sees(f"▌{card[:12]}")

        terminal.press("g", "g", "space", "l")
        terminal.sees("◆ Moving", FIRST)
        for size in ((40, 12), (20, 6), (120, 36)):
            terminal.resize(*size)
            terminal.sees("◆ Moving", FIRST[:10])
        terminal.press("enter")
        terminal.until(lambda: column_of(terminal, FIRST) == 1, "the card in the second column")
        terminal.press("q")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize("is_at_start", [True, False])
def test_the_last_size_is_drawn_if_it_comes_while_another_is_read(
    home: Path, *, is_at_start: bool
) -> None:
    columns, lines = (80, 24) if is_at_start else (120, 36)
    command = sys.executable, "-c", CHANGES_WHILE_ASKED
    with program(home, columns=columns, lines=lines, command=command) as terminal:
        if not is_at_start:
            terminal.until(lambda: has_tour(terminal, home), "the tour")
            terminal.resize(80, 24)
        terminal.screen.resize(36, 120)
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        # The footer of marked cards: frames of the size before may still have been on their way.
        terminal.press("v")
        terminal.until(lambda: "1 marked" in terminal.lines[-1], "the last line")


def test_a_size_that_has_gone_before_it_is_read_leaves_the_screen_whole(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("v")
        terminal.until(lambda: "1 marked" in terminal.lines[-1], "the last line")
        for _ in range(3):
            terminal.draw()
            terminal.screen.reset()
            terminal.signal(signal.SIGWINCH)
            terminal.until(lambda: counts(terminal) == TOUR, "the whole board")
            terminal.until(lambda: "1 marked" in terminal.lines[-1], "the last line")


def test_a_small_terminal_is_enough_to_carry_a_card(home: Path) -> None:
    """It begins in the smallest there is, which then becomes greater."""
    first, *greater = (20, 6), (40, 12), (80, 24)
    titles = [title for title, _, _ in stored(home)[0]]
    with program(home, columns=first[0], lines=first[1]) as terminal:
        for count, title in enumerate(titles[: 1 + len(greater)], 1):
            is_ticked_off = count > 1 and title.startswith("Space lifts")
            terminal.sees(f"▌{'✓ ' if is_ticked_off else ''}{title[:10]}")
            terminal.press("space")
            terminal.sees("◆ Moving")
            terminal.press("l", "l")
            terminal.press("enter")
            terminal.misses("◆ Moving")
            terminal.until(lambda: is_settled(terminal, home), "the move at the service")
            terminal.until(
                lambda count=count: len(stored(home)[2]) == count,  # type: ignore[misc]
                "the card in the third stage",
            )
            terminal.sees(f"▌✓ {title[:10]}")
            if greater:
                terminal.press("1", "g", "g")
                terminal.resize(*greater.pop(0))
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_it_can_be_left_in_the_first_second(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: b"\x1b[?2026$p" in terminal.written, "the first signs of it")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert terminal.written.count(b"\x1b[?1049l") == 1
        assert b"Traceback" not in terminal.written
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")


def test_the_very_first_run_can_be_left_at_once(new_home: Path) -> None:
    with program(new_home) as terminal:
        terminal.until(lambda: b"\x1b[?1049h" in terminal.written, "the first signs of it")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert b"Traceback" not in terminal.written
    with program(new_home) as terminal:
        terminal.until(lambda: has_tour(terminal, new_home), "the tour")
    assert [len(stage) for stage in stored(new_home)] == TOUR


@pytest.mark.parametrize("command", [COMMAND, (*UNLESS_HUNG_UP, *COMMAND)])
def test_a_terminal_that_is_closed_leaves_everything_in_order(
    home: Path, command: Sequence[str]
) -> None:
    with program(home, command=command) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("L")
        terminal.until(lambda: column_of(terminal, FIRST) == 1, "the card in the second column")
        terminal.hang_up()
    with program(home) as terminal:
        terminal.until(lambda: columns(terminal), "the board")
        assert column_of(terminal, FIRST) == 1
        terminal.until(lambda: is_settled(terminal, home), "everything at the service")
    assert [len(stage) for stage in stored(home)] == [TOUR[0] - 1, TOUR[1] + 1, 0]


def test_two_programs_work_on_one_home(home: Path) -> None:
    with program(home) as one, program(home) as other:
        for terminal in (one, other):
            terminal.until(lambda: has_tour(terminal, home), "the tour")  # noqa: B023 (called at once)
        one.press("L")
        one.until(lambda: column_of(one, FIRST) == 1, "the first card in the second column")
        other.until(lambda: column_of(other, FIRST) == 1, "what the first program did")
        other.press("L")
        other.until(lambda: column_of(other, SECOND) == 1, "the second card in the second column")
        one.until(lambda: is_settled(one, home), "everything at the service")
        for terminal in (one, other):
            terminal.press("R")
            terminal.until(
                lambda: (
                    counts(terminal)  # noqa: B023 (called at once)
                    == [TOUR[0] - 2, TOUR[1] + 2, 0]
                ),
                "both moves",
            )
            terminal.press("q")
            assert terminal.exit_code() == 0
    assert [len(stage) for stage in stored(home)] == [TOUR[0] - 2, TOUR[1] + 2, 0]


def test_two_first_runs_at_once_make_one_board_that_works(new_home: Path) -> None:
    with program(new_home) as one, program(new_home) as other:
        for terminal in (one, other):
            terminal.sees("Start here")
            terminal.press("q")
            assert terminal.exit_code() == 0
    with program(new_home) as terminal:
        terminal.sees("Start here")
        terminal.press("q")
        assert terminal.exit_code() == 0
