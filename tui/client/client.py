"""The client as a whole: one session, a resource for each group of endpoints, and the dialect.

The rule it keeps: a group of endpoints is a module with one class; adding one is a module, its rows
in the endpoint table and a line here. What deployed services do differently is the dialect's.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from tui.client import records
from tui.client.capabilities import DEFAULTS, UNKNOWN, Capabilities, ServiceSettings
from tui.client.dialect.dialect import Dialect
from tui.client.dialect.feature_learning import Attentive
from tui.client.dialect.memory import Memory, ignore
from tui.client.dialect.resources import Resources
from tui.client.dialect.site_time import SiteTime
from tui.client.http.session import Session
from tui.client.progress import ProgressListener
from tui.client.resources.boards import Boards
from tui.client.resources.comments import Comments
from tui.client.resources.fields import Fields
from tui.client.resources.folders import Folders
from tui.client.resources.images import Images
from tui.client.resources.labels import Labels
from tui.client.resources.people import People
from tui.client.resources.stages import Stages
from tui.client.resources.subtasks import Subtasks
from tui.client.resources.tasks import Tasks
from tui.client.resources.webhooks import Webhooks


class Client:
    """Everything that can be asked of a service. Make it off the event loop: it builds validators.

    Resources do exactly one call each; `dialect` does what is meant, at any service. `capabilities`
    is what is known of the service, `settings` what the profile says of it; `learned` hears
    whenever more is known. Use it as an asynchronous context manager, or call `aclose` when done.
    Raises `UnknownZone` for a time zone that does not exist.
    """

    def __init__(
        self,
        session: Session,
        *,
        capabilities: Capabilities = UNKNOWN,
        settings: ServiceSettings = DEFAULTS,
        learned: Callable[[Capabilities], None] = ignore,
    ) -> None:
        records.prepare()
        self._session = session
        memory = Memory(capabilities, learned)
        attentive = Attentive(session, memory)
        self.boards = Boards(attentive)
        self.stages = Stages(attentive)
        self.tasks = Tasks(attentive)
        self.comments = Comments(attentive)
        self.images = Images(attentive)
        self.subtasks = Subtasks(attentive)
        self.labels = Labels(attentive)
        self.fields = Fields(attentive)
        self.folders = Folders(attentive)
        self.people = People(attentive, settings.path_word)
        self.webhooks = Webhooks(attentive)
        resources = Resources(
            self.boards,
            self.stages,
            self.tasks,
            self.comments,
            self.subtasks,
            self.labels,
            self.fields,
            self.folders,
            self.people,
        )
        self.dialect = Dialect(resources, memory, SiteTime.of(settings.timezone))

    async def keeps_replies(self) -> bool:
        """Whether the service answers a request that is sent again under its key as the first time.

        Asks for the boards if the service has not answered anything yet. Raises `ApiError`.
        """
        if self._session.keeps_replies is None:
            await self.boards.list()
        return bool(self._session.keeps_replies)

    async def fetch(self, url: str, *, progress: ProgressListener | None = None) -> bytes:
        """What an address in a record leads to: a picture; see `Session.fetch` (2.6)."""
        return await self._session.fetch(url, progress=progress)

    async def aclose(self) -> None:
        """Close the session with its connections."""
        await self._session.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
