"""Diagnosis and repair of a profile's files, as a list of remarks with hints.

Diagnosis changes nothing, works on damaged files, and never fails: an unreadable file is a remark
too. The cache may be repaired in any way while no program uses it, since it can be fetched again. A
damaged outbox, and one set aside earlier, is always kept.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from tui.store import operations
from tui.store.cache.eviction import LIMIT_MB, KeptTasks, Upkeep
from tui.store.cache.schema import MIGRATIONS as CACHE_MIGRATIONS, set_cache_aside
from tui.store.documents.assemble import instant
from tui.store.files.database import (
    DamagedFileError,
    check_tables,
    check_whole,
    connected_to_read,
    forget_old_set_aside,
    is_empty,
    report_of,
    set_aside_files,
)
from tui.store.files.lease import STOPPED, cannot_lock, holders, process_state
from tui.store.files.salvage import damaged_text
from tui.store.outbox.codec import UnreadableOperationError, decode
from tui.store.outbox.file import MIGRATIONS as OUTBOX_MIGRATIONS, open_outbox
from tui.text.clean import counted

_CACHE = "cache"
_CHANGES = "changes"
_REPAIR = "The same command with --repair"
_BUSY_SECONDS = 2.0
_MEGABYTE = 1 << 20
_WASTED = 0.25
_WASTED_BYTES = 8 << 20
_IN_WORDS = {
    "waiting": "to be sent",
    "sending": "being sent",
    "unsure": "may have arrived",
    "refused": "refused",
    "conflict": "in conflict with someone else’s change",
}
Migrations = Sequence[Sequence[str]]
_FOR_A_PERSON = ("unsure", "refused", "conflict")
_WHERE = "g u in the program shows them and what to do."


class Level(StrEnum):
    """The severity of a remark."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


class Remark(NamedTuple):
    """One result; `hint` is what to do about it, or empty."""

    level: Level
    about: str
    text: str
    hint: str = ""


class UnreadableError(Exception):
    """A file cannot be read; `is_damaged` if it is no intact database.

    The message is the reason in words.
    """

    def __init__(self, reason: str, *, is_damaged: bool) -> None:
        super().__init__(reason)
        self.is_damaged = is_damaged


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection. Raises `UnreadableError`, on opening and on reading."""
    try:
        # The system's error gives the reason; SQLite only says that it cannot open the file.
        path.open("rb").close()
        with closing(connected_to_read(path, wait_seconds=_BUSY_SECONDS)) as connection:
            yield connection
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableError(reason, is_damaged=False) from error
    except DamagedFileError as error:
        raise UnreadableError(str(error), is_damaged=True) from error
    except sqlite3.OperationalError as error:
        raise UnreadableError(str(error), is_damaged="malformed" in str(error)) from error
    except sqlite3.DatabaseError as error:
        raise UnreadableError(str(error), is_damaged=True) from error


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the migrations that a file has."""
    (version,) = connection.execute("pragma user_version").fetchone()
    return int(version)


def megabytes(size: int) -> str:
    """A file size as text."""
    return "less than 1 MB" if size < _MEGABYTE else f"{size / _MEGABYTE:,.0f} MB"


def counted_or_no(number: int, thing: str) -> str:
    """A number of things as text: “no boards”, “1 board”, “3 boards”."""
    return counted(number, thing) if number else f"no {thing}s"


def _examined(
    about: str,
    path: Path,
    look: Callable[[sqlite3.Connection], list[Remark]],
    *,
    nothing_yet: str,
    damage: tuple[str, str],
    untouched: str,
    migrations: Migrations,
    newer: tuple[Level, str, str],
) -> list[Remark]:
    if not path.exists():
        return [Remark(Level.OK, about, f"{path} is not there yet{nothing_yet}")]
    try:
        with read_only(path) as connection:
            check_whole(connection)
            (tables,) = connection.execute("select count(*) from sqlite_master").fetchone()
            if not tables:  # the program ended while creating the file
                return [Remark(Level.OK, about, f"{path} is empty{nothing_yet}")]
            if version_of(connection) == len(migrations):
                check_tables(connection, migrations)
            if version_of(connection) > len(migrations):
                level, ending, hint = newer
                text = f"{path} was written by a newer version of Callboard{ending}"
                return [Remark(level, about, text, hint)]
            return look(connection)
    except UnreadableError as error:
        if error.is_damaged:
            ending, hint = damage
            return [Remark(Level.PROBLEM, about, f"{path} is damaged: {error}.{ending}", hint)]
        hint = f"Check that you may read and write {path.parent}; {untouched}."
        return [Remark(Level.PROBLEM, about, f"{path} cannot be read: {error}.", hint)]


