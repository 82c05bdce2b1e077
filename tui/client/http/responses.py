"""What an answer means: a value, or one of the package's errors.

An error is an error whatever status it came with. What is kept of an answer for the log has been
searched for the password.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

import httpx

from tui.client.endpoints import Route
from tui.client.errors import ApiError, BadAddress, Nonsense
from tui.client.http.connection import Arrival
from tui.client.http.credentials import Credentials
from tui.client.http.error_bodies import Answer, foreign_words, hidden_status, refusal
from tui.client.http.json_stream import UndecodableError, decode
from tui.client.http.retry import retry_after
from tui.client.http.transport_errors import Way, login_wanted
from tui.text import clean

TELLING: Final = frozenset({"code", "data", "message", "success"})
"""The members of an answer that can make it an error."""

_ASK_AGAIN_THERE = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
_LOGGED = 2_000
_LARGEST_ERROR = 256 * 1024
"""In bytes; what is longer is no error that a service wrote."""
_LONGEST_ADDRESS = 100


class Understanding:
    """Reads answers that came by `way`; `clock` gives the time, aware."""

    def __init__(self, way: Way, credentials: Credentials, clock: Callable[[], datetime]) -> None:
        self._way = way
        self._credentials = credentials
        self._clock = clock

    async def outcome(self, route: Route, arrival: Arrival, content: bytes) -> Any:
        """The value of an answer, None if it has no content; an `ApiError` to raise if it is one.

        Not raised here: who raises should not hold what came, which a traceback would show.
        """
        if arrival.status >= HTTPStatus.BAD_REQUEST:
            return await self.refusal(route, arrival, content)
        if arrival.status == HTTPStatus.NO_CONTENT:
            return None
        try:
            value = await decode(content)
        except UndecodableError as error:
            return self.nonsense(route, arrival, str(error), content)
        status = hidden_status(value)
        return value if status is None else await self.refusal(route, arrival, content, status)

    async def refusal(
        self, route: Route, arrival: Arrival, content: bytes, status: int | None = None
    ) -> ApiError:
        """The error that an answer stands for; `status` is the one that its body tells."""
        if arrival.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            return login_wanted(self._way, f"{route}: {int(arrival.status)}")
        text = self._redacted(content)
        try:
            body = await decode(text.encode(errors="replace"))
        except UndecodableError:
            body = None
        wait = retry_after(arrival.headers.get("retry-after"), self._clock())
        answer = Answer(status or arrival.status, body, text, wait, is_page=_is_page(arrival))
        return refusal(route, answer)

    def hidden(self, route: Route, arrival: Arrival, told: Mapping[str, Any]) -> ApiError | None:
        """The error that came as a success, by what `TELLING` members say."""
        status = hidden_status(told)
        if status is None:
            return None
        wait = retry_after(arrival.headers.get("retry-after"), self._clock())
        text = self._credentials.redact(str(told))
        return refusal(route, Answer(status, told, text, wait))

    def nonsense(self, route: Route, arrival: Arrival, why: str, content: bytes = b"") -> Nonsense:
        """The error of an answer that cannot be understood."""
        text = self._redacted(content)
        answer = Answer(arrival.status, None, text, is_page=_is_page(arrival))
        words, hint = foreign_words(answer)
        return Nonsense(
            words,
            hint=hint,
            details=f"{route}: {arrival.status}: {why}: {clean.line(text)[:_LOGGED]}",
            status=arrival.status,
            may_have_happened=not route.is_safe,
        )

    def led_away(self, route: Route, status: int, target: httpx.URL) -> BadAddress:
        """The error of a redirect that is not followed; it names where to, without the query."""
        plain = str(target.copy_with(query=None, userinfo=b"", fragment=None))
        shown = clean.line(self._credentials.redact(plain))[:_LONGEST_ADDRESS]
        return BadAddress(
            f"{self._way.host} sends callers on to {shown}; the password was not sent there.",
            hint="Sign in if this network asks for it, or set the new address in the profile.",
            details=f"{route}: {status}: to {shown}",
            status=status,
            may_have_happened=not route.is_safe and status not in _ASK_AGAIN_THERE,
        )

    def _redacted(self, content: bytes) -> str:
        return self._credentials.redact(content[:_LARGEST_ERROR].decode(errors="replace"))


def _is_page(arrival: Arrival) -> bool:
    return str(arrival.headers.get("content-type", "")).startswith("text/html")
