"""Boards that are being copied or deleted in steps, since others may write in between.

They have no members, so nobody but an administrator sees them, and are marked. One that was left
when the program ended is removed at a later start.
"""

import logging
from datetime import datetime, timedelta

from tui.service.database.base import LARGEST_STEP, Database, Transaction
from tui.service.errors import ServiceError
from tui.service.times import iso

_log = logging.getLogger(__name__)
_MARK = "loose-board-"
_LEFT_AFTER = timedelta(hours=1)
"""No copy takes as long, so that one which another program makes is not removed."""
_PARTS = (
    "activity where board_id = :board",
    "comment where board_id = :board",
    # Before the other tasks, each of which would take all its subtasks with it in one step.
    "task where board_id = :board and parent_id is not null",
    "task where board_id = :board",
)


def mark_loose(db: Transaction, board_id: int, now: datetime) -> None:
    """Note that a board is being copied or deleted."""
    db.insert_missing("service_key", name=f"{_MARK}{board_id}", value=iso(now))


def forget_loose(db: Transaction, board_id: int) -> None:
    """Note that the copy of a board is complete."""
    db.run("delete from service_key where name = :name", name=f"{_MARK}{board_id}")


def remove_loose(database: Database, board_id: int) -> None:
    """Delete a marked board with everything on it, in steps. Raises `ServiceError`."""
    # A single delete of the board would cascade to everything, and keep other writers out
    # meanwhile.
    for part in _PARTS:
        chosen = f"select id from {part} limit {LARGEST_STEP:d}"
        statement = f"delete from {part.split()[0]} where id in ({chosen}) returning 1"
        while _deleted(database, board_id, statement) == LARGEST_STEP:
            pass

    def end(db: Transaction) -> None:
        db.delete("board", id=board_id)
        forget_loose(db, board_id)

    database.settled(end, writing=True, board_id=board_id)


def _deleted(database: Database, board_id: int, statement: str) -> int:
    return database.settled(
        lambda db: len(db.tuples(statement, board=board_id)),
        writing=True,
        board_id=board_id,
    )


def remove_left(database: Database, now: datetime) -> None:
    """Remove the boards that were left half copied or half deleted; what fails is tried again."""
    rows = database.rows(
        "select name from service_key where name like :mark and value < :limit",
        mark=f"{_MARK}%",
        limit=iso(now - _LEFT_AFTER),
    )
    for row in rows:
        try:
            remove_loose(database, int(row["name"].removeprefix(_MARK)))
        except ServiceError as error:
            _log.warning("A board that was left half deleted is kept: %s", error.message)
