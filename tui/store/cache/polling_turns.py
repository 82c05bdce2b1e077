"""Who asks the service for news: of several programs that look at one board, one at a time.

Whoever is about to ask says so first, in the cache, and what came of it after; a program that finds
that another has just asked reads the cache instead. Nobody is in charge, so nothing has to be
handed over when a program ends.
"""

import os
import sqlite3
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from tui.store.clock import Clock
from tui.store.documents.assemble import instant
from tui.store.files.database import transaction
from tui.store.files.disk import DiskThread

BOARD_LIST = 0
"""What stands for the list of boards where a board's id is asked for."""

TABLES = (
    """create table asking (
           board_id integer primary key,
           asked_at text not null,
           asker text not null default '',
           answered_at text,
           problem text not null default ''
       )""",
)


class LastPoll(NamedTuple):
    """What came of asking for a board last, whichever program asked."""

    asked_at: datetime | None = None
    answered_at: datetime | None = None
    problem: str = ""


class PollTable:
    """When each board was asked for, and what came of it; runs on the cache's connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def last(self, board_id: int) -> LastPoll:
        """What came of asking last."""
        row = self._connection.execute(
            "select asked_at, answered_at, problem from asking where board_id = ?", (board_id,)
        ).fetchone()
        return LastPoll() if row is None else LastPoll(instant(row[0]), instant(row[1]), row[2])

    def claim(self, board_id: int, asker: str, now: datetime, within: timedelta) -> bool:
        """Say that this program asks now; False if another has within that time.

        A time that lies in the future was written before the clock was set back: it is no reason.
        """
        asked = {"board_id": board_id, "asker": asker, "now": now.isoformat()}
        with transaction(self._connection):
            row = self._connection.execute(
                """select asked_at from asking
                   where board_id = :board_id and asker not in ('', :asker)""",
                asked,
            ).fetchone()
            asked_at = instant(row[0]) if row else None
            is_free = asked_at is None or not timedelta() <= now - asked_at < within
            if is_free:
                self._connection.execute(
                    """insert into asking (board_id, asker, asked_at)
                       values (:board_id, :asker, :now) on conflict do update
                       set asker = excluded.asker, asked_at = excluded.asked_at""",
                    asked,
                )
        return is_free

    def release(self, asker: str) -> None:
        """This program asks no more: nobody has to wait for it."""
        self._connection.execute("update asking set asker = '' where asker = ?", (asker,))

    def answered(self, board_id: int, now: datetime) -> None:
        """The service answered."""
        self._connection.execute(
            """insert into asking (board_id, asked_at, answered_at) values (:id, :now, :now)
               on conflict do update set answered_at = excluded.answered_at, problem = ''""",
            {"id": board_id, "now": now.isoformat()},
        )

    def failed(self, board_id: int, now: datetime, problem: str) -> None:
        """The service did not answer, or the answer is of no use."""
        self._connection.execute(
            """insert into asking (board_id, asked_at, problem) values (:id, :now, :problem)
               on conflict do update set problem = excluded.problem""",
            {"id": board_id, "now": now.isoformat(), "problem": problem},
        )


class HasPolls(Protocol):
    """The cache, as far as it matters here; it may go on with another file."""

    polls: PollTable


class PollingTurns:
    """This program's turns at asking for boards, among all programs on one cache."""

    def __init__(self, cache: HasPolls, disk: DiskThread, clock: Clock) -> None:
        self._cache = cache
        self._disk = disk
        self._clock = clock
        self._name = os.urandom(8).hex()

    async def take(self, board_id: int, within_seconds: float) -> bool:
        """Whether to ask now; False if another program has within so many seconds."""
        within = timedelta(seconds=within_seconds)
        return await self._disk.run(
            self._cache.polls.claim, board_id, self._name, self._clock.now(), within
        )

    async def answered(self, board_id: int) -> None:
        """Tell the others that the service answered."""
        await self._disk.run(self._cache.polls.answered, board_id, self._clock.now())

    async def failed(self, board_id: int, problem: str) -> None:
        """Tell the others why the service did not answer."""
        await self._disk.run(self._cache.polls.failed, board_id, self._clock.now(), problem)

    async def last(self, board_id: int) -> LastPoll:
        """What came of asking last, whoever did."""
        return await self._disk.run(self._cache.polls.last, board_id)

    async def release(self) -> None:
        """Let the others ask at once."""
        await self._disk.run(self._cache.polls.release, self._name)
