"""Time as the service tells it.

Nobody asks the machine for the time but through `Site`, so that tests can hold it still. Two
formats leave the service (section 2.2): ISO 8601 in UTC for created_at and updated_at, and
`YYYY-MM-DD HH:MM:SS` in the site's own zone, without naming it, for all others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

Clock = Callable[[], datetime]
"""Says what time it is, as an aware datetime."""

WALL_FORMAT = "%Y-%m-%d %H:%M:%S"


def utc_now() -> datetime:
    """The machine's time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the service stands: its clock and its zone; no zone means the machine's own."""

    clock: Clock = utc_now
    zone: tzinfo | None = None

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return self.clock().astimezone(UTC)

    def wall(self, moment: datetime) -> str:
        """An aware moment as `YYYY-MM-DD HH:MM:SS` on the site's clock."""
        return moment.astimezone(self.zone).strftime(WALL_FORMAT)

    def parse_wall(self, value: str) -> str:
        """Dates as people and programs write them, as `YYYY-MM-DD HH:MM:SS`.

        Takes a date, a date with a time, and ISO 8601; a zone is converted to the site's. Raises
        `ValueError` for anything else, the zero date too.
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
    """An aware moment as ISO 8601 in UTC with `+00:00`, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
