"""The client as a whole: one session, and a resource for each group of endpoints.

The rule it keeps: a group of endpoints is a module with one class; adding one is a module, its rows
in the endpoint table and a line here.
"""

from types import TracebackType
from typing import Self

from tui.api import records
from tui.api.boards import Boards
from tui.api.comments import Comments
from tui.api.labels import Labels
from tui.api.session import Session
from tui.api.stages import Stages
from tui.api.tasks import Tasks


class Client:
    """Everything that can be asked of a service. Make it off the event loop: it builds validators.

    Use it as an asynchronous context manager, or call `aclose` when done.
    """

    def __init__(self, session: Session) -> None:
        records.prepare()
        self._session = session
        self.boards = Boards(session)
        self.stages = Stages(session)
        self.tasks = Tasks(session)
        self.comments = Comments(session)
        self.labels = Labels(session)

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
