"""Numbers the writes to the cache, so that programs can read what changed since.

Every write that changes something gets a number higher than all before. Runs inside the cache's
transactions.
"""

import json
import sqlite3
from typing import NamedTuple

from tui.store.documents.shapes import Document

_KEPT = 4096


class CacheChanges(NamedTuple):
    """What was written about a board: tasks, ids of removed ones, and the board.

    `frame` is the board with its stages, None if unchanged.
    """

    revision: int
    tasks: tuple[Document, ...] = ()
    gone: tuple[int, ...] = ()
    frame: Document | None = None


class ListRequest(NamedTuple):
    """The cache's revision when a list of tasks was requested; later writes are newer than it."""

    board_id: int
    revision: int


class Revisions:
    """The revisions of one cache."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._current: int | None = None

    def begin(self) -> None:
        """Begin a transaction; it gets a number when something changes in it."""
        self._current = None

    def current(self) -> int:
        """The number of this transaction."""
        if self._current is None:
            (revision,) = self._connection.execute(
                "update counter set revision = revision + 1 returning revision"
            ).fetchone()
            self._current = int(revision)
            # `changes` looks back as many revisions; older removals are not needed.
            if self._current % _KEPT == 0:
                self._connection.execute(
                    "delete from forgotten where revision < ?", (self._current - _KEPT,)
                )
        return self._current

    def last(self) -> int:
        """The number of the last write."""
        (revision,) = self._connection.execute("select revision from counter").fetchone()
        return int(revision)

    def record_removal(self, kind: str, document_id: int, board_id: int | None) -> None:
        """Record that a document was removed in this transaction."""
        self._connection.execute(
            "replace into forgotten values (?, ?, ?, ?)",
            (kind, document_id, board_id, self.current()),
        )

    def written_after(self, board_id: int, revision: int) -> set[int]:
        """The ids of a board's tasks that were changed or removed after that write."""
        rows = self._connection.execute(
            """select id from section indexed by task_by_revision
               where kind = 'task' and parent = :board_id and revision > :revision
               union select id from forgotten
               where kind = 'task' and board_id = :board_id and revision > :revision""",
            {"board_id": board_id, "revision": revision},
        )
        return {task_id for (task_id,) in rows}

    def boards_written_after(self, revision: int) -> tuple[int, frozenset[int] | None]:
        """The number of the last write, and the boards that were written about after another one.

        None for the boards if that cannot be told.
        """
        latest = self.last()
        if not 0 <= latest - revision < _KEPT:
            return latest, None
        rows = self._connection.execute(
            """select id from section as board
               where kind = 'board' and (revision > :revision or exists (
                   select 1 from section indexed by task_by_revision
                   where kind = 'task' and parent = board.id and revision > :revision
               ))
               union select ifnull(board_id, id) from forgotten where revision > :revision""",
            {"revision": revision},
        )
        return latest, frozenset(board_id for (board_id,) in rows)

    def summaries_written_after(self, revision: int) -> set[int]:
        """The ids of boards whose summaries were changed or removed after that write."""
        rows = self._connection.execute(
            """select id from section where kind = 'summary' and revision > :revision
               union select id from forgotten where kind = 'summary' and revision > :revision""",
            {"revision": revision},
        )
        return {board_id for (board_id,) in rows}

    def summaries(self) -> int:
        """The number of the last write to the list of boards."""
        (newest,) = self._connection.execute(
            """select max(
                   ifnull((select max(revision) from section where kind = 'summary'), 0),
                   ifnull((select max(revision) from forgotten where kind = 'summary'), 0)
               )"""
        ).fetchone()
        return int(newest)

    def has_changes(self, board_id: int, since: int) -> bool:
        """Whether anything was, or may have been, written about a board after that write."""
        changes = self.changes(board_id, since, limit=0)
        return changes is None or changes.frame is not None

    def changes(self, board_id: int, since: int, limit: int) -> CacheChanges | None:
        """What was written about a board after that write; None if more than `limit`."""
        latest = self.last()
        if latest == since:
            return CacheChanges(latest)
        # Older removals may have been dropped; a lower number means a replaced file.
        if not 0 < latest - since < _KEPT:
            return None
        # One more than the limit tells that there are too many.
        values = {"board_id": board_id, "since": since, "limit": limit + 1}
        tasks = self._connection.execute(
            """select body from section indexed by task_by_revision
               where kind = 'task' and parent = :board_id and revision > :since limit :limit""",
            values,
        ).fetchall()
        # A task that came back to the board since is a change, not a removal.
        gone = self._connection.execute(
            """select id from forgotten
               where kind = 'task' and board_id = :board_id and revision > :since
               and id not in (
                   select id from section
                   where kind = 'task' and id = forgotten.id and parent = :board_id
               )
               limit :limit""",
            values,
        ).fetchall()
        if len(tasks) + len(gone) > limit:
            return None
        frame = self._connection.execute(
            "select body from section where kind = 'board' and id = ? and revision > ?",
            (board_id, since),
        ).fetchone()
        return CacheChanges(
            revision=latest,
            tasks=tuple(json.loads(body) for (body,) in tasks),
            gone=tuple(task_id for (task_id,) in gone),
            frame=json.loads(frame[0]) if frame else None,
        )
