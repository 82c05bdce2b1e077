"""Boards, their members and what was done to them (section 4.1)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tui.client.endpoints import Endpoint
from tui.client.records import (
    ActivityRecord,
    BoardRecord,
    LabelRecord,
    StageRecord,
    TaskRecord,
    UserRecord,
)
from tui.client.records.values import as_flag, as_integer, as_object, as_rows, as_text
from tui.client.resources.listing import Listing, Page, every_page, gather, read_listing, read_page
from tui.client.resources.resource import Resource, member

_PER_PAGE = 100
_OF_THE_BOARD = ("stageDeleted", "labelDeleted", "stageResetRequired", "labelResetRequired")

BoardType = Literal["to-do", "roadmap"]
BoardOrder = Literal["id", "title", "created_at"]


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed on a board, as far as the service tells.

    `synced_at` is what to ask with the next time; None where the service lists what was touched in
    the last minute, whatever it is asked. `has_changes` is None if the service did not say. A
    `must_reload` board has to be read again whole. `is_complete` says that no kind of change is
    left out.

    `deleted_task_ids` are tasks that are gone; `has_deleted_tasks` says that some are of which the
    ids are not told. `board` is told as a whole or in part; `is_board_outdated` says that something
    was deleted from it, or that its stages or labels have to be read again.
    """

    has_changes: bool | None = None
    synced_at: str | None = None
    must_reload: bool = False
    is_complete: bool = False
    tasks: list[TaskRecord] = field(default_factory=list)
    deleted_task_ids: frozenset[int] = frozenset()
    has_deleted_tasks: bool = False
    board: BoardRecord | None = None
    stages: list[StageRecord] = field(default_factory=list)
    labels: list[LabelRecord] = field(default_factory=list)
    is_board_outdated: bool = False


@dataclass(frozen=True, slots=True)
class Members(Listing[UserRecord]):
    """The members of a board, and who may do everything on every board."""

    global_admins: list[UserRecord] = field(default_factory=list)


class Boards(Resource):
    """The boards the user can see. Every method may raise `ApiError`."""

    def pages(
        self,
        *,
        archived: bool = False,
        per_page: int = _PER_PAGE,
        search: str | None = None,
        board_type: BoardType | None = None,
        order_by: BoardOrder | None = None,
        order_type: Literal["ASC", "DESC"] | None = None,
    ) -> AsyncIterator[Page[BoardRecord]]:
        """The pages of active or of archived boards (4.1, GET /projects).

        `search` looks into titles. Some services ignore the last four, or spell them differently:
        whoever needs the right boards in the right order filters and sorts what comes.
        """
        route = Endpoint.LIST_BOARDS.at()
        asked = {
            "option": "archived" if archived else None,
            "search": search,
            "type": board_type,
            "order_by": order_by,
            "order_type": order_type,
        }
        options = {name: value for name, value in asked.items() if value is not None}

        async def fetch(number: int) -> Page[BoardRecord]:
            query = {"per_page": str(per_page), "page": str(number), **options}
            answer = await self._ask(route, query=query)
            return await read_page(member(route, answer, "boards"), BoardRecord, number=number)

        return every_page(fetch)

    async def list(self, *, archived: bool = False) -> Listing[BoardRecord]:
        """All active or all archived boards, from all pages (4.1, GET /projects)."""
        return await gather(self.pages(archived=archived))

    async def get(self, board_id: int) -> BoardRecord:
        """One board with its users, stages, labels and custom fields (4.1).

        Where the service tells it, `synced_at` is what to ask `has_data_changed` with.
        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.GET_BOARD.at(board_id=board_id)
        answer = await self._ask(route)
        return self._one(route, _board_with(answer, "synced_at"), BoardRecord, "board")

    async def create(
        self,
        title: str,
        board_type: str,
        *,
        description: str = "",
        currency: str | None = None,
        folder_id: int | None = None,
        stages: Sequence[Mapping[str, object]] | None = None,
    ) -> BoardRecord:
        """Make a board of type `to-do` or `roadmap`; the service adds stages and labels (4.1).

        `folder_id` puts it into a folder (extended edition), `stages` are a roadmap's own. The
        answer has neither stages nor labels: read the board again. Raises `Refused`. Never repeat
        it blindly: every repeat makes another board.
        """
        route = Endpoint.CREATE_BOARD.at()
        board = {"title": title, "description": description, "type": board_type}
        if currency is not None:
            board["currency"] = currency
        body: dict[str, object] = {"board": board}
        if folder_id is not None:
            body["folder_id"] = folder_id
        if stages is not None:
            body["stages"] = [dict(stage) for stage in stages]
        answer = await self._ask(route, body=body)
        return self._one(route, answer, BoardRecord, "board")

    async def update(
        self, board_id: int, *, title: str, description: str | None = None
    ) -> BoardRecord:
        """Change a board's title and, unless None, its description as HTML (4.1).

        Returns the board with its stages. Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.UPDATE_BOARD.at(board_id=board_id)
        body = {"title": title}
        if description is not None:
            body["description"] = description
        answer = await self._ask(route, body=body)
        return self._one(route, _board_with(answer, "stages"), BoardRecord, "board")

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

    async def users(self, board_id: int) -> Members:
        """The members of a board with their roles (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_BOARD_USERS.at(board_id=board_id)
        answer = await self._ask(route)
        users = await read_listing(member(route, answer, "users"), UserRecord)
        admins = await read_listing(answer.get("global_admins"), UserRecord)
        return Members(users.records, users.skipped + admins.skipped, admins.records)

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
        """What has changed on a board since a `synced_at` that the service gave earlier.

        Not in the specification; raises `NotOffered` where there is no such endpoint, and
        `ServerFault` where `since` is older than a day.
        """
        route = Endpoint.HAS_DATA_CHANGED.at(board_id=board_id)
        answer = await self._ask(route, query={"since": since})
        deleted = answer.get("taskDeleted")
        deleted_ids = list(map(as_integer, as_rows(deleted)))
        board = as_object(answer.get("board"))
        return Changes(
            as_flag(answer.get("has_changes")),
            as_text(answer.get("synced_at")) or None,
            must_reload=_has(answer, "sync_reset", "taskResetRequired"),
            is_complete=_has(answer, "is_complete"),
            tasks=(await read_listing(answer.get("tasks"), TaskRecord)).records,
            deleted_task_ids=frozenset(filter(None, deleted_ids)),
            has_deleted_tasks=bool(as_flag(deleted)) or None in deleted_ids,
            board=BoardRecord.model_validate({**board, "id": board_id}) if board else None,
            stages=(await read_listing(answer.get("stages"), StageRecord)).records,
            labels=(await read_listing(answer.get("labels"), LabelRecord)).records,
            is_board_outdated=any(answer.get(name) for name in _OF_THE_BOARD),
        )


def _has(answer: dict[str, Any], *names: str) -> bool:
    return any(as_flag(answer.get(name)) for name in names)


def _board_with(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """An answer whose board has a member that services put beside the board."""
    board = answer.get("board")
    if not isinstance(board, dict) or name not in answer:
        return answer
    return {"board": {name: answer[name], **board}}


def _yes_no(flag: bool) -> str:
    return "yes" if flag else "no"
