"""Dates in custom fields are spelt as the service reads them."""

from datetime import date, datetime
from typing import Any

import pytest

from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities, FieldDates
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.resources.labels import Value

_FIELD = ok({"customField": {"id": 7, "title": "Day"}})
_UNREADABLE = ok({"code": "x", "data": [], "message": "Unable to create datetime"}, 500)
_IN_WORDS = Capabilities(field_dates=FieldDates.WORDS)


def _client(
    *steps: Any, known: Capabilities = UNKNOWN, timezone: str = "Europe/Berlin"
) -> tuple[Client, Script, list[Capabilities]]:
    script = Script(*steps)
    learnt: list[Capabilities] = []
    one = client_for(session(script), capabilities=known, timezone=timezone, learned=learnt.append)
    return one, script, learnt


def _values(script: Script) -> list[object]:
    return [body["value"] for body in script.bodies if isinstance(body, dict)]


async def test_a_date_that_breaks_the_service_is_spelt_in_words_from_then_on() -> None:
    client, script, learnt = _client(_UNREADABLE, _FIELD)
    for _ in range(2):
        await client.set_field_value(1, 3, 7, date(2026, 12, 24))
    in_words = "Thu Dec 24 2026 00:00:00 GMT+0100"
    assert _values(script) == ["2026-12-24 00:00:00", in_words, in_words]
    assert [known.field_dates for known in learnt] == [FieldDates.WORDS]


@pytest.mark.parametrize(
    ("when", "timezone", "text"),
    [
        (
            datetime.fromisoformat("2027-07-01 09:30"),
            "Europe/Berlin",
            "Thu Jul 01 2027 09:30:00 GMT+0200",
        ),
        (date(987, 1, 5), "-03:30", "Fri Jan 05 0987 00:00:00 GMT-0330"),
        (date(1850, 1, 5), "Europe/Berlin", "Sat Jan 05 1850 00:00:00 GMT+0053"),
    ],
)
async def test_words_have_the_time_and_the_zone(when: date, timezone: str, text: str) -> None:
    client, script, _ = _client(_FIELD, known=_IN_WORDS, timezone=timezone)
    await client.set_field_value(1, 3, 7, when)
    assert _values(script) == [text]


@pytest.mark.parametrize("value", ["2026-12-24", True, None])
async def test_what_is_no_date_is_sent_as_it_is(value: Value) -> None:
    client, _, learnt = _client(_UNREADABLE, _FIELD)
    with pytest.raises(errors.ApiError):
        await client.set_field_value(1, 3, 7, value)
    assert learnt == []
