"""Which comments of others the person has not read.

The rule it keeps: a thread is read up to the comment that was its newest when the person last
looked at all of it; what has a higher id is unread, a reply to an old comment too. In a thread
that was never looked at, what is older than a day counts as read, so that the first start with a
full board does not call everything new. One's own comments are always read.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

from tui.model.comment import Comment, Thread
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.store.cache.seen_table import SeenTable
from tui.store.clock import Clock
from tui.store.files.disk import DiskThread

NEW_FOR = timedelta(days=1)


class Unread:
    """What was read, in memory and written through; several programs of one person share it.

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
