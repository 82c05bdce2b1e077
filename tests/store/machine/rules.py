"""The rules by which Hypothesis makes up histories.

A history that fails is printed as calls of these rules, which can be put into a test as they are.
There are few rules and many events, because Hypothesis likes to leave some rules out of a history.
"""

import tempfile
from pathlib import Path
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.store.faults import Fault
from tests.store.machine.choices import BOARD_CHANGES, CARD_CHANGES, DETAIL_CHANGES
from tests.store.machine.world import KeyedWorld, QuirkyWorld, World

_MEMORY = Path("/dev/shm")  # noqa: S108  a folder of its own is made in it
_JUMPS = (-90_000.0, -30.0, 30.0, 4_000.0, 90_000.0)
_PAUSES = (1.0, 5.0, 20.0, 70.0, 400.0)
_EVENTS = {
    "calm": 2,
    "cut": 4,
    "decide": 3,
    "go_on": 10,
    "jump": 2,
    "join": 4,
    "kill": 5,
    "lose_cache": 1,
    "one_card": 14,
    "open_board": 2,
    "open_task": 4,
    "pass_time": 7,
    "race": 5,
    "redo": 3,
    "refresh": 2,
    "refused": 5,
    "restart": 3,
    "storm": 3,
    "trouble": 12,
    "undo": 8,
    "undo_even_so": 2,
}
_COMES_BACK = 0.7
HAPPENINGS = (
    *CARD_CHANGES * 3,
    *DETAIL_CHANGES * 2,
    *BOARD_CHANGES,
    *(name for name, times in _EVENTS.items() for _ in range(times)),
)
HOW = ("retry", "discard", "mine", "theirs")
_ON_ONE_CARD = ("set_due", "close_task", "move_task", "move_task", "undo", "undo", "redo")
FAULTS = (Fault.REPLY_LOST, Fault.FAULT_AFTER, *Fault)


def room() -> "tempfile.TemporaryDirectory[str]":
    """A folder for a history, in memory where that can be had."""
    return tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None)


class Machine(RuleBasedStateMachine):
    """Two people at one board."""

    def __init__(self) -> None:
        super().__init__()
        self._room = room()
        self.world = self.make_world(Path(self._room.name))
        self.is_broken = False
        self._count = 0

    def make_world(self, folder: Path) -> World:
        """A world with the plain service."""
        return World(folder)

    @rule(
        who=st.integers(0, 1),
        what=st.sampled_from(HAPPENINGS),
        a=st.integers(0, 6),
        b=st.integers(0, 6),
    )
    def happens(self, what: str, who: int, a: int = 0, b: int = 0) -> None:
        """Something that somebody does, or that befalls them."""
        self._count += 1
        try:
            self._happens(what, who, a, b)
        except BaseException:
            self.is_broken = True
            raise

    def _happens(self, what: str, who: int, a: int, b: int) -> None:
        if what in _EVENTS:
            getattr(self, f"_{what}")(who, a, b)
            return
        if what in DETAIL_CHANGES and self.world.players[who].task_id is None:
            self.world.open_task(who, a)
        self.world.submit(who, what, a, b)

    def _open_task(self, who: int, a: int, b: int) -> None:
        self.world.open_task(who, a + b)

    def _open_board(self, who: int, a: int, b: int) -> None:
        self.world.open_board(who, a + b)

    def _undo(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.undo(who)

    def _undo_even_so(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.undo(who, force=True)

    def _redo(self, who: int, a: int, b: int) -> None:
        del b
        self.world.undo(who, redo=True, force=bool(a % 2))

    def _decide(self, who: int, a: int, b: int) -> None:
        self.world.decide(who, a, HOW[b % len(HOW)])

    def _trouble(self, who: int, a: int, b: int) -> None:
        faults = (FAULTS[a % len(FAULTS)], FAULTS[b % len(FAULTS)])
        self.world.players[who].wire.faults.extend(faults)

    def _refused(self, who: int, a: int, b: int) -> None:
        """Something is refused, and then undone."""
        self.world.players[who].wire.faults.appendleft(Fault.REFUSED)
        self.world.submit(who, CARD_CHANGES[(a + b) % len(CARD_CHANGES)], a, b)
        self.world.pass_time(_PAUSES[0])
        self.world.undo(who)
        self.world.undo(who, force=bool(b % 2))

    def _race(self, who: int, a: int, b: int) -> None:
        """Somebody moves a card without a connection, and another moves it meanwhile."""
        wire = self.world.players[who].wire
        wire.is_cut = True
        self.world.submit(who, "move_task", a, b)
        self.world.submit(1 - who, "move_task", a, b + 1)
        self.world.pass_time(_PAUSES[2])
        wire.is_cut = False
        self.world.pass_time(_PAUSES[3])

    def _one_card(self, who: int, a: int, b: int) -> None:
        """Somebody closes, reopens, moves and dates one card without a connection."""
        player = self.world.players[who]
        cards = [] if player.view is None else list(player.view.all_tasks())
        if not cards:
            return
        player.wire.is_cut = True
        card = cards[a % len(cards)]
        chance = Random(self._count * 49 + a * 7 + b)  # noqa: S311  chance, not secrets
        for _ in range(chance.randint(3, 6)):
            what = chance.choice(_ON_ONE_CARD)
            if what in ("undo", "redo"):
                self.world.undo(who, redo=what == "redo", force=True)
            else:
                self.world.submit(who, what, 0, chance.randrange(4), card.id)
        if chance.random() < _COMES_BACK:
            player.wire.faults.extend([Fault.REFUSED] * chance.randrange(2))
            player.wire.is_cut = False

    def _storm(self, who: int, a: int, b: int) -> None:
        self.world.players[who].wire.storm = Random(a * 7 + b)  # noqa: S311  chance, not secrets

    def _calm(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.players[who].wire.storm = None

    def _cut(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.players[who].wire.is_cut = True

    def _join(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.players[who].wire.is_cut = False

    def _restart(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.restart(who)

    def _lose_cache(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.restart(who, loses_cache=True)

    def _kill(self, who: int, a: int, b: int) -> None:
        self.world.kill(who, a * b // 2)

    def _jump(self, who: int, a: int, b: int) -> None:
        self.world.players[who].clock.set(_JUMPS[(a + b) % len(_JUMPS)])

    def _pass_time(self, who: int, a: int, b: int) -> None:
        del who
        self.world.pass_time(_PAUSES[(a + b) % len(_PAUSES)])

    def _go_on(self, who: int, a: int, b: int) -> None:
        del who
        self.world.go_on(1 + a * b)

    def _refresh(self, who: int, a: int, b: int) -> None:
        del a, b
        self.world.refresh(who)

    def teardown(self) -> None:
        try:
            if not self.is_broken:
                self.world.calm_down()
        finally:
            self.world.close()
            self._room.cleanup()


class KeyedMachine(Machine):
    """Two people at one board of a service that keeps its replies."""

    def make_world(self, folder: Path) -> World:
        """A world with a service that keeps its replies."""
        return KeyedWorld(folder)

    def _jump(self, who: int, a: int, b: int) -> None:
        """Nobody sets the clock: it could not be told how old a reply is."""


class QuirkyMachine(Machine):
    """Two people at one board of a service that misbehaves."""

    def make_world(self, folder: Path) -> World:
        """A world with the quirky service."""
        return QuirkyWorld(folder)
