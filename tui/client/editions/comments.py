"""Writes comments where services deviate from the specification (4.4)."""

from collections.abc import Sequence

from tui.client.answers import every_page, incomplete
from tui.client.capabilities import CommentPath, NoParent
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.deletion import delete_once
from tui.client.editions.forms import Form, Forms
from tui.client.endpoints import Endpoint
from tui.client.errors import NotFound, Refused, ServerFault, after_success
from tui.client.resources.comments import Mentionable
from tui.schema.tasks import Comment

_NO_PARENT: dict[NoParent, str | None] = {NoParent.EMPTY: "", NoParent.NULL: None}


class CheckedComments(Client):
    """Writes comments in the form that a service accepts, and ensures that they are listed."""

    forms: Forms

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None = None,
        image_ids: Sequence[int] = (),
        mentions: Sequence[Mentionable] = (),
    ) -> Document:
        """Add a comment or, with `parent_id`, a reply, and ensure that it is listed.

        Resent only if the response says that nothing was written, or after deleting what was
        written. Raises `Refused` if the service requires an unknown author; `ServerFault` if it is
        stored but not listed.
        """
        post = super().create_comment
        comment = await post(
            board_id, task_id, text, parent_id=parent_id, image_ids=image_ids, mentions=mentions
        )
        if parent_id is not None or not await self._is_hidden(comment, board_id, task_id):
            return comment
        # The older free edition stores null as the parent 0, and never lists such a comment.
        used = self.service.capabilities.no_parent or NoParent.EMPTY
        self.service.learn(no_parent=next(way for way in NoParent if way is not used))
        # Deleting the comment would delete its images, so only text is sent again by itself.
        if image_ids:
            raise _not_listed(comment)
        # Fails if the comment may still be there: it must not be sent twice.
        await self._delete_comment(board_id, comment["id"], is_reply=False)
        comment = await post(board_id, task_id, text, mentions=mentions)
        if await self._is_hidden(comment, board_id, task_id):
            raise _not_listed(comment)
        return comment

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Raises `NotAllowed` or `ServerFault` for somebody else's, which stays."""

        async def is_gone() -> bool:
            try:
                comment = await self._find(board_id, task_id, comment_id, parent_id=parent_id)
            except NotFound:
                return True
            return comment is None

        # Services answer 200 for somebody else's comment and delete nothing, so the list decides.
        await delete_once(
            self._delete_comment(board_id, comment_id, is_reply=parent_id is not None),
            is_gone,
            hint="Only its author can delete a comment.",
        )

    async def _update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        body: dict[str, object],
        parent_id: int | None,
    ) -> Document:
        async def send(form: Form) -> Document:
            if form["comment_path"] is CommentPath.OWN:
                return await self._update_own(board_id, task_id, comment_id, body, parent_id)
            is_long = form["comment_path"] is CommentPath.LONG
            endpoint = Endpoint.UPDATE_COMMENT if is_long else Endpoint.UPDATE_COMMENT_SHORT
            task = (task_id,) if is_long else ()
            answer = await self.service.ask(endpoint, board_id, *task, comment_id, body=body)
            return answer.document(Comment, "comment")

        return await self.forms.accepted([{"comment_path": path} for path in CommentPath], send)

    async def _update_own(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        body: dict[str, object],
        parent_id: int | None,
    ) -> Document:
        # The old paid edition: a body with `comment` is a 422, and the reply holds the new text
        # alone, so the comment is read back.
        is_reply = parent_id is not None
        endpoint = Endpoint.UPDATE_REPLY_OWN if is_reply else Endpoint.UPDATE_COMMENT_OWN
        described = {"description" if name == "comment" else name: body[name] for name in body}
        await self.service.ask(endpoint, comment_id, body=described)
        with after_success():
            comment = await self._find(board_id, task_id, comment_id, parent_id=parent_id)
        if comment is None:
            raise incomplete(endpoint.at(comment_id), "comment in the list")
        return comment

    async def _delete_comment(self, board_id: int, comment_id: int, *, is_reply: bool) -> None:
        own = Endpoint.DELETE_REPLY_OWN if is_reply else Endpoint.DELETE_COMMENT_OWN

        async def send(form: Form) -> None:
            if form:
                await self.service.ask(own, comment_id)
            else:
                await self.service.ask(Endpoint.DELETE_COMMENT, board_id, comment_id)

        # Editions with the long and the short path for updates delete at the specified one, so its
        # form is empty: success with it says nothing about updates.
        await self.forms.accepted([{}, {"comment_path": CommentPath.OWN}], send)

    async def _find(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> Document | None:
        # A comment, or a reply to `parent_id`, if it is listed. Pages are latest first, so reading
        # stops at lower ids; if a service has another order, all pages are read.
        lowest: int | None = None
        is_falling = True
        async for comments in every_page(lambda page: self.comments(board_id, task_id, page)):
            for comment in comments:
                for candidate in (comment, *comment.get("replies", [])):
                    if candidate["id"] == comment_id:
                        return dict(candidate)
                is_falling = is_falling and (lowest is None or comment["id"] < lowest)
                lowest = comment["id"]
            if is_falling and lowest is not None and lowest < (parent_id or comment_id):
                return None
        return None

    async def _send_comment(self, board_id: int, task_id: int, body: dict[str, object]) -> Document:
        capabilities, is_reply = self.service.capabilities, "parent_id" in body

        async def send(form: Form) -> Document:
            extra: dict[str, object] = {}
            if not is_reply:
                extra["parent_id"] = _NO_PARENT[form["no_parent"]]
            if form["names_author"]:
                if capabilities.user_id is None:
                    raise _unknown_author()
                extra["comment_by"] = capabilities.user_id
            answer = await self.service.ask(
                Endpoint.CREATE_COMMENT, board_id, task_id, body=body | extra
            )
            return answer.document(Comment, "comment")

        bare, named = {"names_author": False}, {"names_author": True}
        no_parent: NoParent = capabilities.no_parent or NoParent.EMPTY
        forms: list[Form] = [bare if is_reply else bare | {"no_parent": no_parent}]
        # The old paid edition wants `comment_by`, and null for no parent; the others want neither.
        if capabilities.user_id is not None or capabilities.names_author:
            forms.append(named | {"no_parent": capabilities.no_parent or NoParent.NULL})
        if not is_reply and no_parent is not NoParent.NULL:
            forms.append(bare | {"no_parent": NoParent.NULL})
        try:
            return await self.forms.accepted(forms, send, is_repeatable=False)
        except Refused as error:
            # The 422 for a missing `comment_by` names `created_by`.
            text = f"{' '.join(error.params)} {error.message}"
            names_author = "comment_by" in text or "created_by" in text
            if capabilities.user_id is not None or not names_author:
                raise
            self.service.learn(names_author=True)
            raise _unknown_author() from error

    async def _is_hidden(self, comment: Document, board_id: int, task_id: int) -> bool:
        # Whether a new comment, stored as a reply to nothing, will never be listed.
        if comment.get("parent_id") == 0:
            with after_success():
                return await self._find(board_id, task_id, comment["id"]) is None
        return False


def _unknown_author() -> Refused:
    return Refused(
        "This service requires the author of a comment, and your user id is not known.",
        hint="Log in again to find out; nothing was sent.",
    )


def _not_listed(comment: Document) -> ServerFault:
    return ServerFault(
        "The service stored the comment, but does not show it.",
        hint="Send it again: it will be sent in another form.",
        details=f"comment {comment['id']}: stored as the answer to nothing, and not listed",
    )
