"""Notes what happens to cards as they are written to the cache: moved, closed, commented, gone.

A card that appears on a board of which not all cards are known yet is no change.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from tui.model.history import CLOCKS_DIFFER_BY, EventKind
from tui.store.cache.history import HistoryTable, Observed
from tui.store.documents.assemble import instant
from tui.store.documents.shapes import Document

_MOST_COMMENTS = 20
"""More new comments than this are counted as so many."""


class _Board(NamedTuple):
    """When a board and its changes were fetched last, and the titles of its stages."""

    checked_at: str | None
    heard_at: str | None
    titles: dict[int, str]


class Observer:
    """Compares cards before and after a write, in the transactions of a cache."""

    def __init__(
        self, connection: sqlite3.Connection, history: HistoryTable, clock: Callable[[], datetime]
    ) -> None:
        self._connection = connection
        self._history = history
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Begin a transaction."""
        self._moment = ""
        self._boards: dict[int, _Board] = {}

    @property
    def moment(self) -> str:
        """The time of this transaction."""
        self._moment = self._moment or self._clock().isoformat()
        return self._moment

    def replaced(self, before: str | None, old_board_id: int, now: Document) -> None:
        """A task is written in place of the body `before`, which was on that board."""
        old: Document | None = json.loads(before) if before else None
        board_id = now.get("board_id") or 0
        was, is_there = old if old and is_card(old) else None, is_card(now)
        if was and is_there and board_id == old_board_id:
            self._note(board_id, now, self._differences(board_id, was, now))
            return
        if was:
            self._note(old_board_id, was, [self._change(EventKind.REMOVED, old_board_id, was)])
        if is_there and (kind := self._appeared(board_id, now, is_known=old is not None)):
            self._note(board_id, now, [self._change(kind, board_id, now)])

    def removed(self, board_id: int, body: str) -> None:
        """A task is not on its board any more."""
        old: Document = json.loads(body)
        if is_card(old):
            self._note(board_id, old, [self._change(EventKind.REMOVED, board_id, old)])

    def _note(
        self, board_id: int, task: Document, changes: "Iterator[_Change] | list[_Change]"
    ) -> None:
        after = self._board(board_id).heard_at
        title = str(task.get("title") or "")
        rows = [
            Observed(task["id"], kind.value, old, new, title, after, self.moment)
            for kind, old, new in changes
        ]
        self._history.observe(board_id, rows)

    def _differences(self, board_id: int, was: Document, now: Document) -> "Iterator[_Change]":
        if was.get("stage_id") != now.get("stage_id"):
            titles = self._board(board_id).titles
            ids = (one.get("stage_id") or 0 for one in (was, now))
            old, new = (titles.get(stage_id, "") for stage_id in ids)
            yield EventKind.MOVED, old, new
        if was.get("status") != now.get("status"):
            is_closed = now.get("status") == "closed"
            yield EventKind.CLOSED if is_closed else EventKind.REOPENED, "", ""
        more = (now.get("comments_count") or 0) - (was.get("comments_count") or 0)
        for _ in range(min(more, _MOST_COMMENTS)):
            yield EventKind.COMMENTED, "", ""

    def _change(self, kind: EventKind, board_id: int, task: Document) -> "_Change":
        """That a card came to, or left, the stage in which it is or was."""
        title = self._board(board_id).titles.get(task.get("stage_id") or 0, "")
        return (kind, title, "") if kind is EventKind.REMOVED else (kind, "", title)

    def _appeared(self, board_id: int, task: Document, *, is_known: bool) -> EventKind | None:
        """How a card came to a board; None if it may have been there."""
        checked_at = instant(self._board(board_id).checked_at)
        if checked_at is None:
            return None
        created_at = instant(task.get("created_at"))
        is_new = created_at is not None and created_at > checked_at - CLOCKS_DIFFER_BY
        if not is_known and is_new and not self._history.was_removed(board_id, task["id"]):
            return EventKind.CREATED
        return EventKind.RESTORED

    def _board(self, board_id: int) -> _Board:
        """What is known of a board in this transaction."""
        if board_id not in self._boards:
            row = self._connection.execute(
                """select checked_at, heard_at, (
                       select body from section where kind = 'board' and id = freshness.board_id)
                   from freshness where board_id = ?""",
                (board_id,),
            ).fetchone()
            checked_at, heard_at, body = row or (None, None, None)
            stages = (json.loads(body).get("stages") if body else None) or ()
            titles = {one["id"]: str(one.get("title") or "") for one in stages}
            self._boards[board_id] = _Board(checked_at, heard_at, titles)
        return self._boards[board_id]


_Change = tuple[EventKind, str, str]


def is_card(task: Document) -> bool:
    """Whether a task is shown on its board: not archived, and no subtask."""
    return not task.get("archived_at") and task.get("parent_id") is None
