"""Records the requests that a client would send to change something, and sends none.

It replaces the session of a client. Safe requests are answered from what is known; the others are
recorded and fail, since what would be sent after their responses depends on these.
"""

from collections.abc import AsyncGenerator, Callable
from typing import Any, NamedTuple

from tui.client.endpoints import RequestLine
from tui.client.errors import Unreachable

Answers = Callable[[str], Any]
"""What a path is answered with; None if that is not known."""


class Recorded(NamedTuple):
    """A request that would be sent; the path is that below the base address."""

    method: str
    path: str
    body: object


class Recording:
    """Stands for a `Session`; `requests` are those recorded so far."""

    def __init__(self, answers: Answers) -> None:
        # Not None, for which the client would make a request to find out.
        self.announced: frozenset[str] | None = frozenset()
        self.requests: list[Recorded] = []
        self._answers = answers

    async def call(
        self,
        route: RequestLine,
        *,
        body: object = None,
        **_: object,
    ) -> Any:
        """The known answer to a safe request. Raises `Unreachable` otherwise."""
        answer = self._answers(route.path) if route.is_safe else None
        if answer is not None:
            return answer
        if not route.is_safe:
            self.requests.append(Recorded(route.method, route.path, body))
        raise Unreachable("Nothing is sent in a dry run.", details=str(route))

    async def stream(
        self,
        route: RequestLine,
        member: str,
        **_: object,
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of a known answer. Raises `Unreachable` if it is not known."""
        answer = await self.call(route)
        yield answer[member]

    async def aclose(self) -> None:
        """Nothing is open."""
