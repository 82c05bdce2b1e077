"""The actions on the comment at the cursor: reply, quote, edit, delete, pictures, links.

Only the author can edit or delete a comment; for others the action names the author.
"""

from collections.abc import Awaitable, Callable, Sequence

from tui.actions.action import action
from tui.actions.links import open_link
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.comment import rewrite_comment, write_comment, write_reply
from tui.model.comment import Comment, Image
from tui.model.comment_text import links
from tui.model.detail import Part
from tui.model.task import Task
from tui.store import operations as change
from tui.text.cells import cut
from tui.text.clean import line

_EXCERPT = 50


class CommentActions:
    """A comment of the chosen task.

    The screen supplies callbacks: `current` returns the comment at the cursor, `follow` moves the
    cursor to the comment with an id.
    """

    def __init__(
        self, cards: Cards, current: Callable[[], Comment | None], follow: Callable[[int], None]
    ) -> None:
        self._cards = cards
        self._current = current
        self._follow = follow

    @action("comment.reply", "r", "Reply to comment", hint="reply", changes_board=True, asks=True)
    async def reply(self) -> None:
        if both := self.need_both():
            await self._go_to_written(write_reply(self._cards, *both))

    @action("comment.quote", "Q", "Reply with quote", hint="quote", changes_board=True, asks=True)
    async def quote(self) -> None:
        from tui.text.markdown import quoted

        if both := self.need_both():
            text = both[1].text
            quote = f"{quoted(text)}\n\n" if text.strip() else ""
            await self._go_to_written(write_reply(self._cards, *both, quote))

    @action("comment.new", "c", "Write comment", hint="comment", changes_board=True, asks=True)
    async def write(self) -> None:
        if task := self._need_task():
            await self._go_to_written(write_comment(self._cards, task))

    @action("comment.edit", "e", "Edit comment", hint="edit", changes_board=True, asks=True)
    async def edit(self) -> None:
        if own := self._need_own("edit"):
            await rewrite_comment(self._cards, *own)

    @action("comment.delete", "D", "Delete comment", changes_board=True, asks=True)
    async def delete(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        own = self._need_own("delete")
        if own is None:
            return
        task, comment = own
        what = "reply" if comment.is_reply else "comment"
        if await self._cards.ask(ConfirmDialog(f"Delete your {what}?", _what_goes(comment))):
            steps = [change.DeleteComment.on(task, comment)]
            await self._cards.submit(steps, f"deleted your {what}")
        else:
            self._cards.say("nothing was deleted")

    @action("comment.picture", "v", "Show picture of comment", asks=True)
    async def show_picture(self) -> None:
        from tui.dialogs.picture import PictureDialog

        both = self.need_both()
        if both is None:
            return
        task, comment = both
        if not comment.images:
            self._cards.say("there is no picture in this comment")
            return
        image: Image | None = comment.images[0]
        if len(comment.images) > 1:
            titles = [f"{one.title or 'picture'}  {one.size}" for one in comment.images]
            chosen = await self._choose("Which picture?", titles)
            image = None if chosen is None else comment.images[chosen]
        if image is not None:
            await self._cards.ask(PictureDialog(self._cards.context, task.id, image))

    @action("comment.link", "o", "Open link in comment", asks=True)
    async def open_link(self) -> None:
        comment = self._need_comment()
        if comment is None:
            return
        found = links(comment.text)
        if not found:
            self._cards.say("there is no link in this comment")
            return
        chosen = 0 if len(found) == 1 else await self._choose("Open which link?", found)
        if chosen is not None:
            open_link(self._cards.host, found[chosen])

    @action("comment.copy", "y", "Copy text of comment")
    def copy(self) -> None:
        if comment := self._need_comment():
            self._cards.host.app.copy_to_clipboard(comment.text)
            self._cards.say("copied the text of the comment")

    def _need_task(self) -> Task | None:
        tasks = self._cards.tasks
        if not tasks:
            self._cards.say("this task is no longer here", hint="{thread.back:esc} goes back")
            return None
        if why := self._cards.why_lacking(tasks[:1], Part.COMMENTS):
            self._cards.say(why)
            return None
        return tasks[0]

    def _need_comment(self) -> Comment | None:
        comment, tasks = self._current(), self._cards.tasks
        detail = self._cards.store.detail(tasks[0].id) if tasks else None
        if comment is None and (detail is None or detail.comments is None):
            self._cards.say(
                "the comments are not loaded yet",
                hint="{thread.refresh:R} loads them, {comment.new:c} writes one",
            )
        elif comment is None:
            self._cards.say("there is no comment here", hint="{comment.new:c} writes one")
        return comment

    def need_both(self) -> tuple[Task, Comment] | None:
        """The task and the comment; say what is missing."""
        task = self._need_task()
        comment = self._need_comment() if task is not None else None
        return None if task is None or comment is None else (task, comment)

    def _need_own(self, verb: str) -> tuple[Task, Comment] | None:
        both = self.need_both()
        author = both[1].author if both is not None else None
        if both is None or author is None or both[1].id < 0:
            return both
        mine = self._cards.me
        if self._cards.store.me.may_be_of(author) if mine is None else author.id == mine.id:
            return both
        self._cards.say(
            f"{author.name} wrote this, and only they can {verb} it",
            hint="{comment.reply:r} replies",
        )
        return None

    async def _go_to_written(self, writing: Awaitable[int | None]) -> None:
        written = await writing
        if written is not None:
            self._follow(written)

    async def _choose(self, title: str, labels: Sequence[str]) -> int | None:
        from tui.dialogs.questions import Choice, ChooseDialog

        letters = "123456789".ljust(len(labels))
        choices = [
            Choice(letter, label, str(index))
            for index, (letter, label) in enumerate(zip(letters, labels, strict=False))
        ]
        answer = await self._cards.ask(ChooseDialog(title, choices))
        return None if answer is None else int(answer)


def _what_goes(comment: Comment) -> str:
    lines = [f"“{cut(line(comment.text), _EXCERPT)}”", ""] if comment.text.strip() else []
    replies, pictures = len(comment.replies), len(comment.images)
    if replies:
        lines.append(
            "Its reply goes with it." if replies == 1 else f"Its {replies} replies go with it."
        )
    if pictures:
        lines.append(
            "Its picture goes too." if pictures == 1 else f"Its {pictures} pictures go too."
        )
    lines.append("Undoing it writes the text again, as a new comment.")
    return "\n".join(lines)
