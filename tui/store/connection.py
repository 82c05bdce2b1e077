"""The service, once it is reached.

The store works before there is a connection; only what cannot be done without one waits for it, and
says so in words when it does not come.
"""

import asyncio
from collections.abc import Awaitable, Callable

from tui.client.capabilities import Feature
from tui.client.errors import ApiError, WrongCredentials
from tui.errors import CallboardError
from tui.store.clock import Clock, sleep_or
from tui.store.remote import Remote

_PATIENCE = 5.0

Again = Callable[[], Awaitable[None]]
"""Tries to connect once more."""


class Connection:
    """A place for the remote, which comes after the start."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._remote: Remote | None = None
        self._connected = asyncio.Event()
        self._failure: CallboardError | None = None
        self._again: Again | None = None

    @property
    def remote(self) -> Remote | None:
        """The service, if it is connected."""
        return self._remote

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        return None if self._remote is None else self._remote.offers(feature)

    def connect(self, remote: Remote, again: Again | None = None) -> None:
        """The service is there from now on; `again` connects anew, with whatever is set then."""
        self._remote, self._failure, self._again = remote, None, again
        self._connected.set()

    def heed(self, error: Exception) -> bool:
        """Ask no more where the password is not accepted, and say whether that is so.

        Services shut people out who come with a wrong password again and again, so this waits for
        a person, where there is a way to connect anew.
        """
        if self._again is None or not isinstance(error, WrongCredentials):
            return False
        self._remote, self._failure = None, error
        self._connected.clear()
        return True

    def failed(self, error: CallboardError, again: Again) -> None:
        """There can be no connection as things are; `again` tries once more."""
        self._failure, self._again = error, again

    async def try_again(self) -> None:
        """Try to connect, where that failed before. Raises `CallboardError` if it fails again."""
        if self._remote is None and self._again is not None:
            await self._again()

    async def required(self) -> Remote:
        """The service, waited for a few seconds. Raises `CallboardError` if it does not come."""
        if self._failure is not None:
            raise ApiError(self._failure.message, hint=self._failure.hint, is_passing=True)
        await sleep_or(self._connected, _PATIENCE, self._clock)
        if self._remote is None:
            raise CallboardError(
                "There is no connection to the service yet, so nothing was done.",
                hint="Try again in a moment.",
            )
        return self._remote
