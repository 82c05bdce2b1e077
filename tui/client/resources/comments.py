"""Comments on a task, and replies to them (section 4.4)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from tui.client.endpoints import Endpoint, Route
from tui.client.errors import Refused
from tui.client.records import CommentRecord
from tui.client.resources.listing import Listing, Page, every_page, gather, read_page
from tui.client.resources.resource import Resource, member

LONGEST_COMMENT = 65_535
"""Bytes in UTF-8; services cut off silently what is beyond."""

_PER_PAGE = 100
_KILO = 1_000
_NOTHING_MORE: Mapping[str, object] = MappingProxyType({})


class Comments(Resource):
    """What people say about a task. Every method may raise `ApiError`.

    Mentions are user ids; `tui.client.resources.mentions` writes the text that goes with them.
    """

    def pages(
        self,
        board_id: int,
        task_id: int,
        *,
        order: Literal["latest", "oldest"] = "latest",
        per_page: int = _PER_PAGE,
        kind: Literal["comment", "reply"] | None = None,
        privacy: Literal["private", "public"] | None = None,
        include_replies: bool | None = None,
        include_images: bool | None = None,
    ) -> AsyncIterator[Page[CommentRecord]]:
        """The pages of comments, each with its replies and images (4.4).

        Some services ignore everything but the page number. Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.LIST_COMMENTS.at(board_id=board_id, task_id=task_id)
        asked = {
            "type": kind,
            "privacy": privacy,
            "include_replies": _true_false(include_replies),
            "include_images": _true_false(include_images),
        }
        options = {name: value for name, value in asked.items() if value is not None}

        async def fetch(number: int) -> Page[CommentRecord]:
            query = {"filter": order, "per_page": str(per_page), "page": str(number), **options}
            envelope = member(route, await self._ask(route, query=query), "comments")
            return await read_page(envelope, CommentRecord, number=number)

        return every_page(fetch)

    async def list(self, board_id: int, task_id: int) -> Listing[CommentRecord]:
        """All comments of a task, latest first as the service has it; order by id (4.4)."""
        return await gather(self.pages(board_id, task_id))

    async def create(
        self,
        board_id: int,
        task_id: int,
        text: str = "",
        *,
        images: Sequence[int] = (),
        mentions: Sequence[int] = (),
        comment_by: int | None = None,
        more: Mapping[str, object] = _NOTHING_MORE,
    ) -> CommentRecord:
        """Add a comment with text, uploaded images, or both (4.4).

        `comment_by` is the id of who writes, which some editions want to be told; `more` are
        further members of the body, as `{"parent_id": None}`. Raises `Refused` (before sending for
        one that is empty or longer than 64 kB), `NotThere`, `NotAllowed`. Never repeat it blindly.
        """
        body = _said(text, images, mentions) | {"comment_type": "comment", **more}
        return await self._create(board_id, task_id, body, comment_by)

    async def reply(
        self,
        board_id: int,
        task_id: int,
        parent_id: int,
        text: str = "",
        *,
        images: Sequence[int] = (),
        mentions: Sequence[int] = (),
        comment_by: int | None = None,
    ) -> CommentRecord:
        """Answer the comment `parent_id` (4.4). Raises what `create` raises.

        A reply to nothing is never sent, because services refuse it and keep it all the same:
        raises `ValueError`.
        """
        if not parent_id or parent_id < 1:
            raise ValueError("a reply needs the comment that it answers")
        body = _said(text, images, mentions) | {"comment_type": "reply", "parent_id": parent_id}
        return await self._create(board_id, task_id, body, comment_by)

    async def update(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Change the user's own comment; None leaves the images as they are (4.4).

        Raises `NotAllowed` for somebody else's comment, `NotOffered` where deployed services have
        it only at other paths; `Refused`, `NotThere`.
        """
        ids = {"board_id": board_id, "task_id": task_id, "comment_id": comment_id}
        return await self._update(Endpoint.UPDATE_COMMENT.at(**ids), text, images, mentions)

    async def update_short(
        self,
        board_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """As `update`, at the path without the task that deployed services have."""
        route = Endpoint.UPDATE_COMMENT_SHORT.at(board_id=board_id, comment_id=comment_id)
        return await self._update(route, text, images, mentions)

    async def update_own(
        self,
        board_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """As `update`, at the path of an old edition, in which the id comes before the word."""
        route = Endpoint.UPDATE_COMMENT_OWN.at(board_id=board_id, comment_id=comment_id)
        return await self._update(route, text, images, mentions)

    async def delete(self, board_id: int, comment_id: int) -> None:
        """Delete the user's own comment with its replies and images (4.4).

        Some services answer a success for somebody else's comment and delete nothing: list the
        comments to know. Raises `NotAllowed`, `NotThere`, and `NotOffered` where a service has it
        only at the paths of `delete_own` and `delete_reply`.
        """
        await self._ask(Endpoint.DELETE_COMMENT.at(board_id=board_id, comment_id=comment_id))

    async def delete_own(self, board_id: int, comment_id: int) -> None:
        """As `delete`, at the path of an old edition, for what is not a reply."""
        await self._ask(Endpoint.DELETE_COMMENT_OWN.at(board_id=board_id, comment_id=comment_id))

    async def delete_reply(self, board_id: int, comment_id: int) -> None:
        """As `delete`, at the path of an old edition, for a reply."""
        await self._ask(Endpoint.DELETE_REPLY_OWN.at(board_id=board_id, comment_id=comment_id))

    async def _create(
        self, board_id: int, task_id: int, body: dict[str, object], comment_by: int | None
    ) -> CommentRecord:
        route = Endpoint.CREATE_COMMENT.at(board_id=board_id, task_id=task_id)
        if comment_by is not None:
            body["comment_by"] = comment_by
        return self._one(route, await self._ask(route, body=body), CommentRecord, "comment")

    async def _update(
        self, route: Route, text: str, images: Sequence[int] | None, mentions: Sequence[int]
    ) -> CommentRecord:
        body = _said(text, images or (), mentions)
        if images is not None:
            body["images"] = list(images)
        return self._one(route, await self._ask(route, body=body), CommentRecord, "comment")


def _said(text: str, images: Sequence[int], mentions: Sequence[int]) -> dict[str, object]:
    """The body of a comment. Raises `Refused` for one that the service must not get."""
    size = len(text.encode(errors="replace"))
    if size > LONGEST_COMMENT:
        raise Refused(
            f"The comment has {size / _KILO:.1f} kB; "
            f"a comment may have at most {LONGEST_COMMENT / _KILO:.1f} kB.",
            params={"comment": "is too long"},
            hint="Shorten it, or send it in two. Nothing was sent.",
        )
    if not text.strip() and not images:
        raise Refused(
            "A comment needs text or an image.",
            params={"comment": "must not be empty"},
            hint="Nothing was sent.",
        )
    body: dict[str, object] = {"comment": text}
    if images:
        body["images"] = list(images)
    if mentions:
        body["mentionData"] = list(mentions)
    return body


def _true_false(flag: bool | None) -> str | None:
    return None if flag is None else str(flag).lower()
