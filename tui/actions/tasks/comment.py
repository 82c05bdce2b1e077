"""Writing comments and replies, and editing the user's own.

A comment with its pictures is one undo step. The draft is kept until the store has accepted it.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING

from tui.actions.availability import missing
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.model.comment import Comment, Image
from tui.model.comment_text import named_in
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.runtime.key_queue import keys_held
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.editor.comment import Attached, CommentEditor


async def write_comment(cards: Cards, task: Task) -> int | None:
    """Edit and submit a new comment; returns its local id, None if it was not submitted."""
    title = f"Comment on {quoted(task.title)}"
    editor = _editor(cards, title, f"comment-{task.id}", again=keyed("{task.comment:c}"))
    text = await cards.ask(editor)
    return None if text is None else await _submit(cards, editor, task, text.strip())


async def write_reply(cards: Cards, task: Task, to: Comment, start: str = "") -> int | None:
    """Edit and submit a reply that begins with `start`; returns its local id or None."""
    draft, drafts = f"reply-{to.id}", cards.context.drafts
    begun = drafts.get(draft)
    if start and begun is not None and start.strip() not in begun:
        with suppress(OSError):
            drafts.keep(draft, f"{begun.rstrip()}\n\n{start}")
    title = f"Reply to {to.author.name if to.author else 'somebody'}"
    editor = _editor(cards, title, draft, start, again=keyed("{comment.reply:r}"))
    text = await cards.ask(editor)
    return None if text is None else await _submit(cards, editor, task, text.strip(), to)


async def rewrite_comment(cards: Cards, task: Task, comment: Comment) -> None:
    """Edit the user's own comment from its source, and submit it."""
    with keys_held(cards.host.app):
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
    if await cards.submit([*uploads, edit], "comment changed"):
        editor.forget()


async def _submit(
    cards: Cards, editor: "CommentEditor", task: Task, text: str, to: Comment | None = None
) -> int | None:
    images, uploads = _pictures(task, editor.attached)
    author, at = cards.me, cards.now().astimezone(UTC)
    mentions = named_in(text, cards.people)
    creation = change.CreateComment.new(
        task, text, to=to, author=author, at=at, mentions=mentions, images=images
    )
    message = f"{'commented on' if to is None else 'replied on'} {quoted(task.title)}"
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
    images: Sequence[Image] = (),
    *,
    again: str,
) -> "CommentEditor":
    from tui.dialogs.editor.comment import CommentEditor

    return CommentEditor(
        title,
        text,
        drafts=cards.context.drafts,
        draft=draft,
        keep=cards.store.keep_picture,
        people=cards.people,
        images=images,
        again=again,
        why_no_pictures=missing(cards.store, Feature.PICTURES) or "",
    )


def _pictures(task: Task, attached: "Sequence[Attached]") -> tuple[list[Image], list[Operation]]:
    images: list[Image] = []
    uploads: list[Operation] = []
    for picture in attached:
        if isinstance(picture, KeptPicture):
            upload = change.UploadImage.of(task, picture)
            uploads.append(upload)
            images.append(upload.image)
        else:
            images.append(picture)
    return images, uploads
