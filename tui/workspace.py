"""The one place where things are put together: places, store, service.

The rule it keeps: opening it is light, so that the cache is on screen at once; `connect` brings the
service in later, with everything heavy imported on a thread.
"""

import asyncio
import fcntl
import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Protocol, TextIO

from tui.paths import Places
from tui.store import operations
from tui.store.remote import Remote
from tui.store.store import LocalStore

PROFILE = "embedded"

BEGUN, MADE = "begun", "made"


class Connection(Protocol):
    """A service that answers."""

    @property
    def remote(self) -> Remote:
        """What the store asks."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Let it go."""
        ...


class Workspace:
    """A person's boards: kept locally, with the service behind them."""

    def __init__(self, places: Places, store: LocalStore) -> None:
        self.store = store
        self._places = places
        self._connection: Connection | None = None

    @classmethod
    def open(cls, places: Places, *, poll_seconds: int = 10) -> "Workspace":
        """Open what is kept locally. Raises `CallboardError` if the disk does not allow it."""
        places.make()
        store = LocalStore.open(places.cache, places.data, PROFILE, poll_seconds=poll_seconds)
        return cls(places, store)

    @property
    def login(self) -> str:
        """The name of the person at this machine, as far as it is known."""
        return os.environ.get("LOGNAME") or os.environ.get("USER") or "me"

    @property
    def database(self) -> Path:
        """The file of the embedded service."""
        return self._places.boards

    async def connect(self) -> int | None:
        """Bring the service in; on the first run make the tour and return its board's id.

        Raises `CannotGoOn` if the service's file cannot be used, `CallboardError` otherwise.
        """
        self._connection = await asyncio.to_thread(self._open_connection)
        remote = self._connection.remote
        board_id = await self._first_run(remote)
        self.store.connect(remote)
        return board_id

    async def aclose(self) -> None:
        """Stop sending, write everything down, and let the service go."""
        await self.store.aclose()
        if self._connection is not None:
            await self._connection.aclose()

    def _open_connection(self) -> Connection:
        """Import what is heavy and open the service; on a thread."""
        from tui.connecting import EmbeddedConnection  # noqa: PLC0415 (heavy: after first paint)

        operations.load()
        return EmbeddedConnection.open(self.database, self.login)

    async def _first_run(self, remote: Remote) -> int | None:
        """Make the tour if it has never been made; one that was cut short is made anew.

        Of programs that run for the first time at once, one makes it and the others wait.
        """
        with (self._places.data / "tour").open("a+", encoding="utf-8") as mark:
            await asyncio.to_thread(fcntl.flock, mark, fcntl.LOCK_EX)
            mark.seek(0)
            state = mark.read()
            if state == MADE:
                return None
            return await self._make_tour(remote, mark, state)

    async def _make_tour(self, remote: Remote, mark: TextIO, state: str) -> int | None:
        """Make the tour, unless there are boards already; `mark` remembers how far it came."""
        from tui import tour  # noqa: PLC0415 (needed once)

        known = await remote.boards()
        if known and not state:
            _write(mark, MADE)
            return None
        for board in known:
            if board["title"] == tour.TITLE:
                await remote.delete_board(board["id"])
        _write(mark, BEGUN)
        board_id = await tour.make_tour(remote)
        _write(mark, MADE)
        return board_id


def _write(mark: TextIO, state: str) -> None:
    """Remember how far the tour came."""
    mark.seek(0)
    mark.truncate()
    mark.write(state)
    mark.flush()
