"""Waits on the service for the next change of a board, where the service can do that.

Changes that follow each other closely are taken together, and so are the user's own, whose replies
are merged already: each ends a wait as a change by somebody else does.
"""

import asyncio
from enum import Enum, auto

from tui.client.capabilities import Feature
from tui.store.clock import sleep_or, unless
from tui.store.core import Core

LONGEST_SECONDS = 30.0
"""The longest time that a wait takes."""
_TOO_SOON = 1.0
"""A service that says sooner that nothing has changed did not wait."""
_GAP = 0.25
_OWN_PAUSE = 1.0
_LONGEST_GAP = 5.0
_MOST_FRUITLESS = 10


class Waited(Enum):
    """How a wait ended: the board has changed (or it was interrupted), it has not, or no wait."""

    CHANGED = auto()
    UNCHANGED = auto()
    NOT_POSSIBLE = auto()


class Waiting:
    """Waits for changes of one board at a time."""

    def __init__(self, core: Core) -> None:
        self._connection = core.connection
        self._freshness = core.freshness
        self._status_tracker = core.status_tracker
        self._clock = core.clock
        self._fruitless = 0
        self._changed_at = -_GAP

    @property
    def is_possible(self) -> bool:
        """Whether the service is known to wait."""
        return self._connection.offers(Feature.WAITING_FOR_CHANGES) is True

    async def wait(self, board_id: int, wake: asyncio.Event, work: float) -> Waited:
        """Wait until a board changes, at the latest until `wake` is set.

        `work` is how many seconds it took to merge the last change; as long is paused before the
        next one is. Raises `ApiError`, which is `NotOffered` if the service does not wait.
        """
        known = await self._freshness.known(board_id, is_cached=True)
        remote = self._connection.remote
        if remote is None or not self.is_possible or not known.since or known.is_behind:
            return Waited.NOT_POSSIBLE
        begun, settled = self._clock.elapsed(), self._status_tracker.settled[board_id]
        is_changed = await unless(wake, remote.wait_for_change(board_id, known.since))
        now = self._clock.elapsed()
        if is_changed is None:
            return Waited.CHANGED
        if not is_changed:
            self._fruitless = 0
            return Waited.NOT_POSSIBLE if now - begun < _TOO_SOON else Waited.UNCHANGED
        status = self._status_tracker.status(board_id)
        is_own = status.busy or status.pending or self._status_tracker.settled[board_id] != settled
        if is_own:
            self._fruitless = 0
            pause = _OWN_PAUSE
        else:
            gap = min(_GAP * 2.0**self._fruitless, _LONGEST_GAP)
            pause = self._changed_at + max(gap, work) - now
        if pause > 0:
            await sleep_or(wake, pause, self._clock)
        self._changed_at = self._clock.elapsed()
        return Waited.CHANGED

    def note_merged(self, *, is_different: bool) -> None:
        """The changes were merged; the board looks different or not.

        The gaps grow while nothing does, as a service might tell of changes all the time.
        """
        self._fruitless = 0 if is_different else min(self._fruitless + 1, _MOST_FRUITLESS)
