"""One property of a task is set (4.3, PUT /projects/{board_id}/tasks/{task_id}).

`PROPERTIES` names every property that may be set, with the reader of its value and the function
that sets it. A value that is already there changes nothing and is no error.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.tasks import task_document, task_documents
from tui.service.errors import conflict, invalid, missing
from tui.service.handlers.move import relocate, require_member, set_parent
from tui.service.handlers.tasks import PRIORITIES, refuse_archived_stage
from tui.service.lookups import stage_of, task_of
from tui.service.records.tasks import TASKS_DONE, Task
from tui.service.requests.body import required
from tui.service.tables.activity import record
from tui.service.tables.positions import active_ids, active_subtask_ids, place_at, place_in_group
from tui.service.tables.tasks import set_assignees, watch
from tui.service.values import Read, slug


@dataclass(frozen=True, slots=True)
class Property:
    """How the value of a property is read, and the function that sets it.

    The function may also change other tasks; it returns the ids of all that it changed.
    """

    read: Callable[[Call], Read[Any]]
    write: Callable[[Call, Row, str, Any], list[int]]


def _set_column(call: Call, task: Row, name: str, value: object, **beside: object) -> list[int]:
    if task[name] != value:
        if name == "title":
            beside["slug"] = slug(str(value))
        call.change("task", task["id"], **{name: value}, **beside)
        record(call, "changed", name, task_id=task["id"], old=task[name], new=value)
    return [task["id"]]


def _set_description(call: Call, task: Row, name: str, value: str) -> list[int]:
    return _set_column(call, task, name, value or None)


def _set_status(call: Call, task: Row, name: str, value: str) -> list[int]:
    if value == task["status"]:
        return [task["id"]]
    completed = call.wall if value == "closed" else None
    return _set_column(call, task, name, value, last_completed_at=completed)


def _set_archived(call: Call, task: Row, _name: str, value: bool) -> list[int]:
    """Archive a task at the present time, or put it back on top of its stage or group."""
    if value == (task["archived_at"] is not None):
        return [task["id"]]
    if value:
        call.change("task", task["id"], archived_at=call.wall, position=0)
        record(call, "archived", "task", task_id=task["id"])
        return [task["id"]]
    if task["parent_id"] is None:
        refuse_archived_stage(stage_of(call, task["stage_id"]))
        place = place_at(call.db, task["stage_id"], 1, task["id"])
        others = active_ids(call.db, task["stage_id"])
    else:
        place = place_in_group(call.db, task["subtask_group_id"], 1, task["id"])
        others = active_subtask_ids(call.db, task["subtask_group_id"])
    call.change("task", task["id"], archived_at=None, position=place.position)
    record(call, "restored", "task", task_id=task["id"])
    return [task["id"], *(others if place.renumbered else [])]


def _set_assignees(call: Call, task: Row, _name: str, value: list[int]) -> list[int]:
    set_assignees(call, task["id"], value)
    call.change("task", task["id"])
    return [task["id"]]


def _set_watching(call: Call, task: Row, _name: str, value: bool) -> list[int]:
    if value:
        watch(call, task["id"])
    else:
        call.db.delete("task_watcher", task_id=task["id"], account_id=call.user.id)
    return [task["id"]]


def _set_board(call: Call, task: Row, _name: str, value: int) -> list[int]:
    """Move a task to the end of the first stage of another board."""
    if value == task["board_id"]:
        return [task["id"]]
    require_member(call, value)
    stages = call.db.select("stage", "position, id", board_id=value, archived_at=None)
    if not stages:
        raise conflict("no_stage", "That board has no stage to put the task into.")
    return relocate(call, task, stages[0], None)


def _set_settings(call: Call, task: Row, name: str, value: dict[str, Any]) -> list[int]:
    """Replace the settings as a whole; the counts in them are the service's own."""
    return _set_column(call, task, name, json.dumps(value))


def _set_template(call: Call, task: Row, name: str, value: bool) -> list[int]:
    old: dict[str, Any] = json.loads(task["meta"])
    meta = old | {"is_template": "yes" if value else "no"}
    call.change("task", task["id"], meta=json.dumps(meta))
    record(call, "changed", name, task_id=task["id"], new=meta["is_template"])
    return [task["id"]]


def _same(reader: Read[Any]) -> Callable[[Call], Read[Any]]:
    """A reader that needs to know nothing of the call."""
    return lambda _call: reader


def _date(call: Call) -> Read[str | None]:
    return values.wall_time(call.service.site)


def _archived(call: Call) -> Read[bool]:
    """A reader of `archived_at`: a date or true archives, whatever the date; null restores."""
    read_date = _date(call)

    def read(field: str, value: object) -> bool:
        if value is not None and value is not True and not isinstance(value, str):
            raise invalid(field, "must be a date, true or null")
        return value is True or read_date(field, value) is not None

    return read


def _completed(call: Call) -> Read[str | None]:
    """A reader of `last_completed_at`, which also takes true for now."""
    read_date = _date(call)

    def read(field: str, value: object) -> str | None:
        if value is True or value == "true":
            return call.wall
        return read_date(field, value)

    return read


def _board(field: str, value: object) -> int:
    board_id = values.identifier("board")(field, value)
    if board_id < 1:
        raise missing("board")
    return board_id


def _parent(field: str, value: object) -> int | None:
    """The id of a parent; 0 and empty text, as null, are none."""
    return None if value in (None, "") else values.identifier("task")(field, value) or None


PROPERTIES: dict[str, Property] = {
    "title": Property(_same(values.title), _set_column),
    "description": Property(_same(values.html), _set_description),
    "status": Property(_same(values.one_of("open", "closed")), _set_status),
    "priority": Property(_same(values.one_of(*PRIORITIES)), _set_column),
    "due_at": Property(_date, _set_column),
    "started_at": Property(_date, _set_column),
    "assignees": Property(_same(values.ids), _set_assignees),
    "crm_contact_id": Property(_same(values.or_else(values.whole_number, None)), _set_column),
    "parent_id": Property(_same(_parent), set_parent),
    "is_watching": Property(_same(values.flag), _set_watching),
    "archived_at": Property(_archived, _set_archived),
    "last_completed_at": Property(_completed, _set_column),
    "board_id": Property(_same(_board), _set_board),
    "type": Property(_same(values.one_of("task")), _set_column),
    "reminder_type": Property(_same(values.line), _set_column),
    "remind_at": Property(_date, _set_column),
    "settings": Property(_same(values.settings), _set_settings),
    "is_template": Property(_same(values.flag), _set_template),
}


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
    known = PROPERTIES[name]
    value = known.read(call)(name, value)
    touched = known.write(call, task, name, value)
    if task["parent_id"] is not None:
        touched = [*touched, task["parent_id"]]
    return {
        "message": "Task has been updated",
        "task": task_document(call, task["id"]),
        "updatedTasks": task_documents(call, touched),
    }
