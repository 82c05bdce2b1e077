"""Writing comments and replies, and editing and deleting the user's own."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING

from tui.actions.availability import missing
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.model.comment import Comment, CommentImage
from tui.model.comment_text import named_in
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.cells import cut
from tui.text.clean import line, quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.editor.comment import Attached, CommentEditor

_EXCERPT = 50
"""The cells of a comment that the question whether to delete it shows."""


async def write_comment(cards: Cards, task: Task) -> int | None:
    """Edit and submit a new comment; returns its local id, None if it was not submitted."""
    title = f"Comment on {quoted(task.title) if task.is_local else f'#{task.id}'}"
    editor = _editor(cards, title, f"comment-{task.id}", again=keyed("{task.comment:c}"))
    return await _write(cards, editor, task)


async def write_reply(cards: Cards, task: Task, to: Comment, start: str = "") -> int | None:
    """Edit and submit a reply that begins with `start`; returns its local id or None."""
    draft, drafts = f"reply-{to.id}", cards.context.drafts
    draft_text = drafts.get(draft)
    if start and draft_text is not None and start.strip() not in draft_text:
        # The editor opens the draft instead of `start`, so `start` is appended to it.
        with suppress(OSError):
            drafts.keep(draft, f"{draft_text.rstrip()}\n\n{start}")
    title = f"Reply to {to.author.name if to.author else 'someone'}"
    editor = _editor(cards, title, draft, start, again=keyed("{comment.reply:r}"))
    return await _write(cards, editor, task, to)


async def rewrite_comment(cards: Cards, task: Task, comment: Comment) -> None:
    """Edit the user's own comment from its source, and submit it."""
    source = await cards.store.comment_source(task.id, comment.id) or comment.text
    draft = f"edit-{comment.id}"
    editor = _editor(
        cards, "Edit your comment", draft, source, comment.images, again=keyed("{comment.edit:e}")
    )
    text = await cards.ask(editor)
    if text is None:
        return
    images, uploads = _pictures(task, editor.attached)
    if text == source and images == list(comment.images):
        editor.forget()
        cards.say("nothing was changed")
        return
    mentions = named_in(text, cards.people)
    edit = change.EditComment.on(task, comment, text, mentions=mentions, images=images)
    if await cards.submit([*uploads, edit], "updated your comment"):
        editor.forget()


async def delete_comment(cards: Cards, task: Task, comment: Comment) -> None:
    """Delete the user's own comment, if they confirm what goes with it."""
    from tui.dialogs.questions import ConfirmDialog

    noun = "reply" if comment.is_reply else "comment"
    lines = [f"“{cut(line(comment.text), _EXCERPT)}”", ""] if comment.text.strip() else []
    replies, pictures = len(comment.replies), len(comment.images)
    if replies:
        several = f"Its {replies} replies will be deleted too."
        lines.append("Its reply will be deleted too." if replies == 1 else several)
    if pictures:
        several = f"Its {pictures} pictures will be deleted too."
        lines.append("Its picture will be deleted too." if pictures == 1 else several)
    lines.append("Undo adds the text again, as a new comment.")
    if await cards.ask(ConfirmDialog(f"Delete your {noun}?", "\n".join(lines))):
        await cards.submit([change.DeleteComment.on(task, comment)], f"deleted your {noun}")
    else:
        cards.say("nothing was deleted")


async def _write(
    cards: Cards, editor: "CommentEditor", task: Task, to: Comment | None = None
) -> int | None:
    text = await cards.ask(editor)
    if text is None:
        return None
    images, uploads = _pictures(task, editor.attached)
    creation = change.CreateComment.new(
        task,
        text.strip(),
        to=to,
        author=cards.me,
        at=cards.now().astimezone(UTC),
        mentions=named_in(text.strip(), cards.people),
        images=images,
    )
    message = f"{'commented on' if to is None else 'replied on'} {quoted(task.title)}"
    # Before the submit: if the program is killed during it, a later start removes the draft of a
    # comment that was stored, so that it is not sent twice.
    editor.hand_over(creation.comment_id)
    if not await cards.submit([*uploads, creation], message):
        return None
    editor.forget()
    return creation.comment_id


def _editor(
    cards: Cards,
    title: str,
    draft: str,
    text: str = "",
    images: Sequence[CommentImage] = (),
    *,
    again: str,
) -> "CommentEditor":
    from tui.dialogs.editor.comment import CommentEditor

    return CommentEditor(
        cards.context,
        cards.people,
        title,
        text,
        draft=draft,
        again=again,
        images=images,
        why_no_pictures=missing(cards.store, Feature.PICTURES) or "",
    )


def _pictures(
    task: Task, attached: "Sequence[Attached]"
) -> tuple[list[CommentImage], list[Operation]]:
    images: list[CommentImage] = []
    uploads: list[Operation] = []
    for picture in attached:
        if isinstance(picture, KeptPicture):
            upload = change.UploadImage.of(task, picture)
            uploads.append(upload)
            images.append(upload.image)
        else:
            images.append(picture)
    return images, uploads
