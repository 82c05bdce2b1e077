"""Hearing of what others did.

The rule it keeps: the board that is looked at is asked for every few seconds, cheaply where the
service can tell whether anything changed, less often when nothing happens or the service does not
answer, and never so often that asking is all that is done.
"""

import asyncio
import logging
import sqlite3
from datetime import datetime, timedelta

from tui.api.errors import ApiError
from tui.store import background
from tui.store.clock import Clock, sleep_or
from tui.store.connection import Connection
from tui.store.delivery import Delivery
from tui.store.health import Health
from tui.store.reloading import Reloading
from tui.store.remote import Remote
from tui.store.shelf import Shelf

logger = logging.getLogger(__name__)

_MISTAKE = "Asking for news stopped by a mistake of this program; no change was lost."
_SLOW_SECONDS = 60.0
_QUIET_AFTER = timedelta(minutes=10)
_WHOLE_EVERY = timedelta(minutes=5)
_BOARDS_EVERY = timedelta(minutes=1)
_REST_PER_WORK = 20


class Sync:
    """Polls the opened board and the list of boards from when the service is connected.

    `every` is how many seconds lie between two questions while something happens.
    """

    def __init__(
        self,
        *,
        shelf: Shelf,
        reloading: Reloading,
        connection: Connection,
        delivery: Delivery,
        health: Health,
        clock: Clock,
        every: float,
    ) -> None:
        self._shelf = shelf
        self._reloading = reloading
        self._connection = connection
        self._delivery = delivery
        self._health = health
        self._clock = clock
        self._every = every
        self._opened: int | None = None
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._failures = 0
        self._last_work = timedelta()
        self._active_at = clock.now()
        self._whole_at: dict[int, datetime] = {}
        self._boards_at: datetime | None = None

    def start(self) -> None:
        """The service is connected."""
        if self._loop is None:
            self._loop = background.start(self._poll(), self._stopped)
        self._wake.set()

    async def aclose(self) -> None:
        """Stop."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
            self._loop = None

    def open(self, board_id: int | None) -> None:
        """Look at this board from now on, or at none."""
        self._opened = board_id
        if board_id is not None:
            self.something_happened()
            self._wake.set()

    def something_happened(self) -> None:
        """Somebody is at it, so ask often again."""
        self._active_at = self._clock.now()

    async def refresh(self, board_id: int | None) -> None:
        """Ask now, for a board or for the list of boards; problems are told by the status.

        Raises `CallboardError` if there is no connection and none can be made.
        """
        if self._connection.remote is None:
            await self._connection.try_again()
        if self._connection.remote is None:
            self._wake.set()
            return
        self.something_happened()
        try:
            if board_id is None:
                await self._ask_for_boards()
            else:
                await self._ask_for_whole(board_id)
        except (ApiError, sqlite3.Error) as error:
            self._fail(board_id, error)
        else:
            self._delivery.nudge_all()

    async def _poll(self) -> None:
        while True:
            self._wake.clear()
            opened = self._opened
            remote = self._connection.remote
            started = self._clock.now()
            try:
                if remote is not None:
                    await self._ask(remote, opened)
            except (ApiError, sqlite3.Error) as error:
                self._failures += 1
                self._fail(opened, error)
            else:
                if self._failures:
                    self._delivery.nudge_all()
                self._failures = 0
            self._last_work = self._clock.now() - started
            await sleep_or(self._wake, self._pause(), self._clock)

    async def _ask(self, remote: Remote, opened: int | None) -> None:
        if self._boards_at is None or self._clock.now() - self._boards_at >= _BOARDS_EVERY:
            await self._ask_for_boards()
        if opened is not None and await self._may_have_changed(remote, opened):
            await self._ask_for_whole(opened)

    async def _ask_for_boards(self) -> None:
        await self._reloading.reload_boards()
        self._boards_at = self._health.answered(None)

    async def _ask_for_whole(self, board_id: int) -> None:
        if await self._reloading.reload(board_id):
            self.something_happened()
        self._whole_at[board_id] = self._clock.now()

    async def _may_have_changed(self, remote: Remote, board_id: int) -> bool:
        """Whether to fetch the whole board; services do not tell of everything, so now and then.

        An answer that refuses the question is not a problem: it means that the time is too old.
        """
        since = self._shelf.synced_at(board_id)
        whole_at = self._whole_at.get(board_id)
        if not since or whole_at is None or self._clock.now() - whole_at >= _WHOLE_EVERY:
            return True
        try:
            changed = await remote.has_changed(board_id, since)
        except ApiError as error:
            if error.status is None:
                raise
            return True
        if changed is False:
            self._health.answered(board_id)
        return changed is not False

    def _stopped(self) -> None:
        if self._opened is not None:
            self._health.failed(self._opened, _MISTAKE)

    def _fail(self, board_id: int | None, error: Exception) -> None:
        logger.info("Asking for board %s failed: %s", board_id, error)
        # What passes by itself needs nothing from a person.
        remedy = error.hint if isinstance(error, ApiError) and not error.is_passing else ""
        self._health.failed(board_id, str(error), remedy)
        if self._connection.heed(error):
            self._health.cut_off(str(error), remedy)

    def _pause(self) -> float:
        if self._failures:
            return min(
                max(_SLOW_SECONDS, self._every), self._every * 2.0 ** min(self._failures - 1, 10)
            )
        is_quiet = self._clock.now() - self._active_at >= _QUIET_AFTER
        pause = max(_SLOW_SECONDS, self._every) if is_quiet else self._every
        return max(pause, _REST_PER_WORK * self._last_work.total_seconds())
