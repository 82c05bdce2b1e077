"""Comments on a task, and replies to them (section 4.4)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Literal

from tui.client.capabilities import CommentPath, NoParent
from tui.client.endpoints import Endpoint, Route
from tui.client.errors import ApiError, NotOffered, NotThere, Refused, ServerFault
from tui.client.records import CommentRecord
from tui.client.resources.answers import Listing, Page, every_page, gather, read_page
from tui.client.resources.deletion import delete_once
from tui.client.service import Service, member, record

LONGEST_COMMENT = 65_535
"""Bytes in UTF-8; services cut off silently what is beyond."""

_PER_PAGE = 100
_KILO = 1_000
_VALUES: dict[NoParent, str | None] = {NoParent.EMPTY: "", NoParent.NULL: None}


class Comments:
    """What people say about a task. Every method may raise `ApiError`.

    Mentions are user ids; `tui.client.resources.mentions` writes the text that goes with them.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

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
            envelope = member(route, await self._service.ask(route, query=query), "comments")
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
        parent_id: int | None = None,
        images: Sequence[int] = (),
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Add a comment or, with `parent_id`, a reply, so that it will be listed (4.4).

        It has text, uploaded images, or both. Nothing is sent a second time unless the answer to
        the first says that nothing was written, or what was written has been deleted again.

        Raises `Refused`, before sending for one that is empty or longer than 64 kB, and where the
        service wants to know who writes and that is not known; `ServerFault` where it stores the
        comment but does not list it; `NotThere`, `NotAllowed`.
        """
        body = _said(text, images, mentions)

        async def send() -> CommentRecord:
            author = self._author() if self._service.capabilities.names_author else None
            if parent_id is not None:
                return await self._reply(board_id, task_id, parent_id, body, author)
            no_parent = _VALUES[self._service.capabilities.no_parent or NoParent.EMPTY]
            return await self._create(board_id, task_id, body, author, no_parent)

        comment = await self._sent_as_wanted(send)
        if parent_id is not None or not await self._is_hidden(comment, board_id, task_id):
            return comment
        used = self._service.capabilities.no_parent or NoParent.EMPTY
        other = next(way for way in NoParent if way is not used)
        self._service.learn(no_parent=other)
        if images:
            raise _not_listed(comment)
        await self._delete(board_id, comment.id, is_reply=False)
        comment = await self._sent_as_wanted(send)
        if await self._is_hidden(comment, board_id, task_id):
            raise _not_listed(comment)
        return comment

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
        """Change the user's own comment, at the path that the service has (4.4).

        None leaves the images as they are. Raises `NotAllowed` for somebody else's comment,
        `Refused`, `NotThere`.
        """
        body = _said(text, images or (), mentions)
        if images is not None:
            body["images"] = list(images)
        ways: dict[CommentPath, Callable[[], Awaitable[CommentRecord]]] = {
            CommentPath.LONG: lambda: self._update(board_id, task_id, comment_id, body),
            CommentPath.SHORT: lambda: self._update_short(board_id, comment_id, body),
            CommentPath.OWN: lambda: self._update_own(board_id, comment_id, body),
        }
        return await self._service.first_accepted(
            ways,
            self._service.capabilities.comment_path,
            lambda path: self._service.learn(comment_path=path),
            is_final=_is_no_missing_path,
        )

    async def delete(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Delete the user's own comment, or reply to `parent_id`; gone is a success (4.4).

        Raises `NotAllowed` or `ServerFault` for somebody else's, which stays.
        """

        async def is_gone() -> bool:
            try:
                return not await self._is_listed(board_id, task_id, comment_id, parent_id=parent_id)
            except NotThere:
                return True

        await delete_once(
            lambda: self._delete(board_id, comment_id, is_reply=parent_id is not None),
            is_gone,
            is_trusted=self._service.is_trusted,
            hint="Only its author can delete a comment.",
        )

    async def _delete(self, board_id: int, comment_id: int, *, is_reply: bool) -> None:
        """Delete a comment or a reply, at the path that the service has."""
        own = self._delete_reply if is_reply else self._delete_own
        ways: dict[CommentPath, Callable[[], Awaitable[None]]] = {
            CommentPath.SHORT: lambda: self._delete_short(board_id, comment_id),
            CommentPath.OWN: lambda: own(board_id, comment_id),
        }

        def remember(path: CommentPath) -> None:
            if path is CommentPath.OWN:
                self._service.learn(comment_path=path)

        await self._service.first_accepted(
            ways, self._service.capabilities.comment_path, remember, is_final=_is_no_missing_path
        )

    async def _is_listed(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> bool:
        """Whether a comment, or a reply to `parent_id`, is among those that the service lists.

        Pages come latest first, so once the ids are lower than the one looked for, the rest need
        not be read; where a service has them in another order, all are. Raises `NotThere`.
        """
        pages = self.pages(board_id, task_id)
        return await _is_among(pages, comment_id, parent_id or comment_id)

    async def _sent_as_wanted(self, send: Callable[[], Awaitable[CommentRecord]]) -> CommentRecord:
        """Send a comment, again where the refusal says what it has to hold besides."""
        while True:
            try:
                comment = await send()
            except Refused as error:
                if not self._learn_wanted(error):
                    raise
                continue
            return comment

    def _learn_wanted(self, refusal: Refused) -> bool:
        """Whether a refusal, before which nothing was written, names what has not been sent yet.

        An edition that wants the author wants null for no parent, too.
        """
        known = self._service.capabilities
        if refusal.may_have_happened or known.is_trusted:
            return False
        said = f"{' '.join(refusal.params)} {refusal.message}"
        if "comment_by" in said and not known.names_author:
            parent = known.no_parent or NoParent.NULL
            self._service.learn(names_author=True, no_parent=parent)
            return True
        if "parent_id" in said and known.no_parent is not NoParent.NULL:
            self._service.learn(no_parent=NoParent.NULL)
            return True
        return False

    async def _is_hidden(self, comment: CommentRecord, board_id: int, task_id: int) -> bool:
        """Whether a new comment will never be listed; its reply gives a reason to look."""
        if comment.answers_nothing:
            return not await self._is_listed(board_id, task_id, comment.id)
        known = self._service.capabilities
        if known.no_parent is None:
            self._service.learn(no_parent=NoParent.EMPTY)
        return False

    def _author(self) -> int:
        user_id = self._service.capabilities.user_id
        if user_id is None:
            raise Refused(
                "This service wants to be told who writes, and who you are there is not known.",
                hint="Log in again to find out; nothing was sent.",
            )
        return user_id

    async def _create(
        self,
        board_id: int,
        task_id: int,
        body: Mapping[str, object],
        author: int | None = None,
        no_parent: str | None = "",
    ) -> CommentRecord:
        more = {"comment_type": "comment", "parent_id": no_parent}
        return await self._send(board_id, task_id, {**body, **more}, author)

    async def _reply(
        self,
        board_id: int,
        task_id: int,
        parent_id: int,
        body: Mapping[str, object],
        author: int | None = None,
    ) -> CommentRecord:
        """A reply to nothing is never sent, because services refuse it and keep it all the same."""
        if parent_id < 1:
            raise ValueError("a reply needs the comment that it answers")
        more = {"comment_type": "reply", "parent_id": parent_id}
        return await self._send(board_id, task_id, {**body, **more}, author)

    async def _send(
        self, board_id: int, task_id: int, body: dict[str, object], author: int | None
    ) -> CommentRecord:
        route = Endpoint.CREATE_COMMENT.at(board_id=board_id, task_id=task_id)
        if author is not None:
            body["comment_by"] = author
        return record(route, await self._service.ask(route, body=body), CommentRecord, "comment")

    async def _update(
        self, board_id: int, task_id: int, comment_id: int, body: Mapping[str, object]
    ) -> CommentRecord:
        ids = {"board_id": board_id, "task_id": task_id, "comment_id": comment_id}
        return await self._put(Endpoint.UPDATE_COMMENT.at(**ids), body)

    async def _update_short(
        self, board_id: int, comment_id: int, body: Mapping[str, object]
    ) -> CommentRecord:
        """As `_update`, at the path without the task that deployed services have."""
        route = Endpoint.UPDATE_COMMENT_SHORT.at(board_id=board_id, comment_id=comment_id)
        return await self._put(route, body)

    async def _update_own(
        self, board_id: int, comment_id: int, body: Mapping[str, object]
    ) -> CommentRecord:
        """As `_update`, at the path of an old edition, in which the id comes before the word."""
        route = Endpoint.UPDATE_COMMENT_OWN.at(board_id=board_id, comment_id=comment_id)
        return await self._put(route, body)

    async def _put(self, route: Route, body: Mapping[str, object]) -> CommentRecord:
        return record(route, await self._service.ask(route, body=body), CommentRecord, "comment")

    async def _delete_short(self, board_id: int, comment_id: int) -> None:
        ids = {"board_id": board_id, "comment_id": comment_id}
        await self._service.ask(Endpoint.DELETE_COMMENT.at(**ids))

    async def _delete_own(self, board_id: int, comment_id: int) -> None:
        """At the path of an old edition, for what is not a reply."""
        ids = {"board_id": board_id, "comment_id": comment_id}
        await self._service.ask(Endpoint.DELETE_COMMENT_OWN.at(**ids))

    async def _delete_reply(self, board_id: int, comment_id: int) -> None:
        """At the path of an old edition, for a reply."""
        ids = {"board_id": board_id, "comment_id": comment_id}
        await self._service.ask(Endpoint.DELETE_REPLY_OWN.at(**ids))


def _is_no_missing_path(refusal: ApiError) -> bool:
    return not isinstance(refusal, NotOffered)


def _not_listed(comment: CommentRecord) -> ServerFault:
    return ServerFault(
        "The service stored the comment where nobody will see it.",
        hint="Send it once more: it will be written in another way.",
        details=f"comment {comment.id}: stored as the answer to nothing, and not listed",
    )


async def _is_among(
    pages: AsyncIterator[Page[CommentRecord]], comment_id: int, listed_id: int
) -> bool:
    """Whether a comment is on the pages; `listed_id` is its own or that of the one it answers."""
    lowest: int | None = None
    is_falling = True
    async for page in pages:
        for comment in page.records:
            if comment_id in {comment.id, *(reply.id for reply in comment.replies)}:
                return True
            is_falling = is_falling and (lowest is None or comment.id < lowest)
            lowest = comment.id
        if is_falling and lowest is not None and lowest < listed_id:
            return False
    return False


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
