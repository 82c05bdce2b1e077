"""How old what is kept of each board is, and what it cost to fetch."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from tui.client.documents import BoardNews
from tui.store.cache.polling_turns import BOARD_LIST
from tui.store.clock import Clock
from tui.store.documents.assemble import instant
from tui.store.files.disk import DiskThread

TABLES = (
    """create table freshness (
           board_id integer primary key,
           checked_at text not null,
           heard_at text,
           synced_at text not null default '',
           is_complete integer not null default 0,
           size integer not null default 0,
           seconds real not null default 0,
           activity_id integer not null default 0
       )""",
)

_TIME_SHARE = 0.01
_BYTES_PER_SECOND = 2_000_000 / 60


def reload_pause(size: int, seconds: float) -> float:
    """How many seconds lie between two fetches of a whole board of that size and duration."""
    return max(seconds / _TIME_SHARE, size / _BYTES_PER_SECOND)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a board; times are in seconds ago, None is never.

    `since` is the service's own time to ask from. `heard` is when it last told what changed,
    `whole` when the board was last fetched whole, which took `size` bytes and `seconds`; `framed`
    when it was fetched without its tasks, `deleted` when the person last deleted a task of it,
    `running` when the program was started. A board `is_behind` if something changed that only
    fetching it whole can show; `is_complete` says that the service leaves nothing out.
    """

    is_cached: bool = True
    since: str = ""
    is_complete: bool = False
    heard: float | None = None
    whole: float | None = None
    framed: float | None = None
    deleted: float | None = None
    running: float = 0.0
    size: int = 0
    seconds: float = 0.0
    is_behind: bool = False
    activity_id: int = 0

    @property
    def may_reload(self) -> bool:
        """Whether the board may be fetched whole without a person's asking."""
        return self.whole is None or self.whole >= reload_pause(self.size, self.seconds)


class Fetched(NamedTuple):
    """A board as it was last fetched whole, and up to when its changes are known.

    `synced_at` is that time as the service tells it, where it tells one.
    """

    checked_at: datetime | None = None
    heard_at: datetime | None = None
    synced_at: str = ""
    is_complete: bool = False
    size: int = 0
    seconds: float = 0.0
    activity_id: int = 0


