"""Requests that wait for the next change of a board, and the thread that follows other processes.

A request registers before it looks at the board, so that no change comes in between. The thread
pauses while nobody waits.
"""

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

_PATIENCE_SECONDS = 2.0
_log = logging.getLogger(__name__)


class Waiter:
    """A request that waits, on the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Make the request look again; callable from any thread."""
        with suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._woken.set)

    async def woken(self, until: float) -> bool:
        """Wait to be woken, until a time of the loop; returns whether it was."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await self._woken.wait()
        # Nothing is awaited up to `clear`, so no wake can get lost between the two.
        was_woken = self._woken.is_set()
        self._woken.clear()
        return was_woken


class Waiters:
    """The requests of this process that wait for changes.

    `follow` is run on a thread from the first one on, to wake them for changes by other processes;
    it returns when these waiters are closed.
    """

    def __init__(self, follow: Callable[["Waiters"], None]) -> None:
        self._follow = follow
        self._lock = threading.Condition()
        self._by_board: defaultdict[int, set[Waiter]] = defaultdict(set)
        self._follower: threading.Thread | None = None
        self.is_closed = False

    @property
    def count(self) -> int:
        """How many requests wait."""
        with self._lock:
            return sum(map(len, self._by_board.values()))

    @contextmanager
    def registered(self, board_id: int) -> Iterator[Waiter]:
        """A waiter that is woken by every change of a board, for the duration of the block."""
        waiter = Waiter()
        with self._lock:
            self._by_board[board_id].add(waiter)
            if self._follower is None and not self.is_closed:
                self._follower = threading.Thread(
                    target=self._run, name="changes-by-others", daemon=True
                )
                self._follower.start()
            # The follower pauses while nobody waits.
            self._lock.notify_all()
        try:
            yield waiter
        finally:
            with self._lock:
                self._by_board[board_id].discard(waiter)
                if not self._by_board[board_id]:
                    # An empty set would keep `pause` from pausing.
                    del self._by_board[board_id]

    def wake(self, board_ids: Iterable[int]) -> None:
        """Wake the requests that wait for these boards; call it after the commit."""
        with self._lock:
            woken = [
                waiter for board_id in board_ids for waiter in self._by_board.get(board_id, ())
            ]
        for waiter in woken:
            waiter.wake()

    def wake_all(self) -> None:
        """Wake everybody, as any board may have changed."""
        with self._lock:
            board_ids = list(self._by_board)
        self.wake(board_ids)

    def pause(self, seconds: float) -> bool:
        """For `follow`: pause, longer while nobody waits; returns whether to go on."""
        with self._lock:
            # At least this long even with waiters, then for as long as there are none.
            self._lock.wait_for(lambda: self.is_closed, seconds)
            self._lock.wait_for(lambda: self.is_closed or self._by_board)
            return not self.is_closed

    def end(self) -> None:
        """Stop waiting: every waiting request is woken and answered."""
        with self._lock:
            self.is_closed = True
            self._lock.notify_all()
        self.wake_all()

    def close(self) -> None:
        """Stop waiting, and wait a while for the end of the thread."""
        self.end()
        if self._follower is not None:
            self._follower.join(_PATIENCE_SECONDS)

    def _run(self) -> None:
        try:
            self._follow(self)
        except Exception:  # noqa: BLE001 - those who wait still hear of this process and of the time
            _log.exception("Changes by other processes are not heard of any more")
