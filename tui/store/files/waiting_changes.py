"""Counts the pending changes in an outbox file and the boards in a cache, for other commands.

The files are opened read-only; they are neither created nor migrated.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from tui.store.files.database import connected_to_read


def waiting_changes(data: Path, profile: str) -> int:
    """The number of pending changes of a profile; 0 if nothing can be read."""
    return _count(data / profile / "outbox.sqlite3", "select count(*) from entry")


def is_settled(data: Path, profile: str) -> bool:
    """Whether no change of a profile is pending or may be lost; False if nothing can be read."""
    pending = "select 1 from entry union all select 1 from setting where name like 'loss-%'"
    return _count(data / profile / "outbox.sqlite3", f"select not exists ({pending})") == 1


def cached_boards(cache: Path, profile: str) -> int:
    """The number of boards in the cache of a profile; 0 if nothing can be read."""
    path = cache / profile / "cache.sqlite3"
    return _count(path, "select count(*) from section where kind = 'summary'")


def _count(path: Path, query: str) -> int:
    try:
        with closing(connected_to_read(path)) as link:
            return int(link.execute(query).fetchone()[0])
    except sqlite3.Error:
        return 0
