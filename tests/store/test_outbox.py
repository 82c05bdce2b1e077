"""The outbox: what a person did, kept whatever happens."""

import asyncio
import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.party import Party
from tests.store.service import BOARD, Service
from tui.errors import CallboardError
from tui.model.board import Board, Place
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Task
from tui.store.events import Listeners, PendingState
from tui.store.files.database import disk_reason, open_database, set_aside_files
from tui.store.files.disk import DiskThread
from tui.store.operations import (
    Baseline,
    CreateBoard,
    CreateStage,
    CreateTask,
    MoveTask,
    Operation,
    rename_board,
    set_title,
)
from tui.store.outbox.codec import encode
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.file import MIGRATIONS, Outbox, open_outbox
from tui.store.outbox.history import LEVELS, StepGoneError, Travel, UndoStep
from tui.store.outbox.marks import Unseen
from tui.store.outbox.queue import Queue
from tui.store.store import LocalStore

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
ALPHA = Task(id=1, board_id=1, stage_id=2, title="Alpha")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "default" / "outbox.sqlite3"


@pytest.fixture
def outbox(path: Path) -> Iterator[Outbox]:
    outbox, message = open_outbox(path, NOW)
    assert message == ""
    yield outbox
    outbox.close()


def add(outbox: Outbox, *operations: Operation) -> list[OutboxEntry]:
    changes = [(operation, (set_title(ALPHA, "back"),)) for operation in operations]
    return outbox.add(1, changes, NOW)


def test_entries_come_back_in_order(outbox: Outbox) -> None:
    first = add(outbox, set_title(ALPHA, "One"), set_title(ALPHA, "Two"))
    second = add(outbox, set_title(ALPHA, "Three"))
    assert outbox.entries() == (first + second, 0)


def test_what_is_known_about_sending_comes_back(outbox: Outbox) -> None:
    (entry,) = add(outbox, set_title(ALPHA, "One"))
    sent = replace(
        entry,
        state=PendingState.SENDING,
        attempts=2,
        next_try=NOW,
        reason="why",
        baseline=Baseline({"id": 1, "title": "Alpha"}, 7),
    )
    outbox.update([sent])
    assert outbox.entries() == ([sent], 0)


def test_an_accepted_creation_renames_what_waits_behind_it(outbox: Outbox) -> None:
    made = CreateTask(1, -5, 2, "New")
    create, rename = add(outbox, made, set_title(Task(-5, 1, 11, "New"), "Newer"))
    outbox.settle(create, {-5: 50})
    (left,), _ = outbox.entries()
    assert left.seq == rename.seq
    assert left.operation.task_id == 50
    step = outbox.history.last(1, "undo")
    assert step is not None
    assert [part.operation.task_id for part in step.parts] == [50, 50]


def test_what_another_program_names_by_a_local_id_is_kept_by_the_new_one(
    outbox: Outbox, path: Path
) -> None:
    other, _ = open_outbox(path, NOW)
    (create,) = add(outbox, CreateTask(1, -5, 2, "New"))
    outbox.settle(create, {-5: 50})
    (entry,) = add(other, set_title(Task(-5, 1, 11, "New"), "Newer"))
    assert entry.operation.task_id == 50
    assert other.entries() == ([entry], 0)
    step = other.history.last(1, "undo")
    assert step is not None
    assert [operation.task_id for operation in step.operations] == [50]
    other.close()


