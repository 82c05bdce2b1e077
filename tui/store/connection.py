"""The service, once it is reached, and how it answers: what the status line says.

The store works before there is a connection; only what cannot be done without one waits for it, and
says so in words when it does not come. A problem is told in words as long as it lasts, and gone
with the first answer.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from tui.client.capabilities import Feature
from tui.client.errors import ApiError, WrongCredentials
from tui.errors import CallboardError
from tui.store.clock import Clock, sleep_or
from tui.store.events import Listeners, Loading, PendingState, StatusChanged, SyncStatus
from tui.store.operations.base import Subject
from tui.store.outbox.queue import Queue
from tui.store.remote import Remote

FRESH_SECONDS = 15.0
"""For so long what was heard of a thing counts as what it is now."""
_PATIENCE = 5.0

Again = Callable[[], Awaitable[None]]
"""Tries to connect once more."""


class Connection:
    """A place for the `remote`, which comes after the start."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.remote: Remote | None = None
        self._connected = asyncio.Event()
        self._failure: CallboardError | None = None
        self._again: Again | None = None

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        return None if self.remote is None else self.remote.offers(feature)

    def connect(self, remote: Remote, again: Again | None = None) -> None:
        """The service is there from now on; `again` connects anew, with whatever is set then."""
        self.remote, self._failure, self._again = remote, None, again
        self._connected.set()

    def heed(self, error: Exception) -> bool:
        """Ask no more where the password is not accepted, and say whether that is so.

        Services shut people out who come with a wrong password again and again, so this waits for
        a person, where there is a way to connect anew.
        """
        if self._again is None or not isinstance(error, WrongCredentials):
            return False
        self.remote, self._failure = None, error
        self._connected.clear()
        return True

    def failed(self, error: CallboardError, again: Again) -> None:
        """There can be no connection as things are; `again` tries once more."""
        self._failure, self._again = error, again

    async def try_again(self) -> None:
        """Try to connect, where that failed before. Raises `CallboardError` if it fails again."""
        if self.remote is None and self._again is not None:
            await self._again()

    async def required(self) -> Remote:
        """The service, waited for a few seconds. Raises `CallboardError` if it does not come."""
        if self._failure is not None:
            raise ApiError(self._failure.message, hint=self._failure.hint, is_passing=True)
        await sleep_or(self._connected, _PATIENCE, self._clock)
        if self.remote is None:
            raise CallboardError(
                "There is no connection to the service yet, so nothing was done.",
                hint="Try again in a moment.",
            )
        return self.remote


class Trouble(NamedTuple):
    """What keeps the service from answering, and what to do about it."""

    problem: str = ""
    remedy: str = ""


