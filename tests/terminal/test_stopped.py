"""A program that is stopped does not keep other programs on its profile from sending."""

import shlex
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from tests.drivers.program import COMMAND, FIRST, environment, is_settled, program, shell
from tests.drivers.terminal import Terminal
from tui.tour import LESSONS

pytestmark = pytest.mark.long

_SECONDS = 12
_IDLE_SECONDS = 3
"""How long nothing was written: a program that is stopped while it writes locks the boards."""


def is_idle(home: Path) -> bool:
    """Whether nothing was written for a while."""
    last = max(path.stat().st_mtime for path in (home / "data").rglob("*.sqlite3*"))
    return time.time() - last > _IDLE_SECONDS


@contextmanager
def stopped(home: Path) -> Iterator[tuple[Terminal, Callable[[], None]]]:
    """A program that somebody stopped, and what lets it go on."""
    with program(home) as terminal:
        terminal.sees(FIRST)
        terminal.until(lambda: is_settled(terminal, home) and is_idle(home), "all sent")
        terminal.signal(signal.SIGSTOP)
        terminal.until(terminal.is_stopped, "the program stopped")
        yield terminal, lambda: terminal.signal(signal.SIGCONT)
        terminal.press("q")
        assert terminal.exit_code() == 0


@contextmanager
def put_aside(home: Path) -> Iterator[tuple[Terminal, Callable[[], None]]]:
    """A program that its user put aside in a shell, and what brings it back."""
    with shell(home) as terminal:
        terminal.send(shlex.join(COMMAND) + "\r")
        terminal.sees(FIRST)
        terminal.until(lambda: is_settled(terminal, home) and is_idle(home), "all sent")
        terminal.press("ctrl+z")
        terminal.sees("Stopped", "here$")
        yield terminal, lambda: terminal.send("fg\r")
        terminal.press("q")
        terminal.until(lambda: terminal.written.endswith(b"here$ "), "the shell")
        terminal.send("exit\r")
        assert terminal.exit_code() == 0


def comments(home: Path) -> list[str]:
    """What was said on the first card, as the service has it."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        found = boards.execute("select description from comment where description like '%as well%'")
        return [text for (text,) in found]


@pytest.mark.parametrize("how", [stopped, put_aside])
def test_a_command_and_a_second_program_send_beside_a_stopped_one(
    home: Path,
    how: Callable[[Path], AbstractContextManager[tuple[Terminal, Callable[[], None]]]],
) -> None:
    with how(home) as (first, go_on):
        said = subprocess.run(  # noqa: S603  our own program
            [*COMMAND, "comment", LESSONS[0].title, "This as well"],
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
            # Until the row for titles is closed, its draft is on disk, and the other program would
            # go on with it.
            second.sees("A card of the second", "space lift")
            second.until(lambda: is_settled(second, home), "all sent by the second")
            go_on()
            first.sees("A card of the second")
            first.press("n", "A card of the first", "enter", "escape")
            first.sees("A card of the first")
            second.sees("A card of the first")
            second.until(lambda: is_settled(second, home), "all sent by the second")
    assert len(comments(home)) == 1
