"""Opens SQLite files so that they can be read even when their disk is full.

A write-ahead log needs a small file beside it, the index that programs share. Where there is no
room for it, a program keeps the index in memory, and others out of the file.
"""

import sqlite3
from pathlib import Path

_NO_ROOM = (
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_FULL,
)


def connected(path: Path, *, wait_seconds: float, statements: int = 128) -> sqlite3.Connection:
    """A connection in autocommit mode that any thread may use, one at a time.

    On a full disk it keeps other programs out of the file. It is not looked at whether the file is
    a database. Raises `sqlite3.Error`.
    """
    link = _opened(path, "", wait_seconds, statements)
    try:
        link.execute("pragma schema_version")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in _NO_ROOM:
            link.close()
            return _opened(path, "?vfs=unix-excl", wait_seconds, statements)
    except sqlite3.DatabaseError:
        pass  # the first statement that needs the file fails as well
    return link


def _opened(path: Path, options: str, wait_seconds: float, statements: int) -> sqlite3.Connection:
    return sqlite3.connect(
        path.absolute().as_uri() + options,
        uri=True,
        timeout=wait_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=statements,
    )
