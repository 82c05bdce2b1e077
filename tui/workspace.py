"""The one place where things are put together: places, store, service.

The rule it keeps: opening it is light, so that the cache is on screen at once; `connect` brings the
service in later, with everything heavy imported on a thread.
"""

import asyncio
import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Protocol

from tui.paths import Places
from tui.store import operations
from tui.store.remote import Remote
from tui.store.store import LocalStore
from tui.tour import TITLE, make_tour

PROFILE = "embedded"


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
        return self._places.data / "boards.sqlite3"

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
        """Make the tour if it has never been made; one that was cut short is made anew."""
        mark = self._places.data / "tour"
        state = mark.read_text("utf-8") if mark.exists() else ""
        if state == "made":
            return None
        known = await remote.boards()
        for board in known if state == "begun" else ():
            if board["title"] == TITLE:
                await remote.delete_board(board["id"])
        if known and not state:
            mark.write_text("made", "utf-8")
            return None
        mark.write_text("begun", "utf-8")
        board_id = await make_tour(remote)
        mark.write_text("made", "utf-8")
        return board_id
