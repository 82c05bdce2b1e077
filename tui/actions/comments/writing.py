"""Writing comments and replies, editing the user's own, and the actions on tasks that do so.

A comment with its pictures is one undo step. The draft is kept until the store has accepted it.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING

from tui.actions.availability import missing
from tui.actions.host import ErrorsSaid
from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext
from tui.client.capabilities import Feature
from tui.model.comment import Comment, Image
from tui.model.comment_text import named_in
from tui.model.detail import Part
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.navigation import ThreadRequested
from tui.runtime.key_queue import keys_held
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.editor.comment import Attached, CommentEditor


class CommentOn(Action[TaskContext]):
    """Opens the editor for a comment on the first selected task."""

    id, keys, label = "task.comment", "c", "Write comment"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()[:1]
        if why := on.why_lacking(tasks, Part.COMMENTS):
            on.say(why)
        elif tasks:
            await write_comment(on, tasks[0])


class OpenThread(Action[TaskContext]):
    """Opens the comments of the first selected task."""

    id, keys, label = "task.thread", "T", "Open comments"

    async def run(self, on: TaskContext) -> None:
        if tasks := on.need_tasks():
            on.host.post_message(ThreadRequested(on.board_id, tasks[0].id))


async def write_comment(on: TaskContext, task: Task) -> int | None:
    """Edit and submit a new comment; returns its local id, None if it was not submitted."""
    title = f"Comment on {quoted(task.title)}"
    editor = _editor(on, title, f"comment-{task.id}", again=keyed("{task.comment:c}"))
    text = await on.ask(editor)
    return None if text is None else await _submit(on, editor, task, text.strip())


async def write_reply(on: TaskContext, task: Task, to: Comment, start: str = "") -> int | None:
    """Edit and submit a reply that begins with `start`; returns its local id or None."""
    draft, drafts = f"reply-{to.id}", on.context.drafts
    kept = drafts.get(draft)
    if start and kept is not None and start.strip() not in kept:
        with suppress(OSError):
            drafts.keep(draft, f"{kept.rstrip()}\n\n{start}")
    title = f"Reply to {to.author.name if to.author else 'somebody'}"
    editor = _editor(on, title, draft, start, again=keyed("{comment.reply:r}"))
    text = await on.ask(editor)
    return None if text is None else await _submit(on, editor, task, text.strip(), to)


async def rewrite_comment(on: TaskContext, task: Task, comment: Comment) -> None:
    """Edit the user's own comment from its source, and submit it."""
    source = None
    with ErrorsSaid(on.host), keys_held(on.host.app):
        source = await on.store.comment_source(task.id, comment.id) or comment.text
    if source is None:
        return
    draft = f"edit-{comment.id}"
    editor = _editor(
        on, "Edit your comment", draft, source, comment.images, again=keyed("{comment.edit:e}")
    )
    text = await on.ask(editor)
    if text is None:
        return
    images, uploads = _pictures(task, editor.attached)
    if text == source and images == list(comment.images):
        editor.forget()
        on.say("nothing was changed")
        return
    mentions = named_in(text, on.people)
    edit = change.EditComment.on(task, comment, text, mentions=mentions, images=images)
    if await on.submit([*uploads, edit], "comment changed"):
        editor.forget()


async def _submit(
    on: TaskContext, editor: "CommentEditor", task: Task, text: str, to: Comment | None = None
) -> int | None:
    """Submit a comment, or a reply to `to`, with its pictures; returns its local id or None."""
    images, uploads = _pictures(task, editor.attached)
    author, at = on.me, on.now().astimezone(UTC)
    mentions = named_in(text, on.people)
    made = change.CreateComment.new(
        task, text, to=to, author=author, at=at, mentions=mentions, images=images
    )
    said = f"{'commented on' if to is None else 'replied on'} {quoted(task.title)}"
    editor.hand_over(made.comment_id)
    if not await on.submit([*uploads, made], said):
        return None
    editor.forget()
    return made.comment_id


def _editor(
    on: TaskContext,
    title: str,
    draft: str,
    text: str = "",
    images: Sequence[Image] = (),
    *,
    again: str,
) -> "CommentEditor":
    """A comment editor that offers the members of the board."""
    from tui.dialogs.editor.comment import CommentEditor

    return CommentEditor(
        title,
        text,
        drafts=on.context.drafts,
        draft=draft,
        keep=on.store.keep_picture,
        people=on.people,
        images=images,
        again=again,
        why_no_pictures=missing(on.store, Feature.PICTURES) or "",
    )


def _pictures(task: Task, attached: "Sequence[Attached]") -> tuple[list[Image], list[Operation]]:
    """The pictures of a comment, and the operations that upload the new ones."""
    images: list[Image] = []
    uploads: list[Operation] = []
    for one in attached:
        if isinstance(one, KeptPicture):
            upload = change.UploadImage.of(task, one)
            uploads.append(upload)
            images.append(upload.image)
        else:
            images.append(one)
    return images, uploads
