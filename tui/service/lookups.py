"""Rows that a path or a body names, found on the board they must belong to.

The rule it keeps: a task, a stage or a label of another board is as missing as one that never was.
"""

from tui.service.call import Call
from tui.service.database.base import Row
from tui.service.errors import conflict, missing


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


def subtask_of(call: Call, subtask_id: int, parent_id: int | None = None) -> Row:
    """A subtask of the path's board, of `parent_id` if that is given. Raises 404.

    A task that is no subtask is as missing as one that never was.
    """
    row = call.db.one(
        """select * from task
        where id = :task and board_id = :board and parent_id is not null""",
        task=subtask_id,
        board=call.board_id,
    )
    if row is None or parent_id not in (None, row["parent_id"]):
        raise missing("subtask")
    return row


def parent_of(call: Call, task_id: int | None = None) -> Row:
    """The task of the path, or another one of its board, as one that may have subtasks.

    Raises 404, and 409 for a subtask: subtasks have none themselves.
    """
    row = task_of(call, task_id)
    if row["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask cannot have subtasks itself.")
    return row


def group_of(call: Call, group_id: int, task_id: int) -> Row:
    """A subtask group of a task. Raises 404."""
    row = call.db.one(
        "select * from subtask_group where id = :group and task_id = :task",
        group=group_id,
        task=task_id,
    )
    if row is None:
        raise missing("subtask group")
    return row


def custom_field_of(call: Call, field_id: int | None = None) -> Row:
    """The custom field of the path, or another one of the path's board. Raises 404."""
    row = call.db.one(
        "select * from custom_field where id = :field and board_id = :board",
        field=call.ids["custom_field_id"] if field_id is None else field_id,
        board=call.board_id,
    )
    if row is None:
        raise missing("custom field")
    return row