class FreshnessTable:
    """What is remembered across starts; runs on the cache's connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of(self, board_id: int) -> Fetched:
        """What is remembered of a board."""
        row = self._connection.execute(
            """select checked_at, heard_at, synced_at, is_complete, size, seconds, activity_id
               from freshness where board_id = ?""",
            (board_id,),
        ).fetchone()
        if row is None:
            return Fetched()
        return Fetched(instant(row[0]), instant(row[1]), row[2], bool(row[3]), *row[4:])

    def fetched(self, board_id: int, moment: datetime, synced_at: str, cost: "Cost") -> None:
        """A board was fetched whole, as it was at that time of the service."""
        self._connection.execute(
            """insert into freshness (board_id, checked_at, heard_at, synced_at, size, seconds)
               values (:id, :moment, :moment, :synced_at, :size, :seconds)
               on conflict do update set
               checked_at = :moment, heard_at = :moment, synced_at = :synced_at,
               size = :size, seconds = :seconds""",
            {
                "id": board_id,
                "moment": moment.isoformat(),
                "synced_at": synced_at,
                **cost._asdict(),
            },
        )

    def heard(self, board_id: int, moment: datetime, synced_at: str, *, is_complete: bool) -> None:
        """What changed up to then was taken over."""
        self._connection.execute(
            """update freshness set heard_at = ?, synced_at = ?, is_complete = ?
               where board_id = ?""",
            (moment.isoformat(), synced_at, is_complete, board_id),
        )

    def saw_activity(self, board_id: int, activity_id: int) -> None:
        """This is the newest activity of a board."""
        self._connection.execute(
            "update freshness set activity_id = ? where board_id = ?", (activity_id, board_id)
        )


class Cost(NamedTuple):
    """What it took to fetch a board whole: bytes and seconds."""

    size: int = 0
    seconds: float = 0.0


class HasFreshness(Protocol):
    """The cache, as far as it matters here; it may go on with another file."""

    freshness: FreshnessTable


class Freshness:
    """What is known of the age of boards, by this program and by others on the same cache.

    Times of this program are told by the clock that nobody sets. `behind` are the boards on which
    something changed that only fetching them whole can show.
    """

    def __init__(
        self, loop_cache: HasFreshness, cache: HasFreshness, disk: DiskThread, clock: Clock
    ) -> None:
        self._loop_cache = loop_cache
        self._cache = cache
        self._disk = disk
        self._clock = clock
        self._started_at = clock.elapsed()
        self._whole_at: dict[int, float] = {}
        self._heard_at: dict[int, float] = {}
        self._framed_at: dict[int, float] = {}
        self._deleted_at: dict[int, float] = {}
        self.behind: set[int] = set()

    def elapsed(self) -> float:
        """Now, by the clock that nobody sets."""
        return self._clock.elapsed()

    def forget(self) -> None:
        """The cache was lost: everything is to be fetched again."""
        self._whole_at.clear()
        self._heard_at.clear()

    def checked_at(self, board_id: int) -> datetime | None:
        """When a board was last fetched whole, maybe by an earlier start of the program."""
        return self._loop_cache.freshness.of(board_id).checked_at

    async def known(self, board_id: int, *, is_cached: bool) -> Known:
        """What is known of a board; `is_cached` if its tasks are."""
        fetched = await self._disk.run(self._cache.freshness.of, board_id)
        return Known(
            is_cached=is_cached,
            since=fetched.synced_at,
            is_complete=fetched.is_complete,
            heard=self._ago(self._heard_at.get(board_id), fetched.heard_at),
            whole=self._ago(self._whole_at.get(board_id), fetched.checked_at),
            framed=self._ago(self._framed_at.get(board_id)),
            deleted=self._ago(self._deleted_at.get(board_id)),
            running=self._clock.elapsed() - self._started_at,
            size=fetched.size,
            seconds=fetched.seconds,
            is_behind=board_id in self.behind,
            activity_id=fetched.activity_id,
        )

    def _ago(self, ours: float | None, anybodys: datetime | None = None) -> float | None:
        """How long ago something was; a moment yet to come was told before the clock was set."""
        found = [] if ours is None else [self._clock.elapsed() - ours]
        if anybodys is not None:
            age = (self._clock.now() - anybodys).total_seconds()
            found += [age] if age >= 0 else []
        return min(found, default=None)

    async def fetched(
        self, board_id: int, asked_at: float, moment: datetime, synced_at: str, cost: Cost
    ) -> None:
        """A board was asked for whole at that time of `elapsed`, and the answer taken over."""
        self._whole_at[board_id] = self._heard_at[board_id] = self._framed_at[board_id] = asked_at
        self.behind.discard(board_id)
        await self._disk.run(self._cache.freshness.fetched, board_id, moment, synced_at, cost)

    async def list_version(self) -> str:
        """Which version of the list of boards was fetched last; empty if that is not known."""
        return (await self._disk.run(self._cache.freshness.of, BOARD_LIST)).synced_at

    async def keep_list_version(self, version: str) -> None:
        """This version of the list of boards was fetched."""
        table, now = self._cache.freshness, self._clock.now()
        await self._disk.run(table.fetched, BOARD_LIST, now, version, Cost())

    def framed(self, board_id: int) -> None:
        """A board was fetched without its tasks."""
        self._framed_at[board_id] = self._clock.elapsed()

    def deleted(self, board_id: int) -> None:
        """The person deleted a task of a board."""
        self._deleted_at[board_id] = self._clock.elapsed()

    async def heard(self, board_id: int, asked_at: float, news: BoardNews) -> None:
        """A board is as the service says now, but for what news leave out."""
        self._heard_at[board_id] = asked_at
        since_asked = timedelta(seconds=self._clock.elapsed() - asked_at)
        await self._disk.run(
            self._cache.freshness.heard,
            board_id,
            self._clock.now() - since_asked,
            news.synced_at,
            is_complete=news.is_complete,
        )

    async def saw_activity(self, board_id: int, activity_id: int) -> None:
        """This is the newest activity of a board."""
        await self._disk.run(self._cache.freshness.saw_activity, board_id, activity_id)
