"""The first minute of somebody new, in a fresh home: on each Python, however soon they begin."""

from contextlib import ExitStack
from functools import partial
from itertools import repeat
from pathlib import Path

import pytest

from tests.drivers.program import FIRST, program
from tests.drivers.terminal import Terminal
from tests.terminal.first_minute.looking import until_none, wrong_or_missing
from tests.terminal.first_minute.pythons import pythons
from tests.terminal.first_minute.visiting import WAITS, all_right, wait
from tui.tour import STAGES, TITLE

pytestmark = pytest.mark.long

STEPS = (
    (("enter",), TITLE, ("1 Description", "2 Subtasks")),
    (("3",), TITLE, ("3 Comments",)),
    (("escape",), TITLE, STAGES),
    (("B", "r"), TITLE, ("High",)),
    (("B", "n"), TITLE, STAGES),
    (("d",), "Due date of", ("fri",)),
    (("escape",), TITLE, STAGES),
    (("?",), "Keys that work here", ("help",)),
    (("escape",), TITLE, STAGES),
    (("g", "l"), TITLE, ("Labels",)),
    (("escape",), TITLE, STAGES),
    (("g", "s"), "Standup", ()),
    (("escape",), TITLE, STAGES),
    (("n", "First card of mine", "enter", "escape"), TITLE, ("First card of",)),
    (("x",), TITLE, ("Closed",)),
    (("u",), TITLE, ("Undone",)),
)
"""Keys, what the title of what is in front has in it then, and what else is seen."""


@pytest.mark.parametrize("python", pythons())
def test_nothing_is_wrong_in_a_fresh_home(tmp_path: Path, python: str) -> None:
    command = [pythons()[python], "-m", "tui"]
    homes = [tmp_path / f"after {seconds:g} s" for seconds in WAITS]
    with ExitStack() as stack:
        programs = []
        for home in homes:
            home.mkdir()
            opened = program(home, command=command, COLORTERM="truecolor")
            programs.append(stack.enter_context(opened))
        all_right(map(partial, repeat(go_through), programs, WAITS))


def go_through(terminal: Terminal, seconds: float) -> None:
    """Press the keys of all steps, and look at the screen after each."""
    terminal.sees(FIRST)
    wait(terminal, seconds)
    for keys, begin, shows in STEPS:
        terminal.press(*keys)
        what = f"{keys}, begun {seconds:g} s after the first board"
        until_none(terminal, partial(wrong_or_missing, terminal, begin, shows), what)
