"""What is acknowledged is on the disk, and nobody but the writer waits for that."""

import asyncio
import contextlib
import errno
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from tests.service.world import World
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase, WriteAheadLog, open_database
from tui.service.embedded import open_embedded
from tui.service.errors import ServiceError

_PATIENCE_SECONDS = 20.0
_KEY = "insert into service_key (name, value) values (:name, 'x')"


@dataclass
class Disk:
    """A folder with what would be left of a database after a power cut."""

    file: Path
    left: Path
    syncs: int = 0
    before: Callable[[], None] = field(default=lambda: None)

    def sync(self, _descriptor: int) -> None:
        """Take the log as it is now; SQLite itself syncs the file before it shortens the log."""
        self.before()
        self.syncs += 1
        for path in (self.file, self.file.with_name(f"{self.file.name}-wal")):
            shutil.copy(path, self.left / path.name)

    def names(self) -> set[str]:
        """The keys that are left, read as they would be at the next start."""
        with contextlib.closing(sqlite3.connect(self.left / self.file.name)) as link:
            return {name for (name,) in link.execute("select name from service_key")}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    left = tmp_path / "left"
    left.mkdir()
    return Disk(tmp_path / "b", left)


@pytest.fixture
def database(disk: Disk) -> Iterator[SqliteDatabase]:
    open_database(disk.file).close()
    link = sqlite3.connect(disk.file, isolation_level=None, check_same_thread=False)
    link.execute("pragma synchronous = normal")
    link.execute("select count(*) from sqlite_schema").fetchone()
    log = WriteAheadLog(disk.file.with_name(f"{disk.file.name}-wal"), disk.sync)
    database = SqliteDatabase(link, log)
    database.migrate(MIGRATIONS)
    yield database
    database.close()


def _add(database: SqliteDatabase, name: str) -> None:
    with database.transaction(writing=True) as db:
        db.run(_KEY, name=name)


def test_after_each_acknowledgement_a_power_cut_loses_nothing(
    disk: Disk, database: SqliteDatabase
) -> None:
    for number in range(20):
        _add(database, str(number))
        assert disk.names() == {str(one) for one in range(number + 1)}


def test_who_waits_for_a_change_hears_of_it_when_it_is_on_the_disk(
    disk: Disk, database: SqliteDatabase
) -> None:
    told: list[int] = []
    with database.transaction(writing=True) as db:
        db.run(_KEY, name="a")
        db.after_commit.append(lambda: told.append(disk.syncs))
    assert told == [1]


def test_several_writers_wait_for_one_sync_and_readers_for_none(
    disk: Disk, database: SqliteDatabase
) -> None:
    syncing, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        syncing.set()
        assert may_end.wait(_PATIENCE_SECONDS)

    disk.before = hold
    with ThreadPoolExecutor(10) as pool:
        first = pool.submit(_add, database, "first")
        assert syncing.wait(_PATIENCE_SECONDS)
        others = [pool.submit(_add, database, f"other {number}") for number in range(9)]
        seen = 0
        while seen < 10:  # they are committed, as everybody can read, while the disk is busy
            with database.transaction(writing=False) as db:
                seen = db.value("select count(*) from service_key")
        assert not [one for one in (first, *others) if one.done()]
        may_end.set()
        for one in (first, *others):
            one.result(_PATIENCE_SECONDS)
    assert disk.syncs == 2
    assert len(disk.names()) == 10


async def test_writers_of_one_board_wait_for_one_sync(disk: Disk, database: SqliteDatabase) -> None:
    World(database).hang_up()
    session = LocalSession("ann")
    transport = httpx.ASGITransport(create_application(database, session=session, threads=True))
    syncing, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        syncing.set()
        assert may_end.wait(_PATIENCE_SECONDS)

    def count_until(wanted: int) -> None:
        while database.rows("select count(*) as tasks from task")[0]["tasks"] < wanted:
            pass

    task = {"task": {"title": "Dig", "board_id": 1, "stage_id": 1}}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://x/v2", auth=("ann", session.password)
    ) as client:
        await client.post("/projects", json={"board": {"title": "Shed", "type": "to-do"}})
        before, disk.before = disk.syncs, hold
        writers = [
            asyncio.create_task(client.post("/projects/1/tasks", json=task)) for _ in range(4)
        ]
        await asyncio.to_thread(count_until, 4)
        assert not any(writer.done() for writer in writers)
        may_end.set()
        assert {reply.status_code for reply in await asyncio.gather(*writers)} == {200}
    assert disk.syncs == before + 2


def test_a_transaction_that_changes_nothing_syncs_nothing(
    disk: Disk, database: SqliteDatabase
) -> None:
    _add(database, "a")
    with database.transaction(writing=True) as db:
        db.run("update service_key set value = 'y' where name = 'b'")
    assert disk.syncs == 1


def test_a_disk_that_cannot_be_synced_is_told(disk: Disk, database: SqliteDatabase) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    disk.before = fail
    with pytest.raises(ServiceError) as caught:
        _add(database, "a")
    assert (caught.value.status, caught.value.code) == (503, "outcome_unknown")


def test_the_files_of_the_service_and_of_one_person_are_synced(tmp_path: Path) -> None:
    """Either SQLite syncs with each transaction (2 is full), or a log does."""
    served = open_database(tmp_path / "served")
    embedded = open_embedded(tmp_path / "own", login="ann", display_name="Ann").database
    for database in (served, embedded):
        assert isinstance(database, SqliteDatabase)
        with database.transaction(writing=False) as db:
            is_synced_by_sqlite = db.value("pragma synchronous") >= 2
        assert is_synced_by_sqlite or database._log is not None
        database.close()


def test_a_request_is_answered_after_its_change_is_on_the_disk(
    disk: Disk, database: SqliteDatabase
) -> None:
    world = World(database)
    board = world.done("ann", "POST", "/projects", {"board": {"title": "Shed", "type": "to-do"}})
    with contextlib.closing(sqlite3.connect(disk.left / "b")) as link:
        (title,) = link.execute(
            "select title from board where id = ?", (board.at("board.id"),)
        ).fetchone()
    assert title == "Shed"
    world.hang_up()
