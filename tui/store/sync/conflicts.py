"""Whether somebody else was faster.

The rule it keeps: a change that waited is compared with what the service has now before it is
sent, and one that was asked for a moment ago is not, because nobody was faster than that. What was
heard of a thing in the last seconds counts as what it is now, so that a long queue is not twice as
long on the wire.
"""

from datetime import datetime, timedelta

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


def is_worth_a_list(waiting: int) -> bool:
    """Whether so many changes wait that asking for the whole board is the shorter way."""
    return waiting >= _MANY
