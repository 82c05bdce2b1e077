"""Two people at one board, with everything that can go wrong on the way.

However requests and replies are lost, the service fails, connections break and programs restart:
in the end both see what the service has, and whatever was accepted was done exactly once.
"""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings, strategies as st

from tests.store.fake_clock import FakeClock
from tests.store.fake_remote import BOARD, DOING, DONE, OPEN, FakeService, Fault
from tests.store.party import Party
from tui.model.board import Place
from tui.model.task import Status, Task
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    Operation,
    SetStatus,
    SetTitle,
)
from tui.store.protocol import Waiting, WaitingState

_STAGES = (OPEN, DOING, DONE)
_FAULTS = tuple(fault for fault in Fault if fault is not Fault.REFUSED)
_ACTIONS = (
    "create",
    "create",
    "rename",
    "rename",
    "move",
    "move",
    "move",
    "close",
    "archive",
    "delete",
    "undo",
    "redo",
    "restart",
    "wait",
    "refresh",
)


class World:
    """Two parties, one service, and trouble as chance has it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  chance, not secrets
        self.service = FakeService()
        for title in ("Alpha", "Beta", "Gamma"):
            self.service.add(title, OPEN)
        self.service.made.clear()
        self.clock = FakeClock()
        self.parties = [Party(folder / name, self.service, self.clock) for name in ("ann", "bob")]
        self.asked_to_make: Counter[str] = Counter()
        self._seen: set[tuple[int, int]] = set()
        self._titles = 0

    async def start(self) -> None:
        for party in self.parties:
            await party.start()
            party.remote.trouble = self._trouble

    def _trouble(self, name: str) -> Fault | None:
        if self.random.random() > (0.15 if name in ("tasks", "board", "task") else 0.4):
            return None
        return Fault.REFUSED if self.random.random() < 0.1 else self.random.choice(_FAULTS)

    async def act(self, who: int, action: str) -> None:
        """One thing one of them does."""
        party = self.parties[who]
        if action == "restart":
            await party.restart()
            await party.store.open_board(BOARD)
            party.store.connect(party.remote)
        elif action == "wait":
            self.clock.advance(self.random.choice([1, 10, 70]))
            await party.store.refresh()
        elif action == "refresh":
            await party.store.refresh(BOARD)
        elif action in ("undo", "redo"):
            await (party.store.undo(BOARD) if action == "undo" else party.store.redo(BOARD))
        elif operation := self._operation(who, action):
            await party.store.submit(operation)
        self._note_new_tasks(who)

    def _operation(self, who: int, action: str) -> Operation | None:
        view = self.parties[who].view
        stage_id = self.random.choice(_STAGES)
        if action == "create":
            return CreateTask.new(BOARD, stage_id, self._new_title())
        tasks = [task for task in view.all_tasks() if not self._is_being_made_by_other(who, task)]
        if not tasks:
            return None
        task = self.random.choice(tasks)
        lane = [other.id for other in view.in_stage(stage_id) if other.id != task.id]
        found = view.place_of(task.id)
        here = found[1] if found else Place()
        if action == "rename":
            return SetTitle.on(task, self._new_title())
        if action == "close":
            return SetStatus.on(task, self.random.choice(list(Status)))
        if action == "move":
            place = Place(above=self.random.choice(lane)) if lane else Place()
            return MoveTask.on(task, stage_id, place)
        return ArchiveTask.on(task, here) if action == "archive" else DeleteTask.on(task, here)

    def _is_being_made_by_other(self, who: int, task: Task) -> bool:
        """Nobody can tell a new task by its title once somebody else has changed it."""
        return any(
            isinstance(waiting.operation, CreateTask) and waiting.operation.title == task.title
            for waiting in self.parties[1 - who].store.waiting()
        )

    def _new_title(self) -> str:
        self._titles += 1
        return f"T{self._titles}"

    def _note_new_tasks(self, who: int) -> None:
        for seq, title in self._creations(who):
            if (who, seq) not in self._seen:
                self._seen.add((who, seq))
                self.asked_to_make[title] += 1

    def _creations(self, who: int) -> list[tuple[int, str]]:
        return [
            (waiting.id, waiting.operation.title)
            for waiting in self.parties[who].store.waiting()
            if isinstance(waiting.operation, CreateTask)
        ]

    async def calm_down(self) -> None:
        """No more trouble; people decide about what is unsure; everything arrives."""
        for who, party in enumerate(self.parties):
            party.remote.trouble = lambda _: None
            self._note_new_tasks(who)
            await party.delivered()
            while unsure := _in_state(party, WaitingState.UNSURE):
                await self._decide(party, unsure[0])
                await party.delivered()
        for party in self.parties:
            await party.store.refresh(BOARD)

    async def _decide(self, party: Party, unsure: Waiting) -> None:
        operation = unsure.operation
        is_there = isinstance(operation, CreateTask) and (
            self.service.made.count(operation.title) >= self.asked_to_make[operation.title]
        )
        await (party.store.discard if is_there else party.store.retry)(unsure.id)

    def refused_to_make(self) -> Counter[str]:
        return Counter(
            waiting.operation.title
            for party in self.parties
            for waiting in _in_state(party, WaitingState.REFUSED)
            if isinstance(waiting.operation, CreateTask)
        )


def _in_state(party: Party, state: WaitingState) -> list[Waiting]:
    return [waiting for waiting in party.store.waiting() if waiting.state is state]


def _everybody_agrees(world: World) -> None:
    for stage_id in _STAGES:
        there = [(task["id"], task["title"]) for task in world.service.lane(stage_id)]
        for party in world.parties:
            assert [(task.id, task.title) for task in party.view.in_stage(stage_id)] == there
    assert Counter(world.service.made) == world.asked_to_make - world.refused_to_make()


async def _play(seed: int, script: list[tuple[int, str]]) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        try:
            await world.start()
            for who, action in script:
                await world.act(who, action)
            await world.calm_down()
            _everybody_agrees(world)
        finally:
            for party in world.parties:
                await party.store.aclose()


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    script=st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from(_ACTIONS)), min_size=5, max_size=25
    ),
)
def test_both_agree_in_the_end(seed: int, script: list[tuple[int, str]]) -> None:
    asyncio.run(_play(seed, script))
