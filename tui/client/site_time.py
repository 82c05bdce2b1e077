"""Converts wall times between the time zones of the site and of the user.

A service sends due dates and the like as wall times without a zone, which the profile may name.
Time stamps such as created_at are in UTC and not converted here.

Without a zone, values stay unchanged. An ambiguous wall time is the first of the two; one that is
skipped is shifted by the length of the gap.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tui.errors import WrongInput

WALL_FORMAT = "%Y-%m-%d %H:%M:%S"

_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_MOST_HOURS, _MINUTES = 14, 60


class UnknownZone(WrongInput):
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
    """Converts wall times of the site to the user's and back.

    `site` is None if not known, which means the user's zone; `person` is None for the zone of this
    machine.
    """

    site: tzinfo | None = None
    person: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> Self:
        """With the site's zone by name, if that is not empty. Raises `UnknownZone`."""
        return cls(parse_zone(name) if name else None)

    def to_person(self, wall: datetime) -> datetime:
        """A naive wall time of the site, converted to the user's."""
        if self.site is None:
            return wall
        return _converted(wall, self.site, self.person)

    def to_site(self, wall: datetime) -> datetime:
        """A naive wall time of the user, converted to the site's."""
        if self.site is None:
            return wall
        return _converted(wall, self.person, self.site)


OWN_CLOCK = SiteTime()
"""A site in the user's time zone."""


def _converted(wall: datetime, origin: tzinfo | None, target: tzinfo | None) -> datetime:
    """The same moment in another zone; times at the limits of the calendar stay unchanged."""
    first = wall.replace(fold=0)
    # `astimezone` takes a naive time as one of this machine's zone.
    try:
        moment = first.astimezone(UTC) if origin is None else first.replace(tzinfo=origin)
        return moment.astimezone(target).replace(tzinfo=None, fold=0)
    except (OverflowError, ValueError, OSError):
        return wall
