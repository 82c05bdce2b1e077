"""Times on the site's wall, and the same moments on the wall of the person.

A service tells due dates and the like as its site's clock shows them and names no zone; the
profile may. created_at and updated_at are true moments and never come here.

Who says no zone gets what came, unchanged. A wall time that a clock shows twice
is the first of the two; one that a clock skips is as much later as the clock was put forward.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tui.errors import CallboardError

WALL_FORMAT = "%Y-%m-%d %H:%M:%S"
WALL_FIELDS = ("due_at", "started_at", "archived_at", "last_completed_at", "remind_at")
"""What of a task is told in the site's time."""

_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_MOST_HOURS, _MINUTES = 14, 60


class UnknownZone(CallboardError):
    """A time zone in a profile that does not exist."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no time zone “{name}”.",
            hint="Write a name such as Europe/Berlin, or an offset such as +06:00.",
        )


def parse_zone(name: str) -> tzinfo:
    """A zone by its name, `Asia/Dhaka`, or by its offset, `+06:00`. Raises `UnknownZone`."""
    text = name.strip()
    if text.upper() in {"UTC", "GMT", "Z"}:
        return UTC
    offset = _OFFSET.fullmatch(text)
    if offset:
        hours, minutes = int(offset[2]), int(offset[3] or 0)
        if hours <= _MOST_HOURS and minutes < _MINUTES:
            ahead = timedelta(hours=hours, minutes=minutes)
            return timezone(ahead if offset[1] == "+" else -ahead)
        raise UnknownZone(text)
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(text) from None


@dataclass(frozen=True, slots=True)
class SiteTime:
    """Turns wall times of the site into those of the person and back.

    `site` is None where it is not known, and then the person's own; `person` is None for the zone
    of this machine.
    """

    site: tzinfo | None = None
    person: tzinfo | None = None

    @classmethod
    def of(cls, name: str | None) -> Self:
        """The clock of a site in the zone of that name. Raises `UnknownZone`."""
        return cls(None if not name else parse_zone(name))

    def to_person(self, wall: datetime) -> datetime:
        """A naive time on the site's wall as the person's wall shows it."""
        if self.site is None:
            return wall
        return _carried(wall, self.site, self.person)

    def to_site(self, wall: datetime) -> datetime:
        """A naive time on the person's wall as the site's wall shows it."""
        if self.site is None:
            return wall
        return _carried(wall, self.person, self.site)

    def localised(self, task: dict[str, Any]) -> dict[str, Any]:
        """A task as it came, with the site's times as the person's wall shows them."""
        if self.site is None:
            return task
        walls = {name: read_wall(task.get(name)) for name in WALL_FIELDS}
        told = {name: self.to_person(wall) for name, wall in walls.items() if wall is not None}
        return {**task, **{name: wall.isoformat(" ") for name, wall in told.items()}}


OWN_CLOCK = SiteTime()
"""That of a site whose clock is the person's."""


def read_wall(value: object) -> datetime | None:
    """A naive wall time from the text of one; None for everything else, zero dates too."""
    if not isinstance(value, str) or value.startswith("0000"):
        return None
    try:
        wall = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return wall.replace(tzinfo=None, microsecond=0)


def _carried(wall: datetime, origin: tzinfo | None, target: tzinfo | None) -> datetime:
    """The same moment on another wall; a time at the ends of the calendar stays as it is."""
    first = wall.replace(fold=0)
    try:
        moment = first.astimezone(UTC) if origin is None else first.replace(tzinfo=origin)
        return moment.astimezone(target).replace(tzinfo=None, fold=0)
    except (OverflowError, ValueError, OSError):
        return wall
