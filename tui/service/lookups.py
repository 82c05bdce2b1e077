"""Rows named by a path or body, looked up within their board.

A task, stage or label of another board counts as missing. Each of these functions uses the id in
the path unless another is given, and raises 404.
"""

from tui.service.call import Call
from tui.service.database.base import Later, Row, first
from tui.service.errors import conflict, missing

_OF_PATHS = {
    "task_id": "task",
    "subtask_id": "task",
    "stage_id": "stage",
    "label_id": "label",
    "custom_field_id": "custom_field",
    "comment_id": "comment",
}
"""The tables of boards' parts that are named in paths."""


def look_ahead(call: Call) -> None:
    """Prefetch the rows named in the path, so that PostgreSQL gets their queries in one round trip.

    Each serves the first lookup of its row, which comes before anything is written.
    """
    call.ahead["board", call.board_id] = call.db.select("board", id=call.board_id)
    for name, table in _OF_PATHS.items():
        if name in call.ids:
            ask_for(call, table, call.ids[name])


def ask_for(call: Call, table: str, row_id: int) -> None:
    """Prefetch a part of the path's board for the lookup that comes next."""
    call.ahead[table, row_id] = call.db.select(table, id=row_id, board_id=call.board_id)


def part_of_board(call: Call, table: str, row_id: int) -> Row | None:
    """A part of the path's board, if it is there."""
    # Used once: a later lookup has to see what this request has written.
    rows = call.ahead.pop((table, row_id), None)
    if rows is None:
        rows = call.db.select(table, id=row_id, board_id=call.board_id)
    return first(rows)


def _find(call: Call, table: str, row_id: int | None, **owner: int) -> Row:
    row_id = call.ids[f"{table}_id"] if row_id is None else row_id
    row = call.db.find(table, id=row_id, **owner) if owner else part_of_board(call, table, row_id)
    if row is None:
        raise missing(table.replace("_", " "))
    return row


def title_of(call: Call, table: str, row_id: int) -> Later[str | None]:
    """The title of a row, if it exists."""
    rows = call.db.select(table, id=row_id)
    return lambda: rows[0]["title"] if rows else None


def task_of(call: Call, task_id: int | None = None) -> Row:
    """A task of the path's board."""
    return _find(call, "task", task_id)


def stage_of(call: Call, stage_id: int | None = None, board_id: int | None = None) -> Row:
    """A stage of the path's board or of `board_id`."""
    owner = {} if board_id is None else {"board_id": board_id}
    return _find(call, "stage", stage_id, **owner)


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
    board_id = call.board_id if board_id is None else board_id
    rows = call.ahead.pop(("board", board_id), None) or call.db.select("board", id=board_id)
    row = first(rows)
    if row is None:
        raise missing("board")
    return row


def subtask_of(call: Call, subtask_id: int) -> Row:
    """A subtask of the path's board; a task that is none counts as missing."""
    row = part_of_board(call, "task", subtask_id)
    if row is None or row["parent_id"] is None:
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
