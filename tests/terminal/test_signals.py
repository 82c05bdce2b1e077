"""A program that others stop, continue or end leaves its terminal as it found it."""

import signal
from pathlib import Path

import pytest

from tests.terminal.program import FIRST, SECOND, program

pytestmark = pytest.mark.long


def test_a_program_that_was_stopped_goes_on(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        for _ in range(2):
            terminal.signal(signal.SIGSTOP)
            terminal.screen.reset()  # a shell has the terminal meanwhile
            terminal.signal(signal.SIGCONT)
            terminal.sees(FIRST)
        terminal.press("j")
        terminal.sees(f"▌{SECOND}")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert terminal.written.count(b"\x1b[?1049l") == terminal.written.count(b"\x1b[?1049h")


def test_a_program_that_is_asked_to_end_gives_the_terminal_back(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        terminal.signal(signal.SIGTERM)
        assert terminal.exit_code() == 0
        assert terminal.written.count(b"\x1b[?1049l") == 1
