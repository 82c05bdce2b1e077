"""Rows named by a path or body, looked up within their board.

A task, stage or label of another board counts as missing. Each of these functions uses the id in
the path unless another is given, and raises 404.
"""

from tui.service.call import Call
from tui.service.database.base import Row
from tui.service.errors import conflict, missing


def _find(call: Call, table: str, row_id: int | None, **owner: int) -> Row:
    """A row by id, of the path's board or another owner."""
    row_id = call.ids[f"{table}_id"] if row_id is None else row_id
    row = call.db.find(table, id=row_id, **(owner or {"board_id": call.board_id}))
    if row is None:
        raise missing(table.replace("_", " "))
    return row


def title_of(call: Call, table: str, row_id: int) -> str | None:
    """The title of a row, if it exists."""
    row = call.db.find(table, id=row_id)
    return None if row is None else row["title"]


def task_of(call: Call, task_id: int | None = None) -> Row:
    """A task of the path's board."""
    return _find(call, "task", task_id)


def stage_of(call: Call, stage_id: int | None = None, board_id: int | None = None) -> Row:
    """A stage of the path's board or of `board_id`."""
    return _find(call, "stage", stage_id, board_id=board_id or call.board_id)


def label_of(call: Call, label_id: int | None = None) -> Row:
    """A label of the path's board."""
    return _find(call, "label", label_id)


def custom_field_of(call: Call, field_id: int | None = None) -> Row:
    """A custom field of the path's board."""
    return _find(call, "custom_field", field_id)


def group_of(call: Call, group_id: int, task_id: int) -> Row:
    """A subtask group of a task."""
    return _find(call, "subtask_group", group_id, task_id=task_id)


def board_of(call: Call, board_id: int | None = None) -> Row:
    """A board."""
    row = call.db.find("board", id=call.board_id if board_id is None else board_id)
    if row is None:
        raise missing("board")
    return row


def subtask_of(call: Call, subtask_id: int, parent_id: int | None = None) -> Row:
    """A subtask of the path's board, of `parent_id` if given.

    A task that is no subtask counts as missing.
    """
    row = call.db.find("task", id=subtask_id, board_id=call.board_id)
    if row is None or row["parent_id"] is None or parent_id not in (None, row["parent_id"]):
        raise missing("subtask")
    return row


def parent_of(call: Call, task_id: int | None = None) -> Row:
    """A task of the path's board that may have subtasks.

    Raises 409 for a subtask, which cannot have any.
    """
    row = task_of(call, task_id)
    if row["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask cannot have subtasks itself.")
    return row


def refuse_archived(row: Row, thing: str, *, called: str = "") -> None:
    """Raises 409 for an archived stage, task or parent, which has no place on the board."""
    if row["archived_at"] is not None:
        words = f"The {called or thing} is archived; restore it first."
        raise conflict(f"{thing}_archived", words)
