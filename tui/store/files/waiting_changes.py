"""How many changes wait in an outbox, for who is not the program.

The file is only looked at; it is neither made nor brought up to date.
"""

import sqlite3
from contextlib import closing
from pathlib import Path


def waiting_changes(data: Path, profile: str) -> int:
    """How many changes of a profile have not been accepted; 0 if nothing can be read there."""
    path = data / profile / "outbox.sqlite3"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as link:
            return int(link.execute("select count(*) from entry").fetchone()[0])
    except sqlite3.Error:
        return 0
