"""Per-board fetch times and costs, which limit how often a board is fetched in full."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.client.documents import BoardChanges
from tui.record import record
from tui.store.cache.file import Cache
from tui.store.cache.schema import BOARD_LIST
from tui.store.clock import Clock
from tui.store.documents.assemble import instant
from tui.store.files.disk import DiskThread

_TIME_SHARE = 0.01
_BYTES_PER_SECOND = 2_000_000 / 60


def reload_pause(size: int, seconds: float) -> float:
    """Minimum seconds between two full fetches of a board of this size and fetch time."""
    return max(seconds / _TIME_SHARE, size / _BYTES_PER_SECOND)


@record
class BoardFreshness:
    """What is known about the freshness of a board; times are ages in seconds, None is never.

    `since` is the service's own time stamp to ask changes from. `synced` is when the service last
    reported changes, `fetched` when the board was last fetched in full (`size` bytes in `seconds`),
    `frame_fetched` when it was fetched without its tasks, `deleted` when the user last deleted one
    of its tasks, `running` when the program was started. A board `is_behind` if it has changes that
    only a full fetch can show; `is_complete` says that the service's change reports leave nothing
    out.
    """

    is_cached: bool = True
    since: str = ""
    is_complete: bool = False
    synced: float | None = None
    fetched: float | None = None
    frame_fetched: float | None = None
    deleted: float | None = None
    running: float = 0.0
    size: int = 0
    seconds: float = 0.0
    is_behind: bool = False
    activity_id: int = 0

    @property
    def may_reload(self) -> bool:
        """Whether a full fetch is allowed now without the user asking for it."""
        return self.seconds_to_reload <= 0

    @property
    def seconds_to_reload(self) -> float:
        """Seconds until such a fetch is allowed, not above zero if it is."""
        return 0.0 if self.fetched is None else reload_pause(self.size, self.seconds) - self.fetched


class Cost(NamedTuple):
    """Bytes and seconds of a full fetch."""

    size: int = 0
    seconds: float = 0.0


class _Fetched(NamedTuple):
    """The freshness of a board on disk, see `BoardFreshness`."""

    checked_at: datetime | None = None
    heard_at: datetime | None = None
    synced_at: str = ""
    is_complete: bool = False
    size: int = 0
    seconds: float = 0.0
    activity_id: int = 0

    @property
    def read_at(self) -> datetime | None:
        """When all of the board was known to be current, by whichever program; None for never."""
        return self.checked_at and max(self.checked_at, self.heard_at or self.checked_at)


def _fetched(cache: Cache, board_id: int) -> _Fetched:
    row = cache.connection.execute(
        """select checked_at, heard_at, synced_at, is_complete, size, seconds, activity_id
           from freshness where board_id = ?""",
        (board_id,),
    ).fetchone()
    if row is None:
        return _Fetched()
    return _Fetched(instant(row[0]), instant(row[1]), row[2], bool(row[3]), *row[4:])


def _last_reads(cache: Cache, board_ids: Sequence[int]) -> dict[int, datetime]:
    read = {board_id: _fetched(cache, board_id).read_at for board_id in board_ids}
    return {board_id: at for board_id, at in read.items() if at is not None}


class Freshness:
    """Freshness of boards, from this program's memory and from what all programs persist.

    In-memory times are monotonic. `behind` are the boards with changes that only a full fetch can
    show.
    """

    def __init__(self, loop_cache: Cache, cache: Cache, disk: DiskThread, clock: Clock) -> None:
        # Two connections to one file: the first for short reads on the event loop, the second for
        # the disk thread alone.
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

    def forget(self) -> None:
        """The cache was lost: forget everything, so that all boards are fetched again."""
        # Without a known full fetch the next poll makes one. The other times stay true: they say
        # what this program has asked and deleted at the service.
        self._whole_at.clear()
        self._heard_at.clear()

    def checked_at(self, board_id: int) -> datetime | None:
        """When a board was last read, possibly by an earlier run of the program."""
        return _fetched(self._loop_cache, board_id).read_at

    async def last_read(self, board_id: int) -> datetime | None:
        """When all of a board was known to be current, by whichever program; None for never."""
        return (await self._disk.run(_fetched, self._cache, board_id)).read_at

    async def last_reads(self, board_ids: Sequence[int]) -> dict[int, datetime]:
        """When these boards were known to be current, as far as they ever were."""
        return await self._disk.run(_last_reads, self._cache, board_ids)

    async def known(self, board_id: int, *, is_cached: bool) -> BoardFreshness:
        """The freshness of a board; `is_cached` says whether its tasks are in the cache."""
        fetched = await self._disk.run(_fetched, self._cache, board_id)
        return BoardFreshness(
            is_cached=is_cached,
            since=fetched.synced_at,
            is_complete=fetched.is_complete,
            synced=self._ago(self._heard_at.get(board_id), fetched.heard_at),
            fetched=self._ago(self._whole_at.get(board_id), fetched.checked_at),
            frame_fetched=self._ago(self._framed_at.get(board_id)),
            deleted=self._ago(self._deleted_at.get(board_id)),
            running=self._clock.elapsed() - self._started_at,
            size=fetched.size,
            seconds=fetched.seconds,
            is_behind=board_id in self.behind,
            activity_id=fetched.activity_id,
        )

    def _ago(self, ours: float | None, anybodys: datetime | None = None) -> float | None:
        # Own times are monotonic, those of any program wall-clock times. One in the future is
        # ignored, as the clock was set back: the board would count as fresh until the clock is
        # there again.
        ages = [] if ours is None else [self._clock.elapsed() - ours]
        if anybodys is not None:
            age = (self._clock.now() - anybodys).total_seconds()
            ages += [age] if age >= 0 else []
        return min(ages, default=None)

    async def mark_fetched(
        self, board_id: int, asked_at: float, moment: datetime, synced_at: str, cost: Cost
    ) -> None:
        """A full fetch was requested at `asked_at` (monotonic) and has been merged."""
        # The time of the request, not of the reply: what happens in between may not be in it. With
        # the time of the reply it would later be noted as newer than it is, and be listed once more
        # beside its entry in the log. In memory first, so that nobody fetches the board again while
        # this is written.
        self._whole_at[board_id] = self._heard_at[board_id] = self._framed_at[board_id] = asked_at
        self.behind.discard(board_id)
        # As wall-clock time, which all programs share.
        heard_at = min(moment, self._when(asked_at))
        await self._keep_fetched(board_id, moment, heard_at, synced_at, cost)

    def _when(self, elapsed: float) -> datetime:
        return self._clock.now() - timedelta(seconds=self._clock.elapsed() - elapsed)

    async def _keep_fetched(
        self, board_id: int, moment: datetime, heard_at: datetime, synced_at: str, cost: Cost
    ) -> None:
        # What reports of changes and the activity log say stays: a full fetch does not say it.
        await self._disk.run(
            self._cache.execute,
            """insert into freshness (board_id, checked_at, heard_at, synced_at, size, seconds)
               values (:id, :moment, :heard_at, :synced_at, :size, :seconds)
               on conflict do update set
               checked_at = :moment, heard_at = :heard_at, synced_at = :synced_at,
               size = :size, seconds = :seconds""",
            {
                "id": board_id,
                "moment": moment.isoformat(),
                "heard_at": heard_at.isoformat(),
                "synced_at": synced_at,
                **cost._asdict(),
            },
        )

    async def list_version(self) -> str:
        """The version of the list of boards that was fetched last; empty if not known."""
        return (await self._disk.run(_fetched, self._cache, BOARD_LIST)).synced_at

    async def keep_list_version(self, version: str) -> None:
        """Record the version of the list of boards that was just fetched."""
        now = self._clock.now()
        await self._keep_fetched(BOARD_LIST, now, now, version, Cost())

    def mark_frame_fetched(self, board_id: int) -> None:
        """A board was fetched without its tasks."""
        self._framed_at[board_id] = self._clock.elapsed()

    def mark_deleted(self, board_id: int) -> None:
        """The user deleted a task of a board."""
        self._deleted_at[board_id] = self._clock.elapsed()

    async def mark_synced(self, board_id: int, asked_at: float, changes: BoardChanges) -> None:
        """The changes reported for a board, requested at `asked_at` (monotonic), are merged."""
        self._heard_at[board_id] = asked_at
        await self._disk.run(
            self._cache.execute,
            """update freshness set heard_at = :heard_at, synced_at = :synced_at,
               is_complete = :is_complete where board_id = :id""",
            {
                "id": board_id,
                "heard_at": self._when(asked_at).isoformat(),
                "synced_at": changes.synced_at,
                "is_complete": changes.is_complete,
            },
        )

    async def set_newest_activity(self, board_id: int, activity_id: int) -> None:
        """Record the id of the newest activity of a board."""
        await self._disk.run(
            self._cache.execute,
            "update freshness set activity_id = :activity_id where board_id = :id",
            {"id": board_id, "activity_id": activity_id},
        )
