"""A day with a bad network: a person changes a board, and nothing is lost, doubled or refused.

Run `python -m tests.terminal.faults 300` for three hundred rounds; a second number is the seed,
which is said at the start. The program is driven by keys, once or twice on one profile, against
`callboard serve` behind a proxy that delays, cuts, answers late or with something else; programs
and the service are killed meanwhile. After each round the network is healed, and within seconds
the board on the screen is what the person made of it, and what the service holds. The service
learns no idempotency keys with `--without-keys`, as services of others do: changes may then wait
for a person, who has them sent again or forgets them.
"""

import argparse
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from statistics import median
from typing import NamedTuple

from tests.drivers.program import bare, is_settled, program
from tests.drivers.terminal import Terminal
from tests.server.launched import PASSWORD
from tests.terminal.changes import (
    CHANGES,
    MARK,
    Cards,
    board,
    go_to_any,
    type_new,
)
from tests.terminal.kills import held, read_for
from tests.terminal.proxy import Fault, Proxy, losing_creations, weather
from tests.terminal.served import BOARD, LOGIN, PROFILE, KeptService

HEALED_SECONDS = 15.0
"""How long everything may take to be as it should be once the network is healed."""

SEND_SECONDS = 0.6
SETTLE_SECONDS, MOST_KEYS = 0.4, 10
STATES = "select state, count(*) from entry group by state"
COMMENTING = 0.3
"""In what part of the rounds a comment is written."""

CROWDED = 26
"""More cards in a column are too many: soon they do not all fit on the screen."""

THERE_AND_BACK = ("take_back", "do_again")

ASKING = 3
"""Without keys every so many rounds a question is provoked."""


class Question(NamedTuple):
    """A creation of which nobody can tell whether it arrived, and what the person says to it.

    `has_arrived` says whether it did; `is_away` whether the network is down when it is answered.
    """

    has_arrived: bool
    answer: str
    is_away: bool

    def describe(self) -> str:
        """The question in words."""
        there = "arrived" if self.has_arrived else "never arrived"
        network = "while the network is down" if self.is_away else "with a good network"
        return f"a card that {there}: {self.answer} {network}"


QUESTIONS = [
    Question(has_arrived, answer, is_away)
    for has_arrived in (True, False)
    for answer in ("retry", "discard")
    for is_away in (False, True)
]

WORDS = {"refused": "refused", "unsure": "questions", "conflict": "conflicts"}
"""What changes in the outbox that need a person are called, by their state."""

KINDS = ("lost", "doubled", *WORDS.values(), "still waiting", "different")
"""What can go wrong."""


