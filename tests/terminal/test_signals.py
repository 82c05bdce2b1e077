"""A program that others stop, continue or end leaves its terminal as it found it."""

import shlex
import signal
from pathlib import Path

import pytest

from tests.drivers.program import COMMAND, FIRST, SECOND, program, shell
from tests.drivers.terminal import Terminal

pytestmark = pytest.mark.long

ENTER = b"\x1b[?1049h"
"""What takes a screen of one's own in the terminal."""


def test_a_program_that_was_stopped_goes_on(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        for times in (1, 2):
            terminal.signal(signal.SIGSTOP, signal.SIGCONT)
            terminal.until(lambda times=times: drawn_anew(terminal) == times, "the board again")  # type: ignore[misc]
        terminal.press("j")
        terminal.sees(f"▌{SECOND}")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert terminal.written.count(b"\x1b[?1049l") == terminal.written.count(ENTER) == 3


def drawn_anew(terminal: Terminal) -> int:
    """How often the program has taken the terminal again and drawn the board on it."""
    _, *entered = terminal.written.split(ENTER)
    return sum(FIRST.encode() in drawn for drawn in entered[1:])


@pytest.mark.parametrize("wrapper", ["{}", "sh -c '{}; true'"], ids=["alone", "in a script"])
def test_a_program_that_the_user_put_aside_comes_back(home: Path, wrapper: str) -> None:
    with shell(home) as terminal:
        terminal.send(wrapper.format(shlex.join(COMMAND)) + "\r")
        terminal.sees(FIRST)
        terminal.press("ctrl+z")
        terminal.sees("Stopped", "here$")
        terminal.send("echo $((20 + 3)) again\r")
        terminal.sees("23 again")
        terminal.send("fg\r")
        terminal.until(lambda: drawn_anew(terminal) == 1, "the board again")
        terminal.press("j")
        terminal.sees(f"▌{SECOND}")
        terminal.press("q")
        terminal.until(lambda: terminal.written.endswith(b"here$ "), "the shell")
        terminal.send("exit\r")
        assert terminal.exit_code() == 0


def test_a_dialog_can_be_put_aside_too(home: Path) -> None:
    with shell(home) as terminal:
        terminal.send(shlex.join(COMMAND) + "\r")
        terminal.sees(FIRST)
        terminal.press("m")
        terminal.sees("type to find")
        terminal.press("ctrl+z")
        terminal.sees("Stopped", "here$")
        terminal.send("fg\r")
        terminal.until(lambda: drawn_anew(terminal) == 1, "the board again")
        terminal.sees("type to find")


def test_a_program_without_a_shell_says_that_it_goes_on(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        terminal.press("ctrl+z")
        terminal.sees("No shell to go back to")
        terminal.press("j")
        terminal.sees(f"▌{SECOND}")
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_a_program_that_is_asked_to_end_gives_the_terminal_back(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        terminal.signal(signal.SIGTERM)
        assert terminal.exit_code() == 0
        assert terminal.written.count(b"\x1b[?1049l") == 1
