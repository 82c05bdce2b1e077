"""A person at the program, in a real terminal, on a link that can be cut."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.drivers.program import EMPTY, columns, is_settled, program
from tests.drivers.terminal import Terminal
from tests.server.launched import PASSWORD
from tests.terminal.kills import read_for
from tests.terminal.proxy import Fault, Proxy
from tests.terminal.served import PROFILE
from tests.together.ledger import TITLE, Ledger, Shown, held_cards

BOARD = "Together"
_LINES = 80
"""All cards of half an hour are on the screen: there is one in a line, and about one a minute."""
_MOST_KEYS = 12
_SECONDS, _PATIENCE = 0.4, 5.0
_SIGNS = re.compile(r"⊘|◇")


class NotHereYet(Exception):
    """A card is not known on this machine."""


@dataclass(slots=True)
class Person:
    """A person with cards of their own, whose titles, stages and states nobody else changes."""

    name: str
    home: Path
    service: Path
    proxy: Proxy
    random: Random
    ledger: Ledger
    own: list[int] = field(default_factory=list)
    is_away: bool = False
    terminal: Terminal = field(init=False)

    def begin(self) -> None:
        """Start the program, and open the board."""
        settings = self.home / "config" / "config.toml"
        settings.parent.mkdir(parents=True)
        profile = f'[profiles.{PROFILE}]\nurl = "{self.proxy.address}"\nlogin = "{self.name}"\n'
        settings.write_text(f"density = 1\n{profile}", "utf-8")
        self.terminal = program(self.home, "-p", PROFILE, lines=_LINES, CALLBOARD_PASSWORD=PASSWORD)
        self.terminal.sees(BOARD)
        read_for(self.terminal, 1.0)
        self.go_back()

    def cut(self) -> None:
        """Cut the link: every request ends before it arrives."""
        self.is_away = True
        self.proxy.storm(lambda _: Fault.CUT_BEFORE)

    def heal(self) -> None:
        """The link is there again."""
        self.is_away = False
        self.proxy.heal()
        # As the program says then: it would try by itself, but after a pause that grows.
        self.terminal.press("R")

    def act(self) -> str:
        """Do something; what, in a word. Raises `AssertionError` if the screen does not follow."""
        name = self.random.choice([*_ACTIONS])
        try:
            did = _ACTIONS[name](self)
        except NotHereYet:
            did = False
        finally:
            self.go_back()
        if did:
            self.ledger.counts[name] += 1
        return name if did else ""

    def go_back(self) -> None:
        """Go to the board, from wherever one is."""
        for _ in range(_MOST_KEYS):
            read_for(self.terminal, 0.05)
            if columns(self.terminal) and BOARD in self.terminal.lines[0]:
                return
            on_boards = self.terminal.lines[0].startswith(" Boards")
            self.terminal.press("enter" if on_boards else "escape")
            read_for(self.terminal, _SECONDS)
        raise AssertionError(f"the board does not come back\n{self.terminal.text}")

    def open_card(self, number: int) -> None:
        """Open the page of a card, found by its number.

        Raises `NotHereYet` if it was added somewhere else since the link was cut.
        """

        def is_found() -> bool:
            # Below the line with the number that was typed.
            return any(f"#{number} " in f"{line} " for line in self.terminal.lines[4:])

        title = held_cards(self.service)[number].title
        self.terminal.press("g", "f")
        self.terminal.sees("Find")
        self.terminal.press(*f"#{number}")
        self.terminal.until(
            lambda: is_found() or (self.is_away and "No results for" in self.terminal.text),
            f"#{number} among what is found",
        )
        if not is_found():
            raise NotHereYet
        self.terminal.press("enter")
        self.terminal.until(
            lambda: f"› #{number} " in f"{self.terminal.lines[0]} ", f"the page of {title}"
        )

    def shown(self) -> list[list[Shown]]:
        """The cards on the screen by column: the begin of the title, and the signs of each."""
        return [
            [
                (line[1:TITLE].strip(), tuple(_SIGNS.findall(line)))
                for line in column.lines
                if line.strip() and not line.startswith(f" {EMPTY}")
            ]
            for column in columns(self.terminal)
        ]

    def _tell(self, what: str) -> None:
        self.ledger.tell(f"{self.name}{' (away)' if self.is_away else ''}: {what}")

    def is_settled(self) -> bool:
        """Whether every change of this machine arrived."""
        return is_settled(self.terminal, self.home, PROFILE)

    def _some_card(self) -> int:
        return self.random.choice([*held_cards(self.service)])

    def _block(self) -> bool:
        cards = held_cards(self.service)
        blocker = self.random.choice([one for one, card in cards.items() if not card.is_closed])
        waiting = self._some_card()
        if waiting == blocker or (waiting, blocker) in self.ledger.added:
            return False
        self.open_card(waiting)
        self.terminal.press("b")
        self.terminal.sees("─ Blocked by ─")
        self.terminal.press(*str(blocker))
        try:
            self.terminal.until(
                lambda: f"#{blocker} " in _dialog(self.terminal), f"#{blocker} to choose"
            )
        except AssertionError:
            # Closed cards are not offered, and one that was made a moment ago is not known yet.
            is_known = not self.is_away and not held_cards(self.service)[blocker].is_closed
            if is_known:
                raise
            return False
        if "would block itself" in self.terminal.text:
            self.terminal.press("escape")
            self.ledger.counts["circles refused"] += 1
            return False
        self.terminal.press("enter")
        self.terminal.until(
            lambda: "save: " in self.terminal.text or "would block itself" in self.terminal.text,
            "the blocker as a chip",
        )
        if "would block itself" in self.terminal.text:
            self.ledger.counts["circles refused"] += 1
            return False
        self.terminal.press("ctrl+s")
        self.terminal.misses("─ Blocked by ─")
        self.ledger.added.add((waiting, blocker))
        self._tell(f"#{waiting} blocked by #{blocker}")
        return True

    def _unblock(self) -> bool:
        shown = held_cards(self.service)
        pairs = [(one, other) for one, other in self.ledger.pairs if other in shown[one].blockers]
        if not pairs:
            return False
        waiting, _ = self.random.choice(sorted(pairs))
        self.open_card(waiting)
        if "⊘ #" not in "".join(self.terminal.lines[2:4]):
            return False  # this person has not heard of it yet
        self.terminal.press("b")
        self.terminal.sees("×")
        # The last one goes, as this person sees them; not all of their chips may fit.
        picked = _picked(self.terminal)
        self.terminal.press("backspace")
        self.terminal.until(
            lambda: len(_picked(self.terminal)) < len(picked), "one card less to be saved"
        )
        self.terminal.press("ctrl+s")
        read_for(self.terminal, _SECONDS)
        gone = picked[-1]
        self.ledger.removed.add((waiting, gone))
        self._tell(f"#{waiting} no longer blocked by #{gone}")
        return True

    def _close(self) -> bool:
        number = self.random.choice(self.own)
        self.open_card(number)
        read_for(self.terminal, _SECONDS)  # the page may just be hearing of what others did
        was_closed = _is_closed(self.terminal)
        self.terminal.press("x")
        self.terminal.until(lambda: _is_closed(self.terminal) is not was_closed, "another state")
        read_for(self.terminal, _SECONDS)
        # What this person saw last is what must be there in the end.
        self.ledger.closed[number] = _is_closed(self.terminal)
        self._tell(f"#{number} {'closed' if self.ledger.closed[number] else 'reopened'}")
        # A closed card may have been moved to the stage of closed ones, as the user has set it.
        self.ledger.stages.pop(number, None)
        return True

    def _move(self) -> bool:
        number = self.random.choice(self.own)
        self.open_card(number)
        self.terminal.press("m")
        self.terminal.sees("Move “")
        stage = self.random.choice(("Open", "In Progress"))
        self.terminal.press(*stage[:4].lower(), "enter")
        self.terminal.misses("Move “")
        self.terminal.until(lambda: _below_title(self.terminal).startswith(stage), stage)
        self.ledger.stages[number] = stage
        self._tell(f"#{number} moved to {stage}")
        self.ledger.closed.pop(number, None)
        return True

    def _retitle(self) -> bool:
        number = self.random.choice(self.own)
        title = f"{self.name} {number} take {self.ledger.counts['_retitle']}"
        self.open_card(number)
        self.terminal.press("e")
        read_for(self.terminal, _SECONDS)
        self.terminal.press("ctrl+u", *title, "enter")
        self.terminal.sees(title)
        read_for(self.terminal, _SECONDS)
        self.ledger.titles[number] = title
        self._tell(f"#{number} renamed to {title}")
        return True

    def _comment(self) -> bool:
        text = f"{self.name} says {len(self.ledger.comments)} words"
        self.open_card(self._some_card())
        self.terminal.press("c")
        try:
            self.terminal.until(lambda: "Comment on" in self.terminal.text, "c", seconds=_PATIENCE)
        except AssertionError:
            self.ledger.counts["keys repeated"] += 1
            self.terminal.press("c")
        self.terminal.sees("Comment on")
        self.terminal.press(*text)
        self.terminal.sees(text)
        self.terminal.press("ctrl+s")
        self.terminal.misses("Comment on")
        self.ledger.comments.append(text)
        return True


def _below_title(terminal: Terminal) -> str:
    return terminal.lines[3].strip()


def _is_closed(terminal: Terminal) -> bool:
    return "closed ✓" in _below_title(terminal)


def _picked(terminal: Terminal) -> list[int]:
    """The cards that the dialog would save as blockers."""
    row = next((line for line in terminal.lines if "  save: " in line), "")
    return [int(number) for number in re.findall(r"#(\d+)", row.partition("  save: ")[2])]


def _dialog(terminal: Terminal) -> str:
    return "\n".join(line for line in terminal.lines[3:] if "│" in line)


_ACTIONS: dict[str, Callable[[Person], bool]] = {
    "blocked": Person._block,
    "unblocked": Person._unblock,
    "closed": Person._close,
    "moved": Person._move,
    "retitled": Person._retitle,
    "commented": Person._comment,
}
