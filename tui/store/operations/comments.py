"""Operations on comments, replies and the pictures in them.

Only the author of a comment changes or deletes it. After a lost response a new comment is
recognised by its text, author and thread, among those newer than every comment known before; if
none was known, among those written after it.

The bytes of a picture are kept beside the outbox until they are delivered. After a lost response
they are uploaded again: uploads cannot be listed, and services remove those that no comment uses.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar, Self

from tui.client.documents import BytesListener
from tui.client.errors import Refused
from tui.model.board import BoardView
from tui.model.comment import Comment, CommentImage
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, CommentId, ImageId, TaskId
from tui.model.picture_names import KeptPicture
from tui.model.task import Person, Task
from tui.record import record
from tui.store.documents import threeway
from tui.store.documents.assemble import instant
from tui.store.documents.assemble_detail import comment_text
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Conflicting,
    FieldDifference,
    Finding,
    Operation,
    Reply,
    ReplyPart,
    Verdict,
    operation,
)
from tui.store.operations.creation import Creation
from tui.store.operations.ids import About, new_local_id
from tui.store.reading import fetch_task, first_newer, iter_comments, same_text
from tui.store.remote import Remote
from tui.text.clean import line, quoted, text

_CLOCKS_APART = timedelta(minutes=15)
"""The assumed difference between the clocks of the service and this machine."""


@operation("create-comment")
@record
class CreateComment(Creation):
    """Comment on a task, or reply to the comment `parent_id`.

    `mentions` are the people whom the text names as `@login`; `images` are pictures uploaded by
    operations before this one; `name` is the task's title, `counted` the number of comments with
    this one, as drawn.
    """

    board_id: BoardId
    task_id: TaskId
    comment_id: About[CommentId]
    name: str
    text: str
    parent_id: CommentId | None = None
    author: Person | None = None
    created_at: datetime | None = None
    mentions: tuple[Person, ...] = ()
    images: tuple[CommentImage, ...] = ()
    counted: int | None = None

    @classmethod
    def new(
        cls,
        task: Task,
        text: str,
        *,
        to: Comment | None = None,
        author: Person | None = None,
        at: datetime | None = None,
        mentions: Iterable[Person] = (),
        images: Iterable[CommentImage] = (),
    ) -> Self:
        """Comment on `task`, or reply to `to`; a reply to a reply joins the same thread.

        `author` is the user, if known, `at` an aware time.
        """
        # Services have one level of replies.
        thread = None if to is None else to.id if to.parent_id is None else to.parent_id
        ids = (task.board_id, task.id, new_local_id())
        mentions_and_images = (tuple(mentions), tuple(images))
        return cls(*ids, task.title, text, thread, author, at, *mentions_and_images)

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.task_id)
        if task is None:
            return view
        counted = task.comments_count + 1 if self.counted is None else self.counted
        return view.with_task(replace(task, comments_count=max(task.comments_count, counted)))

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        task = view.task(self.task_id)
        return self if task is None else replace(self, counted=task.comments_count + 1)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id or detail.comment(self.comment_id) is not None:
            return detail
        return detail.with_comment(self.comment)

    @property
    def comment(self) -> Comment:
        """The comment as it is drawn."""
        return Comment(
            id=self.comment_id,
            task_id=self.task_id,
            text=text(self.text),
            parent_id=self.parent_id,
            author=self.author,
            created_at=self.created_at,
            mentions=tuple(person.id for person in self.mentions),
            images=self.images,
        )

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        written = (
            (comment.id, comment.text)
            for root in detail.comments or ()
            for comment in (root, *root.replies)
            if comment.parent_id == self.parent_id
            and (not comment.author or not self.author or comment.author.id == self.author.id)
        )
        comment_id = first_newer(written, text(self.text), newest_id)
        return detail if comment_id is None else detail.without_comment(comment_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        comment = await remote.create_comment(
            self.board_id,
            self.task_id,
            self.text,
            parent_id=self.parent_id,
            image_ids=[image.id for image in self.images],
            mentions=self.mentions,
        )
        task = comment.pop("task", None)
        if not isinstance(task, dict) or task.get("id") != self.task_id:
            task = {"id": self.task_id}
        cached = truth.task(self.task_id)
        if cached is not None:  # it may be counted there already, if this is sent again
            counted = cached.comments_count + 1 if self.counted is None else self.counted
            count = int(task.get("comments_count") or 0)
            task = {**task, "comments_count": max(count, cached.comments_count, counted)}
        of_task = ReplyPart("task", self.task_id, task)
        # Older editions answer with `false` as the parent of a comment that has none.
        return self.reply_created({**comment, "parent_id": self.parent_id}, of_task)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # A reply is below its comment, which may be on a later page than all new comments.
        newer_than, ids = baseline.newest_id, (self.board_id, self.task_id)
        oldest = newer_than if self.parent_id is None else min(newer_than, self.parent_id)
        present = iter_comments(remote, *ids, newer_than=oldest)
        finding = self.find_created([comment async for comment in present], baseline)
        if not finding.done:
            return finding
        stored = finding.reply.parts[0].document or {}
        # With no known comment to be newer than, an equal older one of the user would match.
        if not newer_than and not self._is_after_ours(stored):
            return Finding(done=None)
        return Finding(True, await _with_count(finding.reply, remote, *ids))

    async def reply_again(self, remote: Remote) -> Reply:
        again = await Creation.reply_again(self, remote)
        return await _with_count(again, remote, self.board_id, self.task_id)

    def _is_after_ours(self, comment: Document) -> bool:
        stored_at = instant(comment.get("created_at"))
        if stored_at is None or self.created_at is None:
            return False
        return stored_at >= self.created_at - _CLOCKS_APART

    def is_mine(self, comment: Document) -> bool:
        author = comment.get("created_by")
        by_other = self.author is not None and author is not None and author != self.author.id
        pictures = {image.get("id") for image in comment.get("images") or ()}
        return (
            not by_other
            and (comment.get("parent_id") or None) == self.parent_id
            and same_text(comment_text(comment), self.text)
            and pictures >= {image.id for image in self.images}
        )

    def merged_with(self, later: Operation) -> Operation | None:
        if not isinstance(later, EditComment):
            return Creation.merged_with(self, later)
        images = self.images if later.images is None else later.images
        people = {person.id: person for person in (*self.mentions, *later.mentions)}
        return replace(self, text=later.text, images=images, mentions=tuple(people.values()))

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteComment(self.board_id, self.name, self.comment, self.mentions),)

    def describe(self) -> str:
        action = "Reply to a comment on" if self.parent_id is not None else "Comment on"
        return f"{action} {quoted(self.name)}: {quoted(line(self.text) or 'a picture')}"


@operation("edit-comment")
@record
class EditComment(Operation):
    """Change the text of one's own comment, and its pictures unless `images` is None.

    `old_text` is the text before; with a `parent_id` it is a reply to that; `mentions` are people
    the text may name as `@login`; `name` is the task's title.
    """

    board_id: BoardId
    task_id: TaskId
    comment_id: About[CommentId]
    name: str
    text: str
    old_text: str | None = None
    mentions: tuple[Person, ...] = ()
    images: tuple[CommentImage, ...] | None = None
    parent_id: CommentId | None = None

    @classmethod
    def on(
        cls,
        task: Task,
        comment: Comment,
        text: str,
        *,
        mentions: Iterable[Person] = (),
        images: Iterable[CommentImage] | None = None,
    ) -> Self:
        pictures = comment.images if images is None else tuple(images)
        ids = (task.board_id, task.id, comment.id)
        details = (tuple(mentions), pictures, comment.parent_id)
        return cls(*ids, task.title, text, comment.text, *details)

    @property
    def keeps_base(self) -> bool:
        return self.old_text is not None

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        comment = detail.comment(self.comment_id)
        if comment is None:
            return detail
        images = comment.images if self.images is None else self.images
        return detail.with_comment(
            replace(comment, text=text(self.text), images=images, edited=True)
        )

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # Members of the board whom it names are mentioned, as before.
        people = {person.id: person for person in (*truth.people, *self.mentions)}
        comment = await remote.update_comment(
            self.board_id,
            self.task_id,
            self.comment_id,
            self.text,
            parent_id=self.parent_id,
            image_ids=None if self.images is None else [image.id for image in self.images],
            mentions=tuple(people.values()),
        )
        return self.reply_about(comment)

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        previous = self.old_text if baseline.document is None else comment_text(baseline.document)
        if now is None:
            return False
        present = comment_text(now)
        if same_text(present, self.text):
            return True
        return False if previous is not None and same_text(present, previous) else None

    def check(self, now: Document) -> Verdict:
        current, base = comment_text(now), self.old_text
        if same_text(current, self.text):
            return AlreadyApplied()
        if base is None or same_text(current, base):
            return self
        merged = threeway.merge(base=base, ours=self.text, current=current)
        if merged is not None:
            return replace(self, text=merged, old_text=current)
        return Conflicting(
            (FieldDifference("comment", line(self.text), line(current), line(base)),)
        )

    def rebased_on(self, now: Document) -> Self:
        return replace(self, old_text=comment_text(now))

    def draft(self, now: Document) -> str | None:
        return threeway.both(base=self.old_text or "", ours=self.text, current=comment_text(now))

    def with_text(self, text: str) -> Self:
        return replace(self, text=text)

    def merged_with(self, later: Operation) -> Operation | None:
        if isinstance(later, EditComment):
            images = self.images if later.images is None else later.images
            return replace(later, old_text=self.old_text, images=images)
        return later if isinstance(later, DeleteComment) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        comment = None if detail is None else detail.comment(self.comment_id)
        old = self.old_text if comment is None else comment.text
        if old is None:
            return ()
        images = self.images if comment is None else comment.images
        return (replace(self, text=old, old_text=text(self.text), images=images),)

    def describe(self) -> str:
        return f"Change a comment on {quoted(self.name)} to {quoted(line(self.text))}"


@operation("delete-comment")
@record
class DeleteComment(Operation):
    """Delete one's own comment, with its replies; `name` is the task's title.

    `left` is the number of comments without them, as drawn.
    """

    removes_subject: ClassVar[bool] = True

    board_id: BoardId
    name: str
    comment: About[Comment]
    mentions: tuple[Person, ...] = ()
    left: int | None = None

    @classmethod
    def on(cls, task: Task, comment: Comment) -> Self:
        """Delete `comment` on `task`; the people it mentions are looked up among the board's."""
        return cls(task.board_id, task.title, comment)

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.comment.task_id)
        if task is None:
            return view
        left = self._remaining(task) if self.left is None else self.left
        return view.with_task(replace(task, comments_count=min(task.comments_count, left)))

    def _remaining(self, task: Task) -> int:
        return max(0, task.comments_count - 1 - len(self.comment.replies))

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        task = view.task(self.comment.task_id)
        return self if task is None else replace(self, left=self._remaining(task))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        return detail.without_comment(self.comment.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        comment, ids = self.comment, (self.board_id, self.comment.task_id)
        await remote.delete_comment(*ids, comment.id, parent_id=comment.parent_id)
        return await _with_count(self.reply_about(None), remote, *ids)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        finding = await Operation.already_done(self, remote, baseline)
        if not finding.done:
            return finding
        ids = (self.board_id, self.comment.task_id)
        return Finding(True, await _with_count(finding.reply, remote, *ids))

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        # Without replies and pictures.
        comment = (detail and detail.comment(self.comment.id)) or self.comment
        people = {person.id: person for person in (*view.people, *self.mentions)}
        mentioned = tuple(people[id_] for id_ in comment.mentions if id_ in people)
        ids = (self.board_id, comment.task_id, comment.id)
        recreated = CreateComment(*ids, self.name, comment.text, comment.parent_id, comment.author)
        mentions = mentioned or self.mentions
        return (replace(recreated, created_at=comment.created_at, mentions=mentions),)

    def lost_when_undone(self) -> str:
        lost = {"its replies": self.comment.replies, "its pictures": self.comment.images}
        names = " and ".join(part for part, had in lost.items() if had)
        without = f" without {names}" if names else ""
        return f"The comment was added again as a new one{without}."

    def describe(self) -> str:
        return f"Delete a comment on {quoted(self.name)}: {quoted(line(self.comment.text))}"


async def _with_count(reply: Reply, remote: Remote, board_id: int, task_id: int) -> Reply:
    task = ReplyPart("task", task_id, await fetch_task(remote, board_id, task_id))
    return Reply(reply.created_id, (*reply.parts, task))


@operation("upload-image")
@record
class UploadImage(Creation):
    """Upload a picture for a task's comments; its bytes are in the file `kept_at`.

    `image_id` is a local id, `size` is text.
    """

    board_id: BoardId
    task_id: TaskId
    image_id: About[ImageId]
    name: str
    content_type: str
    size: str
    kept_at: str

    @classmethod
    def of(cls, task: Task, picture: KeptPicture) -> Self:
        """Upload a picture stored for a comment on `task`."""
        ids = (task.board_id, task.id, new_local_id())
        return cls(*ids, picture.name, picture.content_type, picture.size, str(picture.path))

    @property
    def image(self) -> CommentImage:
        return CommentImage(self.image_id, line(self.name), self.content_type, self.size)

    async def deliver(
        self, remote: Remote, truth: BoardView, progress: BytesListener | None = None
    ) -> Reply:
        try:
            content = await asyncio.to_thread(Path(self.kept_at).read_bytes)
        except OSError as error:
            raise Refused(
                f"The picture {quoted(line(self.name))} is no longer stored here: "
                f"{error.strerror or 'it cannot be read'}.",
                hint="Attach it again.",
            ) from error
        image = await remote.upload_image(
            self.board_id, self.task_id, self.name, content, progress=progress
        )
        return self.reply_created(image)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # An unused upload does no harm, so it is always sent again.
        return Finding(done=False)

    def describe(self) -> str:
        return f"Upload {quoted(line(self.name))}"
