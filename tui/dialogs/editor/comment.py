"""The editor of a comment with its pictures.

A picture is validated and copied when it is attached, so it can be sent even if its file is deleted
later. Until the comment is submitted, pictures are part of the draft.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.worker import WorkType

from tui.config.drafts import DraftOfOne
from tui.context import Context
from tui.dialogs.editor.text import Speaking, TextEditor
from tui.errors import CallboardError
from tui.model.comment import CommentImage
from tui.model.picture_names import KeptPicture
from tui.model.task import Person
from tui.runtime.key_queue import await_worker
from tui.text import clean
from tui.text.keyed import keyed
from tui.widgets.bars import Bar
from tui.widgets.keys import hinted_keys
from tui.widgets.painted import Span

LONGEST = 64 * 1024
"""The most bytes that the service accepts in a comment (section 4.4)."""

Attached = CommentImage | KeptPicture
"""A picture of the comment: one that was submitted before, or a new one."""


class CommentEditor(TextEditor):
    """Asks for the text of a comment, over the lower half; `attached` are its pictures.

    `images` are the pictures that the comment has already; new ones are kept as a draft beside the
    text. `why_no_pictures` is the reason why none can be attached, empty if they can.
    """

    done = "send"
    BINDINGS: ClassVar[list[BindingType]] = hinted_keys(
        "comment",
        ("attach", "ctrl+o", "attach", "Attach pictures", "picture"),
        ("take-off", "ctrl+n", "take_off", "Remove last picture", ""),
        ("whole", "ctrl+l", "whole", "Whole screen or lower half", "whole screen"),
        priority=True,
    )

    def __init__(
        self,
        context: Context,
        people: Sequence[Person],
        title: str,
        text: str,
        *,
        draft: str,
        again: str,
        images: Sequence[CommentImage],
        why_no_pictures: str,
    ) -> None:
        drafts = context.drafts
        super().__init__(
            title, text, drafts=drafts, draft=draft, people=people, longest=LONGEST, again=again
        )
        self._store = context.store
        self._why_no_pictures = why_no_pictures
        self._pictures_draft = DraftOfOne(drafts, f"{draft}-pictures", "")
        self.attached: tuple[Attached, ...] = (*images, *self._draft_pictures())
        self._pictures = Bar()
        self._pictures.display = False

    def compose_below(self) -> Iterable[Widget]:
        yield self._pictures

    def on_mount(self) -> None:
        self._show_pictures()

    def result(self) -> str | None:
        text = super().result()
        if text is not None and not text.strip() and not self.attached:
            self.tell("nothing to send yet", hint="write something, or attach a picture")
            return None
        return text

    def hand_over(self, comment_id: int) -> None:
        """Mark the drafts as submitted to the store under a local comment id."""
        for draft in (self.draft, self._pictures_draft):
            draft.hand_over(comment_id)

    def forget(self) -> None:
        """Delete the drafts, once the store has accepted the comment."""
        for draft in (self.draft, self._pictures_draft):
            draft.forget()

    def action_attach(self) -> None:
        if self._why_no_pictures:
            self.tell(self._why_no_pictures)
            return
        attach: WorkType[None] = self._attach_chosen
        attaching = self.run_worker(attach, group="attach", exclusive=True)
        await_worker(self.app, self, attaching, may_cancel=lambda: False)

    async def _attach_chosen(self) -> None:
        from tui.dialogs.editor.attach import AttachDialog

        for path in await self.app.push_screen_wait(AttachDialog()) or ():
            try:
                picture = await self._store.keep_picture(path)
            except CallboardError as error:
                self.tell(error.message, hint=error.hint, error=True)
            else:
                self._set_attached((*self.attached, picture))

    def action_whole(self) -> None:
        self.toggle_class("-whole")

    def action_take_off(self) -> None:
        if self.attached:
            self._set_attached(self.attached[:-1])
        else:
            self.tell("no picture attached")

    def _set_attached(self, attached: tuple[Attached, ...]) -> None:
        self.tell_draft()
        self.attached = attached
        rows = [
            [picture.name, picture.content_type, picture.size, str(picture.path)]
            for picture in attached
            if isinstance(picture, KeptPicture)
        ]
        self._pictures_draft.keep(json.dumps(rows) if rows else "")
        self._show_pictures()

    def _draft_pictures(self) -> list[KeptPicture]:
        # A draft of another version, or one that is damaged, is as if there were none.
        with suppress(ValueError, TypeError):
            rows = json.loads(self._pictures_draft.text() or "[]")
            pictures = [KeptPicture(*row)._replace(path=Path(row[3])) for row in rows]
            return [picture for picture in pictures if picture.path.is_file()]
        return []

    def _show_pictures(self) -> None:
        spans: list[Span] = []
        for picture in self.attached:
            name = picture.name if isinstance(picture, KeptPicture) else picture.title
            spans.append((f" ▪ {clean.line(name) or 'picture'}", "strong"))
            spans.append((f" {picture.size} ", "quiet"))
        hint = keyed("{comment.take-off:ctrl+n} to remove the last ")
        self._pictures.say(tuple(spans), ((hint, "quiet"),))
        self._pictures.display = bool(spans)

    def report_draft(self, below: Speaking) -> None:
        if self._pictures_draft.text() is not None:
            below.say("draft saved with its pictures", hint=f"{self.again} to continue")
        else:
            super().report_draft(below)