@dataclass(slots=True)
class Day:
    """A person at one or two programs, and a network between them and the service.

    `found` counts what went wrong, `answered` the questions that were answered, `seconds` are how
    long it took each round until all was as it should be, and `expected` is what the person made of
    the board.
    """

    folder: Path
    service: KeptService
    proxy: Proxy
    found: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    terminals: list[Terminal] = field(default_factory=list)
    expected: Cards = field(default_factory=list)
    _homes: int = 0
    _comment: str = ""

    @property
    def home(self) -> Path:
        """What the programs keep."""
        return self.folder / f"home-{self._homes}"

    def begin(self) -> None:
        """Begin anew with a home and a board that nothing has happened to."""
        self.leave()
        self._homes += 1
        settings = self.home / "config" / "config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(
            f'density = 1\n[profiles.{PROFILE}]\nurl = "{self.proxy.address}"\nlogin = "{LOGIN}"\n',
            "utf-8",
        )
        self.calm_down()
        self.service.furnish()
        self._start().sees(BOARD)  # the only board opens at once
        self.expected = held(self.service.home)
        self._see_everywhere("the new board")

    def leave(self) -> None:
        """Kill every program."""
        while self.terminals:
            self.terminals.pop().kill()

    def calm_down(self) -> None:
        """Heal the network, with the service behind it."""
        if not self.service.is_there:
            self.service.start()
        self.proxy.heal()

    def round(self, number: int, random: Random) -> None:
        """Change the board while the network is bad, then see what is left of it.

        Raises `AssertionError` where that is not what it should be.
        """
        self.story.clear()
        self.proxy.log.clear()
        self._comment = ""
        self._have_programs(random.choice((1, 1, 2)))
        self.proxy.storm(weather(random, self.story))
        for step in random.choice(("a", "a", "ab", "abc")):
            self._change(random, f"card {number:04}{step}")
        if random.random() < COMMENTING:
            self._write_comment(random, f"comment {number:04}")
        self._strike(random)
        self.calm_down()
        healed = time.monotonic()
        self._agree()
        self.seconds.append(time.monotonic() - healed)

    def question(self, asked: Question, random: Random, title: str) -> None:
        """Provoke a question about a card on which another change hangs, and answer it.

        Raises `AssertionError` where the outcome is not what the answer means.
        """
        self.story[:] = [asked.describe()]
        self.proxy.log.clear()
        self._comment = ""
        self._have_programs(random.choice((1, 2)))
        self.proxy.storm(losing_creations(has_arrived=asked.has_arrived))
        before, terminal = self.expected, random.choice(self.terminals)
        go_to_any(terminal, random)
        type_new(terminal, title)
        terminal.until(lambda: any(one.changes for one, _ in self.proxy.log), "a lost creation")
        terminal.press("p")
        terminal.sees("Priority of")
        terminal.press("h")
        card = f"{title} ▲"
        terminal.until(lambda: _card(board(terminal), card), "the priority of the card")
        # The one that arrived is drawn too once nobody can tell whether it is the same.
        self.expected = [[each for each in lane if each != title] for lane in board(terminal)]
        terminal.until(lambda: "unsure" in self._states(), "a question")
        terminal.sees("needs attention")
        self.proxy.storm(lambda _: Fault.CUT_BEFORE if asked.is_away else Fault.NONE)
        self._answer(terminal, asked.answer)
        self.calm_down()
        if "unsure" in self._states():
            self._answer(terminal, asked.answer)
        if asked.answer == "discard" and not asked.has_arrived:
            self.expected = before
        self._agree()

    def judge(self) -> str:
        """What is wrong after a round that failed, in words; counted as well."""
        wanted, there = _counted(self.expected), _counted(held(self.service.home))
        if self._comment:
            wanted[self._comment] += 1
        there += self.service.comments()
        wrong = Counter({"lost": (wanted - there).total()})
        wrong["doubled"] = sum(count > 1 for count in there.values())
        for state, count in self._states().items():
            wrong[WORDS.get(state, "still waiting")] += count
        wrong = +wrong or Counter({"different": 1})
        self.found += wrong
        return ", ".join(f"{count} {kind}" for kind, count in wrong.items())

    def _start(self) -> Terminal:
        terminal = program(self.home, "-p", PROFILE, CALLBOARD_PASSWORD=PASSWORD)
        self.terminals.append(terminal)
        return terminal

    def _have_programs(self, count: int) -> None:
        """Have so many programs open on the board, which show what they should."""
        while len(self.terminals) > count:
            self.terminals.pop(0).kill()
        while len(self.terminals) < count:
            self._start()
        self._see_everywhere("the board at the start")

    def _change(self, random: Random, title: str) -> None:
        """Make a change in one of the programs; all of them show it at once.

        What is undone at once is left to a single program: another one that is behind looks as if
        it had seen that already.
        """
        terminal = random.choice(self.terminals)
        left_out = THERE_AND_BACK if len(self.terminals) > 1 else ()
        name = random.choice([name for name in CHANGES if name not in left_out])
        self.story.append(name)
        holds = CHANGES[name](terminal, random, title)
        terminal.until(lambda: (cards := board(terminal)) and holds(cards), name)
        if MARK in terminal.text:
            terminal.press("escape")
            terminal.misses(MARK)
        self.expected = board(terminal)
        self._see_everywhere(name)

    def _write_comment(self, random: Random, text: str) -> None:
        """Write a comment on some card."""
        self.story.append("comment")
        terminal = random.choice(self.terminals)
        go_to_any(terminal, random)
        terminal.press("c")
        terminal.sees("Comment on")
        terminal.press(*text)
        terminal.sees(text)
        terminal.press("ctrl+s")
        terminal.sees("Commented on")
        self._comment = text
        self._see_everywhere("the board behind the comment")

    def _strike(self, random: Random) -> None:
        """Let changes be sent for a while; kill a program, or the service, or neither."""
        self._read_all(random.uniform(0, SEND_SECONDS))
        what = random.choice(("nothing", "nothing", "nothing", "program", "service"))
        if what == "nothing":
            return
        self.story.append(f"{what} killed")
        if what == "service":
            self.service.kill()
        else:
            self.terminals.pop(random.randrange(len(self.terminals))).kill()
            self._start()
            self._see_everywhere("the board after a kill")
        self._read_all(random.uniform(0, SEND_SECONDS))

    def _answer(self, terminal: Terminal, how: str) -> None:
        """Say to the question that comes first what is to be done."""
        self.answered[how] += 1
        terminal.press("g", "u")
        terminal.sees("Pending changes")
        if how == "retry":
            terminal.press("r")
        else:
            terminal.press("D")
            terminal.sees("Discard this change?", " other change")
            terminal.press("y")
        terminal.until(lambda: terminal.lines[-2].strip() != "", "an answer")
        for _ in range(MOST_KEYS):
            if board(terminal):
                return
            # The first Esc may only take an error off the screen, and one too many leads further.
            terminal.press("enter" if " Boards" in terminal.lines[0] else "escape")
            read_for(terminal, SETTLE_SECONDS)
        raise AssertionError(f"the board does not come back\n{terminal.text}")

    def _agree(self) -> None:
        """Every program, and the service, come to have what the person made of the board."""
        for terminal in self.terminals:
            terminal.until(
                lambda terminal=terminal: self._is_right(terminal),  # type: ignore[misc]
                "the same everywhere",
                seconds=HEALED_SECONDS,
            )

    def _read_all(self, seconds: float) -> None:
        """Draw what every program writes, for so long in all."""
        for terminal in self.terminals:
            read_for(terminal, seconds / len(self.terminals))

    def _see_everywhere(self, what: str) -> None:
        """Every program shows what the person made of the board."""
        for terminal in self.terminals:
            terminal.until(lambda terminal=terminal: board(terminal) == self.expected, what)  # type: ignore[misc]

    def _is_right(self, terminal: Terminal) -> bool:
        """Whether a program shows what it should, and the service holds the same."""
        return (
            board(terminal) == self.expected
            and is_settled(terminal, self.home, PROFILE)
            and held(self.service.home) == self.expected
            and (not self._comment or self.service.comments()[self._comment] == 1)
        )

    def _states(self) -> dict[str, int]:
        """How many changes there are in the outbox, by their state."""
        path = self.home / "data" / PROFILE / "outbox.sqlite3"
        with closing(sqlite3.connect(path, timeout=10)) as outbox:
            return dict(outbox.execute(STATES).fetchall())


