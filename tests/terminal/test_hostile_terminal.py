"""What a terminal claims or answers keeps nobody from working, nor from leaving."""

import shlex
from pathlib import Path

import pytest

from tests.drivers.program import (
    COMMAND,
    FIRST,
    SECOND,
    TOUR,
    column_of,
    counts,
    environment,
    has_tour,
    program,
    stored,
)
from tests.drivers.terminal import Terminal, stall

pytestmark = pytest.mark.long

MOVED = [TOUR[0] - 1, TOUR[1] + 1, 0]
"""How many cards the columns have once one was moved."""


@pytest.mark.parametrize(
    "answers",
    [
        [
            b"\x1b[9999999999u",
            b"\x1b[97:65;5:1u",
            b"\x1b[55296;1;55296u",
            b"\x1b]11;rgb:AxAx/AxAx/AxAx\x1b\\",
            b"\x1bP>|AxA\x1b\\",
            b"\x1b[?62;22c",
        ],
        [b"\x1b[48;99999;99999;99999;99999t", b"\x1b[48;0;0;0;0t\x1b[<35;5;5M"],
        [b"\x1b]52;c;" + b"A" * 100_000],
        [b"\x1b[?2026;2$y" * 10_000, b"\x1b[<35;5;5M" * 10_000],
    ],
    ids=["short", "sizes", "long", "often"],
)
def test_an_answer_changes_nothing(home: Path, answers: list[bytes]) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        for answer in answers:
            for at in range(0, len(answer), 1000):
                terminal.send(answer[at : at + 1000])
            terminal.send(b"\x1b[I")  # the terminal has the focus: ends an answer without an end
            terminal.press("j")
            terminal.sees(f"▌{SECOND}")
            terminal.press("k")
            terminal.until(
                lambda: any("▌" in line and FIRST in line for line in terminal.lines),
                "the cursor on the first card",  # which may be ticked off by then
            )
        terminal.press("q")
        assert terminal.exit_code() == 0
    assert stored(home) == before


def test_a_size_that_no_screen_has_is_left_with_a_key(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal._child.setwinsize(65_535, 65_535)
        terminal.until(lambda: terminal.written.count(FIRST.encode()) > 1, "the board drawn again")
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_a_terminal_that_was_set_not_to_block_is_drawn_whole(home: Path) -> None:
    """As a program does that shares it, and has ended."""
    python, *rest = COMMAND
    unblock = f"{shlex.quote(python)} -c 'import os; os.set_blocking(2, False)'"
    command = ["sh", "-c", f"{unblock}; exec {shlex.join([python, *rest])}"]
    with Terminal(command, environment=environment(home), folder=home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        stall(terminal._child.child_fd)
        terminal.press("L")
        terminal.until(lambda: column_of(terminal, FIRST) == 1, "the card in the second column")
        terminal.until(lambda: counts(terminal) == MOVED, "the board drawn whole")
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_what_another_program_writes_over_the_screen_is_drawn_over(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.write_over("Broadcast message from root")
        terminal.press("j")
        terminal.sees("Broadcast", f"▌{SECOND}")
        terminal.press("ctrl+l")
        terminal.misses("Broadcast")
        terminal.sees("Start here")
