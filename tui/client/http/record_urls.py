"""Requests to URLs that records hold: pictures to download, webhooks to post forms to.

Credentials are sent to the service's own origin only, and never to a webhook. Nothing is requested
in clear text for a confidential service, and no other host can make this machine send requests to
itself.

The address of a webhook is a secret: messages and details name it without its query, and the
longest value in the query, the key, is removed from what a response echoes.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import httpx

from tui.client.documents import BytesListener
from tui.client.endpoints import Encoding, RequestLine
from tui.client.errors import ApiError, BadAddress, NotAllowed, NotFound, UnexpectedAnswer
from tui.client.http.address import Address, is_loopback, without_query
from tui.client.http.bodies import encode_body
from tui.client.http.connection import HttpConnection, Request, connect
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.responses import Response, ResponseReader
from tui.client.http.retry import Deadline, Timeouts
from tui.text import clean

_LARGEST_PICTURE: Final = 32 * 1024 * 1024
_LARGEST_REPLY: Final = 256 * 1024
_MOST_REDIRECTS = 4
_ACCEPT = "image/*, */*;q=0.5"
_LONGEST_ADDRESS = 100
_HIDDEN = (NotAllowed, "You cannot see this picture (any more).")
_GONE = (NotFound, "This picture is no longer there.")
_NOT_SHOWN: dict[int | None, tuple[type[ApiError], str]] = {
    HTTPStatus.UNAUTHORIZED: _HIDDEN,
    HTTPStatus.FORBIDDEN: _HIDDEN,
    HTTPStatus.NOT_FOUND: _GONE,
    HTTPStatus.GONE: _GONE,
}
"""By status: the signed address of a picture may have expired."""


@dataclass(frozen=True, slots=True)
class RecordUrls:
    """Requests for the service at `address`, reached by `own`.

    `transport` replaces the network; `ca_file` applies to the service's own origin.
    """

    address: Address
    own: HttpConnection
    reader: ResponseReader
    timeouts: Timeouts
    transport: httpx.AsyncBaseTransport | None
    ca_file: Path | None

    def picture(self, url: str) -> Request:
        """The request for a picture, whose address may be relative to the service's.

        Raises `BadAddress` for an address that is not allowed.
        """
        try:
            target = self.address.base.join(url.strip())
        except (httpx.InvalidURL, ValueError):
            target = httpx.URL()
        self._check(target)
        route = RequestLine("GET", _shown(target), is_safe=True)
        return Request(route, target, _LARGEST_PICTURE, accept=_ACCEPT)

    async def fetch(self, request: Request, progress: BytesListener | None) -> bytes:
        """Fetch a picture once, following redirects. Raises `ApiError`."""
        for _ in range(_MOST_REDIRECTS):
            is_own = self.address.is_own_origin(request.url)
            connecting = nullcontext(self.own) if is_own else self._connection(request.url)
            async with connecting as connection, connection.open(request) as response:
                if response.target is None:
                    return await self._content(request, response, progress)
                target = response.target
            self._check(target)
            request = replace(request, url=target)
        raise BadAddress(
            f"{clean.line(request.url.host)} redirects in a loop.", details=str(request.route)
        )

    async def post_form(self, url: str, fields: Mapping[str, str]) -> Any:
        """The JSON value of the response to a form; never repeated, no redirect is followed.

        Raises `ApiError`: `BadAddress` for an address that is not allowed.
        """
        try:
            target = httpx.URL(url.strip())
        except (httpx.InvalidURL, ValueError):
            target = httpx.URL()
        self._check(target)
        route = RequestLine("POST", _shown(target), is_safe=False, encoding=Encoding.FORM)
        request = Request(route, target, _LARGEST_REPLY, encode_body(route, fields))
        async with self._connection(target) as connection:
            deadline = Deadline(route, connection.peer.host, self.timeouts.total)
            outcome = await deadline.spend(self._reply(connection, request))
        if isinstance(outcome, ApiError):
            raise outcome
        return outcome

    @asynccontextmanager
    async def _connection(self, url: httpx.URL) -> AsyncIterator[HttpConnection]:
        """A connection without credentials."""
        is_own = self.address.is_own_origin(url)
        in_process = isinstance(self.transport, InProcessTransport)
        # The embedded service answers requests to its own origin only.
        transport = self.transport if is_own or not in_process else None
        ca_file = self.ca_file if is_own else None
        connection = await asyncio.to_thread(connect, url, transport, self.timeouts, ca_file)
        try:
            yield connection
        finally:
            # Closing the connection closes its transport, and a given one is the session's.
            if transport is None:
                await connection.aclose()

    async def _content(
        self, request: Request, response: Response, progress: BytesListener | None
    ) -> bytes:
        content = await response.whole(progress)
        if response.status >= HTTPStatus.BAD_REQUEST:
            error = await self.reader.refusal(response, content)
            if error.status in _NOT_SHOWN:
                kind, message = _NOT_SHOWN[error.status]
                raise kind(message, details=error.details, status=error.status)
            raise error
        if response.is_page:
            raise UnexpectedAnswer(
                f"{clean.line(request.url.host)} sent a page instead of a picture.",
                details=f"{request.route}: {response.status}: a page",
                status=response.status,
            )
        return content

    async def _reply(self, connection: HttpConnection, request: Request) -> Any:
        """The value of a webhook's response, or the error."""
        key = max((value for _, value in request.url.params.multi_items()), key=len, default="")
        secret = Credentials("", key)
        reader = replace(self.reader, peer=connection.peer, credentials=secret)
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

    def _check(self, url: httpx.URL) -> None:
        """Raise `BadAddress` for an address that is not allowed."""
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
            why = "is not a web address"
        elif self.address.is_own_origin(url):
            return
        elif url.scheme == "http" and self.address.is_confidential:
            why = "would be reached unencrypted"
        elif is_loopback(url.host) and not is_loopback(self.address.base.host):
            why = "leads to this machine"
        else:
            return
        raise BadAddress(f"“{_shown(url)}” {why}; nothing was requested.")


def _shown(url: httpx.URL) -> str:
    return clean.line(without_query(url))[:_LONGEST_ADDRESS]