def _card(cards: Cards, card: str) -> bool:
    """Whether a card is on the board, with its signs."""
    return any(card in lane for lane in cards)


def _counted(cards: Cards) -> Counter[str]:
    return Counter(bare(card) for lane in cards for card in lane)


def play(count: int, seed: int, *, with_keys: bool, say: Callable[[str], object]) -> Day:
    """Play so many rounds, and say what went wrong; what is seen then is kept in files."""
    random = Random(seed)  # noqa: S311 (chance, not secrecy)
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        service = KeptService(folder / "service")
        opened.callback(service.kill)
        service.start()
        proxy = Proxy(service.port, with_keys=with_keys)
        opened.enter_context(proxy.there())
        day = Day(folder, service, proxy)
        opened.callback(day.leave)
        day.begin()
        for number in range(count):
            if max(map(len, day.expected)) > CROWDED:
                day.begin()
            try:
                if with_keys or number % ASKING:
                    day.round(number, random)
                else:
                    asked = QUESTIONS[number // ASKING % len(QUESTIONS)]
                    day.question(asked, random, f"card {number:04}?")
            except AssertionError as error:
                day.calm_down()
                screens = Path(tempfile.gettempdir()) / f"faults-{seed}-{number}.txt"
                say(f"round {number} (seed {seed}): {day.judge()}; {' · '.join(day.story)}")
                requests = [f"{one.method} {one.target}: {what.value}" for one, what in proxy.log]
                lanes = zip(day.expected, held(day.service.home), strict=False)
                places = [f"expected {lane}\nheld     {there}" for lane, there in lanes]
                screens.write_text("\n".join([str(error), *requests, *places]), "utf-8")
                say(f"    {str(error).partition(chr(10))[0]}; more in {screens}")
                day.begin()
    return day


def main() -> None:
    """Play the day that the command line asks for."""
    parser = argparse.ArgumentParser(description="A day with a bad network.")
    parser.add_argument("rounds", type=int, nargs="?", default=20)
    parser.add_argument("seed", type=int, nargs="?", default=SystemRandom().randrange(10**6))
    parser.add_argument("--without-keys", action="store_true")
    asked = parser.parse_args()

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    say(f"{asked.rounds} rounds, seed {asked.seed}")
    begun = time.monotonic()
    day = play(asked.rounds, asked.seed, with_keys=not asked.without_keys, say=say)
    took = time.monotonic() - begun
    counts = ", ".join(f"{day.found[kind]} {kind}" for kind in KINDS)
    say(f"{asked.rounds} rounds in {took / 60:.1f} minutes: {counts}")
    if day.answered:
        say(f"answered: {', '.join(f'{count} × {how}' for how, count in day.answered.items())}")
    if day.seconds:
        say(f"healed after {median(day.seconds):.1f} s, at most {max(day.seconds):.1f} s")
    sys.exit(bool(day.found))


if __name__ == "__main__":
    main()
