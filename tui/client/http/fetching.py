"""Downloads pictures that records refer to.

Credentials are sent to the service's own origin only. Nothing is fetched in clear text for a
confidential service, and no other host can make this machine send requests to itself.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from http import HTTPStatus
from typing import Final

import httpx

from tui.client.documents import BytesListener
from tui.client.endpoints import Route
from tui.client.errors import ApiError, BadAddress, NotAllowed, NotFound, UnexpectedAnswer
from tui.client.http.address import Address, is_loopback
from tui.client.http.connection import Connection, Request, foreign_origin
from tui.client.http.responses import Response, ResponseReader
from tui.client.http.retry import Timeouts
from tui.text import clean

_LARGEST: Final = 32 * 1024 * 1024
_MOST_REDIRECTS = 4
_ACCEPT = "image/*, */*;q=0.5"
_LONGEST_ADDRESS = 100
_NOT_SHOWN = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


class Fetcher:
    """Downloads for the service at `address`, reached by `own`.

    `foreign` replaces the network for other hosts.
    """

    def __init__(
        self,
        address: Address,
        own: Connection,
        reader: ResponseReader,
        timeouts: Timeouts,
        foreign: httpx.AsyncBaseTransport | None,
    ) -> None:
        self._address = address
        self._own = own
        self._reader = reader
        self._timeouts = timeouts
        self._foreign = foreign

    def request(self, url: str) -> Request:
        """The request for an address, which may be relative to the service's.

        Raises `BadAddress` for an address that is not allowed.
        """
        try:
            target = self._address.base.join(url.strip())
        except (httpx.InvalidURL, ValueError):
            target = httpx.URL()
        check_target(self._address, target)
        route = Route("GET", shown(target), is_safe=True)
        return Request(route, target, _LARGEST, accept=_ACCEPT)

    async def fetch(self, request: Request, progress: BytesListener | None) -> bytes:
        """Fetch once, following redirects. Raises `ApiError`."""
        for _ in range(_MOST_REDIRECTS):
            async with AsyncExitStack() as stack:
                connection = await self._connection(request.url, stack)
                response = await stack.enter_async_context(connection.open(request))
                if response.target is None:
                    return await self._content(request, response, progress)
                target = response.target
            check_target(self._address, target)
            request = replace(request, url=target)
        raise BadAddress(
            f"{clean.line(request.url.host)} redirects in a loop.", details=str(request.route)
        )

    async def _connection(self, url: httpx.URL, stack: AsyncExitStack) -> Connection:
        if self._address.is_own_origin(url):
            return self._own
        connection = await asyncio.to_thread(foreign_origin, url, self._foreign, self._timeouts)
        if self._foreign is None:
            stack.push_async_callback(connection.aclose)
        return connection

    async def _content(
        self, request: Request, response: Response, progress: BytesListener | None
    ) -> bytes:
        content = await response.whole(progress)
        if response.status >= HTTPStatus.BAD_REQUEST:
            refused = await self._reader.refusal(response, content)
            raise _not_shown(refused) or refused
        if response.is_page:
            raise UnexpectedAnswer(
                f"{clean.line(request.url.host)} sent a page instead of a picture.",
                details=f"{request.route}: {response.status}: a page",
                status=response.status,
            )
        return content


def check_target(address: Address, url: httpx.URL) -> None:
    """Raise `BadAddress` for an address outside the endpoints that is not allowed."""
    if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
        why = "is not a web address"
    elif address.is_own_origin(url):
        return
    elif url.scheme == "http" and address.is_confidential:
        why = "would be reached unencrypted"
    elif is_loopback(url.host) and not is_loopback(address.base.host):
        why = "leads to this machine"
    else:
        return
    raise BadAddress(f"“{shown(url)}” {why}; nothing was requested.")


def _not_shown(refused: ApiError) -> ApiError | None:
    """The error for a picture whose signed address may have expired."""
    if refused.status in _NOT_SHOWN:
        return NotAllowed(
            "This picture is not shown to you, or no longer.",
            details=refused.details,
            status=refused.status,
        )
    if refused.status in _GONE:
        return NotFound(
            "This picture is no longer there.", details=refused.details, status=refused.status
        )
    return None


def shown(url: httpx.URL) -> str:
    """An address for messages and the log, without its query."""
    plain = str(url.copy_with(query=None, fragment=None, userinfo=b""))
    return clean.line(plain)[:_LONGEST_ADDRESS]
