"""Copies of cards and of what belongs to them, by one statement for all rows of a table.

Copies are inserted in the order of their originals, so that their ids have the same order, by which
they are matched.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tui.schema.tasks import TASK_COLUMNS, TEMPLATE
from tui.service.call import Call
from tui.service.database.base import LARGEST_STEP, Database, listed, steps_of

Ids = dict[int, int]
"""Ids of copies by ids of originals."""

HISTORY = ("status", "last_completed_at", "meta")
"""Columns that the copy of a board keeps and a clone of a task does not."""


def _insert_tasks(source: str, own: Mapping[str, str], kept: Collection[str] = ()) -> str:
    # Columns that are not named are null.
    defaults = {name: f"'{column.new}'" for name, column in TASK_COLUMNS.items() if column.new}
    names = (name for name, column in TASK_COLUMNS.items() if column.is_copied or name in kept)
    columns = {**defaults, **{name: f"original.{name}" for name in names}, **own}
    columns |= {"created_by": "cast(:caller as bigint)", "created_at": ":now", "updated_at": ":now"}
    return f"""insert into task ({", ".join(columns)}) select {", ".join(columns.values())}
        from {source} order by original.id returning id"""


_WANTED = "{pairs} as wanted join task as original on original.id = wanted.one"
_ON_BOARD = {"board_id": "cast(:board as bigint)"}
_TASKS = _insert_tasks(_WANTED, {**_ON_BOARD, "stage_id": "wanted.other"}, HISTORY)
_BELOW = f"{_WANTED} join subtask_group as grp on grp.id = wanted.other"
_PLACE_BELOW = {**_ON_BOARD, "parent_id": "grp.task_id", "subtask_group_id": "grp.id"}
_SUBTASKS = {
    True: _insert_tasks(_BELOW, _PLACE_BELOW, HISTORY),
    False: _insert_tasks(_BELOW, _PLACE_BELOW, ("meta",)),
}
_GROUPS = """insert into subtask_group (task_id, title, created_at, updated_at)
    select wanted.other, original.title, :now, :now
    from {pairs} as wanted join subtask_group as original on original.id = wanted.one
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
    select wanted.other, coalesce(field.other, original.custom_field_id), original.value, :now, :now
    from {pairs} as wanted join custom_field_value as original on original.id = wanted.one
    left join {other_pairs} as field on field.one = original.custom_field_id
    order by original.id returning id"""
_COMMENTS = """insert into comment (board_id, task_id, type, privacy, status, author_name,
        author_email, description, settings, created_by, created_at, updated_at)
    select board_id, wanted.other, type, privacy, status, author_name, author_email,
        description, settings, created_by, created_at, updated_at
    from {pairs} as wanted join comment as original on original.id = wanted.one
    order by original.id returning id"""


def remove_task(database: Database, task_id: int) -> None:
    """Remove a copy that was left half made. Raises `ServiceError`."""
    database.settled(lambda db: db.delete("task", id=task_id), writing=True)


def copy_tasks(call: Call, stages: Ids, board_id: int, rows: Sequence[tuple[int, int]]) -> Ids:
    """Copy tasks, ids with those of their stages, to a board with the copies of these stages."""
    return _copied(call, _TASKS, rows, stages, board=board_id)


def copy_subtasks(call: Call, tasks: Ids, board_id: int, *, with_history: bool = False) -> Ids:
    """Copy the active subtasks of tasks with their groups, `with_history` as they are.

    Without it they become open, and are templates no longer.
    """
    parents = list(tasks)
    groups = call.db.tuples(
        "select id, task_id from subtask_group where task_id {in_ids} order by id", ids=parents
    )
    subtasks = call.db.tuples(
        """select id, subtask_group_id from task
        where parent_id {in_ids} and archived_at is null order by id""",
        ids=parents,
    )
    group_copies = _copied(call, _GROUPS, groups, tasks)
    copies = _copied(call, _SUBTASKS[with_history], subtasks, group_copies, board=board_id)
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
    for plain, task_ids in templates.items():
        call.db.run("update task set meta = :meta where id {in_ids}", meta=plain, ids=task_ids)


def copy_people(call: Call, table: str, tasks: Ids, members: Iterable[int]) -> None:
    """Copy those of the assignees or watchers of tasks who are among these."""
    statement, ids = _PEOPLE.replace("%s", table), sorted(members)
    for part in _in_steps(call, list(tasks.items())):
        call.db.run(statement, pairs=listed(part), ids=ids, now=call.stamp)


def copy_labels(call: Call, tasks: Ids, labels: Ids) -> None:
    """Put the labels of tasks, or the copies of those, on the copies of the tasks."""
    label_pairs = listed(labels.items())
    for part in _in_steps(call, list(tasks.items())):
        call.db.run(_LABELS, pairs=listed(part), other_pairs=label_pairs, now=call.stamp)


def copy_values(call: Call, tasks: Ids, fields: Ids) -> None:
    """Copy the values of tasks, in these fields or in the copies of those."""
    rows = call.db.tuples(
        "select id, task_id from custom_field_value where task_id {in_ids} order by id",
        ids=list(tasks),
    )
    _copied(call, _VALUES, rows, tasks, other_pairs=listed(fields.items()))


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
            # A parent comes before its replies, which have higher ids.
            parents[comment_id] = parent_id
    copies = _copied(call, _COMMENTS, [(row_id, task_id) for row_id in parents], {task_id: copy_id})
    replies = [
        (copies[reply], copies[parent]) for reply, parent in parents.items() if parent is not None
    ]
    call.db.run(
        """update comment set parent_id = reply.other
        from {pairs} as reply where comment.id = reply.one""",
        pairs=listed(replies),
    )
    call.db.update("task", copy_id, comments_count=len(copies))


def _copied(
    call: Call, statement: str, rows: Sequence[tuple[int, int]], owners: Ids, **params: object
) -> Ids:
    # Rows are ids of originals, in their order, with what they belong to; owners are its copies.
    copies: list[int] = []
    for part in _in_steps(call, rows):
        added = call.db.tuples(
            statement,
            pairs=listed((original, owners[owner]) for original, owner in part),
            now=call.stamp,
            caller=call.user.id,
            **params,
        )
        # Neither database promises the order of `returning`.
        copies += sorted(row_id for (row_id,) in added)
    return dict(zip((original for original, _ in rows), copies, strict=True))


def _in_steps(call: Call, rows: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    # What was read for many rows is a step of its own.
    for part in steps_of(rows):
        if len(rows) > LARGEST_STEP:
            call.db.let_others_in()
        yield part
