"""Actions on the comment at the cursor: reply, quote, edit, delete, show pictures, open links.

Only the author can edit or delete a comment; for others the action names the author.
"""

from collections.abc import Sequence

from tui.actions.comments.context import CommentContext
from tui.actions.comments.writing import rewrite_comment, write_comment, write_reply
from tui.actions.links import open_link
from tui.actions.old import Action
from tui.model.comment import Comment, Image
from tui.model.comment_text import links
from tui.store import operations as change
from tui.text.cells import cut
from tui.text.clean import line

_EXCERPT = 50


class NewComment(Action[CommentContext]):
    """Opens the editor for a new comment."""

    id, keys, label, hint = "comment.new", "c", "Write comment", "comment"
    changes_board = asks = True

    async def run(self, on: CommentContext) -> None:
        if task := on.need_task():
            await on.go_to_written(write_comment(on.tasks, task))


class Reply(Action[CommentContext]):
    """Opens the editor for a reply to the comment."""

    id, keys, label, hint = "comment.reply", "r", "Reply to comment", "reply"
    changes_board = asks = True

    async def run(self, on: CommentContext) -> None:
        if both := on.need_both():
            await on.go_to_written(write_reply(on.tasks, *both))


class Quote(Action[CommentContext]):
    """Opens the editor for a reply that starts with the comment as a quotation."""

    id, keys, label, hint = "comment.quote", "Q", "Reply with quote", "quote"
    changes_board = asks = True

    async def run(self, on: CommentContext) -> None:
        from tui.text.markdown import quoted

        if both := on.need_both():
            text = both[1].text
            quote = f"{quoted(text)}\n\n" if text.strip() else ""
            await on.go_to_written(write_reply(on.tasks, *both, quote))


class EditComment(Action[CommentContext]):
    """Opens the user's own comment in the editor."""

    id, keys, label, hint = "comment.edit", "e", "Edit comment", "edit"
    changes_board = asks = True

    async def run(self, on: CommentContext) -> None:
        if own := on.need_own("edit"):
            await rewrite_comment(on.tasks, *own)


class DeleteComment(Action[CommentContext]):
    """Asks for confirmation, then deletes the user's own comment."""

    id, keys, label = "comment.delete", "D", "Delete comment"
    changes_board = asks = True

    async def run(self, on: CommentContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        own = on.need_own("delete")
        if own is None:
            return
        task, comment = own
        what = "reply" if comment.is_reply else "comment"
        if await on.ask(ConfirmDialog(f"Delete your {what}?", _what_goes(comment))):
            steps = [change.DeleteComment.on(task, comment)]
            await on.tasks.submit(steps, f"deleted your {what}")
        else:
            on.say("nothing was deleted")


class ShowPicture(Action[CommentContext]):
    """Shows a picture of the comment; asks which if there are several."""

    id, keys, label = "comment.picture", "v", "Show picture of comment"
    asks = True

    async def run(self, on: CommentContext) -> None:
        from tui.dialogs.picture import PictureDialog

        both = on.need_both()
        if both is None:
            return
        task, comment = both
        if not comment.images:
            on.say("there is no picture in this comment")
            return
        image: Image | None = comment.images[0]
        if len(comment.images) > 1:
            titles = [f"{one.title or 'picture'}  {one.size}" for one in comment.images]
            chosen = await _choose(on, "Which picture?", titles)
            image = None if chosen is None else comment.images[chosen]
        if image is not None:
            await on.ask(PictureDialog(on.tasks.context, task.id, image))


class OpenCommentLink(Action[CommentContext]):
    """Opens a link in the comment; asks for its number if there are several."""

    id, keys, label = "comment.link", "o", "Open link in comment"
    asks = True

    async def run(self, on: CommentContext) -> None:
        comment = on.need_comment()
        if comment is None:
            return
        found = links(comment.text)
        if not found:
            on.say("there is no link in this comment")
            return
        chosen = 0 if len(found) == 1 else await _choose(on, "Open which link?", found)
        if chosen is not None:
            open_link(on.tasks.host, found[chosen])


class CopyComment(Action[CommentContext]):
    """Copies the text of the comment."""

    id, keys, label = "comment.copy", "y", "Copy text of comment"

    async def run(self, on: CommentContext) -> None:
        if comment := on.need_comment():
            on.tasks.host.app.copy_to_clipboard(comment.text)
            on.say("copied the text of the comment")


COMMENT_ACTIONS: tuple[Action[CommentContext], ...] = (
    Reply(), Quote(), NewComment(), EditComment(), DeleteComment(), ShowPicture(),
    OpenCommentLink(), CopyComment(),
)  # fmt: skip


async def _choose(on: CommentContext, title: str, labels: Sequence[str]) -> int | None:
    """Ask for one of several things by its number; returns its index."""
    from tui.dialogs.choose import Choice, ChooseDialog

    letters = "123456789".ljust(len(labels))
    choices = [
        Choice(letter, label, str(index))
        for index, (letter, label) in enumerate(zip(letters, labels, strict=False))
    ]
    answer = await on.ask(ChooseDialog(title, choices))
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
