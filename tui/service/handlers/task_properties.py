"""Sets one property of a task (4.3, PUT /projects/{board_id}/tasks/{task_id}).

`PROPERTIES` maps names to functions. Setting the present value changes nothing and is no error.
"""

import json
from collections.abc import Callable

from tui.schema.base import Wall
from tui.schema.tasks import TASK_COLUMNS, TASKS_DONE, TEMPLATE, Task, TaskColumns
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.tasks import by_id, task_documents
from tui.service.errors import conflict, invalid
from tui.service.handlers.move import relocate, require_member, set_parent
from tui.service.lookups import refuse_archived, stage_of, task_of
from tui.service.requests.body import required
from tui.service.tables.changes import record
from tui.service.tables.positions import in_group, in_stage
from tui.service.tables.tasks import set_assignees, watch
from tui.service.values import Read, slug

Write = Callable[[Call, Row, str, object], list[int]]
"""Sets a property, given by its name, to a raw value.

Returns the ids of all changed tasks. Raises 422.
"""

_BOARD = values.identifier("board")


def _change(call: Call, task: Row, name: str, value: object, **beside: object) -> list[int]:
    if task[name] != value:
        if name == "title":
            beside["slug"] = slug(str(value))
        call.change("task", task["id"], **{name: value}, **beside)
        record(call, "changed", name, task_id=task["id"], old=task[name], new=value)
    return [task["id"]]


def _column(read: Read[object]) -> Write:
    return lambda call, task, name, value: _change(call, task, name, read(name, value))


def _set_date(call: Call, task: Row, name: str, value: object) -> list[int]:
    return _change(call, task, name, values.wall_time(call.service.site)(name, value))


def _set_completed(call: Call, task: Row, name: str, value: object) -> list[int]:
    # True is now.
    is_now = value is True or value == "true"
    return _set_date(call, task, name, call.wall if is_now else value)


def _set_status(call: Call, task: Row, name: str, value: object) -> list[int]:
    status = values.status(name, value)
    if status == task["status"]:
        return [task["id"]]
    completed = call.wall if status == "closed" else None
    return _change(call, task, name, status, last_completed_at=completed)


def _set_archived(call: Call, task: Row, name: str, value: object) -> list[int]:
    # A date or true archives, whatever the date; null restores to the top of the stage or group.
    if value is not None and value is not True and not isinstance(value, str):
        raise invalid(name, "must be a date, true or null")
    is_wanted = value is True or values.wall_time(call.service.site)(name, value) is not None
    if is_wanted == (task["archived_at"] is not None):
        return [task["id"]]
    if is_wanted:
        # Position 0, as archiving a whole stage does; the place is not kept.
        call.change("task", task["id"], archived_at=call.wall, position=0)
        record(call, "archived", "task", task_id=task["id"])
        return [task["id"]]
    if task["parent_id"] is None:
        line = in_stage(call.db, task["stage_id"], task["id"])
        free = line.place(1)
        refuse_archived(stage_of(call, task["stage_id"]), "stage")
    else:
        line = in_group(call.db, task["subtask_group_id"], task["id"])
        free = line.place(1)
    place = free()
    renumbered = line.ids() if place.renumbered else []
    call.change("task", task["id"], archived_at=None, position=place.position)
    record(call, "restored", "task", task_id=task["id"])
    return [task["id"], *renumbered]


def _set_assignees(call: Call, task: Row, name: str, value: object) -> list[int]:
    set_assignees(call, task["id"], values.ids(name, value))
    call.change("task", task["id"])
    return [task["id"]]


def _set_watching(call: Call, task: Row, name: str, value: object) -> list[int]:
    if values.flag(name, value):
        watch(call, task["id"])
    else:
        call.db.delete("task_watcher", task_id=task["id"], account_id=call.user.id)
    return [task["id"]]


def _set_board(call: Call, task: Row, name: str, value: object) -> list[int]:
    board_id = _BOARD(name, value)
    if board_id == task["board_id"]:
        return [task["id"]]
    # Collected with the queries of `require_member`, which reads rows first.
    stages = call.db.select("stage", "position, id", board_id=board_id, archived_at=None)
    require_member(call, board_id)
    if not stages:
        raise conflict("no_stage", "That board has no stage for the task.")
    return relocate(call, task, stages[0]["id"], board_id, None)


def _set_template(call: Call, task: Row, name: str, value: object) -> list[int]:
    word = "yes" if values.flag(name, value) else "no"
    call.change("task", task["id"], meta=json.dumps(json.loads(task["meta"]) | {name: word}))
    record(call, "changed", name, task_id=task["id"], new=word)
    return [task["id"]]


_OF_TYPE: dict[object, Write] = {
    int | None: _column(values.or_else(values.whole_number, None)),
    str: _column(values.line),
    Wall | None: _set_date,
}
PROPERTIES: dict[str, Write] = {
    "title": _column(values.title),
    "description": _column(lambda name, value: values.html(name, value) or None),
    "status": _set_status,
    "priority": _column(values.priority),
    "assignees": _set_assignees,
    "parent_id": set_parent,
    "is_watching": _set_watching,
    "archived_at": _set_archived,
    "last_completed_at": _set_completed,
    "board_id": _set_board,
    "type": _column(values.one_of("task")),
    "settings": _column(lambda name, value: json.dumps(values.settings(name, value))),
    TEMPLATE: _set_template,
    **{
        name: _OF_TYPE[TaskColumns.__annotations__[name].__origin__]
        for name, column in TASK_COLUMNS.items()
        if column.is_set
    },
}
"""Settings are replaced as a whole, except for their counts."""


@values.takes(type="string", enum=list(PROPERTIES))
def _property(field: str, value: object) -> str:
    name = values.line(field, value)
    if name not in PROPERTIES:
        raise invalid(field, f"must be one of: {', '.join(sorted(PROPERTIES))}")
    return name


@answers({"task": Task} | TASKS_DONE, refuses=(409,))
def set_property(
    call: Call,
    name: str = required("property", _property),
    value: object = required("value", values.as_sent()),
) -> Document:
    """Set `property` to `value`. Raises 422 that names what is wrong, 404, 409.

    `updatedTasks` of a subtask holds its parent too, whose counts may have changed.
    """
    task = task_of(call)
    touched = PROPERTIES[name](call, task, name, value)
    if task["parent_id"] is not None:
        touched = [*touched, task["parent_id"]]
    documents = task_documents(call, touched)()
    return {
        "message": "Task has been updated",
        "task": by_id(documents, task["id"]),
        "updatedTasks": documents,
    }
