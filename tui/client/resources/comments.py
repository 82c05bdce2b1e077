"""Comments on a task, replies, their mentions and images (section 4.4).

A mention is `@`, U+200B, the login, U+200C in the text, and the person's id beside it. A plain
`@name` stays plain text; where a service does not show logins, only the id can be sent with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from tui.client.documents import BytesListener, Document, DocumentPage
from tui.client.endpoints import Endpoint
from tui.client.errors import Refused, TooLarge
from tui.client.http.bodies import Upload, without_none
from tui.client.service import RemoteService
from tui.schema.images import IMAGE_WORDS, image_type
from tui.schema.tasks import Comment, Image
from tui.text import clean

LONGEST_COMMENT = 65_535
"""Bytes in UTF-8; services truncate longer ones silently."""

LARGEST_IMAGE = 10 * 1024 * 1024
"""Bytes; the specification has no limit, and services have smaller ones."""

_PER_PAGE = 50
_KILO, _MEGA = 1_000, 1024 * 1024
_SHOWN_NAME = 80
_OPEN, _CLOSE = "\u200b", "\u200c"


class Mentionable(Protocol):
    """Somebody who can be mentioned; `login` is empty if the service does not show logins."""

    @property
    def id(self) -> int:
        """The user id."""

    @property
    def login(self) -> str:
        """The login name."""

    @property
    def name(self) -> str:
        """The display name."""


class Comments:
    """Comments on tasks (section 4.4).

    `mentions` are people whom the text may name as `@login`; `image_ids` are uploaded images.
    """

    service: RemoteService

    async def comments(
        self,
        board_id: int,
        task_id: int,
        page: int = 1,
        *,
        order: Literal["latest", "oldest"] = "latest",
        per_page: int = _PER_PAGE,
    ) -> DocumentPage:
        """A page of comments, each with its replies and images; pages count from 1 (4.4).

        Some services ignore all parameters but the page number.
        """
        query = {"filter": order, "per_page": str(per_page), "page": str(page)}
        answer = await self.service.ask(Endpoint.LIST_COMMENTS, board_id, task_id, query=query)
        return await answer.page(Comment, "comments", page)

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
        """Add a comment or, with `parent_id`, a reply (4.4).

        It has text, uploaded images, or both. Raises `Refused`, before sending, for an empty one or
        one longer than 64 kB, and `ValueError` for a reply to nothing, which services refuse but
        store.
        """
        body = _comment_body(text, image_ids, mentions)
        if parent_id is not None and parent_id < 1:
            raise ValueError("a reply needs its comment")
        if parent_id is None:
            return await self._send_comment(board_id, task_id, body | {"comment_type": "comment"})
        body |= {"comment_type": "reply", "parent_id": parent_id}
        return await self._send_comment(board_id, task_id, body)

    async def _send_comment(self, board_id: int, task_id: int, body: dict[str, object]) -> Document:
        body = {"parent_id": None, **body}
        answer = await self.service.ask(Endpoint.CREATE_COMMENT, board_id, task_id, body=body)
        return answer.document(Comment, "comment")

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        parent_id: int | None = None,
        image_ids: Sequence[int] | None = None,
        mentions: Sequence[Mentionable] = (),
    ) -> Document:
        """Change the user's own comment, or reply to `parent_id` (4.4).

        None leaves the images unchanged. Raises `NotAllowed` for somebody else's comment.
        """
        body = _comment_body(text, image_ids or (), mentions)
        if image_ids is not None:
            body["images"] = list(image_ids)
        return await self._update_comment(board_id, task_id, comment_id, body, parent_id)

    async def _update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        body: dict[str, object],
        parent_id: int | None,
    ) -> Document:
        del parent_id
        answer = await self.service.ask(
            Endpoint.UPDATE_COMMENT, board_id, task_id, comment_id, body=body
        )
        return answer.document(Comment, "comment")

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Delete the user's own comment, or reply to `parent_id` (4.4).

        Raises `NotAllowed` for somebody else's, which stays.
        """
        del task_id, parent_id
        await self.service.delete(Endpoint.DELETE_COMMENT, board_id, comment_id)

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: BytesListener | None = None,
    ) -> Document:
        """Upload an image whose id a comment of the task will use (4.4).

        `progress` is called with bytes sent and in all. Raises `Refused` before sending if the
        content is empty or no image, `TooLarge` above `LARGEST_IMAGE` or from the service.
        """
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
        upload = Upload(name, kind, content, progress)
        answer = await self.service.ask(
            Endpoint.UPLOAD_COMMENT_IMAGE, board_id, task_id, body=upload
        )
        return answer.document(Image, "imageAttachment")


def _comment_body(
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


def mention(login: str) -> str:
    """The notation for a person in a comment."""
    return f"@{_OPEN}{login}{_CLOSE}"


def mark_mentions(typed: str, people: Iterable[Mentionable]) -> tuple[str, tuple[int, ...]]:
    """Mark each `@login` of a text that names a person; returns the ids of those mentioned, too.

    People without a known login are mentioned by `@name`, which stays unchanged; if several have
    the same name, none is. The longest matching name counts, ignoring case. A mention that is
    already marked counts as well, an address like `ann@example.org` does not.
    """
    everybody = {person.id: person for person in people}.values()
    logins = {person.login.casefold(): person for person in everybody if person.login}
    unknown = {person.id: person.name for person in everybody if not person.login and person.name}
    shared = Counter([*logins, *(name.casefold() for name in unknown.values())])
    names = {
        name.casefold(): user_id
        for user_id, name in unknown.items()
        if shared[name.casefold()] == 1
    }
    if not logins and not names:
        return typed, ()
    ids: dict[int, None] = {}

    def mark(match: re.Match[str]) -> str:
        name = match["name"].casefold()
        if name in logins:
            ids[logins[name].id] = None
            return mention(logins[name].login)
        if name in names:
            ids[names[name]] = None
        return match[0]

    spelt = [person.login for person in logins.values()] + [unknown[id_] for id_ in names.values()]
    longest_first = sorted(spelt, key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name) for name in longest_first)
    # A dot or dash ends a name, unless it goes on after it: `@ann.` but not `@ann.example`.
    ending = rf"(?:{_CLOSE}|(?![\w@]|[-.]\w))"
    pattern = rf"(?<![\w@.])@{_OPEN}?(?P<name>{any_name}){ending}"
    return re.sub(pattern, mark, typed, flags=re.IGNORECASE), tuple(ids)
