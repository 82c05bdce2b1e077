"""Whether somebody else was faster.

The rule it keeps: a change that waited is compared with what the service has now before it is
sent, and one that was asked for a moment ago is not, because nobody was faster than that. What was
heard of a thing in the last seconds counts as what it is now, so that a long queue is not twice as
long on the wire.
"""

from datetime import datetime, timedelta

from tui.store.clock import Clock
from tui.store.operations.base import Subject
from tui.store.outbox.entry import Entry

_A_MOMENT = 15.0
_MANY = 4


def has_waited(entry: Entry, now: datetime, answered_at: datetime | None) -> bool:
    """Whether others had time to change the same since it was asked for.

    They had if the board was heard of since, if it was tried in vain, or if more than a moment
    passed; so they had if the clock was set back meanwhile, because then nobody can say.
    """
    age = now - entry.since
    if entry.attempts or not timedelta() <= age < timedelta(seconds=_A_MOMENT):
        return True
    return answered_at is not None and entry.since < answered_at


class Sightings:
    """When each thing was last heard of, by the clock that nobody sets."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[Subject, float] = {}
        self._boards: dict[int, float] = {}

    def saw(self, subject: Subject) -> None:
        """The service told of a thing."""
        self._seen[subject] = self._clock.elapsed()

    def saw_board(self, board_id: int) -> None:
        """The service told of a board with all its tasks; what was heard before is no news."""
        now = self._boards[board_id] = self._clock.elapsed()
        self._seen = {one: at for one, at in self._seen.items() if now - at < _A_MOMENT}

    def lost_touch(self) -> None:
        """The service did not answer: what was heard before may be old by when it does."""
        self._seen.clear()
        self._boards.clear()

    def is_fresh(self, subject: Subject) -> bool:
        """Whether a thing was heard of in the last seconds, by itself."""
        return self._is_recent(self._seen.get(subject))

    def is_board_fresh(self, board_id: int) -> bool:
        """Whether the board was heard of in the last seconds, with all its tasks."""
        return self._is_recent(self._boards.get(board_id))

    def _is_recent(self, at: float | None) -> bool:
        return at is not None and self._clock.elapsed() - at < _A_MOMENT


def is_worth_a_list(waiting: int) -> bool:
    """Whether so many changes wait that asking for the whole board is the shorter way."""
    return waiting >= _MANY
