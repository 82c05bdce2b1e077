"""A board in plain dicts and lists: as a program last read it, and as it draws it.

Things keep the names that documents and model values have for their parts. Nothing here uses the
code that makes one of the other.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from tui.model.blocked_by import described
from tui.model.board import BoardView

Plain = dict[str, Any]
Row = tuple[str, str]
"""What a document is of, and the document as text."""
_OF_CARDS = ("id", "board_id", "stage_id", "parent_id", "title", "description", "created_at")
_COUNTS = {
    "subtasks_total": "subtask_count",
    "subtasks_done": "subtask_completed_count",
    "attachments_count": "attachment_count",
}
_YES = (True, 1, "1", "yes", "true")


def known_board(rows: Sequence[Row]) -> Plain:
    """A board from its document and those of its tasks."""
    frame = next(json.loads(body) for kind, body in rows if kind == "board")
    tasks = _active(json.loads(body) for kind, body in rows if kind == "task")
    cards = [card_of(one) for one in tasks if not one.get("parent_id")]
    stages = [stage_of(one) for one in _active(frame["stages"])]
    return {
        "title": frame["title"],
        "archived": bool(frame.get("archived_at")),
        "stages": stages,
        "cards": {
            one["id"]: [card for card in cards if card["stage_id"] == one["id"]] for one in stages
        },
        "labels": [label_of(one) for one in frame.get("labels") or ()],
        "fields": [field_of(one) for one in _active(frame.get("custom_fields") or ())],
        "people": {one["ID"]: one["role"] for one in frame.get("users") or ()},
    }


def drawn_board(view: BoardView) -> Plain:
    """A board as the program draws it."""
    return {
        "title": view.board.title,
        "archived": view.board.archived_at is not None,
        "stages": [stage_of(one) for one in view.stages],
        "cards": {one.id: [card_of(card) for card in view.in_stage(one.id)] for one in view.stages},
        "labels": [label_of(one) for one in view.labels],
        "fields": [field_of(one) for one in view.fields],
        "people": {one.id: view.board.role_word(one.id) for one in view.people},
    }


def _active(documents: Iterable[Plain]) -> list[Plain]:
    active = (one for one in documents if not one.get("archived_at"))
    return sorted(active, key=lambda one: (one.get("position") or 0.0, one["id"]))


def _reader(thing: Any) -> Callable[[str], Any]:
    """Reads a part of a document, or of a model value."""
    return thing.get if isinstance(thing, dict) else partial(getattr, thing)


def card_of(task: Any) -> Plain:
    """A card, from the document of its task or from a model value."""
    read = _reader(task)
    card = {name: read(name) for name in _OF_CARDS}
    card |= {name: moment_of(read(name)) for name in ("due_at", "started_at", "created_at")}
    text, named = described(read("description") or "")
    card["description"] = text
    card["blockers"] = [one.id for one in (named if isinstance(task, dict) else task.blockers)]
    card["status"] = str(read("status") or "open")
    card["priority"] = str(read("priority") or "low")
    card["labels"] = [label_of(one) for one in read("labels") or ()]
    card["assignees"] = [
        one["ID"] if isinstance(one, dict) else one.id for one in read("assignees") or ()
    ]
    card["comments_count"] = read("comments_count") or 0
    for name, there in _COUNTS.items():
        is_document = isinstance(task, dict)
        card[name] = int((read("settings") or {}).get(there) or 0) if is_document else read(name)
    return card


def moment_of(value: Any) -> datetime | None:
    """A time, of which services write none in several ways."""
    if not value or str(value).startswith("0000"):
        return None
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


def stage_of(stage: Any) -> Plain:
    """A stage, from its document or from a model value."""
    read = _reader(stage)
    is_document = isinstance(stage, dict)
    settings = (
        (read("settings") or {})
        if is_document
        else {
            "default_task_status": stage.default_status,
            "default_task_assignees": stage.default_assignees,
            "is_template": stage.is_template,
        }
    )
    return {
        "id": read("id"),
        "title": read("title"),
        "status": str(settings.get("default_task_status") or "open"),
        "assignees": sorted(map(int, settings.get("default_task_assignees") or ())),
        "template": settings.get("is_template") in _YES,
        "color": read("bg_color" if is_document else "color") or "",
    }


def label_of(label: Any) -> Plain:
    """A label, from its document or from a model value."""
    read = _reader(label)
    color = read("bg_color" if isinstance(label, dict) else "color")
    return {"id": read("id"), "title": read("title"), "color": color}


def field_of(field: Any) -> Plain:
    """A custom field, from its document or from a model value."""
    read = _reader(field)
    settings = (
        (read("settings") or {})
        if isinstance(field, dict)
        else {"custom_field_type": field.type, "options": field.options}
    )
    options = settings.get("select_options") or settings.get("options") or ()
    return {
        "id": read("id"),
        "title": read("title"),
        "type": str(settings.get("custom_field_type") or "text"),
        "options": list(options),
    }