def test_assigned_ids_are_kept_as_long_as_something_stored_needs_them(
    outbox: Outbox, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.store.outbox.file._RENAMES_KEPT", 2)
    create, _ = add(outbox, CreateTask(1, -5, 2, "New"), set_title(Task(-5, 1, 11, "New"), "Newer"))
    outbox.settle(create, {-5: 50})
    for local in (-6, -7, -8):
        (create,) = add(outbox, CreateTask(1, local, 2, "More"))
        outbox.connection.execute("delete from step")
        outbox.settle(create, {local: -10 * local})
    other, _ = open_outbox(path, NOW)
    (left,), _ = other.entries()
    assert left.operation.task_id == 50
    assert other.renames == {-5: 50, -7: 70, -8: 80}
    other.close()


def test_a_board_that_was_made_here_takes_everything_along(outbox: Outbox) -> None:
    (create,) = add(outbox, CreateBoard(-7, "New board"))
    (rename,) = outbox.add(
        -7,
        [(replace(rename_board(Board(-7, ""), "Other"), base=None), ())],
        NOW,
    )
    outbox.settle(create, {-7: 70})
    (left,), _ = outbox.entries()
    assert (left.seq, left.board_id, left.operation.board_id) == (rename.seq, 70, 70)
    step = outbox.history.last(70, "undo")
    assert step is not None
    assert step.describe() == "Rename the board to “Other”"


def test_a_step_is_taken_back_by_one_program_alone(outbox: Outbox, path: Path) -> None:
    other, _ = open_outbox(path, NOW)
    add(outbox, set_title(ALPHA, "One"))
    step = outbox.history.last(1, "undo")
    assert step is not None
    assert step == other.history.last(1, "undo")
    outbox.history.remove(step)
    with pytest.raises(StepGoneError):
        other.history.remove(step)
    other.close()


def test_rows_of_an_older_version_are_read(tmp_path: Path) -> None:
    path = tmp_path / "outbox.sqlite3"
    old = open_database(path, MIGRATIONS[:1], synchronous="full")
    baseline = '{"document": {"id": 1, "title": "Alpha"}, "newest_id": 7, "sent_at": ""}'
    body = encode(replace(set_title(ALPHA, "One"), base=None))
    old.execute(
        "insert into entry (board_id, operation, state, since, footing) values (1, ?, ?, ?, ?)",
        (body, "sending", NOW.isoformat(), baseline),
    )
    old.close()
    outbox, _ = open_outbox(path, NOW)
    (entry,), unreadable = outbox.entries()
    assert unreadable == 0
    assert entry.operation == replace(set_title(ALPHA, "One"), base=None)
    assert entry.baseline == Baseline({"id": 1, "title": "Alpha"}, 7)
    assert entry.key == "", "it may have been sent without one"
    outbox.close()


def test_a_refused_operation_stays_in_its_step_and_is_left_out_of_its_undo(
    outbox: Outbox,
) -> None:
    first, second = add(outbox, set_title(ALPHA, "One"), set_title(ALPHA, "Two"))
    (alone,) = add(outbox, set_title(ALPHA, "Three"))
    refused = [replace(entry, state=PendingState.REFUSED) for entry in (first, alone)]
    outbox.update(refused)
    step = outbox.history.last(1, "undo")
    assert step is not None
    assert (step.describe(), step.done) == ("Rename “Alpha” to “Three”", ())
    outbox.history.acknowledge(1)
    step = outbox.history.last(1, "undo")
    assert step is not None
    assert [part.entry_seq for part in step.done] == [second.seq]
    assert (step.describe(), step.follows_void) == ("Rename “Alpha” to “Two”", True)
    outbox.history.remove(step)
    step = outbox.history.last(1, "undo")
    assert step is not None
    assert (step.describe(), step.done) == ("Rename “Alpha” to “One”", ())


def test_no_more_than_a_hundred_steps_are_remembered(outbox: Outbox) -> None:
    for number in range(LEVELS + 3):
        add(outbox, set_title(ALPHA, str(number)))
    steps = []
    while step := outbox.history.last(1, "undo"):
        steps.append(step.describe())
        outbox.history.remove(step)
    assert len(steps) == LEVELS
    assert steps[-1].endswith("“3”")


def test_nothing_is_written_if_a_part_cannot_be(outbox: Outbox) -> None:
    gone = Travel(UndoStep(99, 1, (), NOW), "undo")
    with pytest.raises(StepGoneError):
        outbox.add(1, [(set_title(ALPHA, "One"), ())], NOW, gone)
    assert outbox.entries() == ([], 0)
    assert add(outbox, set_title(ALPHA, "Two"))


@pytest.fixture
def damaged(path: Path) -> bytes:
    """What a damaged outbox file holds."""
    content = b"something else" * 500
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return content


async def test_a_damaged_file_is_set_aside_and_named(
    tmp_path: Path, path: Path, damaged: bytes
) -> None:
    store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    (aside,) = set_aside_files(path)
    assert aside.read_bytes() == damaged
    assert aside.name in store.messages[0]
    await store.aclose()


def test_a_newer_file_is_left_as_it_is(tmp_path: Path, path: Path, outbox: Outbox) -> None:
    outbox.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CallboardError, match="newer version") as raised:
        LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    assert raised.value.hint
    assert path.read_bytes() == before