def examine_cache(path: Path, now: datetime, limit_mb: int = LIMIT_MB) -> list[Remark]:
    """The remarks about the cache at `path`."""
    remarks = _examined(
        _CACHE,
        path,
        lambda connection: _of_cache(path, Upkeep(connection), now, limit_mb),
        nothing_yet="; it fills from the service.",
        damage=("", f"{_REPAIR} sets it aside; it will be rebuilt, and no change is in it."),
        untouched="no change is lost by it",
        migrations=CACHE_MIGRATIONS,
        newer=(Level.NOTE, "; this one sets it aside and fills a new one.", ""),
    )
    files = set_aside_files(path)
    if files:
        text = f"{counted_or_no(len(files), 'file')} set aside, the last as {files[0].name}."
        hint = f"{_REPAIR} removes them; nothing in them is needed."
        remarks.append(Remark(Level.NOTE, _CACHE, text, hint))
    return remarks


def _of_cache(path: Path, upkeep: Upkeep, now: datetime, limit_mb: int) -> list[Remark]:
    size = upkeep.size()
    boards, tasks = _boards_in(upkeep)
    text = f"{path} is whole: {megabytes(size.total)}, {counted_or_no(boards, 'board')}"
    if tasks:
        cards = counted_or_no(sum(board.tasks for board in tasks), "card")
        text += f", {cards} of {len(tasks)} of them"
    remarks = [Remark(Level.OK, _CACHE, f"{text}.")]
    if tasks:
        remarks.append(Remark(Level.OK, _CACHE, _age(tasks, now)))
    if size.used > limit_mb << 20:
        hint = "Boards not opened for 90 days are removed automatically."
        text = f"It is larger than its limit of {limit_mb} MB."
        remarks.append(Remark(Level.NOTE, _CACHE, text, hint))
    if size.unused > max(_WASTED_BYTES, size.total * _WASTED):
        text = f"{megabytes(size.unused)} of it are unused."
        remarks.append(Remark(Level.NOTE, _CACHE, text, f"{_REPAIR} frees them."))
    return remarks


def _boards_in(upkeep: Upkeep) -> tuple[int, list[KeptTasks]]:
    try:
        return upkeep.count_boards(), upkeep.boards()
    except sqlite3.OperationalError:
        return 0, []


def _age(tasks: list[KeptTasks], now: datetime) -> str:
    newest, oldest = tasks[-1], tasks[0]
    if newest.board_id == oldest.board_id:
        return f"The board in it was looked at {_ago(newest, now)}."
    return (
        f"Of the boards in it the last was looked at {_ago(newest, now)}, "
        f"the first {_ago(oldest, now)}."
    )


def _ago(board: KeptTasks, now: datetime) -> str:
    if board.visited_at.year == 1:
        return "never"
    days = (now - board.visited_at).days
    if days < 0:
        return "in the future by this machine’s clock"
    return "today" if days == 0 else f"{counted_or_no(days, 'day')} ago"


def put_aside(path: Path, now: datetime) -> str:
    """Set a damaged cache aside; returns a description. Raises `OSError`."""
    return f"The cache was set aside as {set_cache_aside(path, now).name}; it fills again."


def remove_set_aside(path: Path) -> str:
    """Remove the caches set aside earlier; returns a description."""
    return f"{counted_or_no(len(forget_old_set_aside(path, most=0)), 'file')} removed."


def compact(path: Path) -> str:
    """Rewrite the cache without free pages; returns a description. Raises `sqlite3.Error`."""
    # Autocommit, because SQLite compacts no file within a transaction.
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        upkeep = Upkeep(connection)
        previous_size = upkeep.size().total
        upkeep.compact()
        saved = previous_size - upkeep.size().total
    finally:
        connection.close()
    return f"The cache was rewritten, {megabytes(max(saved, 0))} smaller."


def examine_outbox(path: Path, now: datetime, *, is_used: bool) -> list[Remark]:
    """The remarks about the outbox at `path`; of a profile that `is_used` it has to be there."""
    if is_used and is_empty(path):
        text = f"{path} is empty or missing: changes that were not sent may be lost."
        hint = f"{_REPAIR}, or the next start of the program, makes a new one and notes that."
        return [Remark(Level.PROBLEM, _CHANGES, text, hint)]
    saves = (
        f"{_REPAIR}, or the next start of the program, saves what can be read. The damaged file"
        " is kept."
    )
    remarks = _examined(
        _CHANGES,
        path,
        lambda connection: _of_outbox(path, connection, now),
        nothing_yet=": nothing was changed so far.",
        damage=(" Changes in it may not have been sent.", saves),
        untouched="nothing in it was touched",
        migrations=OUTBOX_MIGRATIONS,
        newer=(Level.PROBLEM, ", so this one does not open it.", "Start the newer version."),
    )
    files = set_aside_files(path)
    if files:
        names = ", ".join(file.name for file in files)
        text = f"Set aside because it was damaged: {names}. Changes in it may not have been sent."
        reports = [report_of(file).name for file in files if report_of(file).exists()]
        note = f"{', '.join(reports)} names what was saved of it. " if reports else ""
        hint = f"{note}Keep it until you have seen that nothing is missing on the boards."
        remarks.append(Remark(Level.NOTE, _CHANGES, text, hint))
    return remarks


