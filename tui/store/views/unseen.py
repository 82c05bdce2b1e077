"""Which cards others changed since the person last looked at their board.

The rule it keeps: a mark stays until the card was looked at or the board was left, however often
the program is started or killed meanwhile; several programs of one person share the marks.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from tui.model.news import CardNews, NewsKind
from tui.store.cache.unseen_table import UnseenTable
from tui.store.events import Listeners, NewsHeard
from tui.store.files.disk import DiskThread

Marks = Mapping[int, CardNews]
_NONE: Marks = MappingProxyType({})


class Unseen:
    """The marks in memory, written through; a disk that cannot be written costs a mark alone."""

    def __init__(self, table: UnseenTable, disk: DiskThread, listeners: Listeners) -> None:
        self._table = table
        self._disk = disk
        self._listeners = listeners
        self._marks: dict[int, dict[int, CardNews]] = {}
        with suppress(sqlite3.Error):  # then everything counts as seen
            self._marks = table.all()

    def of(self, board_id: int) -> Marks:
        """The marked cards of a board, by their ids; never changed, a new mapping each time."""
        return self._marks.get(board_id, _NONE)

    async def heard(self, board_id: int, news: Sequence[CardNews]) -> None:
        """Mark the cards that others changed, and tell of it."""
        gone = {one.task_id for one in news if one.kind is NewsKind.GONE}
        marked = {one.task_id: one for one in news if one.kind is not NewsKind.GONE}
        known = self.of(board_id).items()
        self._marks[board_id] = {id_: one for id_, one in known if id_ not in gone} | marked
        with suppress(sqlite3.Error):
            await self._disk.run(self._table.put, board_id, tuple(marked.values()), gone)
        self._listeners.tell(NewsHeard(board_id, tuple(news)))

    async def seen(self, board_id: int, task_ids: frozenset[int] | None = None) -> None:
        """The person looked at these cards, or leaves the board and has looked at all."""
        marks = self.of(board_id)
        looked_at = marks.keys() if task_ids is None else marks.keys() & task_ids
        if not looked_at:
            return
        self._marks[board_id] = {id_: one for id_, one in marks.items() if id_ not in looked_at}
        self._listeners.tell(NewsHeard(board_id))
        with suppress(sqlite3.Error):
            await self._disk.run(self._table.forget, board_id, task_ids)

    async def look_again(self) -> None:
        """Take over what another program marked, or took off, and tell of it."""
        with suppress(sqlite3.Error):
            before, self._marks = self._marks, await self._disk.run(self._table.all)
            for board_id in before.keys() | self._marks.keys():
                known, marks = before.get(board_id, {}), self.of(board_id)
                if known != marks:
                    news = tuple(one for id_, one in marks.items() if known.get(id_) != one)
                    self._listeners.tell(NewsHeard(board_id, news))
