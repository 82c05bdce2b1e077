"""Reads the change counters of boards from a file, without opening the service.

A board with an unchanged counter is unchanged, so a start on unchanged boards needs nothing else of
the service.
"""

import re
import sqlite3
import threading
from pathlib import Path
from typing import Self

from tui.service.database.schema import APPLICATION_ID, MIGRATIONS

_SYNCED_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}\.([0-9]{6,18})")


def synced_at(wall: object, count: int) -> str:
    """The time stamp to ask for later changes with: a time with the counter as its fraction."""
    return f"{wall}.{count:06d}"


def count_of(synced_at: str) -> int | None:
    """The counter in a `synced_at`; None if it has none."""
    match = _SYNCED_AT.fullmatch(synced_at)
    return int(match[1]) if match else None


class ChangeCounts:
    """Reads counters from a file, on any thread, without blocking writers."""

    def __init__(self, path: Path, link: sqlite3.Connection) -> None:
        self.path = path
        self._link = link
        self._turn = threading.Lock()

    @classmethod
    def open(cls, path: Path, login: str) -> Self | None:
        """Open the file at `path`; None if the service has to open it first.

        That is so for a missing, outdated or damaged file, and if the local account has another
        login.
        """
        try:
            # `rw` does not create a missing file. `ro` could not create the index of a write-ahead
            # log.
            uri = f"{path.absolute().as_uri()}?mode=rw"
            # Without a timeout: where it would have to wait, the service itself is asked.
            link = sqlite3.connect(uri, uri=True, timeout=0, check_same_thread=False)
        except sqlite3.Error:
            return None
        try:
            rows = [
                link.execute(query).fetchone()
                for query in (
                    "pragma application_id",
                    "pragma user_version",
                    "select login, display_name from account where is_local = 1",
                )
            ]
        except sqlite3.Error:
            rows = []
        if rows == [(APPLICATION_ID,), (len(MIGRATIONS),), (login, login)]:
            return cls(path, link)
        link.close()
        return None

    def of_board(self, board_id: int) -> int | None:
        """The counter of a board; None if there is none, or it cannot be read now."""
        rows = self._rows("select change_count from board where id = ?", board_id)
        return int(rows[0][0]) if rows else None

    def of_all(self) -> str:
        """The counters of all boards as a text; empty if they cannot be read now."""
        rows = self._rows("select id, change_count from board order by id")
        return "" if rows is None else " ".join(f"{board_id}:{count}" for board_id, count in rows)

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            self._link.close()

    def _rows(self, sql: str, *values: int) -> list[tuple[int, ...]] | None:
        try:
            with self._turn:
                return self._link.execute(sql, values).fetchall()
        except sqlite3.Error:
            return None
