"""Commenting on a task and replying to comments.

Only the author of a comment changes or deletes it. A comment whose reply was lost is looked for by
its text, its author and its place, among those that are newer than every comment known before;
where none was known, among those that were written after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from tui.model.board import BoardView
from tui.model.comment import Comment, Image
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, CommentId, TaskId
from tui.model.task import Person, Task
from tui.store.documents.assemble import instant
from tui.store.documents.assemble_detail import comment_text
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, News, Nothing, Operation, Reply, operation
from tui.store.operations.comment_changes import DeleteComment, EditComment
from tui.store.operations.comparing import first_new, found_new, made, same_words
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.looking import every_comment
from tui.store.operations.reading import task_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line, text

_CLOCKS_APART = timedelta(minutes=15)
"""By how much the clocks of the service and of this machine may differ."""


@operation("create-comment")
@dataclass(frozen=True, slots=True)
class CreateComment(Operation):
    """Comment on a task, or, with a `parent_id`, answer a comment.

    `mentions` are the people whom the text names as `@login`; `images` are pictures that were
    uploaded, or will have been by operations before this one; `name` is the task's title,
    `counted` how many comments it has with this one, as it was drawn.
    """

    board_id: BoardId
    task_id: TaskId
    comment_id: Creates[CommentId]
    name: str
    text: str
    parent_id: CommentId | None = None
    author: Person | None = None
    created_at: datetime | None = None
    mentions: tuple[Person, ...] = ()
    images: tuple[Image, ...] = ()
    counted: int | None = None

    @classmethod
    def new(
        cls,
        task: Task,
        text: str,
        *,
        author: Person | None = None,
        at: datetime | None = None,
        mentions: Iterable[Person] = (),
        images: Iterable[Image] = (),
    ) -> Self:
        """Comment on `task`; `author` is who writes, if that is known, `at` an aware time."""
        ids = (task.board_id, task.id, new_local_id())
        named = tuple(mentions)
        return cls(*ids, task.title, text, None, author, at, named, tuple(images))

    @classmethod
    def reply(
        cls,
        task: Task,
        to: Comment,
        text: str,
        *,
        author: Person | None = None,
        at: datetime | None = None,
        mentions: Iterable[Person] = (),
        images: Iterable[Image] = (),
    ) -> Self:
        """Answer the comment `to`; an answer to a reply stands in the same thread."""
        thread = to.id if to.parent_id is None else to.parent_id
        made = cls.new(task, text, author=author, at=at, mentions=mentions, images=images)
        return replace(made, parent_id=thread)

    def apply(self, view: BoardView) -> BoardView:
        """The board with one more comment counted on the card, where it is not counted yet."""
        task = view.task(self.task_id)
        if task is None:
            return view
        counted = task.comments_count + 1 if self.counted is None else self.counted
        return view.with_task(replace(task, comments_count=max(task.comments_count, counted)))

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        """The same comment with how many there are with it, so that it is never counted twice."""
        del detail
        task = view.task(self.task_id)
        return self if task is None else replace(self, counted=task.comments_count + 1)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the comment, or the reply below what it answers."""
        if detail.task.id != self.task_id or detail.comment(self.comment_id) is not None:
            return detail
        return detail.with_comment(
            Comment(
                id=self.comment_id,
                task_id=self.task_id,
                text=text(self.text),
                parent_id=self.parent_id,
                author=self.author,
                created_at=self.created_at,
                images=self.images,
                mentions=tuple(person.id for person in self.mentions),
            )
        )

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        """The opened task without the comment that was made."""
        written = (
            (one.id, one.text)
            for root in detail.comments or ()
            for one in (root, *root.replies)
            if one.parent_id == self.parent_id and self._may_have_written(one)
        )
        made = first_new(written, text(self.text), newest_id)
        return detail if made is None else detail.without_comment(made)

    def _may_have_written(self, comment: Comment) -> bool:
        author = comment.author
        return author is None or self.author is None or author.id == self.author.id

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and take over the task that services send along, with the comment counted."""
        comment = await remote.create_comment(
            self.board_id,
            self.task_id,
            self.text,
            parent_id=self.parent_id,
            image_ids=[image.id for image in self.images],
            mentions=self.mentions,
        )
        task = comment.pop("task", None)
        is_told = isinstance(task, dict) and task.get("id") == self.task_id
        said: Document = task if is_told else {"id": self.task_id}
        known = truth.task(self.task_id)
        if known is not None:
            told = int(said.get("comments_count") or 0)
            said = {**said, "comments_count": max(told, known.comments_count + 1)}
        more = News("task", self.task_id, said)
        return made("comment", {**comment, "parent_id": self.parent_id}, self.task_id, more)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the thread for exactly one new comment that says the same.

        A reply stands below what it answers, which may be on a later page than all that is new.
        """
        newer_than = footing.newest_id
        oldest = newer_than if self.parent_id is None else min(newer_than, self.parent_id)
        found = [
            comment
            async for comment in every_comment(
                remote, self.board_id, self.task_id, newer_than=oldest
            )
        ]
        finding = found_new(
            "comment", found, self._looks_like_ours, newer_than, task_id=self.task_id
        )
        if not newer_than and not all(map(self._is_after_ours, finding.reply.news)):
            return Finding(done=None)
        if not finding.done:
            return finding
        task = await task_as_it_is(remote, self.board_id, self.task_id)
        counted = News("task", self.task_id, task)
        return Finding(True, Reply(finding.reply.made, (*finding.reply.news, counted)))

    def _is_after_ours(self, news: News) -> bool:
        """Whether the service stored a comment after ours was written, as far as is known."""
        stored_at = instant((news.document or {}).get("created_at"))
        if stored_at is None or self.created_at is None:
            return False
        return stored_at >= self.created_at - _CLOCKS_APART

    def _looks_like_ours(self, comment: Document) -> bool:
        author = comment.get("created_by")
        by_other = self.author is not None and author is not None and author != self.author.id
        pictures = {image.get("id") for image in comment.get("images") or ()}
        return (
            not by_other
            and (comment.get("parent_id") or None) == self.parent_id
            and same_words(comment_text(comment), self.text)
            and pictures >= {image.id for image in self.images}
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A comment that was never sent is written as it reads in the end, or not at all."""
        if isinstance(later, DeleteComment):
            return Nothing(self.board_id)
        if not isinstance(later, EditComment):
            return None
        images = self.images if later.images is None else later.images
        people = {person.id: person for person in (*self.mentions, *later.mentions)}
        return replace(self, text=later.text, images=images, mentions=tuple(people.values()))

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete it."""
        del before, detail
        comment = Comment(
            id=self.comment_id,
            task_id=self.task_id,
            text=text(self.text),
            parent_id=self.parent_id,
            author=self.author,
            images=self.images,
        )
        return (DeleteComment(self.board_id, self.name, comment, self.mentions),)

    def describe(self) -> str:
        """The task and how the comment begins."""
        what = "Answer a comment on" if self.parent_id is not None else "Comment on"
        return f"{what} {quoted(self.name)}: {quoted(line(self.text) or 'a picture')}"
