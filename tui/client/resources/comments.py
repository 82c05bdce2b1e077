"""Comments on a task, replies, and their images (section 4.4)."""

from collections.abc import Sequence
from typing import Literal

from tui.client.answers import Page, every_page, gather
from tui.client.capabilities import CommentPath, NoParent
from tui.client.documents import BytesListener
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, NotFound, Refused, ServerFault, TooLarge
from tui.client.http.bodies import Upload, without_none
from tui.client.records.tasks import CommentRecord, ImageRecord
from tui.client.resources.deletion import delete_once
from tui.client.resources.image_types import IMAGE_WORDS, image_type
from tui.client.resources.mentions import Mentionable, mark_mentions
from tui.client.service import Form, Service
from tui.text import clean

LONGEST_COMMENT = 65_535
"""Bytes in UTF-8; services truncate longer ones silently."""

LARGEST_IMAGE = 10 * 1024 * 1024
"""Bytes; the specification has no limit, and services have smaller ones."""

_PER_PAGE = 50
_KILO, _MEGA = 1_000, 1024 * 1024
_SHOWN_NAME = 80
_NO_PARENT: dict[NoParent, str | None] = {NoParent.EMPTY: "", NoParent.NULL: None}
_UPDATED_AT = {
    CommentPath.LONG: Endpoint.UPDATE_COMMENT,
    CommentPath.SHORT: Endpoint.UPDATE_COMMENT_SHORT,
    CommentPath.OWN: Endpoint.UPDATE_COMMENT_OWN,
}


