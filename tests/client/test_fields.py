"""What custom fields are given, and how it is read."""

from datetime import date, datetime

import pytest

from tui.client.records import FieldRecord, FieldValueRecord
from tui.client.resources.fields import FieldValue, read_value, written_value


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
def test_a_field_is_always_given_text(value: FieldValue, text: str) -> None:
    assert written_value(value) == text


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        ("text", "free text", "free text"),
        ("text", "", None),
        ("number", 2.5, "2.5"),
        ("select", "M", "M"),
        ("checkbox", "true", True),
        ("checkbox", "1", True),
        ("checkbox", False, False),
        ("checkbox", None, None),
        ("date", "2026-12-01 09:05:00", datetime.fromisoformat("2026-12-01 09:05")),
        ("date", "2026-12-01", datetime.fromisoformat("2026-12-01 00:00")),
        ("date", "0000-00-00 00:00:00", None),
        ("date", "soon", None),
        (None, ["x"], None),
    ],
)
def test_a_value_is_read_as_what_its_field_is(
    kind: str | None, raw: object, value: FieldValue
) -> None:
    field = FieldRecord.model_validate({"id": 1, "settings": {"custom_field_type": kind}})
    kept = FieldValueRecord.model_validate({"id": 2, "settings": {"value": raw}})
    assert read_value(field, kept) == value
