"""Noticing what other programs do: what is noticed, when, and at what cost."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tui.store.cache.file import Cache, open_cache
from tui.store.files.lease import Lease
from tui.store.opening import ProfileFiles
from tui.store.sharing.file_watch import FileWatch, Seen, Watch


class Noted:
    """A neighbour that notes what it was told, and fails as often as it is told to."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.failures = 0

    def _note(self, what: str) -> None:
        if self.failures:
            self.failures -= 1
            raise sqlite3.OperationalError("database is locked")
        self.told.append(what)

    async def outbox_was_written(self) -> None:
        self._note("outbox written")

    async def cache_was_written(self) -> None:
        self._note("cache written")

    async def cache_was_replaced(self) -> None:
        self._note("cache replaced")

    async def lease_was_taken(self) -> None:
        self._note("lease taken")

    async def lease_was_lost(self) -> None:
        self._note("lease lost")

    async def time_was_missed(self) -> None:
        self._note("time missed")


class Scene:
    """Two files, somebody who writes to them, and somebody who watches."""

    def __init__(self, folder: Path, clock: FakeClock) -> None:
        self.folder = folder
        self.clock = clock
        self.outbox = self._made("outbox")
        self.cache = self._made("cache")
        self.lease = Lease(folder / "sender.lock")
        self.noted = Noted()
        files = ProfileFiles(folder / "outbox", folder / "cache", self.lease)
        self.watch = Watch(self.noted, files, clock)

    def _made(self, name: str) -> Cache:
        cache, _ = open_cache(self.folder / name, self.clock.now())
        return cache

    async def look(self, seconds: float = 0.25) -> list[str]:
        """What is noticed after so long."""
        self.noted.told.clear()
        self.clock.advance(seconds)
        await self.watch.look()
        return list(self.noted.told)

    def close(self) -> None:
        for file in (self.outbox, self.cache):
            file.close()
        self.lease.release()


@pytest.fixture
def scene(tmp_path: Path, clock: FakeClock) -> Iterator[Scene]:
    scene = Scene(tmp_path, clock)
    yield scene
    scene.close()


@pytest.fixture
async def watched(scene: Scene) -> Scene:
    """A scene in which the lease is held already."""
    scene.lease.take()
    assert await scene.look() == ["outbox written", "cache written"]
    return scene


async def test_what_was_written_is_noticed_once(watched: Scene) -> None:
    watched.outbox.put_board({"id": 1})
    assert await watched.look() == ["outbox written"]
    assert await watched.look() == []
    watched.cache.put_board({"id": 1})
    assert await watched.look() == ["cache written"]
    assert await watched.look() == []
    await watched.watch.aclose()


async def test_what_could_not_be_read_is_read_the_next_time(watched: Scene) -> None:
    watched.outbox.put_board({"id": 1})
    watched.noted.failures = 1
    with pytest.raises(sqlite3.OperationalError):
        await watched.look()
    assert await watched.look() == ["outbox written"]
    await watched.watch.aclose()


async def test_a_cache_that_was_deleted_is_noticed_once(watched: Scene) -> None:
    (watched.folder / "cache").unlink()
    assert await watched.look() == ["cache replaced"]
    assert await watched.look() == []
    await watched.watch.aclose()


async def test_a_cache_that_could_not_be_made_is_made_the_next_time(watched: Scene) -> None:
    (watched.folder / "cache").unlink()
    watched.noted.failures = 1
    with pytest.raises(sqlite3.OperationalError):
        await watched.look()
    assert await watched.look() == ["cache replaced"]
    assert await watched.look() == []
    await watched.watch.aclose()


async def test_the_lease_is_tried_for_every_second(scene: Scene) -> None:
    other = Lease(scene.folder / "sender.lock")
    other.take()
    await scene.look(1.0)
    assert await scene.look(1.0) == []
    other.release()
    assert await scene.look(0.5) == []
    assert await scene.look(0.5) == ["lease taken"]
    (scene.folder / "sender.lock").unlink()
    other.take()
    assert await scene.look(1.0) == ["lease lost"]
    other.release()
    await scene.watch.aclose()


async def test_time_that_was_missed_is_noticed(watched: Scene) -> None:
    assert await watched.look(3600) == ["time missed"]
    watched.clock.set(-7200)
    assert await watched.look() == []
    watched.clock.set(7200)
    assert await watched.look() == []
    await watched.watch.aclose()


async def test_it_looks_by_itself_and_less_often_while_nobody_sees_it(watched: Scene) -> None:
    watched.watch.start()
    watched.watch.seen(is_seen=False)
    for _ in range(3):
        await asyncio.sleep(0)
    watched.outbox.put_board({"id": 1})
    assert watched.clock.next_wake is not None
    watched.clock.advance(0.25)
    for _ in range(3):
        await asyncio.sleep(0)
    watched.watch.seen(is_seen=True)
    for _ in range(9):
        await asyncio.sleep(0)
    assert "outbox written" in watched.noted.told
    await watched.watch.aclose()


async def test_a_mistake_in_one_look_is_not_the_end(
    watched: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    watched.noted.told.clear()
    watched.noted.failures = 1
    watched.watch.start()
    watched.outbox.put_board({"id": 1})
    for _ in range(40):
        await asyncio.sleep(0)
        watched.clock.advance(0.25)
    assert watched.noted.told[-1] == "outbox written"
    assert "cannot be read" in caplog.text
    await watched.watch.aclose()


def test_a_file_that_is_not_there_yet_is_noticed_when_it_comes(tmp_path: Path) -> None:
    watch = FileWatch(tmp_path / "cache")
    assert watch.look() is Seen.NOTHING_NEW
    cache, _ = open_cache(tmp_path / "cache", FakeClock().now())
    assert watch.look() is Seen.REPLACED
    assert watch.look() is Seen.NOTHING_NEW
    cache.put_board({"id": 1})
    assert watch.look() is Seen.WRITTEN
    watch.close()
    cache.close()


def test_a_file_that_is_busy_is_not_waited_for(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "plain") as busy:
        busy.execute("create table one (number)")
        busy.commit()
        watch = FileWatch(tmp_path / "plain")
        busy.execute("begin exclusive")
        busy.execute("insert into one values (1)")
        assert watch.look() is Seen.NOTHING_NEW
        busy.commit()
        assert watch.look() is Seen.WRITTEN
        watch.close()
    busy.close()
