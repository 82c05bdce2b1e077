"""The cache stays small, can be thrown away at any time, and never holds what must not be lost."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, OPEN, Service
from tui.store.cache.eviction import Eviction, Upkeep
from tui.store.cache.file import Cache, open_cache
from tui.store.cache.polling_turns import claim
from tui.store.files.database import open_database, set_aside, set_aside_files
from tui.store.files.disk import DiskThread
from tui.store.operations import CreateTask, set_title

OLD, OLDER, NEW = 2, 3, 4
_LONG = "x" * 20_000


class Kept:
    """A cache with three boards of 4 MB each, of which two were not looked at for long."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        self.cache, _ = open_cache(folder / "cache.sqlite3", self.clock.now())
        self.disk = DiskThread()
        self.in_use: set[int] = set()
        for board_id, days in ((OLD, 100), (OLDER, 200), (NEW, 1)):
            self._fill(board_id, days)

    def _fill(self, board_id: int, days: int) -> None:
        self.cache.put_board_summary({"id": board_id, "title": f"Board {board_id}"})
        self.cache.put_board({"id": board_id, "stages": []})
        self.cache.put_tasks(
            {"id": board_id * 1000 + number, "board_id": board_id, "stage_id": 1, "title": _LONG}
            for number in range(100)
        )
        looked_at = self.clock.now() - timedelta(days=days)
        claim(self.cache.connection, board_id, "somebody", looked_at, timedelta())

    def eviction(self, limit_mb: int) -> Eviction:
        return Eviction(
            self.cache, self.disk, self.clock, in_use=lambda: self.in_use, limit_mb=limit_mb
        )

    def tasks(self) -> dict[int, int]:
        """How many tasks of each board are kept."""
        return {board.board_id: board.tasks for board in Upkeep(self.cache.connection).boards()}

    def close(self) -> None:
        self.disk.close()
        self.cache.close()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(tmp_path)
    yield kept
    kept.close()


@pytest.mark.long
async def test_a_cache_below_its_limit_is_left_alone(kept: Kept) -> None:
    tidied = await kept.eviction(200).evict()
    assert tidied.forgotten == ()
    assert kept.tasks() == {OLD: 100, OLDER: 100, NEW: 100}


async def test_the_oldest_board_goes_first_and_only_until_there_is_room(kept: Kept) -> None:
    before = Upkeep(kept.cache.connection).size()
    tidied = await kept.eviction(9).evict()
    assert tidied.forgotten == (OLDER,)
    assert kept.tasks() == {OLD: 100, NEW: 100}
    assert [board["id"] for board in kept.cache.board_summaries()] == [NEW, OLDER, OLD]
    assert kept.cache.board(OLDER) is None
    assert kept.cache.first_paint(OLDER) is None
    assert tidied.total < before.total * 0.75
    assert Upkeep(kept.cache.connection).size().unused == 0


@pytest.mark.long
async def test_as_many_pages_are_released_at_once_as_are_asked_for(kept: Kept) -> None:
    upkeep = Upkeep(kept.cache.connection)
    assert not upkeep.forget_some(OLDER, 1000)
    unused = upkeep.size().unused
    page = unused // kept.cache.connection.execute("pragma freelist_count").fetchone()[0]
    assert upkeep.release_pages(3)
    assert upkeep.size().unused == unused - 3 * page
    assert not upkeep.release_pages(10_000)


@pytest.mark.long
async def test_a_board_that_is_looked_at_stays_however_large_the_cache_is(kept: Kept) -> None:
    assert (await kept.eviction(1).evict()).forgotten == (OLDER, OLD)
    assert kept.tasks() == {NEW: 100}


async def test_a_board_with_changes_on_their_way_stays(kept: Kept) -> None:
    kept.in_use.add(OLDER)
    assert (await kept.eviction(1).evict()).forgotten == (OLD,)
    assert kept.tasks() == {OLDER: 100, NEW: 100}


@pytest.mark.long
async def test_a_clock_that_was_set_back_makes_no_board_old(kept: Kept) -> None:
    kept.clock.set(-timedelta(days=400).total_seconds())
    assert (await kept.eviction(1).evict()).forgotten == ()


async def test_looking_at_a_board_again_keeps_it(kept: Kept) -> None:
    claim(kept.cache.connection, OLDER, "me", kept.clock.now(), timedelta())
    assert (await kept.eviction(9).evict()).forgotten == (OLD,)


def test_three_files_that_were_set_aside_are_kept(tmp_path: Path) -> None:
    clock, path = FakeClock(), tmp_path / "cache.sqlite3"
    for _ in range(5):
        path.write_bytes(b"nonsense " * 500)
        cache, message = open_cache(path, clock.now())
        cache.close()
        assert "set aside" in message
        clock.advance(60)
    names = [file.name for file in set_aside_files(path)]
    assert len(names) == 3
    assert names == sorted(names, reverse=True)
    assert len(list(tmp_path.iterdir())) == 4


