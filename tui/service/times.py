"""The service's clock, time zone and time formats.

Everything takes the time from `SiteClock`, so that tests control it. There are two formats (section
2.2): ISO 8601 in UTC for created_at and updated_at, and `YYYY-MM-DD HH:MM:SS` in the site's zone,
without naming it, for all others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

Clock = Callable[[], datetime]
"""Returns the time, aware."""

WALL_FORMAT = "%Y-%m-%d %H:%M:%S"


def utc_now() -> datetime:
    """The machine's time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class SiteClock:
    """The site's clock and zone; None means the machine's zone."""

    clock: Clock = utc_now
    zone: tzinfo | None = None

    def now(self) -> datetime:
        """The current time, in UTC."""
        return self.clock().astimezone(UTC)

    def wall(self, moment: datetime) -> str:
        """An aware time as `YYYY-MM-DD HH:MM:SS` in the site's zone."""
        return moment.astimezone(self.zone).strftime(WALL_FORMAT)

    def parse_wall(self, value: str) -> str:
        """Parse a date in one of the usual formats; returns `YYYY-MM-DD HH:MM:SS`.

        Accepts a date, a date with a time, and ISO 8601; a zone is converted to the site's. Raises
        `ValueError` for anything else, also for a zero date.
        """
        value = value.strip()
        if len(value) == len("YYYY-MM-DD"):
            return datetime.combine(date.fromisoformat(value), time()).strftime(WALL_FORMAT)
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is not None:
            moment = moment.astimezone(self.zone)
        if moment.year < 1000:  # noqa: PLR2004 - strftime pads no shorter years
            raise ValueError(value)
        return moment.strftime(WALL_FORMAT)


def iso(moment: datetime) -> str:
    """An aware time as ISO 8601 in UTC with `+00:00`, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
