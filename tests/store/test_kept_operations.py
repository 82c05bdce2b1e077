"""Rows of the outbox and the history as the program writes them.

From the first release on nothing in `kept_operations.json` is ever changed: it holds what may lie
on somebody's disk. A new kind of operation, or of field, adds its rows.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tui.store.outbox.codec import UnreadableOperationError, decode, encode, from_data

KEPT: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("kept_operations.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept["words"])
def test_an_earlier_row_is_the_change_it_was(kept: dict[str, Any]) -> None:
    operation = from_data(kept["row"])
    assert operation.describe() == kept["words"]
    assert list(operation.subject) == kept["subject"]
    assert operation.board_id == kept["board"]
    assert operation.task_id == kept["task"]
    assert operation.creates == kept["creates"]
    assert sorted(operation.refers) == kept["refers"]
    assert sorted(operation.optional_refs) == kept["beside"]
    assert operation.keeps_base is kept["keeps_base"]
    assert operation.changes_nothing is kept["changes_nothing"]
    assert decode(encode(operation)) == operation


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept["words"])
def test_an_earlier_row_that_lacks_what_it_is_about_is_unreadable(kept: dict[str, Any]) -> None:
    with pytest.raises(UnreadableOperationError):
        from_data({"kind": kept["row"]["kind"]})
