"""Changes on their way to the service, kept on disk until it has accepted them, and the history.

The rule it keeps: a change is on disk before it is drawn, and what is known about its sending is
on disk before it is sent, so that the program may be killed at any moment. What a person did is
never thrown away silently: a file that cannot be read is set aside and named.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tui.errors import CallboardError
from tui.store.database import (
    DamagedFileError,
    NewerFileError,
    open_database,
    set_aside,
    transaction,
)
from tui.store.history import History, Part, Step
from tui.store.operations.base import Footing, Operation
from tui.store.operations.codec import UnreadableOperationError, decode, encode
from tui.store.protocol import Waiting, WaitingState

_MIGRATIONS = (
    (
        """create table entry (
               seq integer primary key autoincrement,
               board_id integer not null,
               operation text not null,
               state text not null default 'waiting',
               since text not null,
               attempts integer not null default 0,
               next_try text,
               reason text not null default '',
               footing text
           )""",
        """create table step (
               seq integer primary key autoincrement,
               board_id integer not null,
               stack text not null,
               body text not null
           )""",
        "create index step_by_board on step (board_id, stack, seq)",
        "create table setting (name text primary key, value text not null)",
    ),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation in the outbox.

    `footing` is there once it has been sent; `next_try` is when to send it again at the earliest.
    """

    seq: int
    board_id: int
    operation: Operation
    since: datetime
    state: WaitingState = WaitingState.WAITING
    attempts: int = 0
    next_try: datetime | None = None
    reason: str = ""
    footing: Footing | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether the board is drawn as if it had been accepted."""
        return self.state is not WaitingState.REFUSED

    def waiting(self) -> Waiting:
        """The entry as screens see it."""
        return Waiting(
            id=self.seq,
            board_id=self.board_id,
            operation=self.operation,
            state=self.state,
            since=self.since,
            attempts=self.attempts,
            reason=self.reason,
        )


Change = tuple[Operation, tuple[Operation, ...]]
"""An operation with what takes it back."""


class Outbox:
    """The outbox and the history in one file, changed together in one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.history = History(connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def setting(self, name: str) -> str | None:
        """A remembered word, such as which board was open last."""
        row = self._connection.execute(
            "select value from setting where name = ?", (name,)
        ).fetchone()
        return None if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Remember a word."""
        self._connection.execute("replace into setting values (?, ?)", (name, value))

    def entries(self) -> tuple[list[Entry], int]:
        """Every entry that can be read, oldest first, and how many cannot."""
        entries, unreadable = [], 0
        for row in self._connection.execute(
            """select seq, board_id, operation, since, state, attempts, next_try, reason, footing
               from entry order by seq"""
        ):
            try:
                entries.append(_entry(row))
            except (UnreadableOperationError, ValueError, TypeError):
                unreadable += 1
        return entries, unreadable

    def add(
        self,
        board_id: int,
        changes: Sequence[Change],
        since: datetime,
        remember: Callable[[History, Step], None],
    ) -> list[Entry]:
        """Write new entries, and with `remember` what the history makes of the step they are."""
        with transaction(self._connection):
            entries = [self._add(board_id, operation, since) for operation, _ in changes]
            parts = tuple(
                Part(entry.seq, operation, undo)
                for entry, (operation, undo) in zip(entries, changes, strict=True)
            )
            remember(self.history, Step(0, board_id, parts))
        return entries

    def _add(self, board_id: int, operation: Operation, since: datetime) -> Entry:
        cursor = self._connection.execute(
            "insert into entry (board_id, operation, since) values (?, ?, ?)",
            (board_id, encode(operation), since.isoformat()),
        )
        return Entry(int(cursor.lastrowid or 0), board_id, operation, since)

    def update(self, entries: Sequence[Entry]) -> None:
        """Write where entries stand now; one that was refused leaves the history."""
        with transaction(self._connection):
            for entry in entries:
                self._connection.execute(
                    """update entry set state = ?, attempts = ?, next_try = ?, reason = ?,
                       footing = ? where seq = ?""",
                    (
                        entry.state.value,
                        entry.attempts,
                        entry.next_try.isoformat() if entry.next_try else None,
                        entry.reason,
                        json.dumps(entry.footing._asdict()) if entry.footing else None,
                        entry.seq,
                    ),
                )
                if entry.state is WaitingState.REFUSED:
                    self.history.forget_part(entry.board_id, entry.seq)

    def settle(self, entry: Entry, renamed: Mapping[int, int]) -> None:
        """The service accepted it: remove it, and put its new id where the local one was."""
        with transaction(self._connection):
            self._connection.execute("delete from entry where seq = ?", (entry.seq,))
            if renamed:
                self._rename(entry.board_id, renamed)
                self.history.rename(entry.board_id, renamed)

    def discard(self, seqs: Sequence[int]) -> None:
        """Remove entries nobody wants any more."""
        with transaction(self._connection):
            for seq in seqs:
                self._connection.execute("delete from entry where seq = ?", (seq,))

    def _rename(self, board_id: int, renamed: Mapping[int, int]) -> None:
        rows = self._connection.execute(
            "select seq, operation from entry where board_id = ?", (board_id,)
        ).fetchall()
        for seq, body in rows:
            try:
                operation = decode(body)
            except UnreadableOperationError:
                continue
            self._connection.execute(
                "update entry set operation = ? where seq = ?",
                (encode(operation.renamed(renamed)), seq),
            )


def _entry(row: tuple[int, int, str, str, str, int, str | None, str, str | None]) -> Entry:
    seq, board_id, body, since, state, attempts, next_try, reason, footing = row
    return Entry(
        seq=seq,
        board_id=board_id,
        operation=decode(body),
        since=datetime.fromisoformat(since),
        state=WaitingState(state),
        attempts=attempts,
        next_try=datetime.fromisoformat(next_try) if next_try else None,
        reason=reason,
        footing=Footing(**json.loads(footing)) if footing else None,
    )


def open_outbox(path: Path, now: datetime) -> tuple[Outbox, str]:
    """Open the outbox; a damaged one is set aside and named in the message.

    Raises `CallboardError` for a file of a newer version, which is left as it is.
    """
    try:
        return Outbox(open_database(path, _MIGRATIONS, synchronous="full")), ""
    except NewerFileError as error:
        raise CallboardError(
            f"{path} was written by a newer version of Callboard; nothing in it was changed.",
            hint="Start the newer version, so that the changes in it can be sent.",
        ) from error
    except DamagedFileError:
        aside = set_aside(path, now)
    outbox = Outbox(open_database(path, _MIGRATIONS, synchronous="full"))
    return outbox, (
        f"The file of unsent changes was damaged and set aside as {aside.name}; "
        "boards may lack some of them."
    )
