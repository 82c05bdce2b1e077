"""What programs call the fields of a card, and their values: columns, custom fields and keys."""

import re
from collections.abc import Mapping, Sequence

from tui.model.task import Priority
from tui.transfer.sheet import folded

FIELDS: Mapping[str, Sequence[str]] = {
    "title": ("title", "name", "summary", "card", "task", "subject", "card name", "task name"),
    "id": (
        *("id", "key", "card id", "issue key", "issue id", "task id", "number", "card #", "iid"),
        "uuid",
    ),
    "stage": ("stage", "list", "column", "section/column", "list name", "section", "bucket name"),
    "status": ("status", "state", "progress", "current state"),
    "done": (
        *("done", "completed", "closed", "complete", "due complete", "status category"),
        *("completed at", "completed on", "completed date", "completion date", "date completed"),
        *("closed at", "closed on", "closed at (utc)", "resolution", "resolved"),
        *("resolution date", "canceled", "cancelled", "canceled at", "cancelled at"),
        "accepted at",
    ),
    "priority": ("priority",),
    "due": ("due", "due date", "due on", "deadline", "due at", "target date", "end date", "date"),
    "start": ("start", "start date", "started", "start on", "started at"),
    "assignees": (
        *("assignees", "assignee", "assigned to", "members", "owner", "assignee name", "assign"),
        *("owned by", "person", "people", "responsible"),
    ),
    "emails": ("assignee email", "assignee emails", "assignee username", "assignee id"),
    "labels": ("labels", "label", "tags", "tag", "categories"),
    "subtasks": ("subtasks", "checklist", "checklist items", "steps"),
    "comments": ("comments", "comment"),
    "description": (
        "description",
        "notes",
        "body",
        "details",
        "card description",
        "desc",
        "task content",
    ),
    "archived": ("archived", "archived at"),
    "template": ("template",),
    "blockers": ("blocked by", "depends on", "dependencies"),
}
"""What a column may hold, and the names under which it is recognised, the better ones first."""

YES = frozenset({"yes", "true", "x", "1", "y", "100%"})
NO = frozenset({"no", "false", "0", "n", "0%", "none", "unresolved"})
OPEN = frozenset({"open", "opened", "to do", "todo", "in progress", "not started", "new"})
"""Words for what is not done, where nothing but that is asked."""
_PRIORITIES = {
    **{priority.value: priority for priority in Priority},
    **dict.fromkeys(
        ("highest", "urgent", "critical", "important", "blocker", "h", "p0", "p1"), Priority.HIGH
    ),
    **dict.fromkeys(("normal", "major", "m", "p2"), Priority.MEDIUM),
    **dict.fromkeys(
        ("", "lowest", "none", "no priority", "minor", "trivial", "l", "p3", "p4", "p5"),
        Priority.LOW,
    ),
}
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def priority_called(words: str) -> Priority | None:
    """The priority with this name in some program; None if there is no such."""
    return _PRIORITIES.get(folded(words))


def field_of(name: str) -> str:
    """The field that a name such as `Due date` or `dueDate` means; empty for none."""
    words = folded(_HUMP.sub(" ", name).replace("_", " "))
    return next((field for field, names in FIELDS.items() if words in names), "")
