"""Changing one's own comments and taking them away.

The rule it keeps: two changes of one comment are put together line by line, and a person is asked
only where they meet. A deleted comment can only be written again, as a new one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView
from tui.model.comment import Comment, Image
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, CommentId, TaskId
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.store.documents import threeway
from tui.store.documents.assemble_detail import comment_text
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Differs,
    Finding,
    Footing,
    Merged,
    News,
    Operation,
    Reply,
    Verdict,
    operation,
)
from tui.store.operations.comparing import gone, said, same_words, settled, verdict
from tui.store.operations.ids import About
from tui.store.operations.looking import comment_as_it_is
from tui.store.operations.reading import task_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line, text


@operation("edit-comment")
@dataclass(frozen=True, slots=True)
class EditComment(Operation):
    """Change the text of one's own comment, and its pictures unless `images` is None.

    `old_text` is what it said; `mentions` are people the text may name as `@login`; `name` is the
    task's title.
    """

    board_id: BoardId
    task_id: TaskId
    comment_id: About[CommentId]
    name: str
    text: str
    old_text: str | None = None
    mentions: tuple[Person, ...] = ()
    images: tuple[Image, ...] | None = None

    @classmethod
    def on(
        cls,
        task: Task,
        comment: Comment,
        text: str,
        *,
        mentions: Iterable[Person] = (),
        images: Iterable[Image] | None = None,
    ) -> Self:
        """Change what `comment` on `task` says."""
        pictures = comment.images if images is None else tuple(images)
        ids = (task.board_id, task.id, comment.id)
        return cls(*ids, task.title, text, comment.text, tuple(mentions), pictures)

    @property
    def keeps_base(self) -> bool:
        """Whether it is known what it said."""
        return self.old_text is not None

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the comment's new words."""
        comment = detail.comment(self.comment_id)
        if comment is None:
            return detail
        images = comment.images if self.images is None else self.images
        return detail.with_comment(
            replace(comment, text=text(self.text), images=images, edited=True)
        )

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the text; everyone on the board whom it names is mentioned, as before."""
        people = {person.id: person for person in (*truth.people, *self.mentions)}
        comment = await remote.update_comment(
            self.board_id,
            self.task_id,
            self.comment_id,
            self.text,
            image_ids=None if self.images is None else [image.id for image in self.images],
            mentions=tuple(people.values()),
        )
        return said("comment", comment, self.task_id)

    async def look(self, remote: Remote) -> Document | None:
        """The comment as it is now."""
        return await comment_as_it_is(remote, self.board_id, self.task_id, self.comment_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the text read back with ours and with what was known before."""
        now = await self.look(remote)
        before = self.old_text if footing.before is None else comment_text(footing.before)
        present = "" if now is None else comment_text(now)
        return settled(
            now,
            News("comment", self.comment_id, now, self.task_id),
            is_ours=same_words(present, self.text),
            was_known=before is not None and same_words(present, before),
        )

    def check(self, now: Document) -> Verdict:
        """The text three ways, put together where that can be done."""
        theirs = comment_text(now)
        told = verdict(
            "comment",
            mine=self.text,
            theirs=theirs,
            base=self.old_text,
            reply=said("comment", now, self.task_id),
        )
        if not isinstance(told, Differs):
            return told
        merged = threeway.merge(base=self.old_text or "", mine=self.text, theirs=theirs)
        if merged is None:
            return told
        return Merged(replace(self, text=merged, old_text=theirs))

    def on_top_of(self, now: Document) -> Self:
        """The same text, whatever it says now."""
        return replace(self, old_text=comment_text(now))

    def draft(self, now: Document) -> str | None:
        """Both texts, line by line, ours first where they meet."""
        return threeway.both(base=self.old_text or "", mine=self.text, theirs=comment_text(now))

    def with_text(self, text: str) -> Self:
        """The text as a person put it together."""
        return replace(self, text=text)

    def merged_with(self, later: Operation) -> Operation | None:
        """The later text on the earlier base; a comment that goes need not be changed."""
        if isinstance(later, EditComment):
            images = self.images if later.images is None else later.images
            return replace(later, old_text=self.old_text, images=images)
        return later if isinstance(later, DeleteComment) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """What it said."""
        del before
        comment = None if detail is None else detail.comment(self.comment_id)
        old = self.old_text if comment is None else comment.text
        if old is None:
            return ()
        images = self.images if comment is None else comment.images
        return (replace(self, text=old, old_text=text(self.text), images=images),)

    def describe(self) -> str:
        """The task and how the comment begins now."""
        return f"Change a comment on {quoted(self.name)} to {quoted(line(self.text))}"


