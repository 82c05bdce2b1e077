"""A standup as a document for programs, with both lenses."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tui.model.standup import words
from tui.model.standup.report import Kind, Section, Speaker, Standup
from tui.model.standup.rows import Row

Document = dict[str, Any]


def document(of: Standup) -> Document:
    """What JSON is written of; times are in the user's zone."""
    return {
        "title": words.title(of),
        "now": _told(of.now, of),
        "since": _told(of.since, of),
        "known": [
            {
                "board": history.board_id,
                "read_at": _told(history.read_at, of),
                "complete_since": _told(history.complete_since, of),
            }
            for history in of.histories
        ],
        "boards": [{"id": board.id, "title": board.title} for board in of.boards],
        "walk": [_section(section, of) for section in of.walk],
        "people": [_speaker(speaker, of) for speaker in of.people],
        "nobody": _cards(of.nobody.rows, of),
        "no_movement": [words.names([one]) for one in of.no_movement],
    }


def _section(section: Section, of: Standup) -> Document:
    stage = section.stage
    return {
        "board": section.board.id if section.board else None,
        "section": section.kind.value,
        "stage": stage.title if stage else None,
        "limit": stage.limit if stage else None,
        "count": section.count,
        "new": section.new,
        "cards": _cards(section.rows, of),
    }


def _speaker(speaker: Speaker, of: Standup) -> Document:
    kinds = {"done": Kind.MOVED, "now": Kind.NOW, "next": Kind.NEXT, "stuck": Kind.STUCK}
    return {
        "name": words.names([speaker.person]),
        "login": speaker.person.login,
        "moved": speaker.moved,
        **{key: _cards(speaker.section(kind).rows, of) for key, kind in kinds.items()},
    }


def _cards(rows: Iterable[Row], of: Standup) -> list[Document]:
    return [_card(row, of) for row in rows]


def _card(row: Row, of: Standup) -> Document:
    task = row.task
    return {
        "id": task.id,
        "title": task.title,
        "board": task.board_id,
        "stage": row.stage,
        "people": [words.names([one]) for one in task.assignees],
        "flags": [flag.value for flag in row.flags],
        "blocked": row.reason or None,
        "since": _told(row.age.since if row.age else None, of),
        "since_is_exact": row.age is not None and row.age.is_exact,
        "closed_at": _told(row.closed.at if row.closed else None, of),
        "moved": list(row.moved) if row.moved else None,
        "new": row.is_new,
        "priority": task.priority.value,
        "due": task.due_at.isoformat(timespec="seconds") if task.due_at else None,
        "subtasks": [task.subtasks_done, task.subtasks_total],
        "new_comments": row.new_comments,
    }


def _told(at: datetime | None, of: Standup) -> str | None:
    """A time in the user's zone with its offset."""
    return at.astimezone(of.now.tzinfo).isoformat(timespec="seconds") if at else None
