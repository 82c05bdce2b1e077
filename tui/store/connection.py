"""The service, once it is reached.

The rule it keeps: the store works before there is a connection; only what cannot be done without
one waits for it, and says so in words when it does not come.
"""

import asyncio

from tui.errors import CallboardError
from tui.store.clock import Clock, sleep_or
from tui.store.remote import Remote

_PATIENCE = 5.0


class Connection:
    """A place for the remote, which comes after the start."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._remote: Remote | None = None
        self._connected = asyncio.Event()

    @property
    def remote(self) -> Remote | None:
        """The service, if it is connected."""
        return self._remote

    def connect(self, remote: Remote) -> None:
        """The service is there from now on."""
        self._remote = remote
        self._connected.set()

    async def required(self) -> Remote:
        """The service, waited for a few seconds. Raises `CallboardError` if it does not come."""
        await sleep_or(self._connected, _PATIENCE, self._clock)
        if self._remote is None:
            raise CallboardError(
                "There is no connection to the service yet, so nothing was done.",
                hint="Try again in a moment.",
            )
        return self._remote
