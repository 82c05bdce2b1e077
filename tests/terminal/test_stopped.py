"""A program that is stopped does not keep other programs on its profile from sending."""

import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.terminal.program import COMMAND, FIRST, environment, is_settled, program
from tests.terminal.terminal import Terminal
from tui.tour import CARDS

pytestmark = pytest.mark.long

_SECONDS = 12


def stop(terminal: Terminal) -> None:
    terminal.signal(signal.SIGSTOP)
    terminal.until(terminal.is_stopped, "the program stopped")


def put_aside(terminal: Terminal) -> None:
    terminal.press("ctrl+z")
    terminal.until(terminal.is_stopped, "the program stopped")


def comments(home: Path) -> list[str]:
    """What was said on the first card, as the service has it."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        found = boards.execute("select description from comment where description like '%as well%'")
        return [text for (text,) in found]


@pytest.mark.parametrize("end", [stop, put_aside])
def test_a_command_and_a_second_program_send_beside_a_stopped_one(
    home: Path, end: Callable[[Terminal], None]
) -> None:
    with program(home) as first:
        first.sees(FIRST)
        first.until(lambda: is_settled(first, home), "all sent")
        end(first)
        said = subprocess.run(  # noqa: S603  our own program
            [*COMMAND, "comment", CARDS[0][0], "This as well"],
            env=environment(home),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert (said.returncode, said.stderr) == (0, "")
        assert len(comments(home)) == 1
        with program(home) as second:
            second.sees(FIRST)
            second.press("n", "A card of the second", "enter", "escape")
            second.sees("A card of the second")
            second.until(lambda: is_settled(second, home), "all sent by the second")
            first.signal(signal.SIGCONT)
            first.sees("A card of the second")
            first.press("n", "A card of the first", "enter", "escape")
            first.sees("A card of the first")
            second.sees("A card of the first")
            second.until(lambda: is_settled(second, home), "all sent by the second")
        first.press("q")
        assert first.exit_code() == 0
    assert len(comments(home)) == 1
