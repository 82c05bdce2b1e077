"""How the changes on their way are, and the history; and saving them from a damaged file.

An examination never writes to their file. A damaged file is kept, and so is one set aside earlier.
"""

import json
import sqlite3
from collections import Counter
from datetime import datetime
from pathlib import Path

from tui.store import operations
from tui.store.doctor.report import (
    Level,
    Remark,
    UnreadableError,
    check_whole,
    counted,
    is_empty,
    read_only,
)
from tui.store.documents.assemble import instant
from tui.store.files.database import report_of, set_aside_files
from tui.store.files.lease import Lease
from tui.store.files.salvage import damaged_text
from tui.store.outbox.codec import UnreadableOperationError, decode
from tui.store.outbox.file import open_outbox

ABOUT = "changes"
REPAIR = "callboard doctor --repair"

_IN_WORDS = {
    "waiting": "to be sent",
    "sending": "being sent",
    "unsure": "may have arrived",
    "refused": "refused by the service",
    "conflict": "in conflict with what somebody else did",
}
_FOR_A_PERSON = ("unsure", "refused", "conflict")
_WHERE = "g u in the program shows them, with what can be done."


def examine_outbox(path: Path, now: datetime) -> list[Remark]:
    """How the file of changes at `path` is."""
    if not path.exists():
        text = f"{path} is not there yet: nothing was changed so far."
        return [Remark(Level.OK, ABOUT, text), *_set_aside(path)]
    try:
        with read_only(path) as connection:
            found = _remarks(path, connection, now)
    except UnreadableError as error:
        found = [_unreadable(path, error)]
    return [*found, *_set_aside(path)]


def _unreadable(path: Path, error: UnreadableError) -> Remark:
    if error.is_damaged:
        return Remark(
            Level.PROBLEM,
            ABOUT,
            f"{path} is damaged: {error}. Changes in it may not have been sent.",
            f"{REPAIR}, or the next start of the program, saves what can be read. The damaged file"
            " is kept.",
        )
    hint = f"See that you may read and write {path.parent}; nothing in it was touched."
    return Remark(Level.PROBLEM, ABOUT, f"{path} cannot be read: {error}.", hint)


def _remarks(path: Path, connection: sqlite3.Connection, now: datetime) -> list[Remark]:
    check_whole(connection)
    if is_empty(connection):
        return [Remark(Level.OK, ABOUT, f"{path} is empty: nothing was changed so far.")]
    operations.load()
    connection.text_factory = damaged_text
    rows = connection.execute("select operation, state, since from entry order by seq").fetchall()
    states = Counter(str(state) for _, state, _ in rows)
    found = [_on_the_way(path, states, [since for _, _, since in rows], now)]
    stuck = [f"{states[state]} {_IN_WORDS[state]}" for state in _FOR_A_PERSON if states[state]]
    if stuck:
        text = f"A person has to decide: {', '.join(stuck)}."
        found.append(Remark(Level.NOTE, ABOUT, text, _WHERE))
    unreadable = sum(1 for operation, _, _ in rows if not _can_be_read(operation))
    if unreadable:
        text = f"{counted(unreadable, 'change')} cannot be read, damaged or of a newer version."
        hint = "They stay where they are; a newer version of Callboard may be able to send them."
        found.append(Remark(Level.PROBLEM, ABOUT, text, hint))
    (steps, size) = connection.execute(
        "select count(*), ifnull(sum(length(body)), 0) from step"
    ).fetchone()
    text = f"{counted(steps, 'step')} can be taken back or done again ({size // 1024} kB)."
    return [*found, Remark(Level.OK, ABOUT, text)]


def _on_the_way(path: Path, states: Counter[str], since: list[str], now: datetime) -> Remark:
    waiting = states["waiting"] + states["sending"]
    if not states:
        return Remark(Level.OK, ABOUT, f"{path} is whole, and everything in it was sent.")
    words = ", ".join(f"{count} {_IN_WORDS.get(state, state)}" for state, count in states.items())
    text = f"{path} is whole: {words}; {_oldest(since, now)}."
    hint = "Open the program: it sends them as soon as the service answers." if waiting else ""
    return Remark(Level.NOTE if waiting else Level.OK, ABOUT, text, hint)


def _oldest(since: list[str], now: datetime) -> str:
    moments = [moment for moment in map(instant, since) if moment is not None]
    if not moments:
        return "since when is not known"
    hours = (now - min(moments)).total_seconds() / 3600
    if hours < 1:
        return "the oldest is less than an hour old"
    if hours < 48:  # noqa: PLR2004  two days
        return f"the oldest is {counted(int(hours), 'hour')} old"
    return f"the oldest is {counted(int(hours / 24), 'day')} old"


def _can_be_read(operation: str) -> bool:
    try:
        decode(operation)
    except (UnreadableOperationError, json.JSONDecodeError):
        return False
    return True


def _set_aside(path: Path) -> list[Remark]:
    files = set_aside_files(path)
    if not files:
        return []
    names = ", ".join(file.name for file in files)
    text = f"Set aside because it was damaged: {names}. Changes in it may not have been sent."
    reports = [report_of(file).name for file in files if report_of(file).exists()]
    told = f"{', '.join(reports)} names what was saved of it. " if reports else ""
    hint = f"{told}Keep it until you have seen that nothing is missing on the boards."
    return [Remark(Level.NOTE, ABOUT, text, hint)]


def save_what_can_be_read(path: Path, now: datetime) -> str:
    """Replace a damaged file of changes by a whole one; says what could be saved.

    Raises `CallboardError`.
    """
    outbox, said = open_outbox(path, now)
    outbox.close()
    return said


def examine_sender(lock: Path) -> list[Remark]:
    """Whether a program is open on the profile whose lock this is."""
    if not lock.exists():
        return []
    lease = Lease(lock)
    try:
        if not lease.take():
            text = lease.remark or "Callboard is open on this profile and sends its changes."
            return [Remark(Level.NOTE if lease.remark else Level.OK, ABOUT, text)]
        if lease.remark:
            return [Remark(Level.NOTE, ABOUT, lease.remark)]
    finally:
        lease.release()
    return []


def is_in_use(lock: Path) -> bool:
    """Whether a program is open on the profile whose lock this is."""
    if not lock.exists():
        return False
    lease = Lease(lock)
    try:
        return not lease.take()
    finally:
        lease.release()
