"""Taskwarrior: the JSON of `task export`, a list or a task on each line.

A task is in the stage of its status, or in Started; tags and the project are labels, annotations
are comments. What a task depends on blocks its card. What is deleted, and the templates of
recurring tasks, are not taken.
"""

import re
from datetime import datetime, time

from tui.model.task import Priority
from tui.text.dates import END_OF_WORK, wall_clock
from tui.transfer.formats.json_values import JsonRecord, first_object
from tui.transfer.losses import Losses
from tui.transfer.moments import moment
from tui.transfer.sheet import Sheet, SheetCard, SheetComment, SheetStage

_STAGES = {"pending": "Pending", "waiting": "Waiting", "completed": "Completed"}
_STARTED = "Started"
_PRIORITIES = {"H": Priority.HIGH, "M": Priority.MEDIUM, "L": Priority.LOW, "": Priority.LOW}
_LEFT_OUT = {"deleted": "deleted tasks", "recurring": "templates of recurring tasks"}
_STAMP = re.compile(r"\d{8}T\d{6}Z")
SILENT = frozenset({"id", "urgency", "rtype", "imask", "mask"})
"""What of a task is no content, as `JsonRecord.list_unread` has it."""


def is_taskwarrior(value: object) -> bool:
    """Whether a JSON value is a list of tasks, or one task."""
    return {"description", "uuid", "status"} <= first_object(value).keys()


def read_taskwarrior(root: JsonRecord, name: str) -> Sheet:
    """The tasks as a board. Raises `NotReadable`."""
    del name
    losses, cards = Losses(), []
    for index, task in enumerate(root.records("")):
        task.belongs_to(index)
        status = task.text("status") or "pending"
        if status in _LEFT_OUT:
            losses.of_board(_LEFT_OUT[status])
            task.skip()
        elif status not in _STAGES:
            raise task.wrong("status", f"one of {', '.join((*_STAGES, *_LEFT_OUT))}")
        else:
            cards.append(_card(task, status))
    titles = (_STAGES["pending"], _STARTED, _STAGES["waiting"])
    return Sheet(
        "Tasks",
        source="taskwarrior",
        stages=(*map(SheetStage, titles), SheetStage(_STAGES["completed"], closes=True)),
        cards=tuple(cards),
        lost=losses.lines(),
    )


def _card(task: JsonRecord, status: str) -> SheetCard:
    title = task.text("description")
    priority = task.understood("priority", _PRIORITIES.get(task.text("priority")))
    # Since 2.6 a task that waits is pending, and waits as long as its date is to come.
    wait = moment(task.word("wait"))
    if status == "pending" and wait is not None and wait > wall_clock():
        status = "waiting"
    task.leave("wait")
    is_started = status == "pending" and "start" in task
    started = _time(task, "scheduled") if "scheduled" in task else _time(task, "start")
    return SheetCard(
        title,
        key=f"taskwarrior {task.text('uuid') or title}",
        stage=_STARTED if is_started else _STAGES[status],
        labels=tuple(filter(None, (task.text("project"), *task.texts("tags")))),
        due_at=_time(task, "due"),
        started_at=started,
        priority=priority or Priority.LOW,
        comments=tuple(
            SheetComment(annotation.text("description"), at=_time(annotation, "entry"))
            for annotation in task.records("annotations")
        ),
        is_done=status == "completed",
        blocked_by=tuple(f"taskwarrior {uuid}" for uuid in _depends(task)),
    )


def _depends(task: JsonRecord) -> list[str]:
    # A list since 2.6, a text with commas before.
    if task.has_list("depends"):
        return task.texts("depends")
    return [uuid for uuid in task.text("depends").split(",") if uuid]


def _time(task: JsonRecord, name: str) -> datetime | None:
    words = task.text(name)
    at = task.understood(name, moment(words) if _STAMP.fullmatch(words) else None)
    # A date that was set without a time is the midnight at which it begins.
    return datetime.combine(at, END_OF_WORK) if at is not None and at.time() == time() else at
