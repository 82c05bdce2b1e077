"""What time it is at a service, in which zone, and in which zone a profile reads its times."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from tui.client.client import Client
from tui.client.discovery import read_site
from tui.client.errors import ApiError
from tui.client.records import BoardRecord
from tui.client.site_time import parse_zone
from tui.config.profiles import Profile

_QUARTER = timedelta(minutes=15)
_HALF_YEAR = timedelta(days=182)
_HALF_A_DAY = timedelta(hours=12)
"""Services look back a day at most, whatever zone they are in."""
_SINCE = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True, slots=True)
class SiteClock:
    """The clock of a service's site.

    `ahead` is by how much it is ahead of this machine's; None where it does not tell the time.
    `zone` is empty where it is not known. `off_by` is by how much the profile misreads its times.
    """

    ahead: timedelta | None = None
    zone: str = ""
    off_by: timedelta = timedelta()


async def site_clock(profile: Profile, client: Client, board: BoardRecord | None) -> SiteClock:
    """Ask a service, and the index of its site, for time and zone."""
    told = None if board is None else await _told_time(client, board)
    ahead, offset = told or (None, None)
    try:
        site = await read_site(profile.url, ca_file=profile.ca_file)
    except ApiError:
        site = None
    now = datetime.now(UTC)
    if site is not None and site.timezone:
        # Two zones may agree in winter only.
        off_by = misread_by(site.timezone, profile.timezone, now) or misread_by(
            site.timezone, profile.timezone, now + _HALF_YEAR
        )
        return SiteClock(ahead, site.timezone, off_by)
    if offset is None:
        return SiteClock(ahead)
    zone = str(timezone(offset)).removeprefix("UTC") or "+00:00"
    return SiteClock(ahead, zone, misread_by(zone, profile.timezone, now))


async def _told_time(client: Client, board: BoardRecord) -> tuple[timedelta, timedelta] | None:
    """By how much the service's clock is ahead, and the offset of its zone from UTC.

    It tells the time on its own wall and names no zone: whole quarters of an hour are taken for
    the zone. None where it does not tell the time.
    """
    asked = datetime.now(UTC)
    try:
        since = (asked - _HALF_A_DAY).strftime(_SINCE)
        changes = await client.boards.ask_changes(board.id, since)
        told = datetime.fromisoformat(changes.synced_at.partition(".")[0])
    except (ApiError, ValueError):
        return None
    middle = asked + (datetime.now(UTC) - asked) / 2
    apart = told.replace(tzinfo=UTC) - middle
    offset = round(apart / _QUARTER) * _QUARTER
    return (apart - offset, offset) if abs(offset) < timedelta(days=1) else None


def misread_by(site: str, own: str, moment: datetime) -> timedelta:
    """By how much times of a site in the zone `site` are off where they are read in `own`.

    `own` may be empty for the zone of this machine.
    """
    return _offset(site, moment) - _offset(own, moment)


def _offset(zone: str, moment: datetime) -> timedelta:
    return moment.astimezone(parse_zone(zone) if zone else None).utcoffset() or timedelta()
