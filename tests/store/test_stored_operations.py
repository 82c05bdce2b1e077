"""What every kind of operation says of itself, and how the outbox and the history store it.

`stored_operations.json` has rows for each kind and each field; a new one adds its rows.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.texts.plain import raw_names
from tui.model.custom_field import CustomField, FieldType
from tui.store import operations as change
from tui.store.operations.base import KINDS, Conflicting
from tui.store.operations.fields.field import EditTarget
from tui.store.outbox.codec import UnreadableOperationError, decode, encode, from_data

STORED: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("stored_operations.json").read_text(encoding="utf-8")
)


def test_every_kind_has_a_row() -> None:
    change.load()
    missing = KINDS.keys() - {stored["row"]["kind"] for stored in STORED}
    assert not missing, f"add a row to stored_operations.json for: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["words"])
def test_a_row_is_the_operation_it_was(stored: dict[str, Any]) -> None:
    operation = from_data(stored["row"])
    assert operation.describe() == stored["words"]
    assert list(operation.subject) == stored["subject"]
    assert operation.board_id == stored["board"]
    assert operation.task_id == stored["task"]
    assert operation.creates == stored["creates"]
    assert sorted(operation.refers) == stored["refers"]
    assert sorted(operation.optional_refs) == stored["beside"]
    assert operation.keeps_base is stored["keeps_base"]
    assert operation.changes_nothing is stored["changes_nothing"]
    assert json.loads(encode(operation)) == stored["row"]
    assert decode(encode(operation)) == operation


@pytest.mark.parametrize("kind", sorted({stored["row"]["kind"] for stored in STORED}))
def test_a_row_that_lacks_what_it_is_about_is_unreadable(kind: str) -> None:
    with pytest.raises(UnreadableOperationError):
        from_data({"kind": kind})


def test_a_field_that_is_added_later_may_have_a_default() -> None:
    row = next(stored["row"] for stored in STORED if stored["row"]["kind"] == "create-stage")
    without = {name: value for name, value in row.items() if name != "unless_there"}
    assert from_data(without) == from_data(row)


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["words"])
def test_what_it_does_is_said_in_words(stored: dict[str, Any]) -> None:
    operation = from_data(stored["row"])
    assert raw_names(operation.describe()) == []
    assert raw_names(operation.lost_when_undone()) == []
    if isinstance(operation, change.Edit):
        assert raw_names(operation.noun) == []


@given(
    st.sampled_from(["due_at", "started_at", "reminder"]),
    st.datetimes(datetime(1970, 1, 1), datetime(2038, 12, 31)),  # noqa: DTZ001  wall clock
    st.sampled_from(["", "once", "on_due_date", "15_minutes_before"]),
)
def test_times_are_said_as_people_say_them(field: str, at: datetime, kind: str) -> None:
    value = (f"{at:%Y-%m-%d %H:%M:%S}", kind)[: 2 if field == "reminder" else 1]
    later = (f"{at + timedelta(days=1):%Y-%m-%d %H:%M:%S}", "on_due_date")[: len(value)]
    edit = change.Edit(EditTarget(1, "Alpha", 1), field, value, ("",) * len(value))
    assert raw_names(edit.describe()) == []
    assert edit.describe().endswith(f"“Alpha” to {at:%a} {at.day} {at:%b} {at.year} {at:%H:%M}")
    now = {"id": 1, "due_at": later[0], "started_at": later[0], "remind_at": later[0],
           "reminder_type": later[-1]}  # fmt: skip
    verdict = edit.check(now)
    assert isinstance(verdict, Conflicting)
    for difference in verdict.differences:
        assert raw_names(" ".join(difference)) == []


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (FieldType.DATE, "Set “Size” of “Alpha” to “Fri 27 Nov 2026”"),
        (FieldType.CHECKBOX, "Set “Size” of “Alpha” to “yes”"),
    ],
)
def test_values_of_custom_fields_are_said_by_their_type(kind: FieldType, words: str) -> None:
    value = "true" if kind is FieldType.CHECKBOX else "2026-11-27 00:00:00"
    field = CustomField(5, 1, "Size", kind)
    edit = change.Edit(EditTarget(1, "Alpha", 1), field, (value,))
    assert edit.describe() == words
    assert edit.noun == "“Size” of “Alpha”"


def test_the_first_group_of_subtasks_is_called_subtasks() -> None:
    name = "Default Subtask Group"
    assert change.CreateGroup(1, 2, -3, name).describe() == "Add the group “Subtasks”"
    renamed = change.Edit(EditTarget(1, name, 2, 3), "title", ("Parts",), (name,))
    assert renamed.describe() == "Rename the group “Subtasks” to “Parts”"
