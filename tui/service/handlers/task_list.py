"""The list of a board's tasks (4.3), serialised directly from rows.

The JSON equals that of `task_documents`; building documents of thousands of tasks would take
several times as long. Parts that depend on the time and on the caller are inserted for each
request; the rest is cached for each version of the board.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

from tui.schema.tasks import SHOWN_COLUMNS, Task
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.documents.boards import label_documents, value_documents
from tui.service.documents.people import user_document
from tui.service.documents.tasks import (
    UPCOMING,
    people_of,
    settings_document,
    subtask_counts,
)
from tui.service.listings import Heads, TaskLine, TaskListing
from tui.service.lookups import board_of
from tui.service.requests.body import query
from tui.service.requests.replies import RawJson

_COLUMNS = ", ".join(f"task.{name}" for name in SHOWN_COLUMNS)
_ACTIVE = f"""select {_COLUMNS}, task.settings, task.meta
    from task join stage on stage.id = task.stage_id
    where task.board_id = :board and task.archived_at is null and task.parent_id is null
        and stage.archived_at is null
    order by task.position, task.id"""
_ARCHIVED = f"""select {_COLUMNS}, task.settings, task.meta
    from task
    where task.board_id = :board and task.archived_at is not null and task.parent_id is null
    order by task.archived_at desc, task.id desc"""
_LABELS = """select label_id, task_id, created_at from task_label
    where label_id in (select id from label where board_id = :board)"""
_HEAD = (
    "{"
    + ",".join(f'"{name}":%s' for name in SHOWN_COLUMNS)
    + ',"settings":%s,"meta":%s,"repeat_task_meta":null,'
)
_TAIL = '"task_custom_fields":%s,"labels":[%s],"assignees":[%s]}'
_PIVOT = (
    '%s,"pivot":{"object_id":%d,"foreign_id":%d,"settings":null,"created_at":%s,"updated_at":%s}}'
)
_SLICE = 64
_ID, _STATUS, _DUE_AT = (SHOWN_COLUMNS.index(name) for name in ("id", "status", "due_at"))
_FLAGS = '"isOverdue":%s,"isUpcoming":%s,"is_watching":%s,'
_TEXTS = {
    flags: _FLAGS % tuple("true" if flag else "false" for flag in flags)
    for flags in product((False, True), repeat=3)
}
"""The flags of a task as JSON: whether it is overdue, upcoming and watched."""


def _written_lines(call: Call, statement: str, former: Heads) -> tuple[list[TaskLine], Heads]:
    # `former` are heads of an earlier version; the current ones are returned with the lines. E-mail
    # addresses are masked, except for administrators.
    rows = call.db.tuples(statement, board=call.board_id)
    ids = [row[_ID] for row in rows]
    people = people_of(call, "task_assignee", ids, is_masked=not call.user.is_administrator)
    fields, subtasks = value_documents(call.db, ids), subtask_counts(call, ids)
    around = _Around(_labels(call), _texts(people()), fields(), subtasks(), {})
    heads: Heads = {}
    lines = []
    for count, row in enumerate(rows):
        if not count % _SLICE:
            call.service.listings.pause()
        task_id = row[_ID]
        source = (row, around.subtasks.get(task_id))
        previous_source, head = former.get(task_id, (None, ""))
        # Comparing the values takes less time than writing their JSON.
        if previous_source != source:
            head = around.head(row)
        heads[task_id] = (source, head)
        due_at = row[_DUE_AT] if row[_STATUS] == "open" else None
        lines.append(TaskLine(task_id, due_at, head, around.tail(task_id)))
    return lines, heads


class _Around(NamedTuple):
    """What belongs to the tasks of a board, by task id; texts are JSON."""

    labels: Mapping[int, list[str]]
    assignees: Mapping[int, list[str]]
    values: Mapping[int, list[Document]]
    subtasks: Mapping[int, tuple[int, int]]
    settings: dict[tuple[str, tuple[int, int]], str]

    def head(self, row: tuple[Any, ...]) -> str:
        """The JSON of a row of `task` with its subtask counts."""
        *values, settings, meta = row
        return _HEAD % (
            *[
                encode_basestring_ascii(value)
                if type(value) is str
                else "null"
                if value is None
                else value
                for value in values
            ],
            self._settings(settings, self.subtasks.get(row[_ID], (0, 0))),
            meta if meta == "{}" else _json_text(json.loads(meta)),
        )

    def tail(self, task_id: int) -> str:
        """The JSON of what belongs to a task."""
        values = self.values.get(task_id)
        return _TAIL % (
            _json_text(values) if values else "[]",
            ",".join(self.labels.get(task_id, ())),
            ",".join(self.assignees.get(task_id, ())),
        )

    def _settings(self, raw: str, subtasks: tuple[int, int]) -> str:
        # Cached, since most tasks have the same.
        text = self.settings.get((raw, subtasks))
        if text is None:
            text = self.settings[raw, subtasks] = _json_text(settings_document(raw, subtasks))
        return text


def _labels(call: Call) -> dict[int, list[str]]:
    attached: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = call.db.tuples(_LABELS, board=call.board_id)
    documents = label_documents(call.db, call.board_id)
    for label_id, task_id, created_at in rows:
        attached[label_id].append((task_id, encode_basestring_ascii(created_at)))
    labels: dict[int, list[str]] = defaultdict(list)
    for label in documents():
        head = _json_text(label).removesuffix("}")
        for task_id, moment in attached[label["id"]]:
            labels[task_id].append(_PIVOT % (head, task_id, label["id"], moment, moment))
    return labels


def _texts(people: dict[int, list[Document]]) -> dict[int, list[str]]:
    # Each person is written once, however many tasks they have.
    everybody = {person["ID"]: person for group in people.values() for person in group}
    written = {person_id: _json_text(person) for person_id, person in everybody.items()}
    return {
        task_id: [written[person["ID"]] for person in group] for task_id, group in people.items()
    }


def _json_text(document: object) -> str:
    return json.dumps(document, separators=(",", ":"))


@answers({"tasks": list[Task]})
def list_tasks(call: Call, archived: bool = query("archived", values.flag, False)) -> RawJson:
    """GET /projects/{board_id}/tasks: the active tasks of active stages, no subtasks.

    With `archived`, which the specification lacks, the archived tasks instead, last archived first;
    also those whose stage is archived.
    """
    lines = _written_lines(call, _ARCHIVED, {})[0] if archived else _lines(call)
    now, soon = call.wall, call.service.site.wall(call.now + UPCOMING)
    ids = [line.task_id for line in lines]
    rows = call.db.select("task_watcher", "task_id", account_id=call.user.id, task_id=ids)
    watched = {row["task_id"] for row in rows}
    parts = []
    for task_id, due_at, head, tail in lines:
        # Texts in the format of the site's clock, which compare like times.
        is_overdue = due_at is not None and due_at < now
        is_upcoming = due_at is not None and now <= due_at <= soon
        parts.append(f"{head}{_TEXTS[is_overdue, is_upcoming, task_id in watched]}{tail}")
    return RawJson('{"tasks":[' + _with_own_email(call, ",".join(parts)) + "]}")


def _lines(call: Call) -> list[TaskLine]:
    board = board_of(call)
    version = (board["change_count"], board["changed_at"])
    key = (call.board_id, call.user.is_administrator)
    listing = call.service.listings.of(key)
    if listing is not None and listing.version == version:
        return listing.lines
    lines, heads = _written_lines(call, _ACTIVE, listing.heads if listing else {})
    call.service.listings.keep(key, TaskListing(version, lines, heads))
    return lines


def _with_own_email(call: Call, tasks: str) -> str:
    # It is masked in cached lines.
    if call.user.is_administrator or not call.user.email:
        return tasks
    row = call.db.find("account", id=call.user.id)
    if row is None:
        return tasks
    masked, readable = (
        _json_text(user_document(call, row, is_masked=is_masked)) for is_masked in (True, False)
    )
    return tasks.replace(masked, readable)
