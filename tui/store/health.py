"""How the service answers, board by board: what the status line says.

The rule it keeps: a problem is told in words as long as it lasts, and gone with the first answer.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from tui.store.clock import Clock
from tui.store.listeners import Listeners
from tui.store.protocol import StatusChanged, SyncStatus, WaitingState
from tui.store.queue import Queue


class Health:
    """When each board was last checked, what keeps it from being checked, and who is at it."""

    def __init__(self, queue: Queue, listeners: Listeners, clock: Clock) -> None:
        self._queue = queue
        self._listeners = listeners
        self._clock = clock
        self._checked: dict[int, datetime] = {}
        self._problems: dict[int, str] = {}
        self._busy: Counter[int] = Counter()

    def status(self, board_id: int) -> SyncStatus:
        """How fresh a board is and what is on its way."""
        states = [entry.state for entry in self._queue.of(board_id)]
        refused = states.count(WaitingState.REFUSED)
        return SyncStatus(
            on_the_way=len(states) - refused,
            refused=refused,
            checked_at=self._checked.get(board_id),
            busy=self._busy[board_id] > 0,
            problem=self._problems.get(board_id, ""),
        )

    def answered(self, board_id: int) -> datetime:
        """The service answered for this board; returns when that is."""
        now = self._checked[board_id] = self._clock.now()
        self._problems.pop(board_id, None)
        self._listeners.tell(StatusChanged(board_id))
        return now

    def failed(self, board_id: int, problem: str) -> None:
        """The service did not answer, or the answer is of no use."""
        self._problems[board_id] = problem
        self._listeners.tell(StatusChanged(board_id))

    def remember(self, board_id: int, checked_at: datetime | None) -> None:
        """When a board was last checked by an earlier start of the program, if ever."""
        if checked_at is not None:
            self._checked.setdefault(board_id, checked_at)

    @contextmanager
    def busy(self, board_id: int) -> Iterator[None]:
        """Something is being asked or sent for this board."""
        self._busy[board_id] += 1
        self._listeners.tell(StatusChanged(board_id))
        try:
            yield
        finally:
            self._busy[board_id] -= 1
            self._listeners.tell(StatusChanged(board_id))
