"""Up to which comment the person has read each task's thread, on disk.

The rule it keeps: what was read is the person's, not the service's word, so it is beside the outbox
and not in the cache.
"""

import sqlite3

TABLES = ("create table comments_seen (task_id integer primary key, newest integer not null)",)
"""What the file of the outbox has for this."""


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
