"""Posts forms to the addresses of webhooks.

Such an address is a secret: messages and details name it without its query, and the longest value
in the query, the key, is removed from what a response echoes. No credentials are sent along.
"""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx

from tui.client.endpoints import Encoding, Route
from tui.client.errors import ApiError, BadAddress
from tui.client.http.address import Address
from tui.client.http.bodies import encode_body
from tui.client.http.connection import Connection, Request, foreign_origin
from tui.client.http.credentials import Credentials
from tui.client.http.fetching import check_target, shown
from tui.client.http.responses import ResponseReader
from tui.client.http.retry import Deadline, Timeouts

_LARGEST: Final = 256 * 1024
Transports = tuple[httpx.AsyncBaseTransport | None, httpx.AsyncBaseTransport | None]
"""What replaces the network for the service's own origin, and for other hosts."""


class Poster:
    """Posts for the service at `address`; `ca_file` applies to its own origin."""

    def __init__(
        self,
        address: Address,
        transports: Transports,
        timeouts: Timeouts,
        ca_file: Path | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._address = address
        self._transports = transports
        self._timeouts = timeouts
        self._ca_file = ca_file
        self._clock = clock

    async def post(self, url: str, fields: Mapping[str, str]) -> Any:
        """The JSON value of the response; never repeated, no redirect is followed.

        The rules for addresses are those for pictures. Raises `ApiError`: `BadAddress` for an
        address that is not allowed.
        """
        try:
            target = httpx.URL(url.strip())
        except (httpx.InvalidURL, ValueError):
            target = httpx.URL()
        check_target(self._address, target)
        route = Route("POST", shown(target), is_safe=False, encoding=Encoding.FORM)
        request = Request(route, target, _LARGEST, encode_body(route, fields))
        is_own = self._address.is_own_origin(target)
        transport = self._transports[0 if is_own else 1]
        ca_file = self._ca_file if is_own else None
        connection = await asyncio.to_thread(
            foreign_origin, target, transport, self._timeouts, ca_file
        )
        deadline = Deadline(route, connection.peer.host, self._timeouts.total)
        try:
            outcome = await deadline.spend(self._answer(connection, request))
        finally:
            if transport is None:
                await connection.aclose()
        if isinstance(outcome, ApiError):
            raise outcome
        return outcome

    async def _answer(self, connection: Connection, request: Request) -> Any:
        """The value of the response, or the error."""
        key = max((value for _, value in request.url.params.multi_items()), key=len, default="")
        secret = Credentials("", key)
        reader = ResponseReader(connection.peer, secret, self._clock)
        try:
            async with connection.open(request) as response:
                if response.target is None:
                    return await reader.outcome(response)
        except ApiError as error:
            error.details = secret.redact(error.details)
            return error
        return BadAddress(
            f"{connection.peer.host} redirects elsewhere; nothing was sent there.",
            details=f"{request.route}: {response.status}",
            status=response.status,
        )
