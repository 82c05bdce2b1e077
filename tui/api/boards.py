"""Boards, their members and what was done to them (section 4.1)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from tui.api.endpoints import Endpoint
from tui.api.listing import Listing, Page, every_page, gather, read_listing, read_page
from tui.api.records import ActivityRecord, BoardRecord, UserRecord
from tui.api.resource import Resource, member
from tui.api.values import as_flag, as_text

_PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Changes:
    """Whether a board has changed; `synced_at` is what to ask with the next time.

    `has_changes` is None if the service did not say. A `must_reload` board has to be read again
    whole.
    """

    has_changes: bool | None
    synced_at: str | None
    must_reload: bool = False


class Boards(Resource):
    """The boards the user can see. Every method may raise `ApiError`."""

    def pages(
        self, *, archived: bool = False, per_page: int = _PER_PAGE
    ) -> AsyncIterator[Page[BoardRecord]]:
        """The pages of active or of archived boards (4.1, GET /projects).

        Searching and sorting are left to the caller: services spell those parameters differently
        and some ignore them.
        """
        route = Endpoint.LIST_BOARDS.at()
        option = {"option": "archived"} if archived else {}

        async def fetch(number: int) -> Page[BoardRecord]:
            query = {"per_page": str(per_page), "page": str(number), **option}
            answer = await self._ask(route, query=query)
            return await read_page(member(route, answer, "boards"), BoardRecord, number=number)

        return every_page(fetch)

    async def list(self, *, archived: bool = False) -> Listing[BoardRecord]:
        """All active or all archived boards, from all pages (4.1, GET /projects)."""
        return await gather(self.pages(archived=archived))

    async def get(self, board_id: int) -> BoardRecord:
        """One board with its users, stages and labels (4.1).

        Where the service tells it, `synced_at` is what to ask `has_data_changed` with.
        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.GET_BOARD.at(board_id=board_id)
        answer = await self._ask(route)
        row = answer.get("board")
        if isinstance(row, dict) and "synced_at" in answer:
            row.setdefault("synced_at", answer["synced_at"])
        return self._one(route, answer, BoardRecord, "board")

    async def create(
        self,
        title: str,
        board_type: str,
        *,
        description: str = "",
        currency: str | None = None,
    ) -> BoardRecord:
        """Make a board of type `to-do` or `roadmap`; the service adds stages and labels (4.1).

        The answer has neither of them: read the board again. Raises `Refused`.
        """
        route = Endpoint.CREATE_BOARD.at()
        board = {"title": title, "description": description, "type": board_type}
        if currency is not None:
            board["currency"] = currency
        answer = await self._ask(route, body={"board": board})
        return self._one(route, answer, BoardRecord, "board")

    async def update(
        self, board_id: int, *, title: str, description: str | None = None
    ) -> BoardRecord:
        """Change a board's title and, unless None, its description as HTML (4.1).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.UPDATE_BOARD.at(board_id=board_id)
        body = {"title": title}
        if description is not None:
            body["description"] = description
        return self._one(route, await self._ask(route, body=body), BoardRecord, "board")

    async def archive(self, board_id: int) -> BoardRecord:
        """Archive a board (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.ARCHIVE_BOARD.at(board_id=board_id)
        return self._one(route, await self._ask(route), BoardRecord, "board")

    async def restore(self, board_id: int) -> BoardRecord:
        """Bring an archived board back (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.RESTORE_BOARD.at(board_id=board_id)
        return self._one(route, await self._ask(route), BoardRecord, "board")

    async def delete(self, board_id: int) -> None:
        """Delete a board for good (4.1). Raises `NotThere` if it is already gone."""
        await self._ask(Endpoint.DELETE_BOARD.at(board_id=board_id))

    async def duplicate(
        self,
        board_id: int,
        title: str,
        *,
        with_tasks: bool = False,
        with_labels: bool = False,
        with_templates: bool = False,
    ) -> BoardRecord:
        """Copy a board under a new title (4.1). Raises `Refused`, `NotThere`, `NotAllowed`."""
        route = Endpoint.DUPLICATE_BOARD.at(board_id=board_id)
        body = {
            "board": {"title": title},
            "isWithTasks": _yes_no(with_tasks),
            "isWithLabels": _yes_no(with_labels),
            "isWithTemplates": _yes_no(with_templates),
        }
        return self._one(route, await self._ask(route, body=body), BoardRecord, "board")

    async def users(self, board_id: int) -> Listing[UserRecord]:
        """The members of a board with their roles (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_BOARD_USERS.at(board_id=board_id)
        return await read_listing(member(route, await self._ask(route), "users"), UserRecord)

    def activities(
        self, board_id: int, *, per_page: int = _PER_PAGE
    ) -> AsyncIterator[Page[ActivityRecord]]:
        """What was done to a board, page by page, newest first (4.1)."""
        route = Endpoint.LIST_BOARD_ACTIVITIES.at(board_id=board_id)

        async def fetch(number: int) -> Page[ActivityRecord]:
            query = {"per_page": str(per_page), "page": str(number)}
            envelope = member(route, await self._ask(route, query=query), "activities")
            return await read_page(envelope, ActivityRecord, number=number)

        return every_page(fetch)

    async def has_data_changed(self, board_id: int, since: str) -> Changes:
        """Whether a board has changed since a `synced_at` that the service gave earlier.

        Not in the specification; raises `NotOffered` where there is no such endpoint, and
        `ServerFault` where `since` is older than a day.
        """
        route = Endpoint.HAS_DATA_CHANGED.at(board_id=board_id)
        answer = await self._ask(route, query={"since": since})
        return Changes(
            as_flag(answer.get("has_changes")),
            as_text(answer.get("synced_at")),
            must_reload=bool(as_flag(answer.get("sync_reset"))),
        )


def _yes_no(flag: bool) -> str:
    return "yes" if flag else "no"
