"""The outbox file: pending changes until they are accepted, and the undo history.

A change is on disk before it is drawn, and its baseline before it is sent, so that the program may
be killed at any moment. Readable rows of a damaged file are saved. Several programs may use one
file. What is stored keeps its local ids: they are replaced by assigned ones when it is read, which
stay known while something stored, or another program, may still use the local ones.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from tui.errors import CallboardError
from tui.store.documents.shapes import Document
from tui.store.events import PendingState
from tui.store.files.database import (
    DamagedFileError,
    NewerFileError,
    check_whole,
    is_empty,
    open_database,
    report_of,
    set_aside,
    transaction,
    version_of_others,
)
from tui.store.files.salvage import Salvaged, damaged_text, salvage
from tui.store.operations.base import Operation
from tui.store.outbox.codec import encode
from tui.store.outbox.entry import COLUMNS, UNREADABLE, OutboxEntry, Row, entry_of, standing_of
from tui.store.outbox.history import History, StepPart, Travel, UndoStep
from tui.store.outbox.marks import SEEN, UNSEEN

_TABLES = (
    """create table entry (
           seq integer primary key autoincrement,
           board_id integer not null,
           operation text not null,
           state text not null default 'waiting',
           since text not null,
           attempts integer not null default 0,
           next_try text,
           reason text not null default '',
           footing text,
           differences text,
           stands_for text,
           idempotency_key text,
           sender text not null default '',
           faults integer not null default 0
       )""",
    """create table step (
           seq integer primary key autoincrement,
           board_id integer not null,
           stack text not null,
           body text not null,
           at text
       )""",
    "create index step_by_board on step (board_id, stack, seq)",
    "create table setting (name text primary key, value text not null)",
    """create table renamed (
           seq integer primary key autoincrement,
           old integer not null unique,
           new integer not null
       )""",
    *UNSEEN,
    *SEEN,
)
MIGRATIONS = (
    _TABLES,
    *((),) * 7,
    ("alter table entry add column origin text not null default ''",),
    ("alter table step add column act text not null default ''",),
    ("alter table step add column origin text not null default ''",),
)
"""The numbers up to 8 were used before the first release."""
_RENAMES_KEPT = 5000
_LOSS = "loss-"
_MOST_NAMED = 40
_MISSING = (
    "The file of unsent changes was missing, though this profile was used before: changes that were"
    " not sent by then are lost and cannot be named. See whether the boards have what you did last."
)
_ORPHANED = (
    "The file of unsent changes was damaged, and with it was lost which card or board this belongs"
    " to. Look for it on the boards, do it there again, and discard this."
)

Change = tuple[Operation, tuple[Operation, ...]]
"""An operation with its inverse."""


class Outbox:
    """Entries and history in one file, changed together in transactions.

    `renames` maps local ids to assigned ones, as far as they are kept; `origin` is noted with new
    entries and steps.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.origin = ""
        self.renames: dict[int, int] = {}
        self.history = History(connection, self._read_renames)
        self._last_rename = 0
        self._read: dict[int, tuple[Row, OutboxEntry]] = {}
        self._read_renames()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def version_of_others(self) -> int:
        """A number that changes when another connection writes to the file."""
        return version_of_others(self.connection)

    def setting(self, name: str) -> str | None:
        """A stored setting, such as which board was open last."""
        row = self.connection.execute(
            "select value from setting where name = ?", (name,)
        ).fetchone()
        return None if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting."""
        self.connection.execute("replace into setting values (?, ?)", (name, value))

    def losses(self) -> tuple[str, ...]:
        """What may have been lost with damaged files, in words, until that is acknowledged."""
        rows = self.connection.execute(
            "select value from setting where name like ? order by name", (f"{_LOSS}%",)
        )
        return tuple(str(value) for (value,) in rows)

    def note_loss(self, at: datetime, text: str) -> None:
        """Remember that something may have been lost."""
        self.set_setting(f"{_LOSS}{at.isoformat()}", text)

    def acknowledge_losses(self) -> None:
        """The user knows what may have been lost."""
        self.connection.execute("delete from setting where name like ?", (f"{_LOSS}%",))

    def forget_step(self, step: UndoStep) -> None:
        """Remove a step that cannot be undone. Raises `StepGoneError`."""
        with transaction(self.connection):
            self.history.remove(step)

    def mentions(self, words: str) -> bool:
        """Whether an entry or a step of the history contains this text."""
        row = self.connection.execute(
            """select exists (select 1 from entry where instr(operation, :words))
                   or exists (select 1 from step where instr(body, :words))""",
            {"words": words},
        ).fetchone()
        return bool(row[0])

    def entries(self) -> tuple[list[OutboxEntry], int]:
        """Every readable entry with current ids, oldest first; and how many are unreadable."""
        entries, unreadable = {}, 0
        rows = self.connection.execute(f"select {COLUMNS} from entry order by seq")
        for row in rows:
            stored = self._read.get(row[0])
            # An unchanged row keeps its operation, which saves decoding it, and indexing it anew in
            # `Queue.put`.
            try:
                entry = stored[1] if stored and stored[0] == row else entry_of(row)
            except UNREADABLE:
                unreadable += 1
            else:
                entries[entry.seq] = (row, entry)
        self._read = entries
        renames = self._read_renames()
        return [entry.renamed(renames) for _, entry in entries.values()], unreadable

    def add(
        self,
        board_id: int,
        changes: Sequence[Change],
        since: datetime,
        travel: Travel | None = None,
        *,
        replacing: Sequence[int] = (),
        act: str = "",
    ) -> list[OutboxEntry]:
        """Write new entries, and their step to the history: a new one, or what undoes another.

        `replacing` are the numbers of entries to remove, `act` is that of the step. Raises
        `StepGoneError`.
        """
        with transaction(self.connection):
            # In the transaction, so that no other program assigns ids in between.
            self._read_renames()
            if replacing:
                self._delete(replacing)
                self.history.forget(replacing, leaves_gap=False)
            board_id = self.renames.get(board_id, board_id)
            entries, parts = [], []
            for planned, undo in changes:
                operation, key = planned.renamed(self.renames), os.urandom(16).hex()
                cursor = self.connection.execute(
                    """insert into entry (board_id, operation, since, idempotency_key, origin)
                       values (?, ?, ?, ?, ?)""",
                    (board_id, encode(operation), since.isoformat(), key, self.origin),
                )
                seq = int(cursor.lastrowid or 0)
                entry = OutboxEntry(seq, board_id, operation, since, key=key, origin=self.origin)
                entries.append(entry)
                back = tuple(inverse.renamed(self.renames) for inverse in undo)
                parts.append(StepPart(seq, operation, back))
            step = UndoStep(0, board_id, tuple(parts), since, act, origin=self.origin)
            self.history.record(step, travel)
        return entries

    def update(self, entries: Sequence[OutboxEntry], rebased: Iterable[OutboxEntry] = ()) -> None:
        """Write the state of entries; refused ones are marked in the history.

        `rebased` are changed operations of others.
        """
        with transaction(self.connection):
            self._rewrite(rebased)
            for entry in entries:
                self._write_standing(entry)
                if not entry.is_drawn:
                    part = StepPart(entry.seq, entry.operation, (), is_void=True)
                    step = UndoStep(0, entry.board_id, (part,), entry.since)
                    self.history.void(step, (entry.seq, *entry.stands_for))

    def claim(self, entry: OutboxEntry, former: str, may_send: Callable[[], bool]) -> bool:
        """Mark an entry as being sent; False if another program sends, or has it.

        `former` is the sender that this program knows to have ended, or to be itself.
        """
        # One transaction, or two programs could both find the entry free.
        with transaction(self.connection):
            row = self.connection.execute(
                "select sender from entry where seq = ?", (entry.seq,)
            ).fetchone()
            is_free = row is not None and row[0] in ("", former, entry.sender)
            if is_free and may_send():
                self._write_standing(entry)
                return True
        return False

    def change(
        self,
        entries: Sequence[OutboxEntry],
        gone: Sequence[int] = (),
        undo: Sequence[Operation] | None = None,
    ) -> None:
        """Write changed operations of unsent entries, and remove others.

        `undo` are additional inverses of an operation that changed, for the history.
        """
        with transaction(self.connection):
            self._delete(gone)
            self._rewrite(entries)
            if undo is not None:
                for entry in entries:
                    self.history.complete(entry.seq, entry.operation, undo)

    def settle(
        self,
        entry: OutboxEntry,
        renamed: Mapping[int, int],
        following: Sequence[OutboxEntry] = (),
        written: Document | None = None,
        overtaken: Sequence[OutboxEntry] = (),
        *,
        stays: bool = False,
    ) -> None:
        """Remove an accepted entry, and store the assigned ids of what it created.

        If it `stays`, it is drawn under its assigned id until `forget`. `following` are the next
        changes of the same value, rebased, and `overtaken` others that were placed anew; `written`
        is the service's document if it stored the value in another form: see
        `History.note_written`.
        """
        with transaction(self.connection):
            self._rewrite((*following, *overtaken))
            if written is not None:
                self.history.note_written(
                    entry.board_id, entry.seq, entry.operation, written, is_last=not following
                )
            self._delete(() if stays else [entry.seq])
            for old, new in renamed.items():
                self.connection.execute("replace into renamed (old, new) values (?, ?)", (old, new))
                for table in ("entry", "step"):
                    self.connection.execute(
                        f"update {table} set board_id = ? where board_id = ?", (new, old)
                    )
            self._read_renames()
            # Once in so many ids only, as the search reads everything that is stored.
            if renamed and self._last_rename % _RENAMES_KEPT == 0:
                self._forget_renames()

    def forget(self, entry: OutboxEntry) -> None:
        """Remove an accepted entry that stayed.

        If that is lost with the power, the entry is read back and removed at the next start: no
        wait for the disk is needed.
        """
        self.connection.execute("pragma synchronous = normal")
        try:
            self._delete([entry.seq])
        finally:
            self.connection.execute("pragma synchronous = full")

    def discard(self, entries: Sequence[OutboxEntry], rebased: Iterable[OutboxEntry] = ()) -> None:
        """Remove entries that the user dropped; `rebased` are changed operations of others."""
        with transaction(self.connection):
            self._rewrite(rebased)
            for entry in entries:
                self._delete([entry.seq])
                self.history.forget((entry.seq, *entry.stands_for), leaves_gap=True)

    def _write_standing(self, entry: OutboxEntry) -> None:
        self.connection.execute(
            """update entry set state = ?, attempts = ?, next_try = ?, reason = ?, footing = ?,
               differences = ?, faults = ?, stands_for = ?, sender = ? where seq = ?""",
            (*standing_of(entry), entry.seq),
        )

    def _rewrite(self, entries: Iterable[OutboxEntry]) -> None:
        for entry in entries:
            self.connection.execute(
                "update entry set operation = ?, stands_for = ? where seq = ?",
                (encode(entry.operation), standing_of(entry)[-2], entry.seq),
            )

    def _delete(self, seqs: Iterable[int]) -> None:
        for seq in seqs:
            self.connection.execute("delete from entry where seq = ?", (seq,))

    def _read_renames(self) -> Mapping[int, int]:
        # Also picks up ids that another program has added.
        for seq, old, new in self.connection.execute(
            "select seq, old, new from renamed where seq > ?", (self._last_rename,)
        ).fetchall():
            self.renames[old] = new
            self._last_rename = max(self._last_rename, seq)
        return self.renames

    def _forget_renames(self) -> None:
        stored = self.connection.execute(
            "select operation from entry union all select body from step"
        )
        # Local ids are the negative ones. A negative number in a text keeps a row without need,
        # which does no harm.
        used = {int(some_id) for (body,) in stored for some_id in re.findall(r"-\d+", body)}
        earlier = self.connection.execute(
            "select old from renamed where seq <= ?", (self._last_rename - _RENAMES_KEPT,)
        )
        unused = [(old,) for (old,) in earlier.fetchall() if old not in used]
        self.connection.executemany("delete from renamed where old = ?", unused)


def open_outbox(
    path: Path, now: datetime, *, is_shared: bool = False, is_used: bool = False
) -> tuple[Outbox, str]:
    """Open the outbox; of a damaged one the readable rows are saved, with a message for the user.

    The damaged file is kept beside the new one, with a report of what was saved and what was not;
    what may be lost stays among the `losses`. On a profile that `is_used` an empty file, or none,
    is a loss too. Raises `CallboardError` for a file of a newer version, and for a damaged one that
    another program uses (`is_shared`); both are left as they are.
    """
    try:
        return Outbox(_opened(path, may_be_new=not is_used)), ""
    except NewerFileError as error:
        raise CallboardError(
            f"{path} was written by a newer version of Callboard; nothing in it was changed.",
            hint="Start the newer version to send the changes in it.",
        ) from error
    except DamagedFileError as error:
        # The other program would go on writing to the file set aside.
        if is_shared:
            raise CallboardError(
                f"{path} is damaged, and Callboard is open on it. Nothing in it was changed.",
                hint="Close it and start again: what can be read is saved.",
            ) from error
        if not path.exists():
            outbox = Outbox(_opened(path))
            outbox.note_loss(now, _MISSING)
            return outbox, _MISSING
        aside = set_aside(path, now)
    connection = _opened(path)
    salvaged = salvage(aside, connection)
    outbox = Outbox(connection)
    return outbox, _write_report(outbox, salvaged, aside, _refuse_orphans(outbox), now)


def _opened(path: Path, *, may_be_new: bool = True) -> sqlite3.Connection:
    # Checked completely, which takes a millisecond for each megabyte.
    if is_empty(path) and not may_be_new:
        raise DamagedFileError("it is empty")
    connection = open_database(path, MIGRATIONS, synchronous="full")
    connection.text_factory = damaged_text
    try:
        check_whole(connection)
    except DamagedFileError:
        connection.close()
        raise
    return connection


def _refuse_orphans(outbox: Outbox) -> list[OutboxEntry]:
    # What their local ids stand for was lost with the entries that created it.
    created: set[int | None] = set()
    orphans = []
    for entry in outbox.entries()[0]:
        if not entry.needs <= created:
            orphans.append(entry)
        else:
            created.add(entry.operation.creates)
    refused = [
        replace(entry, state=PendingState.REFUSED, reason=_ORPHANED, next_try=None, baseline=None)
        for entry in orphans
    ]
    outbox.update(refused)
    return refused


def _write_report(
    outbox: Outbox, salvaged: Salvaged, aside: Path, orphans: Sequence[OutboxEntry], now: datetime
) -> str:
    entries = outbox.entries()[0]
    saved = [entry.operation.describe() for entry in entries if entry not in orphans]
    present = {seq for entry in entries for seq in (entry.seq, *entry.stands_for)}
    lost = outbox.history.descriptions(
        lambda seq: seq in salvaged.lost if salvaged.lost else seq not in present
    )
    lines = [f"{aside} is damaged; it is kept as it was.", ""]
    lines += ["Saved, and sent as usual:", *_listed(saved), ""]
    if orphans:
        lines += ["Saved, but not sent: which card or board they belong to was lost:"]
        lines += [*_listed([entry.operation.describe() for entry in orphans]), ""]
    if not salvaged.is_complete:
        lines += ["Not readable, or sent before; see whether the boards have it:", *_listed(lost)]
        lines += ["", "Other changes that were not sent yet may be lost and cannot be named.", ""]
    report = report_of(aside)
    with suppress(OSError):
        report.touch(mode=0o600)
        report.write_text("\n".join(lines), "utf-8")
    count = f"{len(entries)} of the changes in it saved" if entries else "no change in it saved"
    summary = (
        f"Unsent changes: the file was damaged; {count}"
        f"{f', {len(orphans)} of them only to look at (g u)' if orphans else ''}"
        f"{'' if salvaged.is_complete else ', others may be lost'}: see {report.name}"
    )
    if not salvaged.is_complete:
        named, more = lost[:_MOST_NAMED], len(lost) - _MOST_NAMED
        named += [f"and {more} more"] if more > 0 else []
        names = f". Lost, or sent before: {'; '.join(named)}" if named else ""
        outbox.note_loss(now, f"{summary}{names}")
    return summary


def _listed(descriptions: Sequence[str]) -> list[str]:
    return [f"- {description}" for description in descriptions] or ["- none"]
