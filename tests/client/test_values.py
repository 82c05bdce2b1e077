"""Values, whichever way a service spells them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from tui.client import values

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
    ("value", "found"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": [1]}', {"a": [1]}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": 1e999}', {}),
        ('{"a": "\\ud800"}', {}),
        ('{"a":' * 3_000, {}),
        ([], {}),
        (None, {}),
        ("text", {}),
        ("{text", {}),
        ([1], {}),
    ],
)
def test_an_empty_object_may_come_as_an_array(value: object, found: dict[str, object]) -> None:
    assert values.as_object(value) == found


def test_an_array_with_gaps_comes_as_an_object() -> None:
    assert values.as_rows({"0": {"id": 1}, "2": 7}) == [{"id": 1}, 7]


@pytest.mark.parametrize(
    ("value", "found"),
    [([1, "2", "x", 0, None], [1, 2]), ({"1": "3"}, [3]), ("4", [4]), (None, [])],
)
def test_ids_come_in_an_array_or_alone(value: object, found: list[int]) -> None:
    assert values.as_ids(value) == found


@pytest.mark.parametrize(
    ("value", "flags"),
    [
        ('a:1:{s:8:"is_admin";b:1;}', {"is_admin": True}),
        (
            'a:3:{s:8:"is_admin";b:0;s:14:"is_viewer_only";i:1;s:1:"x";s:3:"yes";}',
            {"is_admin": False, "is_viewer_only": True, "x": True},
        ),
        ('a:2:{s:1:"a";a:1:{s:1:"b";b:1;}s:1:"c";N;}', {"b": True}),
        ('{"is_admin": "0", "other": [], "dashboard_notification": 1}',
         {"is_admin": False, "dashboard_notification": True}),
        ({"is_admin": True, "name": "x"}, {"is_admin": True}),
        ("", {}), ("{", {}), ("nonsense", {}), (None, {}), ([], {}), ('{"a":' * 3_000, {}),
    ],
)  # fmt: skip
def test_flags_are_read_from_every_notation(value: object, flags: dict[str, bool]) -> None:
    assert values.as_flags(value) == flags


@pytest.mark.parametrize(
    ("value", "is_zero"),
    [
        ("0000-00-00 00:00:00", True),
        ("0000-00-00", True),
        ("-0001-11-30T00:00:00+00:00", True),
        ("2026-11-21", False),
        ("", False),
        (None, False),
        (0, False),
    ],
)
def test_a_date_of_zeros_is_known(value: object, is_zero: bool) -> None:
    assert values.is_zero_date(value) is is_zero


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


@settings(deadline=None)
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
        values.as_texts,
        values.as_ids,
        values.as_flags,
        values.is_zero_date,
        values.as_instant,
        values.as_wall_time,
    ):
        shape(value)
