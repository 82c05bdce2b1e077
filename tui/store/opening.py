"""Opening what is kept on disk, so that the first board can be painted from it.

The rule it keeps: a cache that is damaged is set aside and filled again; nothing a person did is in
it. What was set aside or cannot be read is told.
"""

import sqlite3
from datetime import datetime
from pathlib import Path

from tui.store.cache.file import Cache, open_cache, renewed_cache
from tui.store.documents.shapes import KeptBoardDocuments
from tui.store.outbox.file import Outbox

LAST_BOARD = "last-board"
"""Under which name the outbox remembers which board was open last."""


def opened_cache(
    path: Path, outbox: Outbox, now: datetime
) -> tuple[Cache, Cache, dict[int, KeptBoardDocuments], str]:
    """The cache twice, tried out on the board that will be painted first; that is kept."""
    glance, message = open_cache(path, now)
    read_ahead: dict[int, KeptBoardDocuments] = {}
    try:
        glance.board_summaries()
        board_id = int(outbox.setting(LAST_BOARD) or 0)
        if first := glance.first_paint(board_id):
            read_ahead[board_id] = first
    except (sqlite3.DatabaseError, ValueError):
        glance.close()
        glance, aside = renewed_cache(path, now)
        message = f"The cache was damaged and set aside as {aside.name}; it fills again."
    cache, _ = open_cache(path, now)
    return glance, cache, read_ahead, message


def unreadable_in_words(count: int) -> tuple[str, ...]:
    """What a person is told about changes on disk that cannot be read."""
    if not count:
        return ()
    changes = "One change that was not sent yet" if count == 1 else f"{count} unsent changes"
    message = (
        f"{changes} cannot be read, being damaged or of a newer version. "
        "Nothing was removed; what is on the boards may lack it."
    )
    return (message,)
