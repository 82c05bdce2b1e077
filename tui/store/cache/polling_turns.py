"""Which of several programs polls a board: one at a time.

A program claims a poll in the cache before making it and records the result; others that find a
recent claim read the cache instead. No program is in charge, so nothing has to be handed over when
one ends.
"""

import os
import sqlite3
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.store.cache.file import Cache
from tui.store.clock import Clock
from tui.store.documents.assemble import instant
from tui.store.files.database import transaction
from tui.store.files.disk import DiskThread


class LastPoll(NamedTuple):
    """The result of the last poll of a board by any program."""

    asked_at: datetime | None = None
    answered_at: datetime | None = None
    problem: str = ""
    is_reached: bool = False


class PollingTurns:
    """The claims of this program among all programs on one cache."""

    def __init__(self, cache: Cache, disk: DiskThread, clock: Clock) -> None:
        self._cache = cache
        self._disk = disk
        self._clock = clock
        self._name = os.urandom(8).hex()

    async def take(self, board_id: int, within_seconds: float) -> bool:
        """Claim a poll; False if another program has polled within so many seconds."""
        now, within = self._clock.now(), timedelta(seconds=within_seconds)
        connection = self._cache.connection
        return await self._disk.run(claim, connection, board_id, self._name, now, within)

    async def answered(self, board_id: int) -> None:
        """Record that the service responded."""
        await self._record(
            """insert into asking (board_id, asked_at, answered_at) values (:id, :now, :now)
               on conflict do update set answered_at = excluded.answered_at, problem = ''""",
            {"id": board_id, "now": self._clock.now().isoformat()},
        )

    async def failed(self, board_id: int, problem: str, *, is_reached: bool) -> None:
        """Record why the service did not respond, or not usefully if it `is_reached`."""
        await self._record(
            """insert into asking (board_id, asked_at, problem, is_reached)
               values (:id, :now, :problem, :is_reached) on conflict do update
               set problem = excluded.problem, is_reached = excluded.is_reached""",
            {
                "id": board_id,
                "now": self._clock.now().isoformat(),
                "problem": problem,
                "is_reached": is_reached,
            },
        )

    async def release(self) -> None:
        """Drop the claims of this program, so that others need not wait."""
        await self._record(
            "update asking set asker = '' where asker = :asker", {"asker": self._name}
        )

    async def release_all(self) -> None:
        """Drop the claims of all programs, one of which may have been killed."""
        await self._record("update asking set asker = ''", {})

    async def _record(self, statement: str, values: dict[str, object]) -> None:
        await self._disk.run(self._cache.execute, statement, values)

    async def last(self, board_id: int) -> LastPoll:
        """The result of the last poll by any program."""
        return await self._disk.run(self._last, board_id)

    def _last(self, board_id: int) -> LastPoll:
        row = self._cache.connection.execute(
            "select asked_at, answered_at, problem, is_reached from asking where board_id = ?",
            (board_id,),
        ).fetchone()
        if row is None:
            return LastPoll()
        return LastPoll(instant(row[0]), instant(row[1]), row[2], bool(row[3]))


def claim(
    connection: sqlite3.Connection, board_id: int, asker: str, now: datetime, within: timedelta
) -> bool:
    """Claim a poll for a program; False if another has polled within that time.

    Times in the future, from before the clock was set back, are ignored.
    """
    values = {"board_id": board_id, "asker": asker, "now": now.isoformat()}
    with transaction(connection):
        # Read and written in one transaction, or two programs would both find it free. A claim that
        # was released has no asker.
        row = connection.execute(
            """select asked_at from asking
               where board_id = :board_id and asker not in ('', :asker)""",
            values,
        ).fetchone()
        asked_at = instant(row[0]) if row else None
        is_free = asked_at is None or not timedelta() <= now - asked_at < within
        if is_free:
            connection.execute(
                """insert into asking (board_id, asker, asked_at)
                   values (:board_id, :asker, :now) on conflict do update
                   set asker = excluded.asker, asked_at = excluded.asked_at""",
                values,
            )
    return is_free
