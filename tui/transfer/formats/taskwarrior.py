"""Taskwarrior: the JSON of `task export`, a list or a task on each line.

A task is in the stage of its status, or in Started; tags and the project are labels, annotations
are comments. What is deleted, and the templates of recurring tasks, are not taken.
"""

import re
from datetime import UTC, datetime

from tui.model.task import Priority
from tui.transfer.formats.json_values import Record
from tui.transfer.sheet import Losses, Sheet, SheetCard, SheetComment, SheetStage, moment

_STAGES = {"pending": "Pending", "waiting": "Waiting", "completed": "Completed"}
_STARTED = "Started"
_PRIORITIES = {"H": Priority.HIGH, "M": Priority.MEDIUM, "L": Priority.LOW, "": Priority.LOW}
_LEFT_OUT = {"deleted": "deleted tasks", "recurring": "templates of recurring tasks"}
_STAMP = re.compile(r"\d{8}T\d{6}Z")


def is_taskwarrior(value: object) -> bool:
    """Whether a JSON value is a list of tasks, or one task."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and "description" in first and {"uuid", "status"} <= first.keys()


def read_taskwarrior(value: object) -> Sheet:
    """The tasks as a board. Raises `NotReadable`."""
    losses, cards = Losses(), []
    for index, item in enumerate(value if isinstance(value, list) else [value]):
        task = Record(item, f"[{index}]")
        status = task.text("status") or "pending"
        if status in _LEFT_OUT:
            losses.add(_LEFT_OUT[status])
        elif status not in _STAGES:
            raise task.wrong("status", f"one of {', '.join((*_STAGES, *_LEFT_OUT))}")
        else:
            cards.append(_card(task, status, losses))
    titles = (_STAGES["pending"], _STARTED, _STAGES["waiting"])
    return Sheet(
        "Tasks",
        source="taskwarrior",
        stages=(*map(SheetStage, titles), SheetStage(_STAGES["completed"], closes=True)),
        cards=tuple(cards),
        lost=losses.lines(),
    )


def _card(task: Record, status: str, losses: Losses) -> SheetCard:
    title = task.text("description")
    priority = task.text("priority")
    if priority not in _PRIORITIES:
        losses.add(f"priorities called {priority}")
    losses.add("dependencies", len(task.values("depends")) if task.has_list("depends") else 0)
    is_started = status == "pending" and "start" in task
    project = task.text("project")
    return SheetCard(
        title,
        key=f"taskwarrior {task.text('uuid') or title}",
        stage=_STARTED if is_started else _STAGES[status],
        labels=tuple(filter(None, (project, *task.texts("tags")))),
        due_at=_time(task, "due", losses),
        started_at=_time(task, "scheduled" if "scheduled" in task else "start", losses),
        priority=_PRIORITIES.get(priority, Priority.LOW),
        comments=tuple(
            SheetComment(one.text("description"), at=_time(one, "entry", losses))
            for one in task.records("annotations")
        ),
        is_done=status == "completed",
    )


def _time(task: Record, name: str, losses: Losses) -> datetime | None:
    words = task.text(name)
    if not words:
        return None
    at = None
    if _STAMP.fullmatch(words):
        try:
            in_utc = datetime.strptime(words, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            at = moment(in_utc.isoformat())
        except ValueError:
            at = None
    if at is None:
        losses.add("dates that are not understood")
    return at
