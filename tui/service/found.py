"""Rows that a path or a body names, found on the board they must belong to.

The rule it keeps: a task, a stage or a label of another board is as missing as one that never was.
"""

from tui.service.call import Call
from tui.service.database import Row
from tui.service.errors import missing


def task_of(call: Call, task_id: int | None = None) -> Row:
    """The task of the path, or another one of the path's board. Raises 404."""
    row = call.db.one(
        "select * from task where id = :task and board_id = :board",
        task=call.ids["task_id"] if task_id is None else task_id,
        board=call.board_id,
    )
    if row is None:
        raise missing("task")
    return row


def stage_of(call: Call, stage_id: int | None = None, board_id: int | None = None) -> Row:
    """The stage of the path, or another one of the path's board or of `board_id`. Raises 404."""
    row = call.db.one(
        "select * from stage where id = :stage and board_id = :board",
        stage=call.ids["stage_id"] if stage_id is None else stage_id,
        board=call.board_id if board_id is None else board_id,
    )
    if row is None:
        raise missing("stage")
    return row


def label_of(call: Call, label_id: int | None = None) -> Row:
    """The label of the path, or another one of the path's board. Raises 404."""
    row = call.db.one(
        "select * from label where id = :label and board_id = :board",
        label=call.ids["label_id"] if label_id is None else label_id,
        board=call.board_id,
    )
    if row is None:
        raise missing("label")
    return row


def board_of(call: Call, board_id: int | None = None) -> Row:
    """The board of the path, or another one. Raises 404."""
    row = call.db.one(
        "select * from board where id = :board",
        board=call.board_id if board_id is None else board_id,
    )
    if row is None:
        raise missing("board")
    return row
