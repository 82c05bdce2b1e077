"""Let two people and two agents work at one board: `python -m tests.together --minutes 20`.

Each person is at a program of their own, in a real terminal, and has an agent on the same profile
that works by commands. They block cards and unblock them, move, close, rename and comment; agents
claim, say how far they are, close and give back. The link of one of them is cut now and then. Every
minute all links are healed: then each must see what the other sees and what the service holds, and
that is what all of them did. `--seed` repeats what was chosen, not when it happened.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from urllib.parse import urlsplit

from tests.server.launched import PASSWORD, listening, ran
from tests.terminal.kills import read_for
from tests.terminal.proxy import Proxy
from tests.terminal.served import COLLEAGUE, LOGIN, Served
from tests.together.agents import Agent, take
from tests.together.ledger import Card, Ledger, activities, drawn_cards, held_cards
from tests.together.people import BOARD, Person
from tui.client.client import Client

CARDS = {LOGIN: 5, COLLEAGUE: 5, "job": 8}
PEOPLE = LOGIN, COLLEAGUE
COLLEAGUE_NAME, ABSENT = "Ben Cook", "Cat Young"
AGENTS = {"codex": LOGIN, "aider": COLLEAGUE}
HEALED_SECONDS = 60.0
PATIENCE_SECONDS = 40.0
"""Longer than the service lets anybody wait for a change."""
PHASE_SECONDS = 60.0
CUT_CHANCE, HEAL_CHANCE = 0.08, 0.2


def furnish(served: Served) -> dict[str, list[int]]:
    """A board with cards of each person, and jobs for agents; their numbers."""

    async def made(client: Client) -> dict[str, list[int]]:
        board = await client.create_board(BOARD, "", "to-do")
        people = {one["display_name"]: one["ID"] for one in await client.users()}
        for name in (COLLEAGUE_NAME, ABSENT):
            await client.add_member(board["id"], people[name])
        stage = (await client.board(board["id"]))["stages"][0]["id"]
        cards: dict[str, list[int]] = {}
        for name, count in CARDS.items():
            for number in range(count):
                card = await client.create_task(board["id"], stage, f"{name} {number}")
                cards.setdefault(name, []).append(card["id"])
                # What is assigned to somebody else is not taken by agents.
                if name in PEOPLE:
                    await client.assign(board["id"], card["id"], [people[ABSENT]])
        return cards

    return served.asked(made)


class Day:
    """People, agents, and what becomes of the board."""

    def __init__(self, folder: Path, served: Served, proxies: dict[str, Proxy], seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 (chance, not secrecy)
        self.ledger = Ledger()
        self.service = folder / "service"
        cards = furnish(served)
        self.people = [
            Person(
                name,
                folder / name,
                self.service,
                proxies[name],
                Random(self.random.random()),  # noqa: S311
                self.ledger,
                cards[name],
            )
            for name in PEOPLE
        ]
        by_name = {person.name: person for person in self.people}
        self.agents = [
            Agent(name, by_name[person], Random(self.random.random()), self.ledger)  # noqa: S311
            for name, person in AGENTS.items()
        ]
        self.failures: list[str] = []

    def phase(self, seconds: float) -> None:
        """Work side by side for so long, with links that are cut."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for person in self.people:
                chance = self.random.random()
                if person.is_away and chance < HEAL_CHANCE:
                    person.heal()
                elif not person.is_away and chance < CUT_CHANCE:
                    self.ledger.counts["links cut"] += 1
                    person.cut()
                try:
                    person.act()
                except AssertionError as error:
                    self.failures.append(f"{person.name}: {error}")
                    person.go_back()
            free = [agent for agent in self.agents if agent.card is None]
            if len(free) == len(self.agents):
                take(free)
            else:
                self.random.choice(self.agents).act()
            for person in self.people:
                read_for(person.terminal, 0.1)

    def agree(self) -> list[str]:
        """Heal all links, and wait until all agree; what is different then."""
        for person in self.people:
            if person.is_away:
                person.heal()
        deadline = time.monotonic() + HEALED_SECONDS
        found = ["nothing was looked at"]
        while found and time.monotonic() < deadline:
            for person in self.people:
                read_for(person.terminal, 0.5)
            found = self._differences(held_cards(self.service))
        return found

    def _differences(self, cards: dict[int, Card]) -> list[str]:
        found = self.ledger.differences(cards)
        found += [
            f"{one.name} still sends: {one.terminal.lines[0]}"
            for one in self.people
            if not one.is_settled()
        ]
        screens = [person.shown() for person in self.people]
        if screens[0] != screens[1]:
            found += [
                f"{self.people[0].name} sees {mine!r}, {self.people[1].name} {other!r}"
                for lanes in zip(*screens, strict=False)
                for mine, other in zip(*lanes, strict=False)
                if mine != other
            ] or ["the screens have different columns"]
        there = drawn_cards(cards)
        for person, lanes in zip(self.people, screens, strict=True):
            every = [card for lane in lanes for card in lane]
            found += [
                f"{person.name} sees {mine}, there is {card}"
                for mine, card in zip(every, there, strict=False)
                if mine != card
            ]
            if len(every) != len(there):
                found.append(f"{person.name} sees {len(every)} of {len(there)} cards")
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Let them work; 1 if anything was lost, doubled or different."""
    parser = argparse.ArgumentParser(prog="python -m tests.together", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    asked = parser.parse_args(arguments)

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    say(f"{asked.minutes:g} minutes, seed {asked.seed}")
    wrong: list[str] = []
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        served = Served(folder / "service")
        third = ran(
            served.home, "user", "add", "cat", "--display-name", ABSENT, told=f"{PASSWORD}\n"
        )
        assert third.returncode == 0, third.stderr
        process, served.address = listening(served.home, "--port", "0")
        opened.callback(process.wait)
        opened.callback(process.kill)
        port = urlsplit(served.address).port or 0
        proxies = {name: Proxy(port, patience=PATIENCE_SECONDS) for name in PEOPLE}
        for proxy in proxies.values():
            opened.enter_context(proxy.there())
        day = Day(folder, served, proxies, asked.seed)
        for person in day.people:
            person.begin()
            opened.callback(person.terminal.kill)
        end = time.monotonic() + asked.minutes * 60
        while time.monotonic() < end and not wrong:
            day.phase(min(PHASE_SECONDS, end - time.monotonic()))
            wrong = [*day.agree(), *day.ledger.wrong, *day.failures]
            counts = ", ".join(
                f"{count} {what}" for what, count in sorted(day.ledger.counts.items())
            )
            say(f"{counts}: {'all agree' if not wrong else 'wrong'}")
            if wrong:
                say("\n".join(person.terminal.text for person in day.people))
                say("\n".join(map(str, held_cards(day.service).values())))
                say("\n".join([*day.ledger.story, *activities(day.service)]))
    for line in wrong:
        say(line)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