def test_files_of_changes_that_were_set_aside_are_all_kept(tmp_path: Path) -> None:
    clock, path = FakeClock(), tmp_path / "outbox.sqlite3"
    for _ in range(5):
        path.write_bytes(b"changes")
        set_aside(path, clock.now())
        clock.advance(60)
    assert len(set_aside_files(path)) == 5


def test_a_cache_of_an_earlier_version_is_emptied(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    tables = ("create table document (id integer)", "create table freshness (board_id integer)")
    with closing(open_database(path, [tables], synchronous="normal")) as old:
        old.execute("insert into document values (7)")
    cache, message = open_cache(path, FakeClock().now())
    assert message == ""
    assert cache.task(7) is None
    cache.put_tasks([{"id": 7, "title": "New", "board_id": 1, "stage_id": 11}])
    assert cache.task(7) == {"id": 7, "title": "New", "board_id": 1, "stage_id": 11}
    cache.close()


def test_what_is_new_is_told_once_and_what_is_too_much_is_not(tmp_path: Path) -> None:
    with closing(open_cache(tmp_path / "cache.sqlite3", FakeClock().now())[0]) as cache:
        cache.put_tasks({"id": number, "board_id": 1, "stage_id": 1} for number in range(1, 6))
        since = cache.revision()
        cache.put_tasks([{"id": 1, "board_id": 1, "stage_id": 2}, {"id": 2, "board_id": 9}])
        cache.forget_task(3)
        cache.forget_task(4)
        cache.put_tasks([{"id": 4, "board_id": 1, "stage_id": 1}])
        news = cache.revisions.changes(1, since, 10)
        assert news is not None
        assert sorted(news.gone) == [2, 3]
        assert len(news.tasks) == 2
        assert cache.revisions.changes(1, since, 3) is None
        assert cache.revisions.changes(1, news.revision, 3) == (news.revision, (), (), None)
        assert cache.revisions.changes(1, news.revision + 5, 3) is None
        assert cache.revisions.written_after(1, since) == {1, 2, 3, 4}


def test_the_news_of_another_file_are_not_taken_for_those_of_this(tmp_path: Path) -> None:
    caches = [open_cache(tmp_path / name, FakeClock().now())[0] for name in ("one", "other")]
    for cache in caches:
        cache.put_board({"id": 1})
    one, other = caches
    assert other.revisions.changes(1, one.revision(), 10) is None
    for cache in caches:
        cache.close()


def test_writing_what_is_known_already_is_no_news(tmp_path: Path) -> None:
    with closing(open_cache(tmp_path / "cache.sqlite3", FakeClock().now())[0]) as cache:
        cache.put_tasks([{"id": 1, "board_id": 1, "stage_id": 1}])
        before = cache.revision()
        cache.put_tasks([{"id": 1, "board_id": 1, "stage_id": 1}])
        cache.merge_task({"id": 1, "stage_id": 1})
        cache.forget_task(99)
        assert cache.revision() == before


def test_what_was_forgotten_is_not_remembered_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with closing(open_cache(path, FakeClock().now())[0]) as cache:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("update counter set revision = 8190")
            other.execute("insert into forgotten values ('task', 1, 1, 3000)")
            other.execute("insert into forgotten values ('task', 2, 1, 8000)")
        cache.put_board({"id": 1})
        cache.put_board({"id": 1, "title": "Other"})
        assert cache.revisions.written_after(1, 0) == {2}
        assert cache.revisions.changes(1, 100, 10) is None


async def test_the_outbox_is_never_in_the_cache_folder(started: Party) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(CreateTask.new(BOARD, OPEN, "Kept apart"))
    for file in (started.folder / "cache").rglob("*"):
        assert not file.is_file() or b"Kept apart" not in file.read_bytes()
    shutil.rmtree(started.folder / "cache")
    await started.restart()
    assert [one.operation.describe() for one in started.store.pending()] == ["Add “Kept apart”"]


async def test_a_cache_deleted_under_a_running_program_loses_nothing(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    shutil.rmtree(started.folder / "cache")
    await started.store.submit(CreateTask.new(BOARD, OPEN, "After"))
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma", "After"]
    started.remote.trouble = lambda _: None
    await started.store.refresh(BOARD)
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Omega", "Beta", "Gamma", "After"]
    await started.restart()
    await started.start()
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma", "After"]


def test_going_on_with_another_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cache.sqlite3"
    cache: Cache
    cache, _ = open_cache(path, FakeClock().now())
    cache.put_board({"id": 1})
    shutil.rmtree(path.parent)
    cache.switch_to(path, FakeClock().now())
    assert cache.board(1) is None
    cache.put_board({"id": 1})
    cache.close()
    assert path.exists()
