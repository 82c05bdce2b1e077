"""What a person has not looked at: comments of others, and cards that others changed.

It is the person's word and not the service's, so it is kept beside the outbox and not in the cache.
Several programs of one person share it. A disk that cannot be written costs a mark alone.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType

from tui.model.comment import Comment, Thread
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.model.remote_changes import ChangeKind, RemoteChange
from tui.store.clock import Clock
from tui.store.events import Listeners, UnseenChanged
from tui.store.files.database import transaction
from tui.store.files.disk import DiskThread

NEW_FOR = timedelta(days=1)

SEEN = ("create table comments_seen (task_id integer primary key, newest integer not null)",)


class Unread:
    """Which comments of others the person has not read, in memory and written through.

    A thread is read up to the comment that was its newest when the person last looked at all of it;
    what has a higher id is unread, a reply to an old comment too. In a thread that was never looked
    at, what is older than a day counts as read, so that the first start with a full board does not
    call everything new.

    `me` is the person, whose own comments are always read.
    """

    def __init__(self, connection: sqlite3.Connection, disk: DiskThread, clock: Clock) -> None:
        self._connection = connection
        self._disk = disk
        self._clock = clock
        self.me = Account()
        self._newest: dict[int, int] = {}
        with suppress(sqlite3.Error):  # then only what is new today counts as unread
            self._newest = self._on_disk()

    def _on_disk(self) -> dict[int, int]:
        """The id of the newest comment seen, by task."""
        rows = self._connection.execute("select task_id, newest from comments_seen")
        return {int(task_id): int(newest) for task_id, newest in rows}

    def _write(self, task_id: int, newest: int) -> None:
        """What was seen once stays so."""
        self._connection.execute(
            """insert into comments_seen values (?, ?)
               on conflict do update set newest = max(newest, excluded.newest)""",
            (task_id, newest),
        )

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
            await self._disk.run(self._write, detail.task.id, newest)
        return bool(had)

    async def look_again(self) -> set[int]:
        """Take over what was read with another program; says of which tasks."""
        with suppress(sqlite3.Error):
            there = await self._disk.run(self._on_disk)
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
    """Which cards others changed since the person last looked, in memory and written through.

    A mark stays until the card was looked at or the board was left, however often the program is
    started or killed meanwhile.
    """

    def __init__(
        self, connection: sqlite3.Connection, disk: DiskThread, listeners: Listeners
    ) -> None:
        self._connection = connection
        self._disk = disk
        self._listeners = listeners
        self._marks: dict[int, dict[int, RemoteChange]] = {}
        with suppress(sqlite3.Error):  # then everything counts as seen
            self._marks = self._on_disk()

    def _on_disk(self) -> dict[int, dict[int, RemoteChange]]:
        """Every mark, by board and task; what an odd version wrote is left out."""
        marks: dict[int, dict[int, RemoteChange]] = {}
        for board_id, task_id, kind, detail, who in self._connection.execute(
            "select board_id, task_id, kind, detail, who from unseen"
        ):
            with suppress(ValueError):
                news = RemoteChange(task_id, ChangeKind(kind), detail, who)
                marks.setdefault(board_id, {})[task_id] = news
        return marks

    def _write(self, board_id: int, marked: Iterable[RemoteChange], gone: Iterable[int]) -> None:
        with transaction(self._connection):
            self._connection.executemany(
                "delete from unseen where board_id = ? and task_id = ?",
                [(board_id, task_id) for task_id in gone],
            )
            self._connection.executemany(
                "replace into unseen values (?, ?, ?, ?, ?)",
                [(board_id, one.task_id, one.kind.value, one.detail, one.who) for one in marked],
            )

    def of(self, board_id: int) -> Marks:
        """The marked cards of a board, by their ids; never changed, a new mapping each time."""
        return self._marks.get(board_id, _NONE)

    async def heard(self, board_id: int, news: Sequence[RemoteChange]) -> None:
        """Mark the cards that others changed, and tell of it."""
        gone = {one.task_id for one in news if one.kind is ChangeKind.GONE}
        marked = {one.task_id: one for one in news if one.kind is not ChangeKind.GONE}
        known = self.of(board_id).items()
        self._marks[board_id] = {id_: one for id_, one in known if id_ not in gone} | marked
        with suppress(sqlite3.Error):
            await self._disk.run(self._write, board_id, tuple(marked.values()), gone)
        self._listeners.notify(UnseenChanged(board_id, tuple(news)))

    async def seen(self, board_id: int, task_ids: frozenset[int] | None = None) -> None:
        """The person looked at these cards, or leaves the board and has looked at all."""
        marks = self.of(board_id)
        looked_at = marks.keys() if task_ids is None else marks.keys() & task_ids
        if not looked_at:
            return
        self._marks[board_id] = {id_: one for id_, one in marks.items() if id_ not in looked_at}
        self._listeners.notify(UnseenChanged(board_id))
        with suppress(sqlite3.Error):
            await self._disk.run(self._write, board_id, (), tuple(looked_at))

    async def look_again(self) -> None:
        """Take over what another program marked, or took off, and tell of it."""
        with suppress(sqlite3.Error):
            before, self._marks = self._marks, await self._disk.run(self._on_disk)
            for board_id in before.keys() | self._marks.keys():
                known, marks = before.get(board_id, {}), self.of(board_id)
                if known != marks:
                    news = tuple(one for id_, one in marks.items() if known.get(id_) != one)
                    self._listeners.notify(UnseenChanged(board_id, news))
