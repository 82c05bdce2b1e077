"""Values, whichever way a service spells them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from tui.api import values

_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7), ("7", 7), ("7.00", 7), (7.0, 7), (" 7 ", 7), ("-3", -3), ("٣", 3),
        (7.5, None), ("seven", None), ("", None), (None, None), (True, None), ([], None),
        (2**63, None), ("9" * 5_000, None), ("1e400", None), (10**400, None),
    ],
)  # fmt: skip
def test_an_integer_may_come_as_text(value: object, number: int | None) -> None:
    assert values.as_integer(value) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("0.50", 0.5),
        (3, 3.0),
        ("1e2", 100.0),
        ("nan", None),
        (float("inf"), None),
        ("", None),
        ({}, None),
        (False, None),
    ],
)
def test_a_decimal_may_come_as_text(value: object, number: float | None) -> None:
    assert values.as_number(value) == number


@pytest.mark.parametrize("value", [0, -5, "0", None, "x", 2**63, True, {}])
def test_a_record_needs_a_positive_id(value: object) -> None:
    with pytest.raises(ValueError, match="id"):
        values.as_own_id(value)


@pytest.mark.parametrize(
    ("value", "number"), [("12", 12), (0, 0), (-1, None), ("", None), (None, None)]
)
def test_another_things_id_may_be_absent(value: object, number: int | None) -> None:
    assert values.as_other_id(value) == number


@pytest.mark.parametrize(
    ("value", "role"),
    [
        ("Admin", "admin"),
        ("MANAGER", "admin"),
        ("manager", "admin"),
        ("Viewer ", "viewer"),
        ("owner", "owner"),
        (None, None),
        ([], None),
    ],
)
def test_role_words_come_in_any_letter_case(value: object, role: str | None) -> None:
    assert values.as_role(value) == role


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (True, True),
        (0, False),
        ("1", True),
        ("yes", True),
        ("No", False),
        ("", False),
        ("maybe", None),
        (None, None),
        ([], None),
    ],
)
def test_a_flag_may_come_as_a_word(value: object, flag: bool | None) -> None:
    assert values.as_flag(value) is flag


@pytest.mark.parametrize(
    ("value", "found"), [({"a": 1}, {"a": 1}), ([], {}), (None, {}), ("text", {}), ([1], {})]
)
def test_an_empty_object_may_come_as_an_array(value: object, found: dict[str, object]) -> None:
    assert values.as_object(value) == found


def test_an_array_with_gaps_comes_as_an_object() -> None:
    assert values.as_records({"0": {"id": 1}, "2": {"ID": "3"}, "4": {"id": "x"}, "5": 7}) == [
        {"id": 1},
        {"ID": "3"},
    ]


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-11-21T11:33:50+00:00", datetime(2026, 11, 21, 11, 33, 50, tzinfo=UTC)),
        ("2026-11-21T12:33:50+01:00", datetime(2026, 11, 21, 11, 33, 50, tzinfo=UTC)),
        ("2026-11-21T11:33:50.000000Z", datetime(2026, 11, 21, 11, 33, 50, tzinfo=UTC)),
        ("2026-11-21 11:33:50", datetime(2026, 11, 21, 11, 33, 50, tzinfo=UTC)),
        ("2026-11-21", datetime(2026, 11, 21, tzinfo=UTC)),
        ("0000-00-00 00:00:00", None), ("-0001-11-30T00:00:00+00:00", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("soon", None), ("", None), (None, None), (5, None), ([], None),
    ],
)  # fmt: skip
def test_a_moment_is_in_utc(value: object, moment: datetime | None) -> None:
    assert values.as_instant(value) == moment


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2026-11-21 11:33:50", "2026-11-21 11:33:50"),
        ("2026-11-21T11:33:50+05:00", "2026-11-21 11:33:50"),
        ("2026-11-21", "2026-11-21 00:00:00"),
        ("0000-00-00 00:00:00", "None"),
        ("0000-00-00", "None"),
    ],
)
def test_a_wall_time_has_no_zone(value: object, text: str) -> None:
    assert str(values.as_wall_time(value)) == text


@settings(deadline=None, max_examples=60)
@given(_ANYTHING)
def test_no_value_is_too_odd(value: object) -> None:
    number = values.as_integer(value)
    assert number is None or -(2**63) <= number < 2**63
    for understand in (
        values.as_number,
        values.as_other_id,
        values.as_text,
        values.as_role,
        values.as_flag,
    ):
        understand(value)
    for shape in (
        values.as_object,
        values.as_rows,
        values.as_records,
        values.as_instant,
        values.as_wall_time,
    ):
        shape(value)
