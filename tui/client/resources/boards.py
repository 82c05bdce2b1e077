"""Boards, their members and what was done to them (section 4.1)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from tui.client.capabilities import Feature
from tui.client.documents import BoardNews, Document, break_circles
from tui.client.endpoints import Endpoint
from tui.client.errors import NotOffered, NotThere
from tui.client.records import (
    ActivityRecord,
    BoardRecord,
    LabelRecord,
    Part,
    StageRecord,
    TaskRecord,
    UserRecord,
)
from tui.client.records.values import as_flag, as_integer, as_object, as_rows, as_text
from tui.client.resources.answers import (
    Listing,
    Page,
    every_page,
    gather,
    read_listing,
    read_page,
    task_document,
)
from tui.client.resources.deletion import MAY_MEAN_GONE, delete_once
from tui.client.service import Service, member, record
from tui.client.site_time import SiteTime
from tui.text.fuzzy import fold

_PER_PAGE = 100
_STAMP = "%Y-%m-%d %H:%M:%S"
_SOME_TIME_AGO = timedelta(hours=12)
"""Lies within the day that services look back, whatever zone they are in."""
_OF_THE_BOARD = ("stageDeleted", "labelDeleted", "stageResetRequired", "labelResetRequired")

BoardType = Literal["to-do", "roadmap"]
BoardOrder = Literal["id", "title", "created_at"]


@dataclass(frozen=True, slots=True)
class Members(Listing[UserRecord]):
    """The members of a board, and who may do everything on every board."""

    global_admins: list[UserRecord] = field(default_factory=list)


class Boards:
    """The boards the user can see. Every method may raise `ApiError`."""

    def __init__(self, service: Service, site: SiteTime) -> None:
        self._service = service
        self._site = site

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
            answer = await self._service.ask(route, query=query)
            return await read_page(member(route, answer, "boards"), BoardRecord, number=number)

        return every_page(fetch)

    async def list(self, *, archived: bool = False) -> Listing[BoardRecord]:
        """All active or all archived boards, from all pages (4.1, GET /projects)."""
        return await gather(self.pages(archived=archived))

    async def find(
        self,
        *,
        archived: bool = False,
        search: str = "",
        board_type: str | None = None,
        order_by: BoardOrder = "id",
        descending: bool = True,
    ) -> Listing[BoardRecord]:
        """The active or the archived boards, with `search` in the title, in order (4.1).

        Filtered and sorted here, because services ignore those parameters or call them something
        else. Some services list no roadmap boards at all.
        """
        listing = await self.list(archived=archived)
        wanted = fold(search)
        found = [
            board
            for board in listing.records
            if wanted in fold(board.title) and board_type in {None, board.type}
        ]
        found.sort(key=lambda board: _rank(board, order_by), reverse=descending)
        return Listing(found, listing.skipped)

    async def every(self) -> Listing[BoardRecord]:
        """The active and the archived boards, newest first (4.1).

        A service that knows no archived list answers with the active ones twice.
        """
        active = await self.list()
        archived = await self.list(archived=True)
        by_id = {board.id: board for board in (*archived.records, *active.records)}
        boards = [by_id[board_id] for board_id in sorted(by_id, reverse=True)]
        return Listing(boards, active.skipped + archived.skipped)

    async def get(self, board_id: int) -> BoardRecord:
        """One board with its users, stages, labels and custom fields (4.1).

        Where the service tells it, `synced_at` is what to ask `has_data_changed` with.
        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.GET_BOARD.at(board_id=board_id)
        answer = await self._service.ask(route)
        return record(route, _board_with(answer, "synced_at"), BoardRecord, "board")

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
        answer = await self._service.ask(route, body=body)
        return record(route, answer, BoardRecord, "board")

    async def update(
        self, board_id: int, title: str, description: str | None = None
    ) -> BoardRecord:
        """Change a board's title and, unless None, its description as HTML (4.1).

        Returns the board with its stages. Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.UPDATE_BOARD.at(board_id=board_id)
        body = {"title": title}
        if description is not None:
            body["description"] = description
        answer = await self._service.ask(route, body=body)
        return record(route, _board_with(answer, "stages"), BoardRecord, "board")

    async def archive(self, board_id: int) -> BoardRecord:
        """Archive a board (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.ARCHIVE_BOARD.at(board_id=board_id)
        return record(route, await self._service.ask(route), BoardRecord, "board")

    async def restore(self, board_id: int) -> BoardRecord:
        """Bring an archived board back (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.RESTORE_BOARD.at(board_id=board_id)
        return record(route, await self._service.ask(route), BoardRecord, "board")

    async def delete(self, board_id: int) -> None:
        """Delete a board for good; one that is gone already is a success (4.1).

        Raises `ServerFault` if it is still there, `NotAllowed`.
        """
        await delete_once(
            lambda: self._delete(board_id),
            lambda: self._is_gone(board_id),
            is_trusted=self._service.is_trusted,
        )

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
        return record(route, await self._service.ask(route, body=body), BoardRecord, "board")

    async def users(self, board_id: int) -> Members:
        """The members of a board with their roles (4.1). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_BOARD_USERS.at(board_id=board_id)
        answer = await self._service.ask(route)
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
            envelope = member(route, await self._service.ask(route, query=query), "activities")
            return await read_page(envelope, ActivityRecord, number=number)

        return every_page(fetch)

    async def latest_activities(
        self, board_id: int, *, per_page: int = _PER_PAGE
    ) -> Sequence[ActivityRecord]:
        """The first page of `activities`."""
        async for page in self.activities(board_id, per_page=per_page):
            return page.records
        return ()

    async def changes(self, board_id: int, since: str) -> BoardNews | None:
        """What has changed on a board since a `synced_at`; None if the service cannot tell.

        Without `since` the answer tells how the service answers, and the `synced_at` to begin with
        where it has one. Raises `ServerFault` where `since` is older than a day.
        """
        if self._service.offers(Feature.CHANGE_NEWS) is False:
            return None
        asked = _asked_since(since) if since else f"{datetime.now(UTC) - _SOME_TIME_AGO:{_STAMP}}"
        try:
            news = await self.ask_changes(board_id, asked)
        except NotOffered:
            return None
        self._service.learn_features({Feature.CHANGE_NEWS: True})
        return news

    async def ask_changes(self, board_id: int, since: str) -> BoardNews:
        """What has changed since `since`, which is not in the specification."""
        route = Endpoint.HAS_DATA_CHANGED.at(board_id=board_id)
        answer = await self._service.ask(route, query={"since": since})
        deleted = answer.get("taskDeleted")
        gone = list(map(as_integer, as_rows(deleted)))
        tasks = (await read_listing(answer.get("tasks"), TaskRecord)).records
        documents = [task_document(task, self._site) for task in tasks]
        break_circles(documents)
        told = as_object(answer.get("board"))
        board = None
        if told:
            board = BoardRecord.model_validate({**told, "id": board_id}).document()
        is_whole = board is not None and "stages" in board
        return BoardNews(
            as_text(answer.get("synced_at")) or "",
            as_flag(answer.get("has_changes")),
            must_reload=_has(answer, "sync_reset", "taskResetRequired"),
            is_complete=_has(answer, "is_complete"),
            tasks=documents,
            gone=frozenset(filter(None, gone)),
            has_gone=bool(as_flag(deleted)) or None in gone,
            frame=board if is_whole else None,
            parts={
                "stages": await _documents(answer.get("stages"), StageRecord),
                "labels": await _documents(answer.get("labels"), LabelRecord),
                "board": [] if board is None or is_whole else [board],
            },
            is_frame_outdated=any(answer.get(name) for name in _OF_THE_BOARD),
        )

    async def _delete(self, board_id: int) -> None:
        await self._service.ask(Endpoint.DELETE_BOARD.at(board_id=board_id))

    async def _is_gone(self, board_id: int) -> bool:
        try:
            await self.get(board_id)
        except NotThere:
            return True
        except MAY_MEAN_GONE as error:
            if error.is_passing:
                raise
            return all(board.id != board_id for board in (await self.every()).records)
        return False


async def _documents(rows: object, kind: type[Part]) -> Sequence[Document]:
    return await (await read_listing(rows, kind)).documents()


def _asked_since(since: str) -> str:
    """A second before a time that is told in whole seconds: more may have changed in that second.

    What is more than such a time is the service's own and given back as it is.
    """
    try:
        moment = datetime.strptime(since, _STAMP)  # noqa: DTZ007 - the site's own time
    except ValueError:
        return since
    return (moment - timedelta(seconds=1)).strftime(_STAMP)


def _rank(board: BoardRecord, order_by: BoardOrder) -> tuple[object, ...]:
    if order_by == "title":
        return (fold(board.title), board.id)
    if order_by == "created_at":
        created_at = board.created_at
        return (created_at is not None, created_at.timestamp() if created_at else 0.0, board.id)
    return (board.id,)


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
