"""The actions on the comment at the cursor: reply, quote, edit, delete, pictures, links.

Only the author can edit or delete a comment; for others the action names the author.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING

from tui.actions.action import action, board_action
from tui.actions.availability import missing
from tui.actions.links import open_link
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.model.comment import Comment, Image
from tui.model.comment_text import links, named_in
from tui.model.detail import Part
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.runtime.key_queue import keys_held
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.cells import cut
from tui.text.clean import line, quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.editor.comment import Attached, CommentEditor

_EXCERPT = 50


class CommentActions:
    """A comment of the chosen task.

    The screen supplies callbacks: `current` returns the comment at the cursor, `follow` moves the
    cursor to the comment with an id, if one was written.
    """

    def __init__(
        self,
        cards: Cards,
        current: Callable[[], Comment | None],
        follow: Callable[[int | None], None],
    ) -> None:
        self._cards = cards
        self._current = current
        self._follow = follow

    @board_action("comment.reply", "r", "Reply to comment", hint="reply", asks=True)
    async def reply(self) -> None:
        if both := self.need_both():
            self._follow(await write_reply(self._cards, *both))

    @board_action("comment.quote", "Q", "Reply with quote", hint="quote", asks=True)
    async def quote(self) -> None:
        from tui.text.markdown import quoted

        if both := self.need_both():
            text = both[1].text
            quote = f"{quoted(text)}\n\n" if text.strip() else ""
            self._follow(await write_reply(self._cards, *both, quote))

    @board_action("comment.new", "c", "Write comment", hint="comment", asks=True)
    async def write(self) -> None:
        if task := self._need_task():
            self._follow(await write_comment(self._cards, task))

    @board_action("comment.edit", "e", "Edit comment", hint="edit", asks=True)
    async def edit(self) -> None:
        if own := self._need_own("edit"):
            await rewrite_comment(self._cards, *own)

    @board_action("comment.delete", "D", "Delete comment", asks=True)
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
            titles = [f"{each.title or 'picture'}  {each.size}" for each in comment.images]
            chosen = await self._choose("Which picture?", titles)
            image = None if chosen is None else comment.images[chosen]
        if image is not None:
            await self._cards.ask(PictureDialog(self._cards.context, task.id, image))

    @action("comment.link", "o", "Open link in comment", asks=True)
    async def open_link(self) -> None:
        comment = self._need_comment()
        if comment is None:
            return
        urls = links(comment.text)
        if not urls:
            self._cards.say("there is no link in this comment")
            return
        chosen = 0 if len(urls) == 1 else await self._choose("Open which link?", urls)
        if chosen is not None:
            open_link(self._cards.host, urls[chosen])

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

    async def _choose(self, title: str, labels: Sequence[str]) -> int | None:
        from tui.dialogs.questions import Choice, ChooseDialog

        choices = [
            Choice("123456789"[index : index + 1], label, str(index))
            for index, label in enumerate(labels)
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


async def write_comment(cards: Cards, task: Task) -> int | None:
    """Edit and submit a new comment; returns its local id, None if it was not submitted."""
    title = f"Comment on {quoted(task.title)}"
    editor = _editor(cards, title, f"comment-{task.id}", again=keyed("{task.comment:c}"))
    return await _write(cards, editor, task)


async def write_reply(cards: Cards, task: Task, to: Comment, start: str = "") -> int | None:
    """Edit and submit a reply that begins with `start`; returns its local id or None."""
    draft, drafts = f"reply-{to.id}", cards.context.drafts
    begun = drafts.get(draft)
    if start and begun is not None and start.strip() not in begun:
        with suppress(OSError):
            drafts.keep(draft, f"{begun.rstrip()}\n\n{start}")
    title = f"Reply to {to.author.name if to.author else 'somebody'}"
    editor = _editor(cards, title, draft, start, again=keyed("{comment.reply:r}"))
    return await _write(cards, editor, task, to)


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
        cards.context,
        cards.people,
        title,
        text,
        draft=draft,
        again=again,
        images=images,
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
