"""Files are read on a full disk, where there is no room even for the index of their log."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.service.world import FrozenClock
from tui.errors import CallboardError
from tui.service.database.sqlite import open_database
from tui.service.embedded import open_embedded
from tui.service.errors import ServiceError
from tui.sqlite_files import connected
from tui.store.files.database import open_database as open_store_file, transaction

_MIGRATIONS = (("create table word (text text)",),)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process grows."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def _open(path: Path) -> sqlite3.Connection:
    return open_store_file(path, _MIGRATIONS, synchronous="full", shrinks=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of the store with a word in it."""
    path = tmp_path / "words"
    with closing(_open(path)) as link:
        link.execute("insert into word values ('kept')")
    return path


def test_what_is_known_is_read_on_a_full_disk(path: Path) -> None:
    with full_disk(), closing(_open(path)) as link, closing(_open(path)) as other:
        for each in (link, other):
            assert each.execute("select text from word").fetchall() == [("kept",)]
        with pytest.raises(sqlite3.OperationalError), transaction(link):
            link.execute("insert into word values ('more')")
        assert other.execute("select text from word").fetchall() == [("kept",)]
    with closing(_open(path)) as link:
        link.execute("insert into word values ('more')")
        assert len(link.execute("select text from word").fetchall()) == 2


def test_a_file_with_room_is_shared(path: Path) -> None:
    with closing(connected(path, wait_seconds=0)) as link:
        assert Path(f"{path}-shm").exists()
        link.execute("insert into word values ('more')")


def test_a_new_file_on_a_full_disk_is_refused_with_the_reason(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(CallboardError, match="the disk"):
        _open(tmp_path / "new")


@pytest.mark.parametrize("for_many", [False, True])
def test_the_boards_of_this_machine_are_read_on_a_full_disk(
    tmp_path: Path, *, for_many: bool
) -> None:
    path, clock = tmp_path / "boards", FrozenClock()
    open_embedded(path, login="ann", display_name="Ann", clock=clock).close()
    with full_disk():
        embedded = open_embedded(path, login="ann", display_name="Ann", clock=clock)
        assert [row["login"] for row in embedded.database.rows("select login from account")]
        embedded.close()
        database = open_database(path, for_many=for_many)
        assert [row["login"] for row in database.rows("select login from account")] == ["ann"]
        with pytest.raises(ServiceError) as caught, database.transaction(writing=True) as db:
            db.run("insert into service_key values ('a', 'b')")
        assert caught.value.status in (503, 507)
        database.close()
