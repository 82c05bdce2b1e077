"""The context of actions on comments: the comment at the cursor of a thread."""

from collections.abc import Awaitable, Callable

from tui.actions.tasks.context import TaskContext
from tui.model.comment import Comment
from tui.model.detail import Part
from tui.model.task import Task


class CommentContext:
    """A comment of the selected task.

    The screen supplies callbacks: `current` returns the comment at the cursor, `follow` moves the
    cursor to the comment with an id.
    """

    def __init__(
        self,
        tasks: TaskContext,
        current: Callable[[], Comment | None],
        follow: Callable[[int], None],
    ) -> None:
        self.tasks = tasks
        self.store = tasks.store
        self.say = tasks.say
        self.ask = tasks.ask
        self._current = current
        self._follow = follow

    def need_task(self) -> Task | None:
        """The task; if it is gone or has no comments on this service, say so and return None."""
        tasks = self.tasks.tasks
        if not tasks:
            self.say("this task is no longer here", hint="{thread.back:esc} goes back")
            return None
        if why := self.tasks.why_lacking(tasks[:1], Part.COMMENTS):
            self.say(why)
            return None
        return tasks[0]

    def need_comment(self) -> Comment | None:
        """The comment at the cursor; say so if there is none."""
        comment, tasks = self._current(), self.tasks.tasks
        detail = self.store.detail(tasks[0].id) if tasks else None
        if comment is None and (detail is None or detail.comments is None):
            self.say(
                "the comments are not loaded yet",
                hint="{thread.refresh:R} loads them, {comment.new:c} writes one",
            )
        elif comment is None:
            self.say("there is no comment here", hint="{comment.new:c} writes one")
        return comment

    def need_both(self) -> tuple[Task, Comment] | None:
        """The task and the comment; say what is missing."""
        task = self.need_task()
        comment = self.need_comment() if task is not None else None
        return None if task is None or comment is None else (task, comment)

    def need_own(self, verb: str) -> tuple[Task, Comment] | None:
        """The task and the comment, unless it is known to be by somebody else; then say by whom."""
        both = self.need_both()
        author = both[1].author if both is not None else None
        if both is None or author is None or both[1].id < 0:
            return both
        mine = self.tasks.me
        if self.store.me.may_be_of(author) if mine is None else author.id == mine.id:
            return both
        self.say(
            f"{author.name} wrote this, and only they can {verb} it",
            hint="{comment.reply:r} replies",
        )
        return None

    async def go_to_written(self, writing: Awaitable[int | None]) -> None:
        """Wait for the editor, then move the cursor to the new comment."""
        written = await writing
        if written is not None:
            self._follow(written)
