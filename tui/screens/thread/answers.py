"""Actions on the comment at the cursor: reply, quote, edit, delete, its pictures and links.

Only whoever wrote a comment changes or deletes it; others are told whose it is.
"""

from collections.abc import Awaitable
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.model.comment import Comment, Image
from tui.model.comment_text import links
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.screens.actions.comment_writing import me, rewrite_comment, write_comment, write_reply
from tui.screens.actions.task_actions import TaskActions
from tui.screens.links import open_link
from tui.store import operations as change
from tui.text.cells import cut
from tui.text.clean import line

_SAID = 50


class Answers(TaskActions):
    """A screen with a comment at its cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "reply", "reply", id="comment.reply", tooltip="Reply to the comment"),
        Binding(
            "Q", "quote", "quote", id="comment.quote", tooltip="Reply to the comment, quoting it"
        ),
        Binding("c", "comment", "comment", id="comment.new", tooltip="Write a new comment"),
        Binding("e", "edit", "edit", id="comment.edit", tooltip="Edit your comment"),
        Binding(
            "D", "delete_comment", "Delete", id="comment.delete", show=False,
            tooltip="Delete your comment (asks)",
        ),
        Binding(
            "v", "picture", "Picture", id="comment.picture", show=False,
            tooltip="Show a picture of the comment",
        ),
        Binding(
            "o", "link", "Link", id="comment.link", show=False,
            tooltip="Open a link in the comment",
        ),
        Binding(
            "y", "copy", "Copy", id="comment.copy", show=False,
            tooltip="Copy the text of the comment",
        ),
    ]  # fmt: skip

    @property
    def detail(self) -> TaskDetail | None:
        """The task with what is around it; for subclasses."""
        raise NotImplementedError

    @property
    def current(self) -> Comment | None:
        """The comment at the cursor; for subclasses."""
        raise NotImplementedError

    def follow(self, comment_id: int) -> None:
        """Put the cursor on a comment; for subclasses."""
        raise NotImplementedError

    @work(exclusive=True, group="dialog")
    async def action_comment(self) -> None:
        """Write a new comment."""
        if task := self._need_task():
            await self._then_there(write_comment(self, task))

    @work(exclusive=True, group="dialog")
    async def action_reply(self) -> None:
        """Reply to the comment."""
        task = self._need_task()
        comment = self._need_comment() if task else None
        if task and comment:
            await self._then_there(write_reply(self, task, comment))

    @work(exclusive=True, group="dialog")
    async def action_quote(self) -> None:
        """Reply to the comment with its words above."""
        from tui.text.markdown import quoted

        task = self._need_task()
        comment = self._need_comment() if task else None
        if task and comment:
            quote = f"{quoted(comment.text)}\n\n" if comment.text.strip() else ""
            await self._then_there(write_reply(self, task, comment, quote))

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        """Edit the comment, if it is one's own."""
        task = self._need_task()
        comment = self._need_comment() if task else None
        if task and comment and self._may_change(comment, "edit"):
            await rewrite_comment(self, task, comment)

    @work(exclusive=True, group="dialog")
    async def action_delete_comment(self) -> None:
        """Ask, then delete the comment, if it is one's own."""
        from tui.dialogs.confirm import ConfirmDialog

        task = self._need_task()
        comment = self._need_comment() if task else None
        if not task or not comment or not self._may_change(comment, "delete"):
            return
        what = "reply" if comment.is_reply else "comment"
        dialog = ConfirmDialog(f"Delete your {what}?", _what_goes(comment))
        if not await self.app.push_screen_wait(dialog):
            self.say("nothing was deleted")
            return
        await self.submit([change.DeleteComment.on(task, comment)], f"deleted your {what}")

    @work(exclusive=True, group="dialog")
    async def action_picture(self) -> None:
        """Show a picture of the comment; where there are several, ask which."""
        from tui.dialogs.picture import PictureDialog

        task = self._need_task()
        comment = self._need_comment() if task else None
        if not task or not comment:
            return
        if not comment.images:
            self.say("there is no picture in this comment")
            return
        image: Image | None = comment.images[0]
        if len(comment.images) > 1:
            titles = [f"{one.title or 'picture'}  {one.size}" for one in comment.images]
            chosen = await self._chosen("Which picture?", titles)
            image = None if chosen is None else comment.images[chosen]
        if image is not None:
            await self.app.push_screen_wait(PictureDialog(self.context, task.id, image))

    @work(exclusive=True, group="dialog")
    async def action_link(self) -> None:
        """Open a link in the comment; where there are several, by its number."""
        comment = self._need_comment()
        if comment is None:
            return
        found = links(comment.text)
        if not found:
            self.say("there is no link in this comment")
            return
        chosen = 0 if len(found) == 1 else await self._chosen("Open which link?", found)
        if chosen is not None:
            open_link(self, found[chosen])

    def action_copy(self) -> None:
        """Copy the text of the comment."""
        if comment := self._need_comment():
            self.app.copy_to_clipboard(comment.text)
            self.say("copied the text of the comment")

    async def _chosen(self, title: str, labels: list[str] | tuple[str, ...]) -> int | None:
        """Which of several things, by its number."""
        from tui.dialogs.choose import Choice, ChooseDialog

        letters = "123456789".ljust(len(labels))
        choices = [
            Choice(letter, label, str(index))
            for index, (letter, label) in enumerate(zip(letters, labels, strict=False))
        ]
        answer = await self.app.push_screen_wait(ChooseDialog(title, choices))
        return None if answer is None else int(answer)

    async def _then_there(self, writing: Awaitable[int | None]) -> None:
        """Put the cursor on what was written."""
        written = await writing
        if written is not None:
            self.follow(written)

    def _need_task(self) -> Task | None:
        """The task, if it can be commented on; else the reason is said."""
        detail = self.detail
        if detail is not None and Part.COMMENTS in detail.why:
            self.say(detail.why[Part.COMMENTS])
            return None
        if not self.chosen_tasks:
            self.say("this task is no longer here", hint="esc goes back")
            return None
        return self.chosen_tasks[0]

    def _need_comment(self) -> Comment | None:
        """The comment at the cursor; where there is none, that is said."""
        if self.current is None:
            self.say("there is no comment here", hint="c writes one")
        return self.current

    def _may_change(self, comment: Comment, verb: str) -> bool:
        """Whether it is one's own, so far as that is known; else it is said whose it is."""
        author = comment.author
        if author is None or comment.id < 0:
            return True
        mine = me(self)
        is_mine = self.store.me.may_be_of(author) if mine is None else author.id == mine.id
        if not is_mine:
            self.say(f"{author.name} wrote this, and nobody else can {verb} it", hint="r replies")
        return is_mine


def _what_goes(comment: Comment) -> str:
    """What a deletion takes with it."""
    lines = [f"“{cut(line(comment.text), _SAID)}”", ""] if comment.text.strip() else []
    replies, pictures = len(comment.replies), len(comment.images)
    if replies:
        lines.append(
            "Its reply goes with it." if replies == 1 else f"Its {replies} replies go with it."
        )
    if pictures:
        lines.append(
            "Its picture goes too." if pictures == 1 else f"Its {pictures} pictures go too."
        )
    lines.append("Taking it back writes the text again, as a new comment.")
    return "\n".join(lines)
