"""What the user has not seen: comments of others, and cards that others changed.

Stored beside the outbox, not in the cache, because the service does not have it. All programs of
the user share it. A failed disk write costs a mark alone.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType

from tui.model.comment import Comment, every
from tui.model.detail import TaskDetail
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.store.clock import Clock
from tui.store.events import Listeners, UnseenChanged
from tui.store.files.database import transaction
from tui.store.files.disk import DiskThread

NEW_FOR = timedelta(days=1)

SEEN = ("create table comments_seen (task_id integer primary key, newest integer not null)",)


class Unread:
    """Which comments of others the user has not read, in memory and on disk.

    A thread is read up to the comment that was the newest when the user last saw all of it; higher
    ids are unread, also replies to old comments. In a thread never seen, what is older than a day
    counts as read, so that the first start with a full board does not mark everything.
    """

    def __init__(self, connection: sqlite3.Connection, disk: DiskThread, clock: Clock) -> None:
        self._connection = connection
        self._disk = disk
        self._clock = clock
        self._newest: dict[int, int] = {}
        with suppress(sqlite3.Error):  # then only comments of today count as unread
            self._newest = self._on_disk()

    def _on_disk(self) -> dict[int, int]:
        rows = self._connection.execute("select task_id, newest from comments_seen")
        return {int(task_id): int(newest) for task_id, newest in rows}

    def _write(self, task_id: int, newest: int) -> None:
        # It never decreases, even if another program has written a higher one in the meantime.
        self._connection.execute(
            """insert into comments_seen values (?, ?)
               on conflict do update set newest = max(newest, excluded.newest)""",
            (task_id, newest),
        )

    def of(self, detail: TaskDetail, me: Account) -> frozenset[int]:
        """The ids of the unread comments and replies of a task; those of `me` are always read."""
        return frozenset(
            comment.id
            for comment in every(detail.comments or ())
            if comment.id > 0 and not me.is_of(comment.author) and self._is_new(detail, comment)
        )

    async def mark_read(self, detail: TaskDetail, me: Account) -> bool:
        """Mark all comments as read; returns whether any was unread."""
        newest = max((comment.id for comment in every(detail.comments or ())), default=0)
        if newest <= self._newest.get(detail.task.id, -1):
            return False
        unread = self.of(detail, me)
        self._newest[detail.task.id] = newest
        with suppress(sqlite3.Error):  # read until the program ends, at least
            await self._disk.run(self._write, detail.task.id, newest)
        return bool(unread)

    async def reread(self) -> set[int]:
        """Merge what was read in another program; returns the tasks concerned."""
        with suppress(sqlite3.Error):
            stored = await self._disk.run(self._on_disk)
            changed = {
                task_id
                for task_id, newest in stored.items()
                if newest > self._newest.get(task_id, -1)
            }
            self._newest |= {task_id: stored[task_id] for task_id in changed}
            return changed
        return set()

    def _is_new(self, detail: TaskDetail, comment: Comment) -> bool:
        newest = self._newest.get(detail.task.id)
        if newest is not None:
            return comment.id > newest
        written = comment.created_at
        return written is not None and written > self._clock.now() - NEW_FOR


Marks = Mapping[int, RemoteChange]
_NONE: Marks = MappingProxyType({})

UNSEEN = (
    """create table unseen (
           board_id integer not null,
           task_id integer not null,
           kind text not null,
           detail text not null,
           who text not null,
           primary key (board_id, task_id)
       ) without rowid""",
)


class Unseen:
    """The cards that others changed since the user last looked, in memory and on disk.

    A mark stays, across starts, until the card was looked at or the board was left.
    """

    def __init__(
        self, connection: sqlite3.Connection, disk: DiskThread, listeners: Listeners
    ) -> None:
        self._connection = connection
        self._disk = disk
        self._listeners = listeners
        self._marks: dict[int, dict[int, RemoteChange]] = {}
        self._changes = 0  # made by this program
        with suppress(sqlite3.Error):  # then everything counts as seen
            self._marks = self._on_disk()

    def _on_disk(self) -> dict[int, dict[int, RemoteChange]]:
        marks: dict[int, dict[int, RemoteChange]] = {}
        for board_id, task_id, kind, detail, who in self._connection.execute(
            "select board_id, task_id, kind, detail, who from unseen"
        ):
            with suppress(ValueError):
                changes = RemoteChange(task_id, ChangeKind(kind), detail, who)
                marks.setdefault(board_id, {})[task_id] = changes
        return marks

    def _write(self, board_id: int, marked: Iterable[RemoteChange], gone: Iterable[int]) -> None:
        with transaction(self._connection):
            self._connection.executemany(
                "delete from unseen where board_id = ? and task_id = ?",
                [(board_id, task_id) for task_id in gone],
            )
            self._connection.executemany(
                "replace into unseen values (?, ?, ?, ?, ?)",
                [
                    (board_id, mark.task_id, mark.kind.value, mark.detail, mark.who)
                    for mark in marked
                ],
            )

    def of(self, board_id: int) -> Marks:
        """The marked cards of a board, by their ids; a new mapping after each change."""
        return self._marks.get(board_id, _NONE)

    async def mark(self, board_id: int, changes: Sequence[RemoteChange]) -> None:
        """Mark the cards that others changed, and notify listeners."""
        gone = {mark.task_id for mark in changes if mark.kind is ChangeKind.GONE}
        marked = {mark.task_id: mark for mark in changes if mark.kind is not ChangeKind.GONE}
        previous = self.of(board_id).items()
        # A new dictionary, because `of` hands out the present one.
        self._changes += 1
        self._marks[board_id] = {id_: mark for id_, mark in previous if id_ not in gone} | marked
        with suppress(sqlite3.Error):
            await self._disk.run(self._write, board_id, tuple(marked.values()), gone)
        self._listeners.notify(UnseenChanged(board_id, tuple(changes)))

    async def clear(self, board_id: int, task_ids: Collection[int] | None = None) -> None:
        """Remove the marks of these cards, or of all cards of the board."""
        marks = self.of(board_id)
        looked_at = marks.keys() if task_ids is None else marks.keys() & task_ids
        if not looked_at:
            return
        self._changes += 1
        self._marks[board_id] = {id_: mark for id_, mark in marks.items() if id_ not in looked_at}
        self._listeners.notify(UnseenChanged(board_id))
        with suppress(sqlite3.Error):
            await self._disk.run(self._write, board_id, (), tuple(looked_at))

    async def reread(self) -> None:
        """Merge marks that another program added or removed, and notify listeners."""
        with suppress(sqlite3.Error):
            # What is marked or cleared during the read is written after it, so only the next read
            # has it.
            while True:
                changes_before = self._changes
                marks_on_disk = await self._disk.run(self._on_disk)
                if changes_before == self._changes:
                    break
            previous, self._marks = self._marks, marks_on_disk
            for board_id in previous.keys() | self._marks.keys():
                former, marks = previous.get(board_id, {}), self.of(board_id)
                if former != marks:
                    changes = tuple(mark for id_, mark in marks.items() if former.get(id_) != mark)
                    self._listeners.notify(UnseenChanged(board_id, changes))
