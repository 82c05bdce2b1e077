"""What a person has not looked at: comments of others, and cards that others changed.

Several programs of one person share it.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType

from tui.model.comment import Comment, Thread
from tui.model.detail import TaskDetail
from tui.model.news import CardNews, NewsKind
from tui.model.people import Account
from tui.store.clock import Clock
from tui.store.events import Listeners, NewsHeard
from tui.store.files.disk import DiskThread
from tui.store.outbox.marks import SeenTable, UnseenTable

NEW_FOR = timedelta(days=1)


class Unread:
    """Which comments of others the person has not read, in memory and written through.

    A thread is read up to the comment that was its newest when the person last looked at all of it;
    what has a higher id is unread, a reply to an old comment too. In a thread that was never looked
    at, what is older than a day counts as read, so that the first start with a full board does not
    call everything new.

    `me` is the person, whose own comments are always read.
    """

    def __init__(self, table: SeenTable, disk: DiskThread, clock: Clock) -> None:
        self._table = table
        self._disk = disk
        self._clock = clock
        self.me = Account()
        self._newest: dict[int, int] = {}
        with suppress(sqlite3.Error):  # then only what is new today counts as unread
            self._newest = table.all()

    def of(self, detail: TaskDetail) -> frozenset[int]:
        """The ids of the comments and replies of a task that are unread."""
        return frozenset(
            comment.id
            for comment in _each(detail.comments or ())
            if comment.id > 0
            and not self.me.is_of(comment.author)
            and self._is_new(detail, comment)
        )

    async def seen(self, detail: TaskDetail) -> bool:
        """The person looked at all comments there are; says whether that is news."""
        newest = max((comment.id for comment in _each(detail.comments or ())), default=0)
        if newest <= self._newest.get(detail.task.id, -1):
            return False
        had = self.of(detail)
        self._newest[detail.task.id] = newest
        with suppress(sqlite3.Error):  # read until the program ends, at least
            await self._disk.run(self._table.put, detail.task.id, newest)
        return bool(had)

    async def look_again(self) -> set[int]:
        """Take over what was read with another program; says of which tasks."""
        with suppress(sqlite3.Error):
            there = await self._disk.run(self._table.all)
            changed = {
                task_id
                for task_id, newest in there.items()
                if newest > self._newest.get(task_id, -1)
            }
            self._newest |= {task_id: there[task_id] for task_id in changed}
            return changed
        return set()

    def _is_new(self, detail: TaskDetail, comment: Comment) -> bool:
        newest = self._newest.get(detail.task.id)
        if newest is not None:
            return comment.id > newest
        written = comment.created_at
        return written is not None and written > self._clock.now() - NEW_FOR


def _each(thread: Thread) -> Iterator[Comment]:
    """Comments and replies alike."""
    for comment in thread:
        yield comment
        yield from comment.replies


Marks = Mapping[int, CardNews]
_NONE: Marks = MappingProxyType({})


class Unseen:
    """Which cards others changed since the person last looked, in memory and written through.

    A mark stays until the card was looked at or the board was left, however often the program is
    started or killed meanwhile; a disk that cannot be written costs a mark alone.
    """

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
