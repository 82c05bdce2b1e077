"""The boards of a cache as of one moment, for commands that open neither store nor service.

The file is opened read-only; it is neither created nor migrated.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from tui.model.board import Board, BoardView
from tui.model.relations import Relations
from tui.store.cache.cards import CardCache
from tui.store.cache.schema import BOARD_LIST, MIGRATIONS
from tui.store.documents.assemble import Assembler
from tui.store.files.database import connected_to_read, transaction

_ALL = -1
"""The limit of SQLite for no limit."""


class CurrentCache:
    """The boards on one connection; errors are those of SQLite."""

    def __init__(self, link: sqlite3.Connection) -> None:
        self._link = link
        self._assembler = Assembler()

    def list_version(self) -> str:
        """The version of the list of boards that was fetched last; empty if not known."""
        return self.synced_at(BOARD_LIST)

    def synced_at(self, board_id: int) -> str:
        """The service's time stamp of the state of a board; empty if it was never fetched."""
        rows = self._link.execute("select synced_at from freshness where board_id = ?", (board_id,))
        return str(next(rows, ("",))[0])

    def boards(self) -> list[Board]:
        """The boards that are not archived, newest first."""
        rows = self._link.execute(
            "select body from section where kind = 'summary' order by id desc"
        )
        boards = [self._assembler.board(json.loads(body)) for (body,) in rows]
        return [board for board in boards if board.archived_at is None]

    def relations(self) -> Relations:
        """Which cards of all boards block which."""
        cards = CardCache(self._link)
        blocked = {card.id: card for card in cards.blocked()}
        named = {blocker.id for card in blocked.values() for blocker in card.blockers}
        return Relations({card.id: card for card in cards.with_ids(named)} | blocked)

    def view(self, board_id: int) -> BoardView | None:
        """A board with all its cards; None if not cached."""
        row = self._link.execute(
            "select body from section where kind = 'board' and id = ?", (board_id,)
        ).fetchone()
        if row is None:
            return None
        frame = self._assembler.empty_view(json.loads(row[0]))
        cards = CardCache(self._link)
        lanes = {stage.id: cards.first(board_id, stage.id, _ALL) for stage in frame.stages}
        return replace(frame, tasks=lanes)


@contextmanager
def current_cache(path: Path) -> Iterator[CurrentCache | None]:
    """Open a cache as of now; None if it is of another version. Errors are those of SQLite."""
    with closing(connected_to_read(path)) as link, transaction(link, only_reads=True):
        (version,) = link.execute("pragma user_version").fetchone()
        yield CurrentCache(link) if version == len(MIGRATIONS) else None
