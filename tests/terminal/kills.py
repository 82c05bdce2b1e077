"""Kill the program again and again while a person changes a board, and see that nothing is lost.

Run `python -m tests.terminal.kills 200` for two hundred kills at random moments; a second number
is the seed, which is said at the start.

A change that was on the screen is there after a kill, exactly once; one that was
not may be there or not, but never in part.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from itertools import cycle
from pathlib import Path
from random import Random, SystemRandom
from time import monotonic

from tests.drivers.program import (
    card_sign,
    damage,
    dated,
    end_tutorial,
    is_settled,
    program,
    stored,
)
from tests.drivers.terminal import Terminal
from tests.terminal.changes import CHANGES, Cards, board

STARTING_SECONDS = 2.0
FRAME_SECONDS = 0.5
"""How long the last frame is on the screen at most."""
SENDING_SECONDS = 0.2

Check = Callable[[Cards], bool]


class Moment(Enum):
    """When the program is killed."""

    SEEN = "as soon as the change is on the screen"
    SENT = "some moment after the last key"
    STARTING = "some moment after the start"
    FRAME = "while the last frame is on the screen"


@dataclass(slots=True)
class Kills:
    """A person who changes the board in `home`, and somebody who kills the program meanwhile.

    `history` says in words what was done, for when something is lost. `late` counts how often the
    first board drawn was not yet the one that had been on the screen.
    """

    home: Path
    random: Random
    history: list[str] = field(default_factory=list)
    late: int = 0
    _expected: Check = bool
    _is_sure: bool = False

    def run(self, rounds: Iterable[tuple[str, Moment, int]]) -> None:
        """Make a change and kill, for each of these; then see what is left and leave.

        A round is a change, when it is killed, and how many programs are open on the board.
        """
        for number, (name, moment, programs) in enumerate(rounds):
            title = f"card {number:04}"
            self.history.append(f"{name} in one of {programs}, killed {moment.value}")
            if moment in (Moment.STARTING, Moment.FRAME):
                longest = STARTING_SECONDS if moment is Moment.STARTING else FRAME_SECONDS
                with program(self.home) as terminal:
                    read_for(terminal, self.random.uniform(0, longest))
            if programs > 1:
                self._with_two(name, title, moment)
            else:
                with program(self.home) as terminal:
                    self._check(terminal, settle=not self._is_sure or self.random.random() < 0.5)
                    self._change(terminal, name, title, moment)
                    terminal.kill()
            damaged = damage(self.home)
            assert not damaged, f"damaged after {self.history[-1]}: {damaged}"
        with program(self.home) as terminal:
            self._check(terminal, settle=True)
            terminal.press("q")
            terminal.ends_well()

    def _with_two(self, name: str, title: str, moment: Moment) -> None:
        """Change the board in one of two programs and kill either; the other goes on."""
        with program(self.home) as one, program(self.home) as other:
            self._check(one, settle=not self._is_sure)
            other.until(lambda: self._show_the_same(one, other), "the same twice")
            previous = board(one)
            doing, seeing = self.random.sample((one, other), 2)
            is_made = self._change(doing, name, title, moment)
            gone, left = self.random.sample((doing, seeing), 2)
            self.history.append("the one that did it" if gone is doing else "the other one")
            gone.kill()
            if left is doing and not self._is_sure:
                # It lives on, so what was pressed comes, however long its disk takes.
                self._expected = is_made
            self._check(left, settle=True)
            seen = board(left)
            self.history.append(f"seen {seen}")
            if self._is_sure or left is doing or seen != previous:
                self._expected, self._is_sure = seen.__eq__, True
            # A commit that waits for the disk is in the log of the outbox, but not yet in the index
            # that other programs read: killed then, it comes when the file is next opened by a
            # program that is the only one. Until then either is right.
            left.kill()

    @staticmethod
    def _show_the_same(one: Terminal, other: Terminal) -> bool:
        one.draw()
        return bool(board(other)) and board(other) == board(one)

    def _check(self, terminal: Terminal, *, settle: bool) -> None:
        """What was left is on the board, whole and once, and so it is at the service."""
        terminal.until(lambda: board(terminal), "the board")
        self.late += not self._expected(board(terminal))
        told = "\n".join(self.history)
        terminal.until(lambda: self._expected(board(terminal)), f"what was left by\n{told}\n")
        if settle:
            terminal.until(lambda: is_settled(terminal, self.home), "everything at the service")
            terminal.until(
                lambda: self._is_kept(terminal), f"the same at the service after\n{told}\n"
            )

    def _is_kept(self, terminal: Terminal) -> bool:
        """Whether what was left is on the board, and the service holds the same."""
        cards = board(terminal)
        return self._expected(cards) and held(self.home) == cards

    def _change(self, terminal: Terminal, name: str, title: str, moment: Moment) -> Check:
        """Make a change, up to the moment of the kill; how to tell that it was made."""
        previous = board(terminal)
        holds = CHANGES[name](terminal, self.random, title)

        def is_made(cards: Cards) -> bool:
            return cards != [] and holds(cards)

        self._is_sure = moment is Moment.SEEN
        if self._is_sure:
            terminal.until(lambda: is_made(board(terminal)), name)
            seen = board(terminal)
            self._expected = seen.__eq__
            self.history.append(f"seen {seen}")
        else:
            read_for(terminal, self.random.uniform(0, SENDING_SECONDS))
            self._expected = lambda cards: cards == previous or is_made(cards)
        return is_made


def held(home: Path) -> Cards:
    """The cards that the service holds, as they are drawn; one that is done has no signs."""
    due = dated(home)
    return [
        [
            card_sign(
                ("✓ " if status == "closed" else "") + title,
                is_high=priority == "high" and status != "closed",
                is_dated=title in due and status != "closed",
            )
            for title, priority, status in stage
        ]
        for stage in stored(home)
    ]


def read_for(terminal: Terminal, seconds: float) -> None:
    """Draw what the program writes until a moment comes."""
    end = monotonic() + seconds
    terminal.until(lambda: monotonic() > end, "a moment")


def main(count: int, seed: int) -> None:
    """Kill so often in random changes; a dozen are each moment with one program and with two."""
    random = Random(seed)  # noqa: S311 (chance, not secrecy)
    sys.stdout.write(f"{count} kills, seed {seed}\n")
    names = [name for name in CHANGES if name != "take_back"]  # which is never half done
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text("density = 1\n", "utf-8")
        with program(home) as terminal:
            end_tutorial(terminal, home)
            terminal.press("q")
            terminal.ends_well()
        rounds = (
            (random.choice(names), moment, programs)
            for _, moment, programs in zip(range(count), cycle(Moment), cycle((1, 1, 2)))
        )
        kills = Kills(home, random)
        kills.run(rounds)
    sys.stdout.write(f"nothing was lost; the first paint was behind {kills.late} times\n")


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 20,
        int(sys.argv[2]) if len(sys.argv) > 2 else SystemRandom().randrange(10**6),
    )
