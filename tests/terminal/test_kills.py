"""Nothing that was on the screen is lost when the program is killed, and nothing is there twice.

`python -m tests.terminal.kills 200` kills it more often, at more moments of more changes.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.terminal.kills import Kills, Moment
from tests.terminal.program import TOUR, has_tour, program, stored
from tui.tour import TITLE


def test_what_was_seen_survives_a_kill_exactly_once(compact_home: Path) -> None:
    random = Random(1)  # noqa: S311 (chance, not secrecy)
    changes = ("shift", "write", "take_back")
    Kills(compact_home, random).run((name, Moment.SEEN, 1) for name in changes)


def test_a_change_is_there_whole_or_not_at_all_when_killed_at_any_moment(
    compact_home: Path,
) -> None:
    random = Random(3)  # noqa: S311 (chance, not secrecy)
    rounds = [
        ("carry", Moment.SENT, 1),
        ("shift", Moment.STARTING, 1),
    ]
    Kills(compact_home, random).run(rounds)


def test_of_two_programs_the_other_goes_on_when_one_is_killed(compact_home: Path) -> None:
    random = Random(4)  # noqa: S311 (chance, not secrecy)
    Kills(compact_home, random).run([("write", Moment.SENT, 2)])


@pytest.mark.parametrize("sign", ["begun", "painted"])
def test_a_first_run_that_is_killed_makes_the_tour_once(new_home: Path, sign: str) -> None:
    mark = new_home / "data" / "tour"
    with program(new_home) as terminal:
        if sign == "begun":
            terminal.until(mark.exists, "the tour begun")
        else:
            terminal.sees(TITLE)
    with program(new_home) as terminal:
        terminal.until(lambda: has_tour(terminal, new_home), "the tour")
        terminal.press("q")
        assert terminal.exit_code() == 0
    assert [len(stage) for stage in stored(new_home)] == TOUR
    with closing(sqlite3.connect(new_home / "data" / "boards.sqlite3")) as boards:
        assert boards.execute("select count(*) from board").fetchone() == (1,)
