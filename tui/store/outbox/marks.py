"""What a person has looked at, on disk: comments that were read, and cards that were not seen.

It is the person's and not the service's word, so it is beside the outbox and not in the cache.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress

from tui.model.news import CardNews, NewsKind
from tui.store.files.database import transaction

SEEN = ("create table comments_seen (task_id integer primary key, newest integer not null)",)


class SeenTable:
    """The newest comment seen of each task; runs on the connection of the outbox."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self) -> dict[int, int]:
        """The id of the newest comment seen, by task."""
        rows = self._connection.execute("select task_id, newest from comments_seen")
        return {int(task_id): int(newest) for task_id, newest in rows}

    def put(self, task_id: int, newest: int) -> None:
        """All comments of a task up to this id were seen; what was seen once stays so."""
        self._connection.execute(
            """insert into comments_seen values (?, ?)
               on conflict do update set newest = max(newest, excluded.newest)""",
            (task_id, newest),
        )


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


class UnseenTable:
    """The marks on disk; runs on the connection of the outbox."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self) -> dict[int, dict[int, CardNews]]:
        """Every mark, by board and task; what an odd version wrote is left out."""
        marks: dict[int, dict[int, CardNews]] = {}
        for board_id, task_id, kind, detail, who in self._connection.execute(
            "select board_id, task_id, kind, detail, who from unseen"
        ):
            with suppress(ValueError):
                news = CardNews(task_id, NewsKind(kind), detail, who)
                marks.setdefault(board_id, {})[task_id] = news
        return marks

    def put(self, board_id: int, news: Iterable[CardNews], gone: Iterable[int]) -> None:
        """Mark cards, and forget the marks of those that are gone."""
        with transaction(self._connection):
            self._forget(board_id, gone)
            self._connection.executemany(
                "replace into unseen values (?, ?, ?, ?, ?)",
                [(board_id, one.task_id, one.kind.value, one.detail, one.who) for one in news],
            )

    def forget(self, board_id: int, task_ids: Iterable[int] | None = None) -> None:
        """Forget the marks of these cards, or of the whole board."""
        if task_ids is None:
            self._connection.execute("delete from unseen where board_id = ?", (board_id,))
            return
        with transaction(self._connection):
            self._forget(board_id, task_ids)

    def _forget(self, board_id: int, task_ids: Iterable[int]) -> None:
        self._connection.executemany(
            "delete from unseen where board_id = ? and task_id = ?",
            [(board_id, task_id) for task_id in task_ids],
        )
