"""Several programs on one profile: one sends, all see, and nothing is sent twice."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import pytest

from tests.drivers.patience import patience
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party, rest
from tests.store.service import ANN, BOARD, DOING, DONE, OPEN, Service
from tui.model.board import Place
from tui.model.task import Status
from tui.store.events import BoardChanged, PendingState
from tui.store.files.database import set_aside_files
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    set_status,
    set_title,
)
from tui.store.outbox.file import Outbox
from tui.store.sharing import Sharing

_WATCH = 0.25
_SECOND = 1.0
_STEP = 0.05


class Program(Party):
    """One of several programs on the same profile."""

    all_programs: list[Party]


Open = Callable[[], Program]


@pytest.fixture
async def programs(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Open]:
    """Opens a program on the profile that all of them share; all are closed in the end."""
    async with AsyncExitStack() as stack:
        running: list[Party] = []

        def opened() -> Program:
            program = Program(tmp_path, service, clock, _WATCH)
            program.all_programs = running
            running.append(program)

            async def close() -> None:
                await program.store.aclose()

            stack.push_async_callback(close)
            return program

        yield opened


@pytest.fixture
async def pair(programs: Open) -> tuple[Program, Program]:
    """Two programs that look at the same board; the first sends."""
    one, other = programs(), programs()
    await one.start()
    await other.start()
    for party in (one, other):
        party.remote.calls.clear()
    return one, other


async def until(party: Program, condition: Callable[[], object]) -> None:
    """Let things happen, and time pass in small steps once everything else is done."""
    clock = party.clock
    async with patience("a condition", party.shows):
        while not _holds(condition):
            await rest()
            if not _holds(condition):
                clock.advance(_STEP)


def _holds(condition: Callable[[], object]) -> bool:
    try:
        return bool(condition())
    except (LookupError, StopIteration):  # the board, or the task, is not there yet
        return False


@asynccontextmanager
async def within(party: Program, seconds: float) -> AsyncIterator[None]:
    """What happens in here takes no longer than this by the clock."""
    before = party.clock.elapsed()
    yield
    assert party.clock.elapsed() - before <= seconds


def writes(*parties: Program) -> list[str]:
    """What was asked of the service that changes something."""
    reading = ("boards", "board", "tasks", "task", "news", "changes_since")
    return [call for party in parties for call in party.remote.calls if call not in reading]


def sharing_of(party: Program) -> Sharing:
    """What makes a program see what others do."""
    return party.store._sharing


def kill(party: Program) -> None:
    """The program is gone, from one moment to the next: it writes, sends and locks nothing more."""
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task() and _is_of(task, party):
            task.cancel()
    party.store._core.lease.release()
    party.all_programs.remove(party)


def _is_of(task: asyncio.Task[object], party: Program) -> bool:
    workers = party.store._parts.delivery._workers.values()
    ours = (party.store._parts.poller._loop, *sharing_of(party)._work, *workers)
    return task in ours


@pytest.fixture
async def looking(programs: Open) -> AsyncIterator[tuple[Program, Program]]:
    """Two programs, the second with only the first cards of the board in memory."""
    one = programs()
    await one.start()
    other = programs()
    other.store.connect(other.remote)
    assert other.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    opening = asyncio.create_task(other.store.open_board(BOARD, after=asyncio.Event().wait))
    await rest()
    yield one, other
    opening.cancel()


async def test_what_another_program_changes_on_a_card_that_is_tried_again_follows_it(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    one.remote.fail_next("create_task", Fault.REFUSED)
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(other.view).task(made.task_id)
    assert drawn is not None
    await one.store.submit(made)
    refused = PendingState.REFUSED
    await until(one, lambda: all(party.store.pending()[0].state is refused for party in pair))
    # Neither knows of the other's yet, and both do before anything is sent.
    one.remote.trouble = lambda _: Fault.UNREACHABLE
    await other.store.submit(set_status(drawn, Status.CLOSED))
    await one.store.retry(one.store.pending()[0].id)
    await until(one, lambda: len(one.store.pending()) == 2)
    one.remote.trouble = lambda _: None
    one.clock.advance(60)
    await until(one, lambda: not (*one.store.pending(), *other.store.pending()))
    assert service.titles(DOING) == ["Delta", "New"]
    assert other.task("New").is_closed


async def test_what_another_program_sent_is_drawn_on_a_board_that_is_only_looked_at(
    looking: tuple[Program, Program],
) -> None:
    one, other = looking
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    async with within(other, _SECOND):
        await until(other, lambda: one.store.pending() == () == other.store.pending())
        await until(other, lambda: other.titles(OPEN) == ["Omega", "Beta", "Gamma"])


async def test_a_board_that_is_only_looked_at_is_not_read_whole_without_need(
    looking: tuple[Program, Program],
) -> None:
    _, other = looking
    await sharing_of(other).check()
    assert not other.view.complete


async def test_a_change_of_one_is_seen_in_the_other_within_a_second(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    async with within(other, _SECOND):
        await one.store.submit(MoveTask.on(one.task("Alpha"), DOING, Place()))
        await until(other, lambda: "Alpha" in other.titles(DOING))
        await until(other, lambda: "Alpha" in service.titles(DOING))
    assert writes(one, other) == ["move_task"]


async def test_what_the_other_did_is_sent_by_the_one_that_sends(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    async with within(other, _SECOND):
        await other.store.submit(set_title(other.task("Alpha"), "Omega"))
        assert other.titles(OPEN)[0] == "Omega"
        await until(one, lambda: service.titles(OPEN)[0] == "Omega")
        await until(one, lambda: one.titles(OPEN)[0] == "Omega")
        await until(one, lambda: not other.store.pending() and not one.store.pending())
    assert writes(one) == ["set_task"]
    assert writes(other) == []
    assert other.titles(OPEN) == ["Omega", "Beta", "Gamma"]


@pytest.mark.parametrize("call", ["move_task", "set_task"])
async def test_what_arrived_late_is_no_conflict_with_what_the_other_program_did_next(
    pair: tuple[Program, Program], service: Service, call: str
) -> None:
    one, other = pair
    alpha = one.task("Alpha")
    is_move = call == "move_task"
    first = MoveTask.on(alpha, DOING, Place()) if is_move else set_title(alpha, "Omega")
    one.remote.fail_next(call, Fault.FAULT_BEFORE)
    await one.store.submit(first)
    await until(other, lambda: call in one.remote.calls and other.store.pending())
    one.remote.trouble = lambda _: Fault.UNREACHABLE
    if is_move:  # it arrives now
        await service.connection().move_task(BOARD, alpha.id, DOING, 1, [])
        await other.store.submit(MoveTask.on(other.task("Alpha"), DONE, Place()))
    else:
        service.set(alpha.id, "title", "Omega")
        await other.store.submit(set_title(other.task("Omega"), "Omicron"))
    start = one.clock.elapsed()
    await until(one, lambda: one.clock.elapsed() - start > 20)
    one.remote.trouble = lambda _: None
    await one.store.refresh(BOARD)
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert service.titles(DONE if is_move else OPEN)[0] == ("Alpha" if is_move else "Omicron")
    assert not one.store.changed_by_others(BOARD)
    assert not other.store.changed_by_others(BOARD)


@pytest.mark.long
async def test_submitting_is_only_writing_while_another_sends(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    one.remote.trouble = lambda _: Fault.UNREACHABLE
    for number in range(20):
        await other.store.submit(CreateTask.new(BOARD, DOING, f"Card {number}"))
    assert len(other.store.pending()) == 20
    assert writes(other) == []
    one.remote.trouble = lambda _: None
    one.remote.calls.clear()
    await until(one, lambda: len(service.titles(DOING)) == 21)
    await until(one, lambda: not other.store.pending())
    assert service.titles(DOING) == other.titles(DOING) == one.titles(DOING)
    assert writes(one).count("create_task") == 20


async def test_a_local_id_is_known_by_its_new_name_in_every_program(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    made = CreateTask.new(BOARD, DOING, "New")
    await other.store.submit(made)
    drawn = other.task("New")
    other.events.clear()
    await until(one, lambda: "New" in service.titles(DOING))
    await until(one, lambda: other.task("New").id > 0)
    renames = [
        event.renamed for event in other.events if isinstance(event, BoardChanged) and event.renamed
    ]
    assert renames == [{drawn.id: other.task("New").id}]
    await other.store.submit(set_title(drawn, "Newer"))
    await until(one, lambda: service.titles(DOING)[-1] == "Newer")
    assert service.tasks_made() == 5


@pytest.mark.parametrize("fault", [Fault.REQUEST_LOST, Fault.REPLY_LOST])
async def test_the_next_takes_over_what_was_being_sent(
    pair: tuple[Program, Program], service: Service, fault: Fault
) -> None:
    one, other = pair
    one.remote.fail_next("create_task", fault)
    await one.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await until(one, lambda: "create_task" in one.remote.calls)
    kill(one)
    # It may be killed when the service has the task and the cache has not: then a poll brings it.
    async with within(other, 30 * _SECOND):
        await until(other, lambda: "Once" in other.titles(DOING) and not other.store.pending())
    assert service.titles(DOING) == other.titles(DOING) == ["Delta", "Once"]
    assert service.tasks_made() == 5


async def test_what_was_written_just_before_the_end_is_sent(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    one.remote.trouble = lambda _: Fault.UNREACHABLE
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    kill(one)
    async with within(other, 5 * _SECOND):
        await until(other, lambda: service.titles(OPEN)[0] == "Omega")
    assert other.titles(OPEN)[0] == "Omega"
    assert writes(other) == ["set_task"]


async def test_the_news_come_on_time_when_the_program_that_polled_was_killed(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    await until(one, lambda: "changes_since" in one.remote.calls)
    kill(one)
    service.set(one.task("Alpha").id, "title", "Omega", by=ANN)
    async with within(other, 4.0):
        await until(other, lambda: "Omega" in other.titles(OPEN))


@pytest.mark.long
async def test_a_program_that_is_left_hands_over(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    one.all_programs.remove(one)
    await one.store.aclose()
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    async with within(other, 2 * _SECOND):
        await until(other, lambda: service.titles(OPEN)[0] == "Omega")
    one.open()


async def test_a_program_nobody_sees_still_sends_for_the_other(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    one.store.set_visible(is_visible=False)
    async with within(other, 2 * _SECOND):
        await other.store.submit(set_title(other.task("Alpha"), "Omega"))
        await until(other, lambda: service.titles(OPEN)[0] == "Omega")


async def test_what_one_did_the_other_takes_back_once(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    await until(other, lambda: other.titles(OPEN)[0] == "Omega" and not other.store.pending())
    said = await other.store.undo(BOARD)
    assert said is not None
    assert "Alpha" in said.step
    await until(one, lambda: service.titles(OPEN)[0] == "Alpha")
    await until(one, lambda: one.titles(OPEN)[0] == "Alpha" and not one.store.pending())
    assert await one.store.undo(BOARD) is None
    await one.store.redo(BOARD)
    await until(one, lambda: service.titles(OPEN)[0] == "Omega")
    assert await other.store.redo(BOARD) is None


async def test_two_that_take_back_the_same_at_once_make_it_once(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    await one.store.submit(DeleteTask(one.task("Alpha"), one.place("Alpha")))
    await until(one, lambda: "Alpha" not in service.titles(OPEN))
    await until(one, lambda: not other.store.pending() and "Alpha" not in other.titles(OPEN))
    await asyncio.gather(one.store.undo(BOARD), other.store.undo(BOARD))
    await until(one, lambda: "Alpha" in one.titles(OPEN) and "Alpha" in other.titles(OPEN))
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert service.titles(OPEN).count("Alpha") == 1
    assert one.titles(OPEN).count("Alpha") == other.titles(OPEN).count("Alpha") == 1


async def test_what_was_refused_is_known_in_every_program(pair: tuple[Program, Program]) -> None:
    one, other = pair
    one.remote.fail_next("set_task", Fault.REFUSED)
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await until(one, lambda: [entry.reason for entry in other.store.pending() if entry.reason])
    assert other.titles(OPEN)[0] == "Alpha"
    (refused,) = other.store.pending()
    await other.store.retry(refused.id)
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert one.titles(OPEN)[0] == other.titles(OPEN)[0] == "Omega"


@pytest.mark.long
async def test_what_was_discarded_in_one_is_gone_in_the_other(
    pair: tuple[Program, Program],
) -> None:
    one, other = pair
    one.remote.fail_next("set_task", Fault.REFUSED)
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    await until(one, lambda: [entry.reason for entry in other.store.pending() if entry.reason])
    await other.store.discard(other.store.pending()[0].id)
    await until(one, lambda: not one.store.pending())


async def test_three_programs_send_everything_once(programs: Open, service: Service) -> None:
    parties = [programs() for _ in range(3)]
    for party in parties:
        await party.start()
    for number in range(12):
        party = parties[number % 3]
        await party.store.submit(CreateTask.new(BOARD, DOING, f"Card {number}"))
        if number == 6:
            kill(parties[0])
            parties = [parties[1], parties[2], parties[1]]
    await until(party, lambda: len(service.titles(DOING)) == 13)
    await until(party, lambda: all(one.titles(DOING) == service.titles(DOING) for one in parties))
    await until(party, lambda: not any(one.store.pending() for one in parties))
    assert service.tasks_made() == 16


async def test_a_cache_that_is_deleted_under_two_programs_fills_again(
    pair: tuple[Program, Program], tmp_path: Path, service: Service
) -> None:
    one, other = pair
    shutil.rmtree(tmp_path / "cache")
    await other.store.submit(ArchiveTask.on(other.task("Beta"), other.place("Beta")))
    service.add("Theirs", DOING)
    await until(one, lambda: "Theirs" in one.titles(DOING) and "Theirs" in other.titles(DOING))
    await until(one, lambda: one.titles(OPEN) == other.titles(OPEN) == ["Alpha", "Gamma"])
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert (tmp_path / "cache" / "default" / "cache.sqlite3").exists()
    third = Party(tmp_path, service, one.clock)
    assert third.titles(DOING) == ["Delta", "Theirs"]
    await third.store.aclose()


async def test_what_is_gone_when_a_lost_cache_fills_again_is_gone_for_both_programs(
    pair: tuple[Program, Program], tmp_path: Path, service: Service
) -> None:
    one, other = pair
    shutil.rmtree(tmp_path / "cache")
    await other.store._parts.poller.cache_was_replaced()
    await other.store._parts.updates.catch_up(BOARD)  # nothing is in the new file yet
    other.remote.trouble = lambda _: Fault.UNREACHABLE
    service.set(one.task("Beta").id, "archived_at", "2026-11-20T09:00:00")
    await one.store._parts.poller.cache_was_replaced()
    await one.store.refresh(BOARD)
    await until(one, lambda: one.titles(OPEN) == other.titles(OPEN) == ["Alpha", "Gamma"])


async def test_a_cache_that_is_damaged_under_two_programs_is_set_aside_once(
    pair: tuple[Program, Program], tmp_path: Path, service: Service
) -> None:
    one, other = pair
    path = tmp_path / "cache" / "default" / "cache.sqlite3"
    with path.open("r+b") as file, path.with_name("cache.sqlite3-wal").open("r+b") as journal:
        file.write(b"nonsense" * (path.stat().st_size // 8))
        journal.truncate()
    service.add("Theirs", DOING)
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await until(
        one,
        lambda: all(
            each.titles(DOING) == ["Delta", "Theirs"] and each.titles(OPEN)[0] == "Omega"
            for each in pair
        ),
    )
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert len(set_aside_files(path)) == 1


async def test_a_machine_that_slept_asks_and_sends_at_once(
    pair: tuple[Program, Program], service: Service
) -> None:
    one, other = pair
    other.all_programs.remove(other)
    await other.store.aclose()
    other.open()
    service.add("Theirs", DOING)
    one.clock.advance(8 * 3600)
    async with within(one, _SECOND):
        await until(one, lambda: "Theirs" in one.titles(DOING))


async def test_a_clock_that_is_set_is_no_machine_that_slept(pair: tuple[Program, Program]) -> None:
    one, other = pair
    start = one.clock.elapsed()
    await until(other, lambda: one.clock.elapsed() - start >= _SECOND)
    one.remote.calls.clear()
    for seconds in (-7200, 14400):
        one.clock.set(seconds)
        await sharing_of(one).check()
        await rest()
    assert not one.remote.calls


async def test_files_that_nobody_writes_to_are_read_once_a_second(
    programs: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    read = Outbox.version_of_others

    def counted(outbox: Outbox) -> int:
        reads.append(outbox)
        return read(outbox)

    one = programs()
    await one.start()
    await sharing_of(one).check()
    monkeypatch.setattr(Outbox, "version_of_others", counted)
    for _ in range(12):
        one.clock.advance(_WATCH)
        await rest()
    assert len(reads) == 12 * _WATCH / _SECOND


async def test_what_cannot_be_read_is_read_the_next_time(
    pair: tuple[Program, Program], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = pair
    with closing(sqlite3.connect(tmp_path / "data/default/outbox.sqlite3")) as outbox:
        outbox.execute("alter table entry rename to hidden")
        await until(one, lambda: caplog.text.count("cannot be read") >= 2)
        outbox.execute("alter table hidden rename to entry")
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    async with within(other, _SECOND):
        await until(one, lambda: one.titles(OPEN)[0] == "Omega")


async def test_a_lock_that_is_deleted_locks_nobody_out_and_nothing_is_sent_twice(
    pair: tuple[Program, Program], tmp_path: Path, service: Service
) -> None:
    one, other = pair
    (tmp_path / "data/default/sender.lock").unlink()
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    async with within(other, 2 * _SECOND):
        await until(one, lambda: service.titles(OPEN)[0] == "Omega")
    await until(one, lambda: not one.store.pending() and not other.store.pending())
    assert writes(one, other) == ["set_task"]