class Health:
    """When each board was last checked, what keeps it from being checked, and who is at it.

    The list of boards is a board here whose id is None; trouble with connecting is everybody's.
    `checked_at` is when the service last answered for each.
    """

    def __init__(
        self, connection: Connection, queue: Queue, listeners: Listeners, clock: Clock
    ) -> None:
        self._connection = connection
        self._queue = queue
        self._listeners = listeners
        self._clock = clock
        self.checked_at: dict[int | None, datetime] = {}
        self._troubles: dict[int | None, Trouble] = {}
        self._apart = Trouble()
        self._busy: Counter[int] = Counter()
        self._loading: dict[int | None, Loading] = {}
        self._settled: Counter[int] = Counter()
        self._settled_before: dict[int, int] = {}

    def status(self, board_id: int | None) -> SyncStatus:
        """How fresh a board is and what is on its way."""
        if board_id is None:
            states = Counter(entry.state for entry in self._queue.all())
        else:
            states = self._queue.states(board_id)
        failing = self._queue.fail_on(board_id)
        going = states[PendingState.WAITING] + states[PendingState.SENDING]
        trouble = self._troubles.get(board_id, self._apart)
        sent = self._settled[board_id] - self._settled_before.get(board_id, 0) if board_id else 0
        is_sending = board_id in self._settled_before and going > 0
        return SyncStatus(
            sent=sent if is_sending else 0,
            to_send=sent + going if is_sending else 0,
            pending=going - failing,
            refused=states[PendingState.REFUSED],
            conflicts=states[PendingState.CONFLICT],
            unsure=states[PendingState.UNSURE],
            failing=failing,
            checked_at=self.checked_at.get(board_id),
            busy=board_id is not None and self._busy[board_id] > 0,
            problem=trouble.problem,
            remedy=trouble.remedy,
            loading=self._loading.get(board_id),
        )

    def answered(self, board_id: int | None) -> datetime:
        """The service answered for this board; returns when that is."""
        now = self.checked_at[board_id] = self._clock.now()
        self._troubles.pop(board_id, None)
        self._listeners.notify(StatusChanged(board_id))
        return now

    def loading(self, board_id: int, loading: Loading | None) -> None:
        """How far a board is that is fetched for the first time; None if it is there."""
        if loading is None:
            self._loading.pop(board_id, None)
        else:
            self._loading[board_id] = loading
        self._listeners.notify(StatusChanged(board_id))

    def failed(self, board_id: int | None, problem: str, remedy: str = "") -> None:
        """The service did not answer, or the answer is of no use."""
        self._troubles[board_id] = Trouble(problem, remedy)
        self._listeners.notify(StatusChanged(board_id))

    def failed_by(self, board_id: int | None, error: Exception) -> None:
        """This came instead of an answer; what passes by itself needs nothing from a person."""
        remedy = error.hint if isinstance(error, ApiError) and not error.is_passing else ""
        self.failed(board_id, str(error), remedy)
        if self._connection.heed(error):
            self.cut_off(str(error), remedy)

    def heard(self, board_id: int, answered_at: datetime | None, problem: str) -> bool:
        """Another program asked for this board, with this outcome; whether trouble is over."""
        known = self.checked_at.get(board_id)
        before = self._troubles.get(board_id, self._apart).problem
        is_newer = answered_at is not None and (known is None or answered_at > known)
        if answered_at is not None and is_newer:
            self.checked_at[board_id] = answered_at
        if problem:
            self._troubles[board_id] = Trouble(problem)
        elif is_newer:
            self._troubles.pop(board_id, None)
        now = self._troubles.get(board_id, self._apart).problem
        if is_newer or now != before:
            self._listeners.notify(StatusChanged(board_id))
        return bool(before and not now)

    def cut_off(self, problem: str = "", remedy: str = "") -> None:
        """There can be no connection as things are; or, without a problem, there is one now."""
        self._apart = Trouble(problem, remedy)
        self._listeners.notify(StatusChanged(None))

    def remember(self, board_id: int, checked_at: datetime | None) -> None:
        """When a board was last checked by an earlier start of the program, if ever."""
        if checked_at is not None:
            self.checked_at.setdefault(board_id, checked_at)

    def settled(self, board_ids: Iterable[int]) -> None:
        """A change of each of these boards needs to be sent no more."""
        self._settled.update(board_ids)

    @contextmanager
    def sending(self, board_id: int) -> Iterator[None]:
        """One change of this board after another is sent; the status counts them."""
        self._settled_before[board_id] = self._settled[board_id]
        try:
            yield
        finally:
            del self._settled_before[board_id]

    @contextmanager
    def busy(self, board_id: int) -> Iterator[None]:
        """Something is being asked or sent for this board."""
        self._busy[board_id] += 1
        self._listeners.notify(StatusChanged(board_id))
        try:
            yield
        finally:
            self._busy[board_id] -= 1
            self._listeners.notify(StatusChanged(board_id))


class LastHeard:
    """When each thing was last heard of, by the clock that nobody sets.

    A board is called by its id alone where it was told with all its tasks.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heard_at: dict[Subject | int, float] = {}

    def saw(self, *things: Subject | int) -> None:
        """The service told of these things."""
        self._heard_at |= dict.fromkeys(things, self._clock.elapsed())

    def lost_touch(self) -> None:
        """The service did not answer: what was heard before may be old by when it does."""
        self._heard_at.clear()

    def is_fresh(self, thing: Subject | int) -> bool:
        """Whether a thing was heard of in the last seconds."""
        at = self._heard_at.get(thing)
        return at is not None and self._clock.elapsed() - at < FRESH_SECONDS
