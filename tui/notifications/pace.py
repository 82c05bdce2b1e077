"""When notifications may be sent: at most one a minute, and no news twice.

All programs of the user keep together what was sent. Times are aware wall-clock times; those in the
future, from before the clock was set back, do not count.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.model.work.news import News

PAUSE = timedelta(minutes=1)
GATHER = timedelta(seconds=2)
"""So long news wait for others to be sent with them, and for the user to see them."""
KEPT = timedelta(hours=2)
"""So long it is known what was sent: no news is found again after that."""


class Waiting(NamedTuple):
    """News that are not sent yet; `was_marked` says that the card was marked as unseen."""

    news: News
    since: datetime
    was_marked: bool = False


def moment(waiting: Sequence[Waiting], sent_at: datetime | None, now: datetime) -> datetime | None:
    """When the news that wait may be sent; None if there are none."""
    if not waiting:
        return None
    gathered = min(each.since for each in waiting) + GATHER
    return gathered if sent_at is None or sent_at > now else max(gathered, sent_at + PAUSE)


def unsent(waiting: Sequence[Waiting], sent: Mapping[str, datetime]) -> list[Waiting]:
    """Those that were not sent by any program, each once."""
    first: dict[str, Waiting] = {}
    for each in waiting:
        first.setdefault(each.news.key, each)
    return [each for key, each in first.items() if key not in sent]


def remembered(sent: Mapping[str, datetime], now: datetime) -> dict[str, datetime]:
    """What was sent lately."""
    return {key: at for key, at in sent.items() if timedelta() <= now - at < KEPT}
