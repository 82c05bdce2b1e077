"""Killed right after a change that the service has, the program never shows the state before it."""

import asyncio
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from _pytest.mark import ParameterSet

from tests.store.fake_clock import FakeClock
from tests.store.faults import READS, Fault
from tests.store.machine.disk import MortalDisk
from tests.store.party import Party, rest
from tests.store.service import BOARD, DOING, OPEN, Service, four_tasks
from tui.model.board import BoardView, Place, Stage
from tui.model.task import Priority, Task
from tui.store.events import BoardChanged, DetailChanged, StoreEvent
from tui.store.operations import (
    ArchiveTask,
    ArchiveTasks,
    CreateComment,
    CreateLabel,
    CreateStage,
    CreateTask,
    MoveTask,
    SortBy,
    SortStage,
    set_priority,
    set_title,
)
from tui.store.operations.base import Operation

_MOST_JOBS = 10
_POLLS = ("boards", "board", "tasks", "task", "changes_since", "newest_activity")


class Kind(NamedTuple):
    """A change of the card “Alpha”, and what is seen of it on the board and in the opened card."""

    make: Callable[[Party, Task], Operation]
    seen: Callable[[BoardView, int], object]


def comment(party: Party, task: Task) -> Operation:
    return CreateComment.new(task, "Hello", at=party.clock.now())


def stage_of(party: Party) -> Stage:
    return next(stage for stage in party.view.stages if stage.id == OPEN)


KINDS = {
    "title": Kind(
        lambda _, task: set_title(task, "Omega"),
        lambda view, task_id: [task.title for task in view.all_tasks() if task.id == task_id],
    ),
    "move": Kind(
        lambda _, task: MoveTask.on(task, DOING, Place()),
        lambda view, _: [task.title for task in view.in_stage(DOING)],
    ),
    "archive": Kind(
        lambda party, task: ArchiveTask.on(task, party.place("Alpha")),
        lambda view, task_id: view.task(task_id) is None,
    ),
    "priority": Kind(
        lambda _, task: set_priority(task, Priority.HIGH),
        lambda view, task_id: [task.priority for task in view.all_tasks() if task.id == task_id],
    ),
    "card": Kind(
        lambda *_: CreateTask.new(BOARD, OPEN, "New"),
        lambda view, _: [task.title for task in view.in_stage(OPEN)],
    ),
    "stage": Kind(
        lambda *_: CreateStage.new(BOARD, "New"),
        lambda view, _: [stage.title for stage in view.stages],
    ),
    "label": Kind(
        lambda *_: CreateLabel.new(BOARD, "New", "#ff0000"),
        lambda view, _: [label.title for label in view.labels],
    ),
    "archive all": Kind(
        lambda party, _: ArchiveTasks.on(party.view, stage_of(party)),
        lambda view, _: [task.title for task in view.in_stage(OPEN)],
    ),
    "sort": Kind(
        lambda party, _: SortStage.on(stage_of(party), SortBy.TITLE, descending=True),
        lambda view, _: [task.title for task in view.in_stage(OPEN)],
    ),
    "comment": Kind(
        comment,
        lambda view, task_id: [t.comments_count for t in view.all_tasks() if t.id == task_id],
    ),
}


def noted(party: Party, kind: Kind, task_id: int) -> list[tuple[object, int]]:
    """What is seen now, and after each event from now on; with the number of comments."""

    def seen() -> tuple[object, int]:
        detail = party.store.detail(task_id)
        comments = () if detail is None else detail.comments or ()
        return kind.seen(party.view, task_id), len(comments)

    views = [seen()]

    def note(event: StoreEvent) -> None:
        if isinstance(event, BoardChanged | DetailChanged):
            views.append(seen())

    party.store.subscribe(note)
    return views


class First(Enum):
    """What the program that is started again does first; neither if it may do both at once."""

    ANY = "any"
    POLLS = "polls"
    SENDS = "sends"

    def fault(self, name: str) -> Fault | None:
        """What goes wrong until the first is done."""
        match self:
            case First.POLLS if name not in _POLLS:
                return Fault.UNREACHABLE
            case First.SENDS if name in ("changes_since", "newest_activity"):
                return Fault.UNREACHABLE
        return None


