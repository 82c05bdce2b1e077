"""Comments on a task (section 4.4)."""

from collections.abc import AsyncIterator, Sequence
from typing import Literal

from tui.api.endpoints import Endpoint
from tui.api.errors import NotOffered
from tui.api.listing import Listing, Page, every_page, gather, read_page
from tui.api.records import CommentRecord
from tui.api.resource import Resource, member

_PER_PAGE = 100


class Comments(Resource):
    """What people say about a task. Every method may raise `ApiError`."""

    def pages(
        self,
        board_id: int,
        task_id: int,
        *,
        order: Literal["latest", "oldest"] = "latest",
        per_page: int = _PER_PAGE,
    ) -> AsyncIterator[Page[CommentRecord]]:
        """The pages of comments, each with its replies (4.4). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_COMMENTS.at(board_id=board_id, task_id=task_id)

        async def fetch(number: int) -> Page[CommentRecord]:
            query = {"filter": order, "per_page": str(per_page), "page": str(number)}
            envelope = member(route, await self._ask(route, query=query), "comments")
            return await read_page(envelope, CommentRecord, number=number)

        return every_page(fetch)

    async def list(self, board_id: int, task_id: int) -> Listing[CommentRecord]:
        """All comments of a task, latest first as the service has it; order by id (4.4)."""
        return await gather(self.pages(board_id, task_id))

    async def create(
        self, board_id: int, task_id: int, text: str, *, mentions: Sequence[int] = ()
    ) -> CommentRecord:
        """Add a comment; `mentions` are user ids whose names the text holds (4.4).

        Raises `Refused`, `NotThere`, `NotAllowed`. Never repeat it blindly.
        """
        route = Endpoint.CREATE_COMMENT.at(board_id=board_id, task_id=task_id)
        body: dict[str, object] = {"comment": text, "comment_type": "comment"}
        if mentions:
            body["mentionData"] = list(mentions)
        return self._one(route, await self._ask(route, body=body), CommentRecord, "comment")

    async def update(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Change the text of the user's own comment (4.4).

        A service without the path of the specification is asked at the one deployed services have.
        Raises `NotAllowed` for somebody else's comment, `Refused`, `NotThere`.
        """
        body: dict[str, object] = {"comment": text}
        if mentions:
            body["mentionData"] = list(mentions)
        ids = {"board_id": board_id, "comment_id": comment_id}
        route = Endpoint.UPDATE_COMMENT.at(task_id=task_id, **ids)
        try:
            answer = await self._ask(route, body=body)
        except NotOffered:
            route = Endpoint.UPDATE_COMMENT_SHORT.at(**ids)
            answer = await self._ask(route, body=body)
        return self._one(route, answer, CommentRecord, "comment")

    async def delete(self, board_id: int, comment_id: int) -> None:
        """Delete the user's own comment with its replies (4.4).

        Some services answer a success for somebody else's comment and delete nothing: list the
        comments to know. Raises `NotAllowed`, `NotThere`.
        """
        await self._ask(Endpoint.DELETE_COMMENT.at(board_id=board_id, comment_id=comment_id))
