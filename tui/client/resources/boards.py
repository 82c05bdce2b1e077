"""Boards, their members and activities (section 4.1)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from tui.client.answers import Answer, gather, incomplete
from tui.client.capabilities import Feature
from tui.client.decoding import decode
from tui.client.documents import BoardChanges, Document, DocumentPage, break_circles
from tui.client.endpoints import Endpoint
from tui.client.http.bodies import without_none
from tui.client.service import RemoteService
from tui.client.site_time import WALL_FORMAT
from tui.client.values import as_flag, as_integer, as_object, as_rows, as_text
from tui.schema.boards import Board, Label, Stage, User
from tui.schema.tasks import Activity, Task

_PER_PAGE = 100
_ACTIVITIES = 50
"""The default number of activities on a page."""
_WAIT_SECONDS = 25
"""The longest time that services wait."""
_GRACE_SECONDS = 5
_SOME_TIME_AGO = timedelta(hours=12)
"""Within the day of changes that services keep, in any time zone."""
_OF_THE_BOARD = ("stageDeleted", "labelDeleted", "stageResetRequired", "labelResetRequired")


class Boards:
    """The boards that the user can see, with their members and activities (section 4.1)."""

    service: RemoteService

    async def list_boards(self, *, archived: bool = False) -> list[Document]:
        """All active or all archived boards, from all pages (4.1, GET /projects).

        Some services do not list roadmap boards. The order is the service's.
        """
        option = {"option": "archived"} if archived else {}

        async def fetch(number: int) -> DocumentPage:
            query = {"per_page": str(_PER_PAGE), "page": str(number), **option}
            answer = await self.service.ask(Endpoint.LIST_BOARDS, query=query)
            return await answer.page(Board, "boards", number)

        return await gather(fetch)

    async def boards(self) -> list[Document]:
        """The active and the archived boards, newest first (4.1).

        A service without a list of archived boards returns the active ones twice.
        """
        active = await self.list_boards()
        archived = await self.list_boards(archived=True)
        # A board that is in both lists is taken from the active ones, which come last.
        by_id = {board["id"]: board for board in (*archived, *active)}
        return [by_id[board_id] for board_id in sorted(by_id, reverse=True)]

    async def list_version(self) -> str:
        """Always empty: no endpoint reports whether the list of boards has changed."""
        return ""

    async def board(self, board_id: int) -> Document:
        """One board with its users, stages, labels and custom fields (4.1).

        `synced_at`, if present, is the time stamp for `changes_since`. Without stages that can be
        read it is no board: `UnexpectedAnswer`.
        """
        answer = await self.service.ask(Endpoint.GET_BOARD, board_id)
        board = answer.beside("board", "synced_at").document(Board, "board")
        stages = as_object(answer.value.get("board")).get("stages")
        if not isinstance(stages, (list, dict)) or (stages and not board["stages"]):
            raise incomplete(answer.route, "stages")
        return board

    async def create_board(
        self,
        title: str,
        description: str,
        board_type: str,
        *,
        currency: str | None = None,
        folder_id: int | None = None,
        stages: Sequence[Mapping[str, object]] | None = None,
    ) -> Document:
        """Create a board of type `to-do` or `roadmap`; the service adds stages (4.1).

        `folder_id` puts it into a folder (extended edition), `stages` are those of a roadmap. The
        reply has neither stages nor labels: fetch the board again.
        """
        board = without_none(
            title=title, description=description, type=board_type, currency=currency
        )
        body = without_none(
            board=board,
            folder_id=folder_id,
            stages=None if stages is None else [*map(dict, stages)],
        )
        answer = await self.service.ask(Endpoint.CREATE_BOARD, body=body)
        return answer.document(Board, "board")

    async def update_board(
        self, board_id: int, title: str, description: str | None = None
    ) -> Document:
        """Change a board's title and, unless None, its description as HTML (4.1).

        Returns the board with its stages.
        """
        body = without_none(title=title, description=description)
        answer = await self.service.ask(Endpoint.UPDATE_BOARD, board_id, body=body)
        return answer.beside("board", "stages").document(Board, "board")

    async def archive_board(self, board_id: int) -> Document:
        """Archive a board (4.1)."""
        answer = await self.service.ask(Endpoint.ARCHIVE_BOARD, board_id)
        return answer.document(Board, "board")

    async def restore_board(self, board_id: int) -> Document:
        """Bring an archived board back (4.1)."""
        answer = await self.service.ask(Endpoint.RESTORE_BOARD, board_id)
        return answer.document(Board, "board")

    async def delete_board(self, board_id: int) -> None:
        """Delete a board permanently (4.1)."""
        await self.service.delete(Endpoint.DELETE_BOARD, board_id)

    async def duplicate_board(
        self,
        board_id: int,
        title: str,
        *,
        with_tasks: bool = False,
        with_labels: bool = False,
        with_templates: bool = False,
    ) -> Document:
        """Copy a board under a new title (4.1)."""
        body = {
            "board": {"title": title},
            "isWithTasks": "yes" if with_tasks else "no",
            "isWithLabels": "yes" if with_labels else "no",
            "isWithTemplates": "yes" if with_templates else "no",
        }
        answer = await self.service.ask(Endpoint.DUPLICATE_BOARD, board_id, body=body)
        return answer.document(Board, "board")

    async def members(self, board_id: int) -> list[Document]:
        """The members of a board with their roles (4.1)."""
        answer = await self.service.ask(Endpoint.LIST_BOARD_USERS, board_id)
        return await answer.documents(User, "users")

    async def activity_page(
        self, board_id: int, page: int = 1, *, per_page: int = _ACTIVITIES
    ) -> DocumentPage:
        """A page of a board's activities, newest first; pages count from 1 (4.1)."""
        query = {"per_page": str(per_page), "page": str(page)}
        answer = await self.service.ask(Endpoint.LIST_BOARD_ACTIVITIES, board_id, query=query)
        return await answer.page(Activity, "activities", page)

    async def board_activities(self, board_id: int) -> list[Document]:
        """The latest activities of a board (4.1)."""
        return (await self.activity_page(board_id)).documents

    async def newest_activity(self, board_id: int) -> int:
        """The id of the newest activity of a board; 0 if there is none (4.1)."""
        latest = await self.activity_page(board_id, per_page=1)
        return max((activity["id"] for activity in latest.documents), default=0)

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        """The changes of a board since a `synced_at`; None if the service does not report them.

        Without `since` the response shows how the service reports changes, and the first
        `synced_at` if it has one. Raises `ServerFault` if `since` is older than a day.
        """
        long_ago = f"{datetime.now(UTC) - _SOME_TIME_AGO:{WALL_FORMAT}}"
        return await self.ask_changes(board_id, _asked_since(since) if since else long_ago)

    async def wait_for_change(self, board_id: int, since: str) -> bool:
        """Wait until a board has changed since a `synced_at`, for at most half a minute.

        Returns whether it has. Raises `NotOffered` if the service does not wait.
        """
        self.service.require(Feature.WAITING_FOR_CHANGES)
        # The reply shows whether the service waits. One that does not answers at once, and asking
        # it again and again would be a busy loop.
        news = await self.ask_changes(board_id, since, wait=_WAIT_SECONDS)
        self.service.require(Feature.WAITING_FOR_CHANGES)
        return news.has_changes is not False

    async def ask_changes(self, board_id: int, since: str, *, wait: int = 0) -> BoardChanges:
        """The changes since `since`, by an endpoint that is not in the specification.

        Where the service can wait, it answers after `wait` seconds, or as soon as there is one.
        """
        waiting = {"wait": str(wait)} if wait else {}
        answer = await self.service.ask(
            Endpoint.HAS_DATA_CHANGED,
            board_id,
            query={"since": since, **waiting},
            seconds=wait + _GRACE_SECONDS if wait else None,
        )
        news = answer.value
        self.service.learn_features(
            {Feature.CHANGE_NEWS: True, Feature.WAITING_FOR_CHANGES: _has(answer, "waits")}
        )
        tasks = await answer.documents(Task, "tasks", is_due=False)
        break_circles(tasks)
        # None for an id that cannot be read: then it is only known that some task is gone.
        gone = list(map(as_integer, as_rows(news.get("taskDeleted"))))
        # The board may come without its id.
        board = None
        if frame := as_object(news.get("board")):
            board = decode(Board, {**frame, "id": board_id}, answer.site)
        is_whole = board is not None and "stages" in board
        return BoardChanges(
            as_text(news.get("synced_at")) or "",
            as_flag(news.get("has_changes")),
            must_reload=_has(answer, "sync_reset", "taskResetRequired"),
            is_complete=_has(answer, "is_complete"),
            tasks=tasks,
            gone=frozenset(filter(None, gone)),
            has_gone=_has(answer, "taskDeleted") or None in gone,
            frame=board if is_whole else None,
            parts={
                "stages": await answer.documents(Stage, "stages", is_due=False),
                "labels": await answer.documents(Label, "labels", is_due=False),
                "board": [] if board is None or is_whole else [board],
            },
            is_frame_outdated=any(news.get(name) for name in _OF_THE_BOARD),
        )


def _asked_since(since: str) -> str:
    """A second before a time stamp in whole seconds, since more may have changed in that second.

    Any other time stamp is opaque and returned unchanged.
    """
    try:
        moment = datetime.strptime(since, WALL_FORMAT)  # noqa: DTZ007 - the site's own time
    except ValueError:
        return since
    return (moment - timedelta(seconds=1)).strftime(WALL_FORMAT)


def _has(answer: Answer, *names: str) -> bool:
    return any(as_flag(answer.value.get(name)) for name in names)
