"""Nothing that was on the screen is lost when the program is killed, and nothing is there twice.

`python -m tests.terminal.kills 200` kills it more often, at more moments of more changes.
"""

import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.drivers.program import COMMAND, TOUR, has_tour, program, shell, stored
from tests.terminal.kills import Kills, Moment
from tui.tour import TITLE

pytestmark = pytest.mark.long


def test_a_change_survives_a_kill_exactly_once_or_not_at_all(compact_home: Path) -> None:
    """At every kind of moment, with one program on the board and with two."""
    random = Random(1)  # noqa: S311 (chance, not secrecy)
    rounds = [
        ("take_back", Moment.SEEN, 1),
        ("carry", Moment.SENT, 1),
        ("shift", Moment.STARTING, 1),
        ("write", Moment.SENT, 2),
    ]
    Kills(compact_home, random).run(rounds)


def test_a_kill_behind_the_last_frame_loses_nothing(compact_home: Path) -> None:
    with program(compact_home) as terminal:
        terminal.until(lambda: has_tour(terminal, compact_home), "the tour")
        terminal.press("q")
        assert terminal.exit_code() == 0
    random = Random(2)  # noqa: S311 (chance, not secrecy)
    rounds = [(name, Moment.FRAME, 1) for name in ("write", "carry", "shift")]
    Kills(compact_home, random).run(rounds)


@pytest.mark.skipif(shutil.which("reset") is None, reason="reset is not installed")
@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5])
def test_the_terminal_is_usable_after_a_kill_at_the_start(left: Path, seconds: float) -> None:
    """A frame is on the screen from the first moment on; `reset` brings back line editing."""
    with shell(left) as terminal:
        terminal.sees("here$")
        killed = f"(sleep {seconds}; kill -KILL $$) & exec {shlex.join(COMMAND)}"
        terminal.send(f"sh -c {shlex.quote(killed)}\r")
        # Not as seen: a frame that the kill cut off hides the prompt.
        prompt = re.compile(rb"Killed.*here\$", re.DOTALL)
        terminal.until(lambda: prompt.search(terminal.written), "the prompt after the kill")
        # Behind the prompt may be what the terminal answered to the program that was killed.
        terminal.send("\x15reset\r")
        # Not the prompt from before: what is typed until `reset` ends, it throws away.
        terminal.until(lambda: b"\x1bc" in terminal.written, "the reset")
        terminal.sees("here$")
        terminal.send("echo us''able\r")
        terminal.sees("us''able", "usable")
    assert [len(stage) for stage in stored(left)] == TOUR


@pytest.mark.parametrize("sign", ["begun", "painted"])
def test_a_first_run_that_is_killed_makes_the_tour_once(new_home: Path, sign: str) -> None:
    mark = new_home / "data" / "tour"
    with program(new_home) as terminal:
        if sign == "begun":
            terminal.until(mark.exists, "the tour begun")
        else:
            terminal.sees(TITLE)
    with program(new_home) as terminal:
        # On a fast machine it was made before; then it is the only board, and is opened too.
        terminal.until(lambda: has_tour(terminal, new_home), "the tour")
    assert [len(stage) for stage in stored(new_home)] == TOUR
    with closing(sqlite3.connect(new_home / "data" / "boards.sqlite3")) as boards:
        assert boards.execute("select count(*) from board").fetchone() == (1,)
