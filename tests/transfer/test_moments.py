"""Dates as programs write them, on the clock of any machine."""

import pytest
from hypothesis import given, strategies as st

from tests.harness.zones import zone_of_machine
from tests.transfer.sheets import TEXTS
from tui.transfer.moments import day, moment, moment_or_day, written

ZONES = ["UTC", "America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland"]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("2026-12-01", "2026-12-01"),
        ("2026-12-1", "2026-12-01"),
        ("20261201", "2026-12-01"),
        ("2026/12/01", "2026-12-01"),
        ("1.12.2026", "2026-12-01"),
        ("01.12.2026 08:30", "2026-12-01 08:30"),
        ("2026-12-01 08:30", "2026-12-01 08:30"),
        ("2026-12-01T08:30:59.123", "2026-12-01 08:30"),
        ("2026-12-01T08:30:00.000Z", "2026-12-01 09:30"),
        ("2026-12-01T08:30:00-05:00", "2026-12-01 14:30"),
        ("2026-12-01 08:30:00 +0000", "2026-12-01 09:30"),
        ("2026-12-01 08:30 UTC", "2026-12-01 09:30"),
        ("20261201T083000Z", "2026-12-01 09:30"),
        ("1796113800000", "2026-12-01 09:30"),
        ("10/Jan/26", "2026-01-10"),
        ("10/Jan/26 3:54 PM", "2026-01-10 15:54"),
        ("10/Jan/26 12:05 AM", "2026-01-10 00:05"),
        ("10/Jan/2026 15:54", "2026-01-10 15:54"),
        ("1-Dec-2026", "2026-12-01"),
        ("December 1, 2026", "2026-12-01"),
        ("Dec 1, 2026", "2026-12-01"),
        ("Dec. 1st 2026", "2026-12-01"),
        ("1 December 2026", "2026-12-01"),
        ("1. December 2026", "2026-12-01"),
        ("Tue, 1 Dec 2026 08:30:00 +0000", "2026-12-01 09:30"),
        ("Tuesday, December 1, 2026 at 5:30 PM", "2026-12-01 17:30"),
        ("December 1, 2026 5:30 PM (GMT+1)", "2026-12-01 17:30"),
        ("Tue Dec 01 2026 08:30:33 GMT+0000 (Coordinated Universal Time)", "2026-12-01 09:30"),
        ("2038-12-31", "2038-12-31"),
        ("2038-12-31 08:30", "2038-12-31 08:30"),
        ("1970-01-01", "1970-01-01"),
    ],
)
def test_dates_are_read_as_they_are_written(words: str, meant: str) -> None:
    with zone_of_machine("Europe/Berlin"):
        assert written(moment(words)) == meant
        assert written(moment_or_day(words)) == meant
        assert written(moment(f" {words}\n")) == meant


@pytest.mark.parametrize(
    "words",
    [
        *(
            "",
            "soon",
            "12/01/2026",
            "01/12/26",
            "2026",
            "12",
            "1796113800",
            "9999999999999",
            "2026-13-01",
            "2026-02-30",
            "1969-12-31",
        ),
        *("2039-01-01", "31/Foo/26", "Maybe 1, 2026", "2026-12-01 25:00", "10/Jan/26 13:00 PM"),
        *("2026-12-01 08:30 and more", "0001-01-01T00:00:00+14:00", "٢٠٢٦-١٢-٠١", "2026-12-01T"),
    ],
)
def test_what_may_mean_another_day_is_no_date(words: str) -> None:
    assert moment(words) is moment_or_day(words) is day(words) is None


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    "words",
    [
        *("2026-12-24", "2026-12-24T00:00:00", "2026-12-24 00:00:00.000", "24/Dec/26 12:00 AM"),
        *("2026-12-24T00:00:00Z", "2026-12-24T00:00:00.000+00:00", "December 24, 2026 12:00 AM"),
        "Thu Dec 24 2026 00:00:00 GMT+0000 (Coordinated Universal Time)",
    ],
)
def test_midnight_is_a_day_without_a_time(words: str, zone: str) -> None:
    with zone_of_machine(zone):
        assert written(moment_or_day(words)) == written(day(words)) == "2026-12-24"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    "words", ["2026-12-24T08:00:00Z", "2026-07-24T07:00:00Z", "2026-12-24T00:00:00Z", "2026-12-24"]
)
def test_a_day_is_the_same_in_every_zone(words: str, zone: str) -> None:
    with zone_of_machine(zone):
        at = day(words)
        assert at is not None
        assert f"{at:%m-%d %H:%M}" in ("12-24 17:00", "07-24 17:00")


@given(TEXTS | st.from_regex(r"[0-9A-Za-z/:., +-]{1,40}", fullmatch=True))
def test_any_words_are_a_date_or_none(words: str) -> None:
    for read in (moment, moment_or_day, day):
        at = read(words)
        assert at is None or 1970 <= at.year <= 2038
