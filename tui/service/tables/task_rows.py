"""New rows of tasks: what is not said about one is as in a task that was just made.

The rule it keeps: whoever asks for a new task is its author, and now is when it was made.
"""

import json
from collections.abc import Mapping
from typing import Any

from tui.service.call import Call

_NEW: dict[str, Any] = {
    "stage_id": None,
    "parent_id": None,
    "subtask_group_id": None,
    "crm_contact_id": None,
    "type": "task",
    "status": "open",
    "priority": "low",
    "description": None,
    "lead_value": "0.00",
    "source": "web",
    "source_id": None,
    "reminder_type": "none",
    "remind_at": None,
    "started_at": None,
    "due_at": None,
    "last_completed_at": None,
    "archived_at": None,
    "settings": "{}",
    "meta": "{}",
}
_COPIED = (
    "title",
    "slug",
    "crm_contact_id",
    "priority",
    "description",
    "lead_value",
    "started_at",
    "due_at",
    "settings",
    "position",
)


def insert_task(call: Call, columns: Mapping[str, Any]) -> int:
    """Add a task and return its id; `board_id`, `title`, `slug` and `position` must be given."""
    made: int = call.db.value(
        """insert into task (board_id, stage_id, parent_id, subtask_group_id, crm_contact_id,
            title, slug, type, status, priority, description, lead_value, position, source,
            source_id, reminder_type, remind_at, started_at, due_at, last_completed_at,
            archived_at, settings, meta, created_by, created_at, updated_at)
        values (:board_id, :stage_id, :parent_id, :subtask_group_id, :crm_contact_id,
            :title, :slug, :type, :status, :priority, :description, :lead_value, :position, :source,
            :source_id, :reminder_type, :remind_at, :started_at, :due_at, :last_completed_at,
            :archived_at, :settings, :meta, :created_by, :now, :now) returning id""",
        **{**_NEW, **columns, "created_by": call.user.id, "now": call.stamp},
    )
    return made


def copied(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a copy of a task has in common with it, for `insert_task`.

    The copy is open, has no reminder, and is no template: it is what a template is there for.
    """
    meta = json.loads(row["meta"])
    meta.pop("is_template", None)
    return {name: row[name] for name in _COPIED} | {"meta": json.dumps(meta)}
