"""The connection to the service, and the sync status of each board.

The store works without a connection; only calls that need the service wait for it briefly and then
raise. A problem is shown as long as it lasts and is cleared by the next successful response.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple, Self

from tui.client.capabilities import Feature
from tui.client.errors import REFUSALS, ApiError, UnexpectedAnswer, WrongCredentials
from tui.errors import CallboardError
from tui.store.clock import Clock, sleep_or
from tui.store.events import Listeners, Loading, PendingState, StatusChanged, SyncStatus
from tui.store.files.database import problem_of
from tui.store.operations.base import Subject
from tui.store.outbox.queue import Queue
from tui.store.remote import Remote

FRESH_SECONDS = 15.0
"""Seconds for which a response counts as the current state."""
_PATIENCE = 5.0

Reconnect = Callable[[], Awaitable[None]]
"""Tries to connect once more."""


class ConnectionProblem(NamedTuple):
    """Why requests fail, and what the user can do about it; the service may be reached though."""

    problem: str = ""
    remedy: str = ""
    is_reached: bool = False

    @classmethod
    def of(cls, error: CallboardError | sqlite3.Error) -> Self:
        """That of a failed request; a remedy is given unless the error passes by itself."""
        remedy = error.hint if isinstance(error, ApiError) and not error.is_passing else ""
        return cls(problem_of(error), remedy, is_reached(error))


def is_reached(error: CallboardError | sqlite3.Error) -> bool:
    """Whether the service is there, although a request failed or its answer cannot be kept."""
    if isinstance(error, UnexpectedAnswer):  # with a status it may be a page of the network
        return error.status is None
    if isinstance(error, ApiError):
        is_answer = error.status is not None and not error.is_passing
        return is_answer or isinstance(error, REFUSALS)
    return isinstance(error, sqlite3.Error)


class StoreConnection:
    """Holds the `remote`, which is set some time after the start.

    `problem` is why there is none, which applies to every board.
    """

    def __init__(self, listeners: Listeners, clock: Clock) -> None:
        self._listeners = listeners
        self._clock = clock
        self.remote: Remote | None = None
        self._connected = asyncio.Event()
        self.problem = ConnectionProblem()
        self._reconnect: Reconnect | None = None

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        return None if self.remote is None else self.remote.offers(feature)

    def connect(self, remote: Remote, reconnect: Reconnect | None = None) -> None:
        """Set the remote; `reconnect` builds a new one from the current settings."""
        self.remote, self.problem, self._reconnect = remote, ConnectionProblem(), reconnect
        self._connected.set()
        self._listeners.notify(StatusChanged(None))

    def suspend_if_rejected(self, error: Exception) -> None:
        """Drop the connection if the service rejected the password.

        Services lock accounts after repeated wrong passwords, so nothing is sent until the user
        asks for it, provided that there is a way to reconnect.
        """
        if self._reconnect is not None and isinstance(error, WrongCredentials):
            self.remote = None
            self._connected.clear()
            self.failed(error, reconnect=self._reconnect)

    def failed(self, error: CallboardError, *, reconnect: Reconnect) -> None:
        """Report that there is no connection; `reconnect` is called at every refresh."""
        self.problem = ConnectionProblem(error.message, error.hint, is_reached(error))
        self._reconnect = reconnect
        self._listeners.notify(StatusChanged(None))

    async def reconnect_if_failed(self) -> None:
        """Reconnect if there is no connection. Raises `CallboardError` if it fails again."""
        if self.remote is None and self._reconnect is not None:
            await self._reconnect()

    async def required(self) -> Remote:
        """The remote, waiting a few seconds for it. Raises `CallboardError` if there is none."""
        # Known to be unreachable, so nothing is waited for.
        if self.problem.problem:
            raise ApiError(self.problem.problem, hint=self.problem.remedy, is_passing=True)
        await sleep_or(self._connected, _PATIENCE, self._clock)
        if self.remote is None:
            raise CallboardError(
                "There is no connection to the service yet, so nothing was done.",
                hint="Try again in a moment.",
            )
        return self.remote


class StatusTracker:
    """The sync status of each board: last successful check, problems, and requests in progress.

    Board id None is the list of boards; connection problems apply to all, and one of sending lasts
    as long as there is something to send. `checked_at` is when the service last responded for each
    board, `settled` how many changes of it are no longer to be sent since the start.
    """

    def __init__(
        self, connection: StoreConnection, queue: Queue, listeners: Listeners, clock: Clock
    ) -> None:
        self._connection = connection
        self._queue = queue
        self._listeners = listeners
        self._clock = clock
        self.checked_at: dict[int | None, datetime] = {}
        self._troubles: dict[int | None, ConnectionProblem] = {}
        self._send_troubles: dict[int | None, ConnectionProblem] = {}
        self._busy: Counter[int] = Counter()
        self._loading: dict[int | None, Loading] = {}
        self.settled: Counter[int] = Counter()
        self._settled_before: dict[int, int] = {}

    def status(self, board_id: int | None = None) -> SyncStatus:
        """The status line's data: freshness of a board and its pending changes."""
        if board_id is None:
            states = Counter(entry.state for entry in self._queue.all())
        else:
            board_id = self._queue.current_id(board_id)
            states = self._queue.states(board_id)
        going = states[PendingState.WAITING] + states[PendingState.SENDING]
        # The first that applies: of the board, of sending, of the connection, of other programs.
        trouble = self._troubles.get(board_id)
        if trouble is None and going:
            trouble = self._send_troubles.get(board_id)
        trouble = trouble or self._connection.problem
        if not trouble.problem and board_id is not None:
            trouble = ConnectionProblem(self._queue.held_up_by(board_id), is_reached=True)
        sent = self.settled[board_id] - self._settled_before.get(board_id, 0) if board_id else 0
        is_sending = board_id in self._settled_before and going > 0
        return SyncStatus(
            sent=sent if is_sending else 0,
            to_send=sent + going if is_sending else 0,
            pending=going,
            refused=states[PendingState.REFUSED],
            conflicts=states[PendingState.CONFLICT],
            unsure=states[PendingState.UNSURE],
            losses=len(self._queue.losses),
            checked_at=self.checked_at.get(board_id),
            busy=board_id is not None and self._busy[board_id] > 0,
            problem=trouble.problem,
            remedy=trouble.remedy,
            is_reached=trouble.is_reached,
            loading=self._loading.get(board_id),
        )

    def answered(self, board_id: int | None) -> datetime:
        """Record a successful response for this board and clear its problem; returns the time."""
        now = self.checked_at[board_id] = self._clock.now()
        self._troubles.pop(board_id, None)
        self._send_troubles.pop(board_id, None)
        self._listeners.notify(StatusChanged(board_id))
        return now

    def loading(self, board_id: int, loading: Loading | None) -> None:
        """Set the progress of the first fetch of a board; None when it has ended."""
        if loading is None:
            self._loading.pop(board_id, None)
        else:
            self._loading[board_id] = loading
        self._listeners.notify(StatusChanged(board_id))

    def failed(self, board_id: int | None, problem: ConnectionProblem) -> None:
        """Record that the service did not respond, or not usefully."""
        self._troubles[board_id] = problem
        self._listeners.notify(StatusChanged(board_id))

    def failed_by(self, board_id: int | None, error: CallboardError | sqlite3.Error) -> None:
        """Record a failed request."""
        self.failed(board_id, ConnectionProblem.of(error))
        self._connection.suspend_if_rejected(error)

    def sending_failed(self, board_id: int, error: ApiError) -> None:
        """Record that a change could not be sent, as `failed_by` does for other requests."""
        self._send_troubles[board_id] = ConnectionProblem.of(error)
        self._listeners.notify(StatusChanged(board_id))
        self._connection.suspend_if_rejected(error)

    def has_problem(self, board_id: int) -> bool:
        """Whether the last poll of a board failed, in this program or another one."""
        return board_id in self._troubles

    def merge_other_poll(
        self, board_id: int, answered_at: datetime | None, problem: ConnectionProblem
    ) -> bool:
        """Merge the result of another program's poll; returns whether a problem went away."""
        former = self.checked_at.get(board_id)
        previous = self._troubles.get(board_id, self._connection.problem).problem
        is_newer = answered_at is not None and (former is None or answered_at > former)
        if answered_at is not None and is_newer:
            self.checked_at[board_id] = answered_at
        if problem.problem:
            self._troubles[board_id] = problem
        elif is_newer:
            # An older response does not end a problem that this program had since.
            self._troubles.pop(board_id, None)
        current = self._troubles.get(board_id, self._connection.problem).problem
        if is_newer or current != previous:
            self._listeners.notify(StatusChanged(board_id))
        return bool(previous and not current)

    @contextmanager
    def sending(self, board_id: int) -> Iterator[None]:
        """While this runs, the status counts how many of the board's changes were sent."""
        self._settled_before[board_id] = self.settled[board_id]
        try:
            yield
        finally:
            del self._settled_before[board_id]

    @contextmanager
    def busy(self, board_id: int) -> Iterator[None]:
        """While this runs, the status shows a request in progress for this board."""
        self._busy[board_id] += 1
        self._listeners.notify(StatusChanged(board_id))
        try:
            yield
        finally:
            self._busy[board_id] -= 1
            self._listeners.notify(StatusChanged(board_id))


class LastSeen:
    """When the service last returned each thing, by the monotonic clock.

    A board id alone stands for the board with all its tasks.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heard_at: dict[Subject | int, float] = {}

    def mark(self, *things: Subject | int) -> None:
        """Record that the service just returned these things."""
        self._heard_at |= dict.fromkeys(things, self._clock.elapsed())

    def clear(self) -> None:
        """Forget all times: after an outage, older responses may be stale."""
        self._heard_at.clear()

    def is_fresh(self, thing: Subject | int) -> bool:
        """Whether a thing was returned within `FRESH_SECONDS`."""
        at = self._heard_at.get(thing)
        return at is not None and self._clock.elapsed() - at < FRESH_SECONDS