class NoReplies(dict[str, asyncio.Event]):
    """Keeps the replies to all writes."""

    def __contains__(self, name: object) -> bool:
        return name not in READS

    def pop(self, name: str, default: object = None) -> asyncio.Event:
        del name, default
        return asyncio.Event()


async def bury(party: Party, others: set["asyncio.Task[Any]"]) -> None:
    """What a killed program leaves behind: its files, closed by the system."""
    while left := asyncio.all_tasks() - others:  # those that wait for the disk are cancelled twice
        for task in left:
            task.cancel()
        await asyncio.sleep(0)
    core = party.store._core
    for file in (core.cache, core.loop_cache, core.outbox):
        file.close()


async def check(folder: Path, kind: Kind, jobs: int, first: First, *, keeps_replies: bool) -> bool:
    """Kill the program when so many more things were written, and see what it shows after that.

    Without any the service has the change, and the reply did not arrive. Returns whether so many
    were written.
    """
    clock, others = FakeClock(), asyncio.all_tasks()
    files = folder / "attachments"
    service = Service(four_tasks(), files, clock=clock.now, keeps_replies=keeps_replies)
    party = Party(folder, service, clock)
    await party.start()
    task = party.task("Alpha")
    await party.store.open_task(BOARD, task.id)
    await rest()
    disk = MortalDisk()
    party.store._core.disk._executor = cast("Any", disk)
    if not jobs:
        party.remote.held = NoReplies()
    await party.store.submit(kind.make(party, task))
    drawn = kind.seen(party.view, task.id)
    if jobs:
        disk.kill_after(jobs)
    await rest()
    await bury(party, others)
    for _ in range(2):
        party.remote = service.connection()
        party.remote.trouble = first.fault
        party.open()
        if first is not First.SENDS:  # the opened card is fetched before anything is sent
            await party.store.open_task(BOARD, task.id)
        views = noted(party, kind, task.id)
        party.store.connect(party.remote)
        await party.store.open_board(BOARD)
        if first is First.SENDS:
            await party.delivered()
        elif first is First.POLLS:
            await party.store.refresh(BOARD)
        party.remote.trouble = First.ANY.fault
        await party.delivered()
        await party.store.refresh(BOARD)
        await rest()
        assert all(seen == drawn and said <= 1 for seen, said in views), (jobs, drawn, views)
        await party.store.aclose()
    await service.aclose()
    return disk.is_dead


def _each_kind() -> Iterator[ParameterSet]:
    """Every kind of change, with and without each of both; all combinations are exhaustive."""
    for number, name in enumerate(KINDS):
        for keeps_replies, (order, first) in product((False, True), enumerate(First)):
            is_left_out = (keeps_replies + order + number) % 2
            marks = [pytest.mark.exhaustive] if is_left_out else []
            yield pytest.param(name, keeps_replies, first, marks=marks)


@pytest.mark.long
@pytest.mark.parametrize(("name", "keeps_replies", "first"), _each_kind())
async def test_no_view_after_a_kill_goes_back(
    tmp_path: Path, name: str, first: First, *, keeps_replies: bool
) -> None:
    kills = 0
    for jobs in range(_MOST_JOBS):
        folder = tmp_path / str(jobs)
        was_killed = await check(folder, KINDS[name], jobs, first, keeps_replies=keeps_replies)
        if jobs and not was_killed:
            break
        kills += was_killed
    assert kills > 1


def _each_made() -> Iterator[ParameterSet]:
    """What is made, after how many jobs it is killed, and what it does first; each two together."""
    for thing, job, way in product(range(3), repeat=3):
        name, jobs, first = ("card", "comment", "stage")[thing], (0, 3, 4)[job], list(First)[way]
        marks = [pytest.mark.long] if (thing + job + way) % 3 else []
        yield pytest.param(name, jobs, first, marks=marks)


@pytest.mark.parametrize(("name", "jobs", "first"), _each_made())
async def test_what_was_made_is_seen_once_after_a_kill(
    tmp_path: Path, name: str, jobs: int, first: First
) -> None:
    await check(tmp_path, KINDS[name], jobs, first, keeps_replies=True)


async def test_what_was_done_to_a_whole_stage_is_not_undone_for_a_moment(tmp_path: Path) -> None:
    await check(tmp_path, KINDS["archive all"], 0, First.ANY, keeps_replies=False)
