"""What a group of endpoints needs of a session.

The rule it keeps: a resource says what to ask and nothing else, so that whoever hands it a session
can listen to what comes of it.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Protocol

from tui.client.endpoints import Route
from tui.client.http.bodies import Body
from tui.client.progress import ProgressListener


class Caller(Protocol):
    """Sends calls to a service; `tui.client.http.session.Session` is one."""

    async def call(
        self,
        route: Route,
        *,
        query: Mapping[str, str] | None = None,
        body: Body | None = None,
        progress: ProgressListener | None = None,
    ) -> Any:
        """Send one call and return the JSON value of its answer; see `Session.call`."""
        ...

    def stream(
        self,
        route: Route,
        member: str,
        *,
        query: Mapping[str, str] | None = None,
        progress: ProgressListener | None = None,
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of an array of an answer while they arrive; see `Session.stream`."""
        ...
