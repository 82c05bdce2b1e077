"""Comments, their images and mentions, asked of the client (4.4)."""

from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from tui.client.progress import Progress
from tui.client.records import CommentRecord, TaskRecord
from tui.client.resources.mentions import Mentioning, with_mentions
from tui.model.people import by_mention
from tui.model.task import Person
from tui.store.documents.shapes import Document
from tui.store.gateway.reading import PER_PAGE, GatewayReading
from tui.store.remote import BytesListener, DocumentPage


class GatewayComments(GatewayReading):
    """The part of `tui.store.remote.Remote` that is about comments."""

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of comments, latest first, each with its replies (4.4)."""
        pages = self._client.comments.pages(board_id, task_id, per_page=PER_PAGE)
        return await self._page("comments", (board_id, task_id), page, pages)

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int],
        mentions: Sequence[Person],
    ) -> Document:
        """Add a comment or a reply, with the mentions in it marked (4.4)."""
        marked = _marked(text, mentions)
        comment = await self._dialect.create_comment(
            board_id,
            task_id,
            marked.text,
            parent_id=parent_id,
            images=list(image_ids),
            mentions=marked.ids,
        )
        return self._comment(comment)

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        image_ids: Sequence[int] | None,
        mentions: Sequence[Person],
    ) -> Document:
        """Change one's own comment (4.4)."""
        marked = _marked(text, mentions)
        images = None if image_ids is None else list(image_ids)
        comment = await self._dialect.update_comment(
            board_id, task_id, comment_id, marked.text, images=images, mentions=marked.ids
        )
        return self._comment(comment)

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None
    ) -> None:
        """Delete one's own comment or reply; one that is already gone is a success (4.4)."""
        await self._dialect.delete_comment(board_id, task_id, comment_id, parent_id=parent_id)

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: BytesListener | None = None,
    ) -> Document:
        """Upload an image for a comment to come (4.4)."""

        def heard(so_far: Progress) -> None:
            if progress is not None:
                progress(so_far.sent, so_far.total)

        image = await self._client.images.upload(board_id, task_id, name, content, progress=heard)
        return image.document()

    async def picture(self, url: str, progress: BytesListener | None) -> bytes:
        """What the address of an image leads to (2.6)."""

        def heard(so_far: Progress) -> None:
            if progress is not None:
                progress(so_far.received, so_far.total)

        return await self._client.fetch(url, progress=heard)

    def _comment(self, comment: CommentRecord) -> Document:
        """A comment, with the task that comes with it as other tasks come, if one does."""
        document = comment.document()
        task = document.pop("task", None)
        try:
            return {**document, "task": self._task(TaskRecord.model_validate(task))}
        except ValidationError:
            return document


def _marked(text: str, people: Iterable[Person]) -> Mentioning:
    """A text with its mentions marked; those of people without a login stay as they are."""
    named = by_mention(people).values()
    return with_mentions(
        text,
        {person.login: person.id for person in named if person.login},
        {person.name: person.id for person in named if not person.login},
    )
