"""An agent that acts for a person by commands on the person's own profile."""

import subprocess
import sys
import time
from dataclasses import dataclass
from random import Random

from tests.drivers.program import environment
from tests.server.launched import PASSWORD
from tests.terminal.kills import read_for
from tests.terminal.served import PROFILE
from tests.together.ledger import Ledger
from tests.together.people import BOARD, Person

_SECONDS = 90.0


@dataclass(slots=True)
class Agent:
    """Takes a card, says how far it is, closes it or gives it back, and takes the next one."""

    name: str
    person: Person
    random: Random
    ledger: Ledger

    def command(self, *words: str) -> "subprocess.Popen[str]":
        """Begin a command of the agent."""
        return subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-m", "tui", "-p", PROFILE, *words, "--as", self.name],
            env=environment(self.person.home, CALLBOARD_PASSWORD=PASSWORD),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    @property
    def card(self) -> int | None:
        """The card that the agent has."""
        cards = (number for number, name in self.ledger.holders.items() if name == self.name)
        return next(cards, None)

    def act(self) -> None:
        """Do what comes next."""
        number = self.card
        if number is None:
            take([self])
            return
        what = self.random.choice(("progress", "progress", "done", "release", "add"))
        if what == "progress":
            text = f"step {self.ledger.counts['progress']}"
            self._run("progress", str(number), text)
            self.ledger.progress[number] = self.name, text
        elif what == "done":
            self._run("done", str(number))
            self._run("claim", str(number), "--release")
            del self.ledger.holders[number]
            self.ledger.closed[number] = True
        elif what == "release":
            self._run("claim", str(number), "--release")
            del self.ledger.holders[number]
        else:
            title = f"found by {self.name} {self.ledger.counts['add']}"
            self._run("add", title, "--board", BOARD)
            self.ledger.new.append(title)
        self.ledger.counts[what] += 1

    def ended(self, process: "subprocess.Popen[str]") -> tuple[str, str]:
        """What a command printed until it ended; the program of the person goes on meanwhile."""
        deadline = time.monotonic() + _SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            read_for(self.person.terminal, 0.05)
        if process.poll() is None:
            process.kill()
            self.ledger.wrong.append(f"{process.args!r} does not end")
        return process.communicate()

    def _run(self, *words: str) -> None:
        self.ledger.tell(f"{self.name}: {' '.join(words)}")
        process = self.command(*words)
        _, beside = self.ended(process)
        if process.returncode:
            self.ledger.wrong.append(f"{' '.join(words)}: {process.returncode}, {beside.strip()}")


def take(agents: list[Agent]) -> None:
    """Let agents claim the next card at the same time; one without a connection must not."""
    running = [(one, one.command("next", "--claim", "-q", "--board", BOARD)) for one in agents]
    claimed: list[tuple[Agent, int]] = []
    for agent, process in running:
        text, beside = agent.ended(process)
        if process.returncode == 0 and agent.person.is_away:
            agent.ledger.wrong.append(f"{agent.name} claimed {text.strip()} without a connection")
        if process.returncode == 0:
            claimed.append((agent, int(text)))
        elif process.returncode != 1:
            agent.ledger.wrong.append(f"next --claim: {process.returncode}, {beside.strip()}")
        else:
            agent.ledger.counts["claims refused"] += 1
    for agent, number in claimed:
        agent.ledger.claimed(number, agent.name)
