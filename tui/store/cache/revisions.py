"""What was written to the cache since somebody last looked, by whichever program.

Every write that changes something gets a number higher than all before, so that what is new can be
read without reading everything. Runs inside the cache's transactions.
"""

import sqlite3
from typing import NamedTuple

TABLES = (
    "create table counter (revision integer not null)",
    "insert into counter select abs(random()) >> 12",
    """create table forgotten (
           kind text not null,
           id integer not null,
           board_id integer,
           revision integer not null,
           primary key (kind, id)
       ) without rowid""",
)
_KEPT = 4096


class News(NamedTuple):
    """What is new on a board: the bodies of tasks, the ids of those that are gone, the board.

    `frame` is the body of the board with its stages, None if it did not change.
    """

    revision: int
    tasks: tuple[str, ...] = ()
    gone: tuple[int, ...] = ()
    frame: str | None = None


class Asked(NamedTuple):
    """When a board's list was asked for: what was written after that revision is newer."""

    board_id: int
    revision: int


class Revisions:
    """The numbers of the writes to one cache."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._mine: int | None = None

    def begin(self) -> None:
        """A transaction begins; it has no number until something changes in it."""
        self._mine = None

    def mine(self) -> int:
        """The number of this transaction."""
        if self._mine is None:
            self._connection.execute("update counter set revision = revision + 1")
            self._mine = self.last()
            if self._mine % _KEPT == 0:
                self._connection.execute(
                    "delete from forgotten where revision < ?", (self._mine - _KEPT,)
                )
        return self._mine

    def last(self) -> int:
        """The number of the last write that changed something."""
        (revision,) = self._connection.execute("select revision from counter").fetchone()
        return int(revision)

    def forgot(self, kind: str, document_id: int, board_id: int | None) -> None:
        """A document was removed in this transaction."""
        self._connection.execute(
            "replace into forgotten values (?, ?, ?, ?)", (kind, document_id, board_id, self.mine())
        )

    def written_after(self, board_id: int, revision: int) -> set[int]:
        """The ids of the tasks of a board that were changed or removed after that write."""
        rows = self._connection.execute(
            """select id from section indexed by task_by_revision
               where kind = 'task' and parent = :board_id and revision > :revision
               union select id from forgotten
               where kind = 'task' and board_id = :board_id and revision > :revision""",
            {"board_id": board_id, "revision": revision},
        )
        return {task_id for (task_id,) in rows}

    def summaries_written_after(self, revision: int) -> set[int]:
        """The ids of the boards whose summaries were changed or removed after that write."""
        rows = self._connection.execute(
            """select id from section where kind = 'summary' and revision > :revision
               union select id from forgotten where kind = 'summary' and revision > :revision""",
            {"revision": revision},
        )
        return {board_id for (board_id,) in rows}

    def summaries(self) -> int:
        """The number of the last write that changed the list of boards."""
        (newest,) = self._connection.execute(
            """select max(
                   ifnull((select max(revision) from section where kind = 'summary'), 0),
                   ifnull((select max(revision) from forgotten where kind = 'summary'), 0)
               )"""
        ).fetchone()
        return int(newest)

    def has_news(self, board_id: int, since: int) -> bool:
        """Whether anything was written about a board after that write, or may have been."""
        now = self.last()
        if now == since:
            return False
        if not 0 < now - since < _KEPT:
            return True
        (found,) = self._connection.execute(
            """select exists (
                   select 1 from section indexed by task_by_revision
                   where kind = 'task' and parent = :board_id and revision > :since
                   union all select 1 from section
                   where kind = 'board' and id = :board_id and revision > :since
                   union all select 1 from forgotten
                   where kind = 'task' and board_id = :board_id and revision > :since
               )""",
            {"board_id": board_id, "since": since},
        ).fetchone()
        return bool(found)

    def news(self, board_id: int, since: int, limit: int) -> News | None:
        """What was written about a board after that write; None if it is too much to tell."""
        now = self.last()
        if now == since:
            return News(now)
        if not 0 < now - since < _KEPT:
            return None
        asked = {"board_id": board_id, "since": since, "limit": limit + 1}
        tasks = self._connection.execute(
            """select body from section indexed by task_by_revision
               where kind = 'task' and parent = :board_id and revision > :since limit :limit""",
            asked,
        ).fetchall()
        gone = self._connection.execute(
            """select id from forgotten
               where kind = 'task' and board_id = :board_id and revision > :since
               and id not in (
                   select id from section
                   where kind = 'task' and id = forgotten.id and parent = :board_id
               )
               limit :limit""",
            asked,
        ).fetchall()
        if len(tasks) + len(gone) > limit:
            return None
        frame = self._connection.execute(
            "select body from section where kind = 'board' and id = ? and revision > ?",
            (board_id, since),
        ).fetchone()
        return News(
            revision=now,
            tasks=tuple(body for (body,) in tasks),
            gone=tuple(task_id for (task_id,) in gone),
            frame=frame[0] if frame else None,
        )
