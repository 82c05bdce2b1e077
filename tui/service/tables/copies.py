"""Copies of cards and of what belongs to them, by one statement for all rows of a table.

Copies are inserted in the order of their originals, so that their ids have the same order, by which
they are matched.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from tui.schema.tasks import TASK_COLUMNS, TEMPLATE
from tui.service.call import Call
from tui.service.database.base import listed

Ids = dict[int, int]
"""Ids of copies by ids of originals."""

HISTORY = ("status", "last_completed_at", "meta")
"""Columns that the copy of a board keeps and a clone of a task does not."""


def _insert_tasks(source: str, own: Mapping[str, str], kept: Collection[str] = ()) -> str:
    # Columns that are not named are null.
    defaults = {name: f"'{column.new}'" for name, column in TASK_COLUMNS.items() if column.new}
    same = (name for name, column in TASK_COLUMNS.items() if column.is_copied or name in kept)
    columns = {**defaults, **{name: f"original.{name}" for name in same}, **own}
    columns |= {"created_by": "cast(:caller as bigint)", "created_at": ":now", "updated_at": ":now"}
    return f"""insert into task ({", ".join(columns)}) select {", ".join(columns.values())}
        from {source} order by original.id returning id"""


_ON_BOARD = {"board_id": "cast(:board as bigint)"}
_TASKS = _insert_tasks(
    "{pairs} as stage join task as original on original.stage_id = stage.one"
    " where original.id {in_ids}",
    {**_ON_BOARD, "stage_id": "stage.other"},
    HISTORY,
)
_BELOW = """{pairs} as parent join task as original on original.parent_id = parent.one
    join {other_pairs} as grp on grp.one = original.subtask_group_id
    where original.archived_at is null"""
_PLACE_BELOW = {**_ON_BOARD, "parent_id": "parent.other", "subtask_group_id": "grp.other"}
_SUBTASKS = {
    True: _insert_tasks(_BELOW, _PLACE_BELOW, HISTORY),
    False: _insert_tasks(_BELOW, _PLACE_BELOW, ("meta",)),
}
_GROUPS = """insert into subtask_group (task_id, title, created_at, updated_at)
    select task.other, original.title, :now, :now
    from {pairs} as task join subtask_group as original on original.task_id = task.one
    order by original.id returning id"""
_PEOPLE = """insert into %s (task_id, account_id, created_at)
    select task.other, original.account_id, :now
    from {pairs} as task join %s as original on original.task_id = task.one
    where original.account_id {in_ids}
    order by original.created_at, original.account_id"""
_LABELS = """insert into task_label (task_id, label_id, created_at)
    select task.other, coalesce(label.other, original.label_id), :now
    from {pairs} as task join task_label as original on original.task_id = task.one
    left join {other_pairs} as label on label.one = original.label_id
    order by original.task_id, original.label_id"""
_VALUES = """insert into custom_field_value
        (task_id, custom_field_id, value, created_at, updated_at)
    select task.other, coalesce(field.other, original.custom_field_id), original.value, :now, :now
    from {pairs} as task join custom_field_value as original on original.task_id = task.one
    left join {other_pairs} as field on field.one = original.custom_field_id
    order by original.id"""
_COMMENTS = """insert into comment (board_id, task_id, type, privacy, status, author_name,
        author_email, description, settings, created_by, created_at, updated_at)
    select board_id, cast(:task as bigint), type, privacy, status, author_name, author_email,
        description, settings, created_by, created_at, updated_at
    from comment where id {in_ids} order by id returning id"""


def copy_tasks(call: Call, originals: Sequence[int], board_id: int, stages: Ids) -> Ids:
    """Copy tasks, which have stages, to another board with the copies of these stages."""
    return _copied(call, _TASKS, originals, ids=originals, pairs=_pairs(stages), board=board_id)


def copy_subtasks(call: Call, tasks: Ids, board_id: int, *, with_history: bool = False) -> Ids:
    """Copy the active subtasks of tasks with their groups, `with_history` as they are.

    Without it they become open, and are templates no longer.
    """
    parents = list(tasks)
    groups = call.db.tuples(
        "select id from subtask_group where task_id {in_ids} order by id", ids=parents
    )
    rows = call.db.tuples(
        "select id from task where parent_id {in_ids} and archived_at is null order by id",
        ids=parents,
    )
    pairs = _pairs(tasks)
    group_copies = _copied(call, _GROUPS, [group_id for (group_id,) in groups], pairs=pairs)
    copies = _copied(
        call,
        _SUBTASKS[with_history],
        [task_id for (task_id,) in rows],
        pairs=pairs,
        other_pairs=_pairs(group_copies),
        board=board_id,
    )
    if not with_history:
        _forget_templates(call, list(copies.values()))
    return copies


def _forget_templates(call: Call, ids: list[int]) -> None:
    rows = call.db.tuples("select id, meta from task where id {in_ids} and meta <> '{}'", ids=ids)
    templates: dict[str, list[int]] = {}
    for task_id, stored in rows:
        meta = json.loads(stored)
        if meta.pop(TEMPLATE, None) is not None:
            templates.setdefault(json.dumps(meta), []).append(task_id)
    for plain, same in templates.items():
        call.db.run("update task set meta = :meta where id {in_ids}", meta=plain, ids=same)


def copy_people(call: Call, table: str, tasks: Ids, members: Iterable[int]) -> None:
    """Copy those of the assignees or watchers of tasks who are among these."""
    statement = _PEOPLE.replace("%s", table)
    call.db.run(statement, pairs=_pairs(tasks), ids=sorted(members), now=call.stamp)


def copy_labels(call: Call, tasks: Ids, labels: Ids) -> None:
    """Put the labels of tasks, or the copies of those, on the copies of the tasks."""
    pairs = {"pairs": _pairs(tasks), "other_pairs": _pairs(labels)}
    call.db.run(_LABELS, **pairs, now=call.stamp)


def copy_values(call: Call, tasks: Ids, fields: Ids) -> None:
    """Copy the values of tasks, in these fields or in the copies of those."""
    pairs = {"pairs": _pairs(tasks), "other_pairs": _pairs(fields)}
    call.db.run(_VALUES, **pairs, now=call.stamp)


def copy_comments(call: Call, task_id: int, copy_id: int) -> None:
    """Copy the comments of a task, as they were written when, and count them.

    Those without text, which have pictures only, are left out with their replies.
    """
    rows = call.db.tuples(
        """select id, parent_id from comment where task_id = :task and description <> ''
        order by id""",
        task=task_id,
    )
    parents: dict[int, int | None] = {}
    for comment_id, parent_id in rows:
        if parent_id is None or parent_id in parents:
            parents[comment_id] = parent_id
    originals = list(parents)
    copies = _copied(call, _COMMENTS, originals, ids=originals, task=copy_id)
    call.db.run(
        """update comment set parent_id = reply.other
        from {pairs} as reply where comment.id = reply.one""",
        pairs=listed(
            (copies[reply], copies[parent])
            for reply, parent in parents.items()
            if parent is not None
        ),
    )
    call.db.update("task", copy_id, comments_count=len(copies))


def _pairs(ids: Ids) -> str:
    return listed(ids.items())


def _copied(call: Call, statement: str, originals: Sequence[int], **params: Any) -> Ids:
    # `originals` are in order.
    own = params | {"now": call.stamp, "caller": call.user.id}
    copies = sorted(row_id for (row_id,) in call.db.tuples(statement, **own))
    return dict(zip(originals, copies, strict=True))
