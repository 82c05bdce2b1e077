"""The client: a session, the capabilities of its service, and the resources.

A resource is a class for a group of endpoints; its methods work the same on every deployed service.
"""

from typing import Self

from tui.client import idempotency
from tui.client.capabilities import (
    UNKNOWN,
    Capabilities,
    Feature,
    Learned,
)
from tui.client.documents import BytesListener
from tui.client.http.session import Session
from tui.client.records.base import kinds
from tui.client.resources.administration import Folders, Webhooks
from tui.client.resources.boards import Boards
from tui.client.resources.comments import Comments
from tui.client.resources.labels import Fields, Labels
from tui.client.resources.people import People
from tui.client.resources.stages import Stages
from tui.client.resources.subtasks import Subtasks
from tui.client.resources.task_moves import TaskMoves
from tui.client.resources.task_properties import TaskProperties
from tui.client.resources.tasks import Tasks
from tui.client.service import Features, Service
from tui.client.site_time import SiteTime

_ANY_TASK = 1
_LONG_AGO = "2000-01-01 00:00:00"


class Client:
    """All endpoints of a service. Create it off the event loop, since it builds validators.

    `capabilities` are those known already; `learned` is called when they change. `path_word` is a
    segment of the service's paths; `timezone` that of the site, a name such as `Asia/Dhaka` or an
    offset such as `+06:00`, empty for the user's own. Use it as an asynchronous context manager, or
    call `aclose`. Raises `UnknownZone` for a time zone that does not exist.
    """

    def __init__(
        self,
        session: Session,
        *,
        capabilities: Capabilities = UNKNOWN,
        path_word: str = "service",
        timezone: str = "",
        learned: Learned = lambda _: None,
    ) -> None:
        for kind in kinds():
            kind.model_rebuild()
        self._session = session
        site = SiteTime.of(timezone)
        self.service = service = Service(session, capabilities, learned, site)
        self.boards = Boards(service)
        self.people = People(service, self.boards, path_word)
        self.folders = Folders(service)
        self.fields = Fields(service)
        self.labels = Labels(service)
        self.comments = Comments(service)
        self.webhooks = Webhooks(service)
        self.subtasks = Subtasks(service)
        self.features = Features(
            service,
            {
                Feature.SUBTASKS: lambda board_id: self.subtasks.list(board_id, _ANY_TASK),
                Feature.CUSTOM_FIELDS: self.fields.list,
                Feature.FOLDERS: lambda _: self.folders.list(),
                Feature.SERVICE_USERS: lambda _: self.people.list(),
                Feature.USER_SEARCH: lambda _: self.people.search(""),
                Feature.CHANGE_NEWS: lambda board_id: self.boards.ask_changes(board_id, _LONG_AGO),
            },
        )
        self.tasks = Tasks(service, self.subtasks)
        self.task_properties = TaskProperties(service, self.tasks)
        self.task_moves = TaskMoves(service, self.tasks, self.features)
        self.stages = Stages(service, self.boards, self.tasks, self.task_moves)

    async def keeps_replies(self) -> bool:
        """Whether the service supports idempotency keys.

        Makes a request if there was no response yet. Raises `ApiError`.
        """
        return await self.service.announces(idempotency.ANNOUNCED)

    async def fetch(self, url: str, progress: BytesListener | None = None) -> bytes:
        """Download a picture whose address is in a record; see `Session.fetch` (2.6)."""
        return await self._session.fetch(url, progress=progress)

    async def aclose(self) -> None:
        """Close the session with its connections."""
        await self._session.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