@operation("delete-comment")
@dataclass(frozen=True, slots=True)
class DeleteComment(Operation):
    """Delete one's own comment, with its replies; `name` is the task's title.

    `left` is how many comments the task has without them, as it was drawn.
    """

    board_id: BoardId
    name: str
    comment: About[Comment]
    mentions: tuple[Person, ...] = ()
    left: int | None = None

    @classmethod
    def on(cls, task: Task, comment: Comment) -> Self:
        """Delete `comment` on `task`; the people it mentions are found among the board's."""
        return cls(task.board_id, task.title, comment)

    def apply(self, view: BoardView) -> BoardView:
        """The board with fewer comments counted on the card."""
        task = view.task(self.comment.task_id)
        if task is None:
            return view
        left = self._left(task) if self.left is None else self.left
        return view.with_task(replace(task, comments_count=min(task.comments_count, left)))

    def _left(self, task: Task) -> int:
        return max(0, task.comments_count - 1 - len(self.comment.replies))

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        """The same with how many comments are left, so that none is taken off twice."""
        del detail
        task = view.task(self.comment.task_id)
        return self if task is None else replace(self, left=self._left(task))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task without the comment and its replies."""
        if detail.comment(self.comment.id) is None:
            return detail
        return detail.without_comment(self.comment.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and look how many comments the task has now."""
        del truth
        await remote.delete_comment(
            self.board_id, self.comment.task_id, self.comment.id, parent_id=self.comment.parent_id
        )
        deleted = News("comment", self.comment.id, None, self.comment.task_id)
        task = await task_as_it_is(remote, self.board_id, self.comment.task_id)
        return Reply(news=(deleted, News("task", self.comment.task_id, task)))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the comment is gone."""
        del footing
        now = await comment_as_it_is(remote, self.board_id, self.comment.task_id, self.comment.id)
        if now is not None:
            return Finding(done=False)
        task = await task_as_it_is(remote, self.board_id, self.comment.task_id)
        deleted = gone("comment", self.comment.id, self.comment.task_id)
        return Finding(True, Reply(news=(*deleted.news, News("task", self.comment.task_id, task))))

    def merged_with(self, later: Operation) -> Operation | None:
        """Deleting twice is deleting once."""
        return later if isinstance(later, DeleteComment) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Write it again, as a new one, without replies and pictures."""
        comment = self.comment
        if detail is not None and detail.task.id == self.comment.task_id:
            comment = detail.comment(comment.id) or comment
        people = {person.id: person for person in (*before.people, *self.mentions)}
        mentioned = tuple(people[one] for one in comment.mentions if one in people)
        return (
            change.CreateComment(
                self.board_id,
                self.comment.task_id,
                comment.id,
                self.name,
                comment.text,
                comment.parent_id,
                comment.author,
                comment.created_at,
                mentioned or self.mentions,
            ),
        )

    def lost_when_undone(self) -> str:
        """That it is another comment, and what hung on the old one."""
        lost = [
            *(["its answers"] if self.comment.replies else []),
            *(["its pictures"] if self.comment.images else []),
        ]
        without = f" without {' and '.join(lost)}" if lost else ""
        return f"The comment was written again as a new one{without}."

    def describe(self) -> str:
        """The task and how the comment begins."""
        return f"Delete a comment on {quoted(self.name)}: {quoted(line(self.comment.text))}"
