"""Each screen, each dialog and each key in the first minute, in a real terminal on each Python.

Each screen and dialog is opened in fresh programs, so long after the first board. The four press
its keys between them, look at the screen after each, and go back to the board. When the keys come
is what is tried: how long their effects take is not.
"""

import shutil
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import pytest

from tests.drivers.program import program
from tests.drivers.terminal import Terminal
from tests.lint import tables
from tests.server.launched import PASSWORD
from tests.terminal.first_minute import slow_line
from tests.terminal.first_minute.places import (
    WAYS,
    Press,
    in_turns,
    missing,
    presses,
    screens_and_dialogs,
)
from tests.terminal.first_minute.pythons import pythons
from tests.terminal.first_minute.visiting import WAITS, Visit, all_right
from tests.terminal.served import PROFILE

pytestmark = pytest.mark.long

ROUND_TRIP_SECONDS = 0.2
MOST_SECONDS = 900
"""In which also a test ends that finds the same fault again and again on a busy machine."""

SCREENS_AND_DIALOGS = screens_and_dialogs()
OTHERS = [name for name in WAYS if name not in SCREENS_AND_DIALOGS]


class Surroundings(NamedTuple):
    """What is around a program: the size of its terminal, its environment, its line."""

    size: tuple[int, int] = (120, 36)
    environment: tuple[tuple[str, str], ...] = (("COLORTERM", "truecolor"),)
    is_slow: bool = False

    @property
    def has_true_colours(self) -> bool:
        """Whether the terminal has more than 256 colours."""
        return ("COLORTERM", "truecolor") in self.environment


USUAL = Surroundings()
UNUSUAL = {
    "80x24": Surroundings(size=(80, 24)),
    "screen": Surroundings(environment=(("TERM", "screen-256color"),)),
    "C": Surroundings(environment=(("LC_ALL", "C"), ("COLORTERM", "truecolor"))),
    "slow": Surroundings(is_slow=True),
}
"""Each on one Python, so long as there are enough."""

Start = Callable[[str, str, Surroundings], Terminal]
"""Starts the program on a Python, in the home of a place."""


@pytest.fixture
def start(tmp_path: Path, request: pytest.FixtureRequest) -> Start:
    """Programs in homes of their own; they are started one after the other, by any thread."""
    sources = {name: request.getfixturevalue(name) for name in {way.home for way in WAYS.values()}}
    starting, number = Lock(), count()

    def started(python: str, name: str, around: Surroundings) -> Terminal:
        command = [pythons()[python], "-m", "tui"]
        if around.is_slow:
            command = [sys.executable, slow_line.__file__, str(ROUND_TRIP_SECONDS), *command]
        if WAYS[name].home == "in_conflict":
            command += ["-p", PROFILE]
        columns, lines = around.size
        more = {"CALLBOARD_PASSWORD": PASSWORD, **dict(around.environment)}
        with starting:
            home, source = tmp_path / str(next(number)), sources[WAYS[name].home]
            shutil.copytree(source, home, ignore=shutil.ignore_patterns("last-frame"))
            return program(home, columns=columns, lines=lines, command=command, **more)

    return started


def test_there_is_a_way_to_everything_that_is_opened_or_has_keys() -> None:
    tables.check(tables.missing(missing(), "the tables", "tests/terminal/first_minute/places.py"))


@pytest.mark.exhaustive
@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize("name", SCREENS_AND_DIALOGS)
@pytest.mark.parametrize("python", pythons())
def test_a_place_is_right_whenever_it_is_opened(start: Start, python: str, name: str) -> None:
    keys, turns = presses(name), range(len(WAITS))

    def visit(turn: int) -> None:
        with start(python, name, USUAL) as terminal:
            one = Visit(terminal, name, WAYS[name], WAITS[turn])
            one.open()
            one.press(keys[turn :: len(WAITS)])
            one.go_back()

    all_right(partial(visit, turn) for turn in turns)


@pytest.mark.exhaustive
@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("python", pythons())
def test_the_keys_of_parts_and_bases_do_something(start: Start, python: str, name: str) -> None:
    def visit(keys: list[Press]) -> None:
        with start(python, name, USUAL) as terminal:
            one = Visit(terminal, name, WAYS[name], WAITS[0])
            one.open()
            one.press(keys)

    all_right(partial(visit, keys) for keys in in_turns(name) if keys)


@pytest.mark.exhaustive
@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize("around", UNUSUAL)
@pytest.mark.parametrize("name", SCREENS_AND_DIALOGS)
def test_a_place_is_right_in_unusual_surroundings(start: Start, name: str, around: str) -> None:
    versions = list(pythons())
    python = versions[list(UNUSUAL).index(around) % len(versions)]
    with start(python, name, UNUSUAL[around]) as terminal:
        has_panels = UNUSUAL[around].has_true_colours
        visit = Visit(terminal, name, WAYS[name], WAITS[1], has_panels=has_panels)
        visit.open()
        visit.go_back()
