"""Times on the wall of the site and on that of the person."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.deployed_services.deployed import examples
from tui.client.decoding import decode
from tui.client.site_time import SiteTime, UnknownZone, parse_zone
from tui.schema.tasks import Task

BERLIN, DHAKA, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Dhaka"), ZoneInfo("Pacific/Apia")
_zones = st.sampled_from([BERLIN, DHAKA, APIA, UTC, ZoneInfo("America/New_York")])
_walls = st.datetimes(datetime(1971, 1, 1), datetime(2038, 12, 31)).map(  # noqa: DTZ001  wall times
    lambda wall: wall.replace(microsecond=0)
)


def _wall(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("name", "hours"),
    [
        ("UTC", 0),
        ("z", 0),
        ("+06:00", 6),
        ("-0330", -3.5),
        ("+5", 5),
        ("UTC+5:45", 5.75),
        ("GMT -3", -3),
        (" Asia/Dhaka ", 6),
        ("+14:00", 14),
    ],
)
def test_zones_by_name_and_by_offset(name: str, hours: float) -> None:
    moment = datetime(2026, 11, 21, 12, tzinfo=UTC).astimezone(parse_zone(name))
    assert moment.utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize("name", ["", "Mars/Crater", "+15:00", "+5:75", "../../etc/passwd", "x\0y"])
def test_zones_that_do_not_exist(name: str) -> None:
    with pytest.raises(UnknownZone) as caught:
        parse_zone(name)
    assert "Europe/Berlin" in caught.value.hint


def test_no_zone_is_the_persons_own() -> None:
    site, wall = SiteTime.of(""), _wall("2026-11-21 18:52:50")
    assert site.to_person(wall) is wall
    assert site.to_site(wall) is wall
    assert SiteTime() == site


def test_there_and_back() -> None:
    site = SiteTime(DHAKA, BERLIN)
    assert site.to_person(_wall("2026-11-21 18:52:50")) == _wall("2026-11-21 13:52:50")
    assert site.to_site(_wall("2026-07-01 20:00:00")) == _wall("2026-07-02 00:00:00")


@pytest.mark.parametrize(
    ("site", "person"),
    [
        ("2026-10-25 02:30:00", "2026-10-25 00:30:00"),  # twice in Berlin: the first
        ("2026-03-29 02:30:00", "2026-03-29 01:30:00"),  # skipped in Berlin: as 03:30
        ("2026-03-29 03:30:00", "2026-03-29 01:30:00"),
    ],
)
def test_what_a_clock_shows_twice_or_skips(site: str, person: str) -> None:
    assert SiteTime(BERLIN, UTC).to_person(_wall(site)) == _wall(person)
    assert SiteTime(UTC, BERLIN).to_site(_wall(site)) == _wall(person)


@settings(max_examples=examples(20))
@given(_walls, _zones, _zones)
def test_a_time_that_exists_comes_back(wall: datetime, site: tzinfo, person: tzinfo) -> None:
    clock = SiteTime(site, person)
    moment = wall.replace(tzinfo=person)
    exists = moment.astimezone(UTC).astimezone(person).replace(tzinfo=None) == wall
    back = clock.to_person(clock.to_site(wall))
    at_site = clock.to_site(wall).replace(tzinfo=site)
    is_once = at_site.utcoffset() == at_site.replace(fold=1).utcoffset()
    if exists and is_once:
        assert back == wall
    assert abs(back - wall) <= timedelta(hours=25)


@pytest.mark.parametrize("text", ["0001-01-01 00:00:00", "9999-12-31 23:59:59"])
def test_the_ends_of_the_calendar_stay(text: str) -> None:
    clock = SiteTime(timezone(timedelta(hours=14)), timezone(-timedelta(hours=12)))
    for carried in (clock.to_person(_wall(text)), clock.to_site(_wall(text))):
        assert abs(carried - _wall(text)) <= timedelta(hours=26)


def test_the_zone_of_the_machine_is_the_persons() -> None:
    wall = _wall("2026-07-01 12:00:00")
    local = wall.replace(tzinfo=DHAKA).astimezone().replace(tzinfo=None)
    clock = SiteTime(DHAKA)
    assert clock.to_person(wall) == local
    assert clock.to_site(local) == wall


def test_a_document_has_its_dates_on_the_persons_wall() -> None:
    document = {
        "id": 7,
        "due_at": "2026-11-21 18:52:50",
        "started_at": "2026-11-21T18:00:00",
        "archived_at": "0000-00-00 00:00:00",
        "last_completed_at": None,
        "remind_at": "soon",
        "created_at": "2026-11-21T11:52:50+00:00",
        "updated_at": "2026-11-21 11:52:50",
    }
    shown = _document(document, SiteTime(DHAKA, UTC))
    assert shown == _document(document, SiteTime()) | {
        "due_at": "2026-11-21 12:52:50",
        "started_at": "2026-11-21 12:00:00",
    }
    assert shown["created_at"] == document["created_at"]
    assert shown["archived_at"] is None


def _document(task: dict[str, Any], site: SiteTime) -> dict[str, Any]:
    return decode(Task, task, site)
