"""The client: all endpoints of a service that keeps to the specification.

`tui.client.editions` has what deployed services need beyond that.
"""

from typing import Self

from tui.client import writes
from tui.client.capabilities import UNKNOWN, Capabilities, Feature, Learned
from tui.client.decoding import KINDS, validator
from tui.client.documents import BytesListener
from tui.client.http.session import HttpSession
from tui.client.resources.administration import Folders, Webhooks
from tui.client.resources.comments import Comments
from tui.client.resources.labels import Fields, Labels
from tui.client.resources.people import People
from tui.client.resources.stages import Stages
from tui.client.resources.subtasks import Subtasks
from tui.client.service import RemoteService
from tui.client.site_time import SiteTime


class Client(Stages, Subtasks, Comments, Labels, Fields, People, Folders, Webhooks):
    """All endpoints of a service. Create it off the event loop, since it builds validators.

    Each base class has the endpoints of a section of the specification. Methods return documents,
    whose guarantees are in `tui.client.decoding`; wall times of tasks are the user's.

    `capabilities` are those known already; `learned` is called when they change. `path_word` is a
    segment of the service's paths; `timezone` that of the site, a name such as `Asia/Dhaka` or an
    offset such as `+06:00`, empty for the user's own. Use it as an asynchronous context manager, or
    call `aclose`. Raises `UnknownZone` for a time zone that does not exist.
    """

    def __init__(
        self,
        session: HttpSession,
        *,
        capabilities: Capabilities = UNKNOWN,
        path_word: str = "service",
        timezone: str = "",
        learned: Learned = lambda _: None,
    ) -> None:
        # Now, off the event loop, and not at the first response of each kind.
        for kind in KINDS:
            validator(kind)
        self.path_word = path_word
        self.service = RemoteService(session, capabilities, learned, SiteTime.of(timezone))

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if not known yet."""
        return self.service.offers(feature)

    async def keeps_replies(self) -> bool:
        """Whether the service supports idempotency keys.

        Makes a request if there was no response yet. Raises `ApiError`.
        """
        return await self.service.announces(writes.ANNOUNCED)

    async def picture(self, url: str, progress: BytesListener | None = None) -> bytes:
        """Download a picture whose address is in a document; see `HttpSession.fetch` (2.6)."""
        return await self.service.session.fetch(url, progress=progress)

    async def aclose(self) -> None:
        """Close the session with its connections."""
        await self.service.session.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
