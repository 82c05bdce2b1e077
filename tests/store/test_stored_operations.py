"""What every kind of operation says of itself, and how the outbox and the history store it.

`stored_operations.json` has rows for each kind and each field; a new one adds its rows.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tui.store import operations as change
from tui.store.operations.base import KINDS
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
