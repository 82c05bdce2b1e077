"""Histories of one person who moves things about, and sees at every moment what will arrive.

Nobody else changes anything and nothing is refused, so that what was shown last is what the service
has in the end, and nothing but the person changes the order that is drawn in between.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.store.faults import Fault
from tests.store.machine import agreement
from tests.store.machine.agreement import Picture
from tests.store.machine.choices import DAY
from tests.store.machine.fake_remote import DOING, FakeService
from tests.store.machine.player import Player
from tests.store.machine.rules import Machine
from tests.store.machine.world import World, first_tasks
from tui.client.documents import Document
from tui.model.board import Place
from tui.model.detail import TaskDetail
from tui.store import operations as change
from tui.store.operations.base import Operation

_LATENCIES = ((), (0.1,), (0.3,), (1.0,), (0.0, 0.1, 0.3, 1.0), (0.0, 3.0))
_PAUSES = (0.0, 0.05, 0.2, 0.5, 1.0, 3.0)
_TIMES = {
    "move": 40,
    "create_at": 6,
    "create_task": 4,
    "set_due": 6,
    "close_task": 2,
    "archive_task": 1,
    "delete_task": 1,
    "create_subtask": 1,
    "move_subtask": 5,
    "move_subtasks": 1,
    "move_stage": 3,
    "create_stage_at": 1,
    "move_field": 2,
    "undo": 3,
    "pass_time": 16,
    "go_on": 6,
    "latency": 4,
    "trouble": 3,
    "cut": 2,
    "join": 4,
    "restart": 2,
    "kill": 2,
    "refresh": 1,
}
HAPPENINGS = tuple(name for name, times in _TIMES.items() for _ in range(times))
_TROUBLE = (Fault.FAULT_BEFORE, Fault.FAULT_AFTER, Fault.REQUEST_LOST, Fault.REPLY_LOST)


class SpacedService(FakeService):
    """Puts a moved card between its neighbours, and leaves the numbers of these alone."""

    def move(self, task_id: int, stage_id: int, index: int) -> Document:
        """Move a task as services do."""
        others = [other for other in self.lane(stage_id) if other["id"] != task_id]
        positions = [float(other["position"]) for other in others]
        task = super().move(task_id, stage_id, index)
        for other, position in zip(others, positions, strict=True):
            other["position"] = position
        above, below = positions[: index - 1][-1:], positions[index - 1 :][:1]
        first, last = sum(above), sum(below) or sum(above) + 2.0
        task["position"] = (first + last) / 2
        return task


class OrderWorld(World):
    """A history of which only the order matters; `shown` is what the person saw last."""

    shown: Picture | None = None
    is_steady = True

    def first_tasks(self) -> FakeService:
        """Two more cards in the second stage."""
        service = first_tasks(SpacedService)
        for title in ("Epsilon", "Zeta"):
            service.add(title, DOING)
        return service

    def act(self, what: Callable[[], None]) -> None:
        """The person does something: what they see then is what will arrive."""
        self.look()
        what()
        self.shown = self.seen()

    def look(self) -> None:
        """Nothing that is drawn has moved by itself."""
        shown, seen = self.shown, self.seen()
        if self.is_steady and shown is not None and seen is not None:
            both = shown.keys() & seen.keys()  # what stands around a card may not be read yet
            was, now = ({name: one[name] for name in both} for one in (shown, seen))
            agreement.check_same("it moved by itself", was, now)

    def seen(self) -> Picture | None:
        """The titles of all things in their order, as far as they are drawn."""
        player, detail = self.players[0], self.opened()
        view = player.view
        if player.is_dead or view is None or not view.complete:
            return None
        return {
            "stages": [stage.title for stage in view.stages],
            "fields": [field.title for field in view.fields],
            **{
                stage.title: [card.title for card in view.in_stage(stage.id)]
                for stage in view.stages
            },
            **({} if detail is None else _groups(detail)),
        }

    def opened(self) -> TaskDetail | None:
        """The task whose screen is open; nothing is on it once its card has left the board."""
        view, detail = self.players[0].view, self.players[0].detail
        if view is None or detail is None or view.task(detail.task.id) is None:
            return None
        return detail

    def open_one(self, number: int) -> None:
        """Open a task, unless one is."""
        if self.opened() is None:
            self.players[0].task_id = None
            self.open_task(0, number)

    def rest(self) -> None:
        super().rest()
        self.look()

    def calm_down(self) -> None:
        """What was shown last is what arrives."""
        self._revive_all()
        super().calm_down()
        self.is_steady = not self.players[0].store.pending()
        self.look()


class OrderMachine(Machine):
    """One person who moves things about, at any latency."""

    world: OrderWorld

    def make_world(self, folder: Path) -> World:
        """A world in which only the order matters."""
        return OrderWorld(folder)

    @rule(what=st.sampled_from(HAPPENINGS), a=st.integers(0, 6), b=st.integers(0, 6))
    def happens(self, what: str, who: int = 0, a: int = 0, b: int = 0) -> None:
        """Something that the person does, or that befalls their program."""
        super().happens(what, who, a, b)

    def _happens(self, what: str, who: int, a: int, b: int) -> None:
        own = getattr(self, f"_{what}", None)
        if what in _IN_BETWEEN and own is not None:
            own(who, a, b)
        elif own is not None:
            self.world.act(lambda: own(who, a, b))
        else:
            if what.endswith(("subtask", "subtasks")):
                self.world.open_one(a)
            self.world.act(lambda: self.world.submit(who, what, a, b))

    def _chance(self, a: int, b: int) -> Random:
        return Random(self._count * 49 + a * 7 + b)  # noqa: S311  chance, not secrets

    def _move(self, who: int, a: int, b: int) -> None:
        """A card goes to a place in one of two stages."""
        player, chance = self.world.players[who], self._chance(a, b)
        view = player.view
        stages = () if view is None else view.stages[:2]
        cards = [card for stage in stages for card in view.in_stage(stage.id)] if view else []
        if cards and view is not None:
            card, stage = chance.choice(cards), chance.choice(stages)
            place = _anywhere(player, stage.id, card.id, chance)
            self.world.submit_these(who, [change.MoveTask.on(card, stage.id, place)])

    def _create_at(self, who: int, a: int, b: int) -> None:
        """A new card between others, as with `n`, with a date as with `!`."""
        player, chance = self.world.players[who], self._chance(a, b)
        view = player.view
        if view is None or not view.stages:
            return
        stage = chance.choice(view.stages[:2])
        made = change.CreateTask.new(view.board.id, stage.id, next(self.world.words))
        card = made.apply(view).task(made.task_id)
        if card is None:
            return
        place = _anywhere(player, stage.id, card.id, chance)
        steps: list[Operation] = [made, change.MoveTask.on(card, stage.id, place)]
        if a % 2:
            steps.append(change.set_due(card, DAY))
        self.world.submit_these(who, steps)

    def _latency(self, who: int, a: int, b: int) -> None:
        self.world.players[who].wire.latencies = _LATENCIES[(a + b) % len(_LATENCIES)]

    def _trouble(self, who: int, a: int, b: int) -> None:
        """Nothing fails."""

    def _pass_time(self, who: int, a: int, b: int) -> None:
        del who
        self.world.pass_time(_PAUSES[(a + b) % len(_PAUSES)])


class TroubledOrderWorld(OrderWorld):
    """The same, where things fail at first: what failed is sent later."""

    is_steady = False


class TroubledOrderMachine(OrderMachine):
    """One person who moves things about, while now and then something fails."""

    def make_world(self, folder: Path) -> World:
        """A world in which what was shown last arrives, whatever failed at first."""
        return TroubledOrderWorld(folder)

    def _trouble(self, who: int, a: int, b: int) -> None:
        """Some writes fail, with others between."""
        faults = (_TROUBLE[number % len(_TROUBLE)] for number in (a, b))
        self.world.players[who].wire.faults.extend(faults)


def _groups(detail: TaskDetail) -> Picture:
    return {
        f"{detail.task.title}: {group.title}": [one.title for one in group.subtasks]
        for group in detail.groups or ()
    }


def _anywhere(player: Player, stage_id: int, card_id: int, chance: Random) -> Place:
    view = player.view
    ids = [] if view is None else [card.id for card in view.in_stage(stage_id)]
    others = [one for one in ids if one != card_id]
    others.insert(chance.randint(0, len(others)), card_id)
    return Place.of(card_id, others) or Place()


_IN_BETWEEN = (
    "pass_time",
    "go_on",
    "latency",
    "trouble",
    "cut",
    "join",
    "restart",
    "kill",
    "refresh",
)