async def test_a_row_that_cannot_be_read_is_told_and_kept(
    tmp_path: Path, path: Path, outbox: Outbox
) -> None:
    add(outbox, set_title(ALPHA, "One"), set_title(ALPHA, "Two"))
    outbox.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""update entry set operation = '{"kind": "fly"}' where seq = 1""")
    connection.close()
    for _ in range(2):
        store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
        assert "cannot be read" in store.messages[0]
        assert len(store.pending()) == 1
        await store.aclose()


async def test_news_that_cannot_be_kept_are_told_in_words(started: Party, service: Service) -> None:
    connection = started.store._core.cache.connection
    (pages,) = connection.execute("pragma page_count").fetchone()
    connection.execute(f"pragma max_page_count = {pages}")
    service.set(started.task("Alpha").id, "description", "Omega" * 20_000)
    await started.store.refresh(BOARD)
    said = "Updates cannot be cached: the disk is full. No change of yours is lost."
    assert started.store.status(BOARD).problem == said
    connection.execute("pragma max_page_count = 1000000")
    await started.store.refresh(BOARD)
    assert started.store.status(BOARD).problem == ""


def test_why_the_disk_refuses_is_said_in_words(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"no database" * 100)
    said = []
    for statement in ("create table a (b)", f"attach '{tmp_path}/no/file' as b"):
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("pragma query_only = on")
            with pytest.raises(sqlite3.OperationalError) as refused:
                connection.execute(statement)
            said.append(disk_reason(refused.value))
    with (
        closing(sqlite3.connect(file)) as connection,
        pytest.raises(sqlite3.DatabaseError) as damaged,
    ):
        connection.execute("select * from a")
    said.append(disk_reason(damaged.value))
    said.append(disk_reason(OSError(errno.ENOSPC, "No space left on device")))
    said.append(disk_reason(PermissionError(errno.EACCES, "Permission denied")))
    assert said == [
        "the file is not writable",
        "the file cannot be opened",
        "the file is damaged",
        "the disk is full",
        "permission denied",
    ]


async def test_a_file_that_another_program_locks_is_no_full_disk(started: Party) -> None:
    connection = started.store._core.outbox.connection
    connection.execute("pragma busy_timeout = 1")
    (_, _, path) = connection.execute("pragma database_list").fetchone()
    alpha = started.task("Alpha")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(CallboardError, match="another program locks the file") as caught:
            await started.store.submit(set_title(alpha, "Omega"))
    assert caught.value.hint == "Close that program, or wait, and try again."
    assert started.store.pending() == ()
    await started.store.submit(set_title(alpha, "Omega"))
    await started.delivered()


async def test_what_is_marked_while_marks_are_read_again_stays_marked(outbox: Outbox) -> None:
    disk, listeners = DiskThread(), Listeners()
    unseen = Unseen(outbox.connection, disk, listeners)
    moved, closed = (RemoteChange(5, kind) for kind in (ChangeKind.MOVED, ChangeKind.CLOSED))
    await asyncio.gather(unseen.reread(), unseen.mark(1, [moved]))
    assert dict(unseen.of(1)) == {5: moved}
    await asyncio.gather(unseen.reread(), unseen.mark(1, [closed]))
    assert dict(unseen.of(1)) == {5: closed}
    await asyncio.gather(unseen.reread(), unseen.clear(1))
    assert dict(unseen.of(1)) == {}
    disk.close()


async def test_a_move_behind_several_refused_changes_gets_the_base_of_the_first(
    outbox: Outbox,
) -> None:
    disk = DiskThread()
    queue = Queue(outbox, disk)
    create = CreateStage.new(1, "Later")
    later = create.creates
    assert later is not None
    moves = ((later, 10), (later, later), (20, later))
    carried = [MoveTask(1, 5, "Alpha", to, Place(), of) for to, of in moves]
    entries = [
        entry
        for operation in (create, *carried)
        for entry in await queue.add(1, [(operation, ())], NOW, planned_at=queue.revision)
    ]
    refused = [entries[0], *queue.dependants(entries[0])]
    assert refused == entries[:3], "the last move needs no stage that was never made"
    await queue.update([replace(entry, state=PendingState.REFUSED) for entry in refused])
    last = queue.get(entries[3].seq)
    assert last is not None
    assert last.operation == replace(carried[-1], from_stage_id=10)
    disk.close()


async def test_a_full_disk_is_told_in_words_and_changes_nothing(started: Party) -> None:
    connection = started.store._core.outbox.connection
    (pages,) = connection.execute("pragma page_count").fetchone()
    connection.execute(f"pragma max_page_count = {pages}")
    alpha = started.task("Alpha")
    before = started.view
    with pytest.raises(CallboardError, match="the disk is full") as caught:
        await started.store.submit(set_title(alpha, "Omega" * 2000))
    assert caught.value.hint == "Free some disk space and try again."
    assert started.view == before
    assert started.store.pending() == ()
    connection.execute("pragma max_page_count = 1000000")
    await started.store.submit(set_title(alpha, "Omega"))
    await started.delivered()


def test_files_are_for_their_owner_only(path: Path, outbox: Outbox) -> None:
    add(outbox, set_title(ALPHA, "One"))
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
