"""Compares tasks before and after each write to the cache, and stores what happened to cards.

A card that first appears on a board that was never fetched in full is not an event.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from tui.model.events.history import CLOCKS_DIFFER_BY, EventKind
from tui.model.events.remote_changes import ChangeKind
from tui.model.task import Task
from tui.store.documents.assemble import instant, wall_clock
from tui.store.documents.shapes import Document, object_in

COUNTS = frozenset({ChangeKind.COMMENTED, ChangeKind.SUBTASKS, ChangeKind.FILES})
"""Changes that show on a card when something belonging to the task changes."""
_MOST_COMMENTS = 20
"""Upper limit of comment events recorded for one write."""
_Change = tuple[EventKind, str, str]


class ChangedTask(NamedTuple):
    """A task that differs from the cached one, or its last document if it is gone.

    `kinds` say what differs, the most important first.
    """

    document: Document
    kinds: tuple[ChangeKind, ...]

    @property
    def task_id(self) -> int:
        """The id of the task."""
        return int(self.document["id"])


class _Board(NamedTuple):
    """When a board and its changes were fetched last, and the titles of its stages."""

    checked_at: str | None
    heard_at: str | None
    titles: dict[int, str]


class Observer:
    """Observes the writes of a transaction.

    `written` and `gone` are its tasks, `changed` those that look different; it began at `moment`.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
        self._connection = connection
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Begin a transaction."""
        self.written: list[Task] = []
        self.gone: list[int] = []
        self.changed: list[ChangedTask] = []
        self.moment = self._clock().isoformat()
        self._boards: dict[int, _Board] = {}

    def replaced(
        self, previous_body: str | None, old_board_id: int, now: Document, task: Task | None
    ) -> None:
        """Record that a task replaces the stored `previous_body`, which was on `old_board_id`.

        `task` is the new document as a model value; None if it is on no board.
        """
        if task is not None:
            self.written.append(task)
        old: Document | None = json.loads(previous_body) if previous_body else None
        kinds = differences(old, now)
        if kinds:
            self.changed.append(ChangedTask(now, kinds))
        board_id = now.get("board_id") or 0
        was, is_there = old if old and is_card(old) else None, is_card(now)
        if was and is_there and board_id == old_board_id:
            self._note(board_id, now, self._events(board_id, was, now, kinds))
            return
        # A move between boards is a removal from one and an arrival on the other.
        if was:
            self._note_removed(old_board_id, was)
        if is_there and (kind := self._arrival(board_id, now, is_known=old is not None)):
            title = self._board(board_id).titles.get(now.get("stage_id") or 0, "")
            self._note(board_id, now, [(kind, "", title)])

    def removed(self, board_id: int, task: Document) -> None:
        """Record that a task was removed from its board."""
        self.gone.append(task["id"])
        if is_card(task):
            self.changed.append(ChangedTask(task, (ChangeKind.GONE,)))
            self._note_removed(board_id, task)

    def _note_removed(self, board_id: int, card: Document) -> None:
        title = self._board(board_id).titles.get(card.get("stage_id") or 0, "")
        self._note(board_id, card, [(EventKind.REMOVED, title, "")])

    def _note(
        self, board_id: int, task: Document, events: Iterator[_Change] | list[_Change]
    ) -> None:
        after = self._board(board_id).heard_at
        title = str(task.get("title") or "")
        self._connection.executemany(
            "insert into observed values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (board_id, task["id"], kind.value, old, new, title, after, self.moment)
                for kind, old, new in events
            ],
        )

    def _events(
        self, board_id: int, previous: Document, current: Document, kinds: tuple[ChangeKind, ...]
    ) -> Iterator[_Change]:
        for kind in kinds:
            if kind is ChangeKind.MOVED:
                titles = self._board(board_id).titles
                old, new = (
                    titles.get(task.get("stage_id") or 0, "") for task in (previous, current)
                )
                yield EventKind.MOVED, old, new
            elif kind in (ChangeKind.CLOSED, ChangeKind.REOPENED):
                yield EventKind(kind.value), "", ""
            elif kind is ChangeKind.COMMENTED:
                more = (current.get("comments_count") or 0) - (previous.get("comments_count") or 0)
                yield from [(EventKind.COMMENTED, "", "")] * min(more, _MOST_COMMENTS)

    def _arrival(self, board_id: int, task: Document, *, is_known: bool) -> EventKind | None:
        # None before the first full fetch: the card may have been there long before.
        checked_at = instant(self._board(board_id).checked_at)
        if checked_at is None:
            return None
        created_at = instant(task.get("created_at"))
        # An old card that is not cached was restored or moved here, and so was a new one that had
        # left before.
        is_new = created_at is not None and created_at > checked_at - CLOCKS_DIFFER_BY
        if not is_known and is_new and not self._was_removed(board_id, task["id"]):
            return EventKind.CREATED
        return EventKind.RESTORED

    def _was_removed(self, board_id: int, task_id: int) -> bool:
        (exists,) = self._connection.execute(
            """select exists (select 1 from observed
                              where board_id = ? and task_id = ? and kind = ?)""",
            (board_id, task_id, EventKind.REMOVED.value),
        ).fetchone()
        return bool(exists)

    def _board(self, board_id: int) -> _Board:
        if board_id not in self._boards:
            row = self._connection.execute(
                """select checked_at, heard_at, (
                       select body from section where kind = 'board' and id = freshness.board_id)
                   from freshness where board_id = ?""",
                (board_id,),
            ).fetchone()
            checked_at, heard_at, body = row or (None, None, None)
            stages = (json.loads(body).get("stages") if body else None) or ()
            titles = {stage["id"]: str(stage.get("title") or "") for stage in stages}
            self._boards[board_id] = _Board(checked_at, heard_at, titles)
        return self._boards[board_id]


def is_card(task: Document) -> bool:
    """Whether a task is shown on its board: not archived, and no subtask."""
    return not task.get("archived_at") and not task.get("parent_id")


def differences(previous: Document | None, current: Document) -> tuple[ChangeKind, ...]:
    """What differs between two documents of a task, the most important first.

    Positions do not count: services renumber every card of a stage when one moves.
    """
    was_card = previous is not None and is_card(previous)
    if not is_card(current):
        return (ChangeKind.GONE,) if was_card else ()
    if previous is None or not was_card:
        return (ChangeKind.NEW,)
    # Counts of subtasks and attachments are within the settings.
    old, new = ({**object_in(task.get("settings")), **task} for task in (previous, current))
    kinds = dict.fromkeys(
        kind
        for kind, name, compared in _COMPARED
        if name in old and compared(old[name]) != compared(new.get(name))
    )
    is_reopened = current.get("status") != "closed"
    closed = ChangeKind.REOPENED if is_reopened else ChangeKind.CLOSED
    return tuple(closed if kind is ChangeKind.CLOSED else kind for kind in kinds)


def _text(value: object) -> str:
    # Deployed services send some numbers as text; a missing one counts as zero.
    return str(value or "0")


def _ids(listed: object) -> frozenset[str]:
    rows = listed if isinstance(listed, list) else []
    return frozenset(str(row.get("ID", row.get("id"))) for row in rows if isinstance(row, dict))


_COMPARED: tuple[tuple[ChangeKind, str, Callable[[object], object]], ...] = (
    (ChangeKind.MOVED, "stage_id", _text),
    (ChangeKind.CLOSED, "status", _text),
    (ChangeKind.RENAMED, "title", _text),
    (ChangeKind.PEOPLE, "assignees", _ids),
    (ChangeKind.DUE, "due_at", wall_clock),
    (ChangeKind.PRIORITY, "priority", _text),
    (ChangeKind.DESCRIBED, "description", _text),
    (ChangeKind.LABELS, "labels", _ids),
    (ChangeKind.COMMENTED, "comments_count", _text),
    (ChangeKind.SUBTASKS, "subtask_count", _text),
    (ChangeKind.SUBTASKS, "subtask_completed_count", _text),
    (ChangeKind.FILES, "attachment_count", _text),
)
"""The fields in which tasks are compared, and in what form; short replies lack some."""
