"""What an examination finds: remarks, each with what to do, and files read without touching them.

An examination changes nothing, needs nothing to be whole, and never fails: what cannot be read is a
remark too.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

_BUSY_SECONDS = 2.0
_MEGABYTE = 1 << 20


class Level(StrEnum):
    """How things stand: all is well, worth knowing, or something must be done."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


class Remark(NamedTuple):
    """One thing that was found; `hint` is what to do about it, or empty."""

    level: Level
    about: str
    text: str
    hint: str = ""


class UnreadableError(Exception):
    """A file cannot be read; `is_damaged` if it is no whole database, else something is in the way.

    The message is the reason in words.
    """

    def __init__(self, reason: str, *, is_damaged: bool) -> None:
        super().__init__(reason)
        self.is_damaged = is_damaged


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A database, to be read alone. Raises `UnreadableError`, then and from what is read."""
    try:
        path.open("rb").close()
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)) as connection:
            yield connection
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableError(reason, is_damaged=False) from error
    except sqlite3.OperationalError as error:
        raise UnreadableError(str(error), is_damaged="malformed" in str(error)) from error
    except sqlite3.DatabaseError as error:
        raise UnreadableError(str(error), is_damaged=True) from error


def check_whole(connection: sqlite3.Connection) -> None:
    """Raise `UnreadableError`, with what SQLite finds wrong, unless a database is whole."""
    found = str(connection.execute("pragma quick_check(1)").fetchone()[0])
    if found != "ok":
        raise UnreadableError(" ".join(found.split()), is_damaged=True)


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether there is no table yet, as when the program was ended while it made the file."""
    (tables,) = connection.execute("select count(*) from sqlite_master").fetchone()
    return int(tables) == 0


def megabytes(size: int) -> str:
    """A number of bytes in words."""
    return "less than 1 MB" if size < _MEGABYTE else f"{size / _MEGABYTE:,.0f} MB"


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things in words: “no boards”, “1 board”, “3 boards”."""
    return f"{number or 'no'} {thing if number == 1 else things or f'{thing}s'}"
