"""What custom fields are given, and how it is read."""

from datetime import date, datetime

import pytest

from tui.client.resources.labels import Value, written_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("free text", "free text"),
        (True, "true"),
        (False, "false"),
        (datetime.fromisoformat("2026-12-01 09:05"), "2026-12-01 09:05:00"),
        (date(2026, 12, 1), "2026-12-01 00:00:00"),
        (None, ""),
    ],
)
def test_a_field_is_always_given_text(value: Value, text: str) -> None:
    assert written_value(value) == text