def _of_outbox(path: Path, connection: sqlite3.Connection, now: datetime) -> list[Remark]:
    operations.load()
    # A damaged row may hold bytes that are not UTF-8, at which sqlite3 would raise.
    connection.text_factory = damaged_text
    rows = connection.execute("select operation, state, since from entry order by seq").fetchall()
    states = Counter(str(state) for _, state, _ in rows)
    remarks = [_on_the_way(path, states, [since for _, _, since in rows], now)]
    stuck = [f"{states[state]} {_IN_WORDS[state]}" for state in _FOR_A_PERSON if states[state]]
    if stuck:
        text = f"You have to decide: {', '.join(stuck)}."
        remarks.append(Remark(Level.NOTE, _CHANGES, text, _WHERE))
    unreadable = sum(1 for operation, _, _ in rows if not _can_be_read(operation))
    if unreadable:
        text = f"{counted(unreadable, 'change')} cannot be read, damaged or of a newer version."
        hint = "They are kept; a newer version of Callboard may be able to send them."
        remarks.append(Remark(Level.PROBLEM, _CHANGES, text, hint))
    losses = connection.execute("select value from setting where name like 'loss-%' order by name")
    remarks += [
        Remark(Level.NOTE, _CHANGES, str(text), "g u in the program acknowledges it.")
        for (text,) in losses
    ]
    (steps, size) = connection.execute(
        "select count(*), ifnull(sum(length(body)), 0) from step"
    ).fetchone()
    text = f"{counted_or_no(steps, 'step')} can be undone or redone ({size // 1024} kB)."
    return [*remarks, Remark(Level.OK, _CHANGES, text)]


def _on_the_way(path: Path, states: Counter[str], since: list[str], now: datetime) -> Remark:
    waiting = states["waiting"] + states["sending"]
    if not states:
        return Remark(Level.OK, _CHANGES, f"{path} is whole, and everything in it was sent.")
    words = ", ".join(f"{count} {_IN_WORDS.get(state, state)}" for state, count in states.items())
    text = f"{path} is whole: {words}; {_oldest(since, now)}."
    hint = "Open the program: it sends them when online." if waiting else ""
    return Remark(Level.NOTE if waiting else Level.OK, _CHANGES, text, hint)


def _oldest(since: list[str], now: datetime) -> str:
    moments = [moment for moment in map(instant, since) if moment is not None]
    if not moments:
        return "since when is not known"
    hours = (now - min(moments)).total_seconds() / 3600
    if hours < 1:
        return "the oldest is less than an hour old"
    if hours < 48:  # noqa: PLR2004  two days
        return f"the oldest is {counted_or_no(int(hours), 'hour')} old"
    return f"the oldest is {counted_or_no(int(hours / 24), 'day')} old"


def _can_be_read(operation: str) -> bool:
    try:
        decode(operation)
    except (UnreadableOperationError, json.JSONDecodeError):
        return False
    return True


def has_damaged_outbox(path: Path, *, is_used: bool) -> bool:
    """Whether the outbox at `path` is damaged, or missing on a profile that `is_used`."""
    return (is_used and is_empty(path)) or _is_damaged(path, OUTBOX_MIGRATIONS)


def has_damaged_cache(path: Path) -> bool:
    """Whether the cache at `path` is damaged."""
    return _is_damaged(path, CACHE_MIGRATIONS)


def _is_damaged(path: Path, migrations: Migrations) -> bool:
    if not path.exists():
        return False
    try:
        with read_only(path) as connection:
            check_whole(connection)
            if version_of(connection) == len(migrations):
                check_tables(connection, migrations)
    except UnreadableError as error:
        return error.is_damaged
    return False


def save_what_can_be_read(path: Path, now: datetime, *, is_used: bool) -> str:
    """Replace a damaged outbox by an intact one; returns what was saved.

    Raises `CallboardError`.
    """
    outbox, message = open_outbox(path, now, is_used=is_used)
    outbox.close()
    return message


def examine_sender(lock: Path) -> list[Remark]:
    """Whether a program is open on the profile whose lock this is."""
    if not lock.exists():
        return []
    try:
        running = holders(lock)
    except OSError as error:
        return [Remark(Level.NOTE, _CHANGES, cannot_lock(lock, error))]
    remarks = []
    for holder in running:
        text = f"Callboard is open on this profile (process {holder.process})"
        if process_state(holder.process) == STOPPED:
            hint = "Continue it (fg) or end it; until then another Callboard sends the changes."
            remarks.append(Remark(Level.NOTE, _CHANGES, f"{text}, and is stopped.", hint))
        else:
            remarks.append(Remark(Level.OK, _CHANGES, f"{text} and sends its changes."))
    return remarks


def is_in_use(lock: Path) -> bool:
    """Whether a program is open on the profile whose lock this is."""
    try:
        return bool(holders(lock))
    except OSError:  # what cannot be locked tells nothing
        return False
