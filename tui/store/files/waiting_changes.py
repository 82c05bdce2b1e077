"""Counts the pending changes in an outbox file, for other commands.

The file is opened read-only; it is neither created nor migrated.
"""

import sqlite3
from contextlib import closing
from pathlib import Path


def waiting_changes(data: Path, profile: str) -> int:
    """The number of pending changes of a profile; 0 if nothing can be read."""
    path = data / profile / "outbox.sqlite3"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as link:
            return int(link.execute("select count(*) from entry").fetchone()[0])
    except sqlite3.Error:
        return 0