class Comments:
    """Comments on tasks.

    `mentions` are people whom the text may name as `@login`; `image_ids` are uploaded images.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def page(
        self,
        board_id: int,
        task_id: int,
        page: int = 1,
        *,
        order: Literal["latest", "oldest"] = "latest",
        per_page: int = _PER_PAGE,
    ) -> Page[CommentRecord]:
        """A page of comments, each with its replies and images; pages count from 1 (4.4).

        Some services ignore all parameters but the page number.
        """
        query = {"filter": order, "per_page": str(per_page), "page": str(page)}
        answer = await self._service.ask(Endpoint.LIST_COMMENTS, board_id, task_id, query=query)
        return await answer.page(CommentRecord, "comments", page)

    async def list(self, board_id: int, task_id: int) -> Sequence[CommentRecord]:
        """All comments of a task, latest first in the service's order (4.4)."""
        return await gather(lambda page: self.page(board_id, task_id, page))

    async def create(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None = None,
        image_ids: Sequence[int] = (),
        mentions: Sequence[Mentionable] = (),
    ) -> CommentRecord:
        """Add a comment or, with `parent_id`, a reply, and ensure that it is listed (4.4).

        It has text, uploaded images, or both. Resent only if the response says that nothing was
        written, or after deleting what was written.

        Raises `Refused`, before sending for an empty one or one longer than 64 kB, and if the
        service requires an unknown author; `ServerFault` if it is stored but not listed. Raises
        `ValueError` for a reply to nothing, which services refuse but store.
        """
        body = _said(text, image_ids, mentions)
        if parent_id is not None:
            if parent_id < 1:
                raise ValueError("a reply needs its comment")
            return await self._send(
                board_id, task_id, body | {"comment_type": "reply", "parent_id": parent_id}
            )
        body["comment_type"] = "comment"
        comment = await self._send(board_id, task_id, body)
        if not await self._is_hidden(comment, board_id, task_id):
            return comment
        used = self._service.capabilities.no_parent or NoParent.EMPTY
        self._service.learn(no_parent=next(way for way in NoParent if way is not used))
        if image_ids:
            raise _not_listed(comment)
        await self._delete(board_id, comment.id, is_reply=False)
        comment = await self._send(board_id, task_id, body)
        if await self._is_hidden(comment, board_id, task_id):
            raise _not_listed(comment)
        return comment

    async def update(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        image_ids: Sequence[int] | None = None,
        mentions: Sequence[Mentionable] = (),
    ) -> CommentRecord:
        """Change the user's own comment, at the path that the service supports (4.4).

        None leaves the images unchanged. Raises `NotAllowed` for somebody else's comment.
        """
        body = _said(text, image_ids or (), mentions)
        if image_ids is not None:
            body["images"] = list(image_ids)

        async def send(form: Form) -> CommentRecord:
            path = form["comment_path"]
            task = (task_id,) if path is CommentPath.LONG else ()
            answer = await self._service.ask(
                _UPDATED_AT[path], board_id, *task, comment_id, body=body
            )
            return answer.record(CommentRecord, "comment")

        forms = [{"comment_path": path} for path in _UPDATED_AT]
        return await self._service.in_accepted_form(forms, send)

    async def delete(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Delete the user's own comment, or reply to `parent_id` (4.4).

        Raises `NotAllowed` or `ServerFault` for somebody else's, which stays.
        """

        async def is_gone() -> bool:
            try:
                return not await self._is_listed(board_id, task_id, comment_id, parent_id=parent_id)
            except NotFound:
                return True

        await delete_once(
            self._delete(board_id, comment_id, is_reply=parent_id is not None),
            is_gone,
            is_trusted=self._service.is_trusted,
            hint="Only its author can delete a comment.",
        )

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: BytesListener | None = None,
    ) -> ImageRecord:
        """Upload an image whose id a comment of the task will use (4.4).

        `progress` is called with bytes sent and in all. Raises `Refused` before sending if the
        content is empty or no image, `TooLarge` above `LARGEST_IMAGE` or from the service.
        """
        upload = Upload(name, _image_type(name, content), content, progress)
        answer = await self._service.ask(
            Endpoint.UPLOAD_COMMENT_IMAGE, board_id, task_id, body=upload
        )
        return answer.record(ImageRecord, "imageAttachment")

    async def _delete(self, board_id: int, comment_id: int, *, is_reply: bool) -> None:
        own = Endpoint.DELETE_REPLY_OWN if is_reply else Endpoint.DELETE_COMMENT_OWN

        async def send(form: Form) -> None:
            endpoint = own if form else Endpoint.DELETE_COMMENT
            await self._service.ask(endpoint, board_id, comment_id)

        await self._service.in_accepted_form([{}, {"comment_path": CommentPath.OWN}], send)

    async def _is_listed(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> bool:
        """Whether a comment, or a reply to `parent_id`, is listed.

        Pages are latest first, so reading stops at lower ids; if a service has another order, all
        pages are read.
        """
        lowest: int | None = None
        is_falling = True
        async for page in every_page(lambda number: self.page(board_id, task_id, number)):
            for comment in page.records:
                if comment_id in {comment.id, *(reply.id for reply in comment.replies)}:
                    return True
                is_falling = is_falling and (lowest is None or comment.id < lowest)
                lowest = comment.id
            if is_falling and lowest is not None and lowest < (parent_id or comment_id):
                return False
        return False

    async def _send(self, board_id: int, task_id: int, body: dict[str, object]) -> CommentRecord:
        """Send a comment, with its author too if it is refused without.

        An edition that requires the author also requires null for no parent.
        """
        known, is_reply = self._service.capabilities, "parent_id" in body

        async def send(form: Form) -> CommentRecord:
            more: dict[str, object] = {}
            if not is_reply:
                more["parent_id"] = _NO_PARENT[form["no_parent"]]
            if form["names_author"]:
                if known.user_id is None:
                    raise _unknown_author()
                more["comment_by"] = known.user_id
            answer = await self._service.ask(
                Endpoint.CREATE_COMMENT, board_id, task_id, body=body | more
            )
            return answer.record(CommentRecord, "comment")

        bare, named = {"names_author": False}, {"names_author": True}
        without: NoParent = known.no_parent or NoParent.EMPTY
        forms: list[Form] = [bare if is_reply else bare | {"no_parent": without}]
        if known.user_id is not None or known.names_author:
            forms.append(named | {"no_parent": known.no_parent or NoParent.NULL})
        if not is_reply and without is not NoParent.NULL:
            forms.append(bare | {"no_parent": NoParent.NULL})
        try:
            return await self._service.in_accepted_form(forms, send, is_repeatable=False)
        except Refused as error:
            if known.user_id is not None or known.is_trusted or not _names_author(error):
                raise
            self._service.learn(names_author=True)
            raise _unknown_author() from error

    async def _is_hidden(self, comment: CommentRecord, board_id: int, task_id: int) -> bool:
        """Whether a new comment, stored as a reply to nothing, will never be listed."""
        if comment.parent_id == 0:
            try:
                return not await self._is_listed(board_id, task_id, comment.id)
            except ApiError as error:
                error.may_have_happened = True
                raise
        return False


def _names_author(refusal: Refused) -> bool:
    said = f"{' '.join(refusal.params)} {refusal.message}"
    return "comment_by" in said or "created_by" in said


def _unknown_author() -> Refused:
    return Refused(
        "This service requires the author of a comment, and your user id is not known.",
        hint="Log in again to find out; nothing was sent.",
    )


def _not_listed(comment: CommentRecord) -> ServerFault:
    return ServerFault(
        "The service stored the comment, but does not show it.",
        hint="Send it again: it will be sent in another form.",
        details=f"comment {comment.id}: stored as the answer to nothing, and not listed",
    )


def _said(
    typed: str, image_ids: Sequence[int], mentions: Sequence[Mentionable]
) -> dict[str, object]:
    """The body of a comment. Raises `Refused` for one that must not be sent."""
    text, mentioned_ids = mark_mentions(typed, mentions)
    size = len(text.encode(errors="replace"))
    if size > LONGEST_COMMENT:
        raise Refused(
            f"The comment has {size / _KILO:.1f} kB; "
            f"a comment may have at most {LONGEST_COMMENT / _KILO:.1f} kB.",
            params={"comment": "is too long"},
            hint="Shorten it, or send it in two. Nothing was sent.",
        )
    if not text.strip() and not image_ids:
        raise Refused(
            "A comment needs text or an image.",
            params={"comment": "must not be empty"},
            hint="Nothing was sent.",
        )
    return without_none(
        comment=text, images=list(image_ids) or None, mentionData=list(mentioned_ids) or None
    )


def _image_type(name: str, content: bytes) -> str:
    """The MIME type of an image. Raises `Refused` for other content."""
    kind, shown = image_type(content), clean.line(name)[:_SHOWN_NAME]
    if kind is None:
        raise Refused(
            f"{shown} is not an image that can be uploaded.",
            params={"file": f"must be {IMAGE_WORDS}"},
            hint=f"Choose a file that is {IMAGE_WORDS}. Nothing was sent.",
        )
    if len(content) > LARGEST_IMAGE:
        raise TooLarge(
            f"{shown} has {len(content) / _MEGA:.1f} MB; "
            f"an image may have at most {LARGEST_IMAGE / _MEGA:.1f} MB.",
            hint="Make it smaller and try again. Nothing was sent.",
        )
    return kind
