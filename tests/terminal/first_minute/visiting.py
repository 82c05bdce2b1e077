"""A person in their first minute: opens a place, presses keys there, and goes back to the board."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from textual.keys import key_to_character

from tests.drivers.terminal import KEYS, POLL_SECONDS, Terminal
from tests.terminal.first_minute.furnished import BOARD, NEXT_CARD
from tests.terminal.first_minute.looking import ground, has, title, until_none, wrong_or_missing
from tests.terminal.first_minute.places import UNSEEN, Press, Way

WAITS = (0.05, 0.4, 1.5, 4.0)
"""Seconds from the first board to the first key."""

BACK = ("Nothing to close", "You are already at the boards")
"""What Esc says where there is nothing to go back from."""

PROBE = "~"
"""A key that does nothing on a screen, which says so."""

HOME = Way("", BOARD)
QUIT = "app.quit"

_NAMED = {"slash": "/", "backslash": "\\", "minus": "-", "plus": "+"}
"""Keys that bindings name in another way than Unicode."""
_STATUS, _BELOW = -2, 3
"""The line of messages."""
_MOST_BACK, _MESSAGE_SECONDS = 9, 5.0
_WIDE = 100
"""From so many columns on there is room for a panel at the side."""


def wait(terminal: Terminal, seconds: float) -> None:
    """Draw what the program writes for so long: when keys come is what is tried."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        terminal.read(left)


def all_right(visits: Iterable[Callable[[], None]]) -> None:
    """Make all visits at once, which mostly wait, and say what is wrong with any."""
    with ThreadPoolExecutor(max_workers=len(WAITS)) as pool:
        ended = [pool.submit(visit) for visit in visits]
    errors = [error for each in ended if (error := each.exception()) is not None]
    assert not errors, "\n\n".join(map(str, errors))


class Picture(NamedTuple):
    """What is on a terminal: the line of messages, and all else with its colours."""

    message: str
    cursor: tuple[int, int]
    cells: list[list[Any]]


@dataclass
class Visit:
    """A place in a program that was just started, `wait` seconds after its first board.

    With only 256 colours, panels have the background of the screen.
    """

    terminal: Terminal
    name: str
    way: Way
    wait: float
    has_panels: bool = True

    def open(self) -> None:
        """Wait for the first board, then so long, press the keys of the way at once, and look."""
        self.terminal.sees(NEXT_CARD)
        wait(self.terminal, self.wait)
        self._go()

    def press(self, keys: Iterable[Press]) -> None:
        """Press each key at the place, look at the screen, and go back to the board."""
        for press in keys:
            self.go_back()
            self._go()
            first, _, second = press.keys.partition(" ")
            if second:  # what may follow is shown
                self._type(first)
                self._see(f"what {first!r} begins in {self.name}", Way("", first))
            before = _picture(self.terminal)
            self._type(second or first)
            if press.action == QUIT:
                self.terminal.ends_well()
                return
            if press.action not in UNSEEN:
                what = f"{press.keys!r} ({press.action}) in {self.name}"
                self._feel(what, press.shows, before)

    def go_back(self) -> None:
        """Press Esc until there is nothing to go back from, and be on the board then."""
        for _ in range(_MOST_BACK):
            if self._is_back():
                break
            before = self.terminal.lines
            self.terminal.press("escape")
            # What Esc says is gone after a while, and may be missed; it says so again.
            end = time.monotonic() + _MESSAGE_SECONDS
            while self.terminal.lines == before and time.monotonic() < end:
                self.terminal.read(POLL_SECONDS)
        self.terminal.until(self._is_back, f"a way back from {self.name}, after {self.wait:g} s")
        # It may have been pressed once more than was needed: a later key is answered after that.
        self.terminal.press(PROBE)
        self.terminal.until(lambda: has(self.terminal.lines[_STATUS], f"‘{PROBE}’"), "an answer")
        if not title(self.terminal).startswith(BOARD):
            self.terminal.press("g", "b", "F", "f", "0", "/", BOARD, "enter", "enter")
        self._see(f"the board, on the way back from {self.name}", HOME)

    def _is_back(self) -> bool:
        return any(words in self.terminal.lines[_STATUS] for words in BACK)

    def _go(self) -> None:
        self._type(self.way.keys)
        self._see(self.name, self.way)

    def _type(self, keys: str) -> None:
        self.terminal.press(*map(typed, keys.split()))

    def _see(self, what: str, way: Way) -> None:
        """Wait until everything is on the screen that belongs there, and nothing else."""

        def faults() -> Iterator[str]:
            yield from wrong_or_missing(self.terminal, way.title, way.shows)
            if self.has_panels and way.side is not None and not self._has_side(way.side):
                yield "the panel at the side has no background of its own"

        until_none(self.terminal, faults, what)

    def _feel(self, what: str, shows: str, before: Picture) -> None:
        """Wait until a key has had an effect, and nothing is wrong with the screen."""

        def faults() -> Iterator[str]:
            yield from wrong_or_missing(self.terminal, "", [shows])
            if _picture(self.terminal) in (before, before._replace(message="")):
                yield "nothing happened (if that is right: UNSEEN)"

        until_none(self.terminal, faults, what)

    def _has_side(self, column: int) -> bool:
        screen = self.terminal.screen
        if screen.columns < _WIDE:
            return True
        rows = range(screen.lines // 2, screen.lines - _BELOW)
        middle = screen.columns // 2
        return all(
            ground(self.terminal, column, y) != ground(self.terminal, middle, y) for y in rows
        )


def _picture(terminal: Terminal) -> Picture:
    rows = [terminal.screen.buffer[y] for y in range(terminal.screen.lines)]
    cells = [[row[x] for x in range(terminal.screen.columns)] for row in rows]
    del cells[_STATUS]
    return Picture(terminal.lines[_STATUS].strip(), terminal.cursor, cells)


def typed(key: str) -> str:
    """What `Terminal.press` is given for a key as bindings name it."""
    return _NAMED.get(key) or (key if key in KEYS else key_to_character(key) or key)
