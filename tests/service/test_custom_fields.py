"""Custom fields: what each type takes, what a changed field does to values, forms."""

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tests.service.detailed_world import detailed_world
from tests.service.world import Answer, World

pytestmark = pytest.mark.world(make=detailed_world)

_FORM = {"content-type": "application/x-www-form-urlencoded"}
_FIELDS = "/projects/1/custom-field"
_OF_TASK = "/projects/1/tasks/1/custom-fields"
_NUMBER, _SELECT, _CHECKBOX, _DATE, _TEXT = range(1, 6)


def _add(world: World, kind: str) -> int:
    body = {"customField": {"title": kind, "type": kind}}
    made: int = world.done("ann", "POST", _FIELDS, body).at("customField.id")
    return made


def _set(world: World, field: int, value: object) -> Answer:
    return world.ask("bob", "POST", _OF_TASK, {"custom_field_id": field, "value": value})


def _values(world: World) -> dict[int, object]:
    fields = world.done("vic", "GET", _OF_TASK).at("customFields")
    return {field["foreign_id"]: field["settings"]["value"] for field in fields}


def _titles(world: World) -> list[str]:
    fields = world.done("vic", "GET", "/projects/1/custom-fields").at("customFields")
    assert [field["position"] for field in fields] == list(range(1, len(fields) + 1))
    return [field["title"] for field in fields]


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("text", " a\x1b[31m b\n", "a b"),
        ("textarea", "a\nb\x07\n", "a\nb"),
        ("number", " -2.50 ", "-2.50"),
        ("number", 7, "7"),
        ("number", 1.5, "1.5"),
        ("url", "https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("url", "mailto:ann@example.org", "mailto:ann@example.org"),
        ("checkbox", True, True),
        ("checkbox", "true", True),
        ("checkbox", "false", False),
        ("date", "2027-01-02", "2027-01-02 00:00:00"),
        ("date", "2027-01-02T03:04:05Z", "2027-01-02 05:04:05"),
    ],
)
def test_a_value_is_kept(world: World, kind: str, value: object, kept: object) -> None:
    field = _add(world, kind)
    assert _set(world, field, value).status == 200
    assert _values(world)[field] == kept
    listed = world.done("vic", "GET", "/projects/1/tasks").at("tasks.0.task_custom_fields")
    assert listed[1]["settings"] == {"value": kept}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", 7),
        ("text", "x" * 2_001),
        ("textarea", ["x"]),
        ("textarea", "x" * 100_001),
        ("number", "many"),
        ("number", "1_000"),
        ("number", "٣"),
        ("number", "nan"),
        ("number", "1" * 101),
        ("number", True),
        ("number", [1]),
        ("url", "javascript:alert(1)"),
        ("url", "https://"),
        ("url", "https://a b"),
        ("url", "http://[::1"),
        ("url", "mailto:nobody"),
        ("url", {"href": "x"}),
        ("checkbox", "maybe"),
        ("checkbox", [True]),
        ("date", "tomorrow"),
        ("date", "0000-00-00 00:00:00"),
        ("date", 20270102),
    ],
)
def test_a_value_of_another_type_is_refused(world: World, kind: str, value: object) -> None:
    field = _add(world, kind)
    answer = _set(world, field, value)
    assert (answer.status, list(answer.at("data.params"))) == (422, ["value"])
    assert field not in _values(world)


def test_an_option_is_chosen_by_its_text(world: World) -> None:
    assert _set(world, _SELECT, " South ").status == 200
    assert _values(world) == {_SELECT: "South"}
    refused = _set(world, _SELECT, "south")
    assert "North, South" in refused.body["message"]
    assert _set(world, _SELECT, 1).status == 422


@pytest.mark.parametrize("nothing", ["", None])
def test_nothing_takes_a_value_away(world: World, nothing: object) -> None:
    _set(world, _SELECT, nothing)
    assert _values(world) == {}
    records = world.done("vic", "GET", "/projects/1/activities").at("activities.data.0")
    assert (records["description"], records["old_value"], records["new_value"]) == (
        "Place",
        "North",
        None,
    )


def test_a_text_of_blanks_is_nothing(world: World) -> None:
    _set(world, _TEXT, "x")
    _set(world, _TEXT, " \x00 ")
    assert _TEXT not in _values(world)


def test_a_value_that_is_there_already_is_no_news(world: World) -> None:
    before = world.done("vic", "GET", "/projects/1/activities").at("activities.total")
    _set(world, _SELECT, "North")
    assert world.done("vic", "GET", "/projects/1/activities").at("activities.total") == before


def test_a_changed_value_is_the_same_record(world: World) -> None:
    first = world.done("vic", "GET", _OF_TASK).at("customFields.0.id")
    _set(world, _SELECT, "South")
    assert world.done("vic", "GET", _OF_TASK).at("customFields.0.id") == first


