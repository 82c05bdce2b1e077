"""Types of documents, as received and as cached.

A document is a JSON object with ids as integers, decimals as numbers, and empty arrays as objects
where an object is due. Unknown fields are kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
"""A JSON object of the service, normalised for the cache."""


@dataclass(frozen=True, slots=True)
class FirstPaint:
    """The data for the first paint of a board: its first tasks, and how many there are.

    Tasks are reduced to what `card_of` keeps. `revision` is the cache's when it was read.
    """

    board: Document
    tasks: tuple[Document, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)
    revision: int = 0


_OF_CARD = (
    *("id", "board_id", "stage_id", "title", "status", "priority", "position", "description"),
    *("due_at", "started_at", "created_at", "updated_at", "comments_count", "source", "created_by"),
)
_OF_SETTINGS = ("subtask_completed_count", "subtask_count", "attachment_count")


def card_of(task: Document) -> Document:
    """The fields of a task that `Assembler.task` reads of an active one: a fifth of it."""
    card = {name: value for name in _OF_CARD if (value := task.get(name))}
    if labels := task.get("labels"):
        card["labels"] = [
            {"id": one["id"], "title": one.get("title"), "bg_color": one.get("bg_color")}
            for one in labels
        ]
    if people := task.get("assignees"):
        card["assignees"] = [
            {
                "ID": one["ID"],
                "display_name": one.get("display_name"),
                "user_login": one.get("user_login"),
            }
            for one in people
        ]
    if settings := task.get("settings"):
        counts = {name: value for name in _OF_SETTINGS if (value := settings.get(name))}
        if counts:
            card["settings"] = counts
    if values := task.get("task_custom_fields"):
        card["task_custom_fields"] = [
            {"foreign_id": one.get("foreign_id"), "settings": one.get("settings")} for one in values
        ]
    return card


def is_same(known: Document | None, told: Document) -> bool:
    """Whether every field of the new document equals the known one."""
    return known is not None and all(known.get(name) == value for name, value in told.items())


def object_in(value: object) -> Document:
    """A value that should be an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}
