"""How large the cache is, what in it is old, and giving room back, a little at a time.

Every step is short, and leaves a cache that is whole: what was forgotten of a board is fetched
again when somebody looks at it.
"""

import sqlite3
from datetime import UTC, datetime
from typing import NamedTuple

from tui.store.documents.assemble import instant
from tui.store.files.database import transaction

_OLDEST = datetime.min.replace(tzinfo=UTC)
_INCREMENTAL = 2


class Size(NamedTuple):
    """Bytes in the file, and how many of them hold nothing."""

    total: int
    unused: int

    @property
    def used(self) -> int:
        """Bytes that hold something."""
        return self.total - self.unused


class KeptTasks(NamedTuple):
    """A board of which tasks are kept: how many, and when somebody last looked at it."""

    board_id: int
    tasks: int
    visited_at: datetime


class Upkeep:
    """What is done to a cache beside reading and writing it; runs on its connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def size(self) -> Size:
        """How large the file is."""
        page, pages, free = (
            int(self._connection.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_size", "page_count", "freelist_count")
        )
        return Size(page * pages, page * free)

    def count_boards(self) -> int:
        """How many boards the list of boards has."""
        (count,) = self._connection.execute(
            "select count(*) from section where kind = 'summary'"
        ).fetchone()
        return int(count)

    def boards(self) -> list[KeptTasks]:
        """Every board of which tasks are kept, the one that was longest not looked at first."""
        rows = self._connection.execute(
            """select parent, count(*),
                   (select asked_at from asking where board_id = section.parent),
                   (select checked_at from freshness where board_id = section.parent)
               from section where kind = 'task' and parent != 0 group by parent"""
        )
        kept = [
            KeptTasks(board_id, tasks, instant(asked_at) or instant(checked_at) or _OLDEST)
            for board_id, tasks, asked_at, checked_at in rows
        ]
        return sorted(kept, key=lambda board: board.visited_at)

    def begin_to_forget(self, board_id: int) -> None:
        """Take away what makes a board look whole, so that it is fetched again when looked at."""
        with transaction(self._connection):
            self._connection.execute(
                "delete from section where kind = 'board' and id = ?", (board_id,)
            )
            self._connection.execute("delete from freshness where board_id = ?", (board_id,))

    def forget_some(self, board_id: int, limit: int) -> bool:
        """Take away some tasks of a board; says whether there are more."""
        cursor = self._connection.execute(
            """delete from section where rowid in (
                   select rowid from section where kind = 'task' and parent = ? limit ?)""",
            (board_id, limit),
        )
        return cursor.rowcount == limit

    def give_back(self, pages: int) -> bool:
        """Give unused room back to the disk; says whether there is more to give."""
        (mode,) = self._connection.execute("pragma auto_vacuum").fetchone()
        if mode != _INCREMENTAL:
            return False
        self._connection.execute(f"pragma incremental_vacuum({pages})").fetchall()
        return self.size().unused > 0

    def empty_journal(self) -> None:
        """Bring what is in the journal into the file, and give its room back if nobody reads."""
        self._connection.execute("pragma wal_checkpoint(truncate)").fetchone()

    def compact(self) -> None:
        """Write the whole file anew, without unused room. Takes long, and nobody may use it."""
        self._connection.execute(f"pragma auto_vacuum = {_INCREMENTAL}")
        self._connection.execute("vacuum")
        self.empty_journal()