def test_an_option_that_is_gone_stays_where_it_was_chosen(world: World) -> None:
    body = {"customField": {"title": "Place", "type": "select", "options": ["West"]}}
    world.done("ann", "PUT", f"{_FIELDS}/{_SELECT}", body)
    assert _values(world) == {_SELECT: "North"}
    assert _set(world, _SELECT, "South").status == 422
    record = world.done("vic", "GET", "/projects/1/activities").at("activities.data.0")
    assert (record["column"], record["old_value"], record["new_value"]) == (
        "custom field options",
        '["North", "South"]',
        '["West"]',
    )


def test_a_select_keeps_its_options_when_none_are_sent(world: World) -> None:
    body = {"customField": {"title": "Bed", "type": "select"}}
    changed = world.done("ann", "PUT", f"{_FIELDS}/{_SELECT}", body).at("customField")
    assert changed["settings"]["select_options"] == ["North", "South"]


def test_a_type_changes_where_every_value_fits(world: World) -> None:
    body = {"customField": {"title": "Place", "type": "text"}}
    world.done("ann", "PUT", f"{_FIELDS}/{_SELECT}", body)
    assert _values(world) == {_SELECT: "North"}
    body = {"customField": {"title": "Place", "type": "number"}}
    answer = world.ask("ann", "PUT", f"{_FIELDS}/{_SELECT}", body)
    assert (answer.status, answer.body["code"]) == (409, "values_in_the_way")
    assert "1 value of this field" in answer.body["message"]
    _set(world, _SELECT, "")
    world.done("ann", "PUT", f"{_FIELDS}/{_SELECT}", body)
    assert world.ask("ann", "PUT", f"{_FIELDS}/{_SELECT}", body).status == 200


@pytest.mark.parametrize(
    ("field", "index", "expected"),
    [
        (_TEXT, 1, ["Note", "Cost", "Place", "Sunny", "When"]),
        (_NUMBER, 3, ["Place", "Sunny", "Cost", "When", "Note"]),
        (_SELECT, 99, ["Cost", "Sunny", "When", "Note", "Place"]),
        (_DATE, 4, ["Cost", "Place", "Sunny", "When", "Note"]),
    ],
)
def test_fields_are_put_in_order(world: World, field: int, index: int, expected: list[str]) -> None:
    world.done("ann", "PUT", f"{_FIELDS}/{field}/update-position", {"newIndex": index})
    assert _titles(world) == expected
    board = world.done("vic", "GET", "/projects/1").at("board.custom_fields")
    assert [one["title"] for one in board] == expected


def test_a_deleted_field_takes_its_values_along(world: World) -> None:
    world.done("ann", "DELETE", f"{_FIELDS}/{_SELECT}")
    assert _values(world) == {}
    assert _set(world, _SELECT, "North").status == 404
    record = world.done("vic", "GET", "/projects/1/activities").at("activities.data.0")
    assert (record["action"], record["old_value"]) == ("deleted", "Place")


def test_members_set_values_but_admins_define_fields(world: World) -> None:
    body = {"customField": {"title": "x", "type": "text"}}
    assert world.ask("bob", "POST", _FIELDS, body).status == 403
    assert _set(world, _TEXT, "x").status == 200


def test_a_field_of_another_board_is_missing(world: World) -> None:
    body = {"customField": {"title": "x", "type": "text"}}
    made = world.done("sam", "POST", "/projects/2/custom-field", body).at("customField.id")
    assert _set(world, made, "x").body["code"] == "custom_field_not_found"


def test_a_form_makes_a_field(world: World) -> None:
    content = b"customField[title]=S%C3%BC%C3%9F&customField[type]=select"
    content += b"&customField[options][]=a+b&customField%5Boptions%5D%5B%5D=c"
    answer = world.ask("ann", "POST", _FIELDS, content=content, headers=_FORM)
    assert answer.at("customField.title") == "Süß"
    assert answer.at("customField.settings.select_options") == ["a b", "c"]
    field = answer.at("customField.id")
    path = f"{_FIELDS}/{field}"
    content = b"customField[title]=Renamed&customField[type]=text"
    world.ask("ann", "PUT", path, content=content, headers=_FORM)
    world.ask("ann", "PUT", f"{path}/update-position", content=b"newIndex=1", headers=_FORM)
    assert _titles(world)[0] == "Renamed"


@pytest.mark.long
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(
    field=st.integers(_NUMBER, _TEXT),
    value=st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.sampled_from(["North", "1e5", "2027-01-02"])
    | st.lists(st.integers(), max_size=2),
)
def test_whatever_is_sent_is_kept_or_refused_by_name(
    world: World, field: int, value: object
) -> None:
    answer = _set(world, field, value)
    if answer.status == 200:
        kept = _values(world).get(field)
        assert _set(world, field, kept).status == 200
        assert _values(world).get(field) == kept
    else:
        assert (answer.status, list(answer.at("data.params"))) == (422, ["value"])
