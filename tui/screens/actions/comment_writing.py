"""Writing comments: new ones, replies, and changes of one's own.

A comment with its pictures is one step; what was typed is kept as a draft until the store has it.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC

from tui.dialogs.editor.comment import Attached, CommentEditor
from tui.errors import CallboardError
from tui.model.comment import Comment, Image
from tui.model.comment_text import named_in
from tui.model.picture_names import KeptPicture
from tui.model.task import Person, Task
from tui.runtime.key_queue import keys_held
from tui.screens.actions.task_actions import TaskActions
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted


def me(screen: TaskActions) -> Person | None:
    """The person at the keys, as the board knows them; None where that is not known."""
    return screen.store.me.among(people(screen))


def people(screen: TaskActions) -> tuple[Person, ...]:
    """The people of the board, who can be mentioned."""
    return screen.view.people if screen.view else ()


async def write_comment(screen: TaskActions, task: Task) -> int | None:
    """Write a comment on a task; its id once the store has it."""
    title = f"Comment on {quoted(task.title)}"
    editor = _editor(screen, title, f"comment-{task.id}", again="c")
    text = await screen.app.push_screen_wait(editor)
    return None if text is None else await _send(screen, editor, task, text.strip())


async def write_reply(screen: TaskActions, task: Task, to: Comment, start: str = "") -> int | None:
    """Write a reply to a comment, beginning with a text; its id once the store has it."""
    draft, drafts = f"reply-{to.id}", screen.context.drafts
    kept = drafts.get(draft)
    if start and kept is not None and start.strip() not in kept:
        with suppress(OSError):
            drafts.keep(draft, f"{kept.rstrip()}\n\n{start}")
    title = f"Reply to {to.author.name if to.author else 'somebody'}"
    editor = _editor(screen, title, draft, start, again="r")
    text = await screen.app.push_screen_wait(editor)
    return None if text is None else await _send(screen, editor, task, text.strip(), to)


async def rewrite_comment(screen: TaskActions, task: Task, comment: Comment) -> None:
    """Change one's own comment, from the text that was typed."""
    try:
        with keys_held(screen.app):
            source = await screen.store.comment_source(task.id, comment.id) or comment.text
    except CallboardError as error:
        screen.say(error.message, hint=error.hint, error=True)
        return
    draft = f"edit-{comment.id}"
    editor = _editor(screen, "Edit your comment", draft, source, comment.images, again="e")
    text = await screen.app.push_screen_wait(editor)
    if text is None:
        return
    images, uploads = _pictures(task, editor.attached)
    if text == source and images == list(comment.images):
        editor.forget()
        screen.say("nothing was changed")
        return
    mentions = named_in(text, people(screen))
    edit = change.EditComment.on(task, comment, text, mentions=mentions, images=images)
    if await screen.submit([*uploads, edit], "comment changed"):
        editor.forget()


async def _send(
    screen: TaskActions, editor: CommentEditor, task: Task, text: str, to: Comment | None = None
) -> int | None:
    """Send a comment, or a reply, with its pictures; its id."""
    images, uploads = _pictures(task, editor.attached)
    author, at = me(screen), screen.context.now().astimezone(UTC)
    mentions = named_in(text, people(screen))
    made = change.CreateComment.new(
        task, text, to=to, author=author, at=at, mentions=mentions, images=images
    )
    said = f"{'commented on' if to is None else 'replied on'} {quoted(task.title)}"
    editor.hand_over(made.comment_id)
    if not await screen.submit([*uploads, made], said):
        return None
    editor.forget()
    return made.comment_id


def _editor(
    screen: TaskActions,
    title: str,
    draft: str,
    text: str = "",
    images: Sequence[Image] = (),
    *,
    again: str,
) -> CommentEditor:
    """The editor for a comment of this board's people."""
    return CommentEditor(
        title,
        text,
        drafts=screen.context.drafts,
        draft=draft,
        keep=screen.store.keep_picture,
        people=people(screen),
        images=images,
        again=again,
        why_no_pictures=screen.unavailable("comment.attach") or "",
    )


def _pictures(task: Task, attached: Sequence[Attached]) -> tuple[list[Image], list[Operation]]:
    """The pictures of a comment, and what uploads those that the service does not have."""
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
