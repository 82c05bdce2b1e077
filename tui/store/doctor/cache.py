"""How the cache of a profile is, and what can be done about it.

The cache can be had again, so anything may be done to it that a person agrees to, as long as no
program uses it.
"""

import sqlite3
from datetime import datetime
from pathlib import Path

from tui.store.cache.eviction import LIMIT_MB, KeptTasks, Upkeep
from tui.store.doctor.report import (
    Level,
    Remark,
    UnreadableError,
    check_whole,
    counted,
    is_empty,
    megabytes,
    read_only,
)
from tui.store.files.database import forget_old_set_aside, set_aside, set_aside_files

ABOUT = "cache"
REPAIR = "callboard doctor --repair"

_WASTED = 0.25
_WASTED_BYTES = 8 << 20


def examine_cache(path: Path, now: datetime, limit_mb: int = LIMIT_MB) -> list[Remark]:
    """How the cache at `path` is."""
    if not path.exists():
        text = f"{path} is not there yet; it fills from the service."
        return [Remark(Level.OK, ABOUT, text), *_set_aside(path)]
    try:
        with read_only(path) as connection:
            found = _remarks(path, connection, now, limit_mb)
    except UnreadableError as error:
        found = [_unreadable(path, error)]
    return [*found, *_set_aside(path)]


def _unreadable(path: Path, error: UnreadableError) -> Remark:
    if error.is_damaged:
        hint = f"{REPAIR} sets it aside; it fills again, and no change is in it."
        return Remark(Level.PROBLEM, ABOUT, f"{path} is damaged: {error}.", hint)
    hint = f"See that you may read and write {path.parent}; no change is lost by it."
    return Remark(Level.PROBLEM, ABOUT, f"{path} cannot be read: {error}.", hint)


def _remarks(
    path: Path, connection: sqlite3.Connection, now: datetime, limit_mb: int
) -> list[Remark]:
    check_whole(connection)
    if is_empty(connection):
        return [Remark(Level.OK, ABOUT, f"{path} is empty; it fills from the service.")]
    upkeep = Upkeep(connection)
    size = upkeep.size()
    boards, tasks = _kept(upkeep)
    text = (
        f"{path} is whole: {megabytes(size.total)}, {counted(boards, 'board')}, "
        f"{counted(sum(each.tasks for each in tasks), 'card')} of {len(tasks)} of them."
    )
    found = [Remark(Level.OK, ABOUT, text)]
    if tasks:
        found.append(Remark(Level.OK, ABOUT, _age(tasks, now)))
    if size.used > limit_mb << 20:
        hint = "Boards that nobody opens for 90 days are forgotten by themselves."
        text = f"It is larger than the {limit_mb} MB it is to have."
        found.append(Remark(Level.NOTE, ABOUT, text, hint))
    if size.unused > max(_WASTED_BYTES, size.total * _WASTED):
        text = f"{megabytes(size.unused)} of it hold nothing."
        found.append(Remark(Level.NOTE, ABOUT, text, f"{REPAIR} gives them back."))
    return found


def _kept(upkeep: Upkeep) -> tuple[int, list[KeptTasks]]:
    """How many boards are known, and those of which tasks are kept; none of an older cache."""
    try:
        return upkeep.count_boards(), upkeep.boards()
    except sqlite3.OperationalError:
        return 0, []


def _age(tasks: list[KeptTasks], now: datetime) -> str:
    """How long ago boards were looked at."""
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
        return "in the future by this machine's clock"
    return "today" if days == 0 else f"{counted(days, 'day')} ago"


def _set_aside(path: Path) -> list[Remark]:
    files = set_aside_files(path)
    if not files:
        return []
    text = f"{counted(len(files), 'damaged file')} set aside, the last as {files[0].name}."
    return [Remark(Level.NOTE, ABOUT, text, f"{REPAIR} removes them; nothing in them is needed.")]


def put_aside(path: Path, now: datetime) -> str:
    """Set a damaged cache aside; says what was done. Raises `OSError`."""
    aside = set_aside(path, now)
    forget_old_set_aside(path)
    return f"The cache was set aside as {aside.name}; it fills again."


def remove_set_aside(path: Path) -> str:
    """Remove the caches that were set aside; says what was done."""
    return f"{counted(len(forget_old_set_aside(path, kept=0)), 'file')} removed."


def compact(path: Path) -> str:
    """Write the cache anew without unused room; says what was done. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        upkeep = Upkeep(connection)
        before = upkeep.size().total
        upkeep.compact()
        saved = before - upkeep.size().total
    finally:
        connection.close()
    return f"The cache was written anew, {megabytes(max(saved, 0))} smaller."
