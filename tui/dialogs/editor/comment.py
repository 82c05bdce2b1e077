"""The editor of a comment with its pictures.

A picture is validated and copied when it is attached, so it can be sent even if its file is deleted
later. Until the comment is submitted, pictures are part of the draft.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from tui.config.drafts import Drafts
from tui.dialogs.editor.text import Speaking, TextEditor
from tui.errors import CallboardError
from tui.model.comment import Image
from tui.model.picture_names import KeptPicture
from tui.model.task import Person
from tui.runtime.key_queue import keys_held
from tui.text import clean
from tui.text.keyed import keyed
from tui.widgets.bars import Bar
from tui.widgets.painted import Span

LONGEST = 64 * 1024
"""The most bytes that the service accepts in a comment (section 4.4)."""

Attached = Image | KeptPicture
"""A picture of the comment: one that was submitted before, or a new one."""

Keep = Callable[[Path], Awaitable[KeptPicture]]
"""Copies a picture for upload; raises `CallboardError` if it cannot be sent."""


class CommentEditor(TextEditor):
    """Asks for the text of a comment; `attached` are its pictures.

    `images` are the pictures that the comment has already; new ones are kept as a draft beside the
    text. `why_no_pictures` is the reason why none can be attached, empty if they can.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+o", "attach", "picture", id="comment.attach", priority=True,
            tooltip="Attach pictures",
        ),
        Binding(
            "ctrl+l", "take_off", "remove", id="comment.take-off", show=False, priority=True,
            tooltip="Remove last picture",
        ),
    ]  # fmt: skip

    def __init__(
        self,
        title: str,
        text: str,
        *,
        drafts: Drafts,
        draft: str,
        keep: Keep,
        people: Sequence[Person] = (),
        images: Sequence[Image] = (),
        again: str = "",
        why_no_pictures: str = "",
    ) -> None:
        super().__init__(
            title, text, drafts=drafts, draft=draft, people=people, longest=LONGEST, again=again
        )
        self._keep_picture = keep
        self._why_no_pictures = why_no_pictures
        self._pictures_draft = f"{draft}-pictures"
        self.attached: tuple[Attached, ...] = (*images, *self._draft_pictures())
        self._shown = Bar()

    def compose_below(self) -> Iterable[Widget]:
        self._shown.display = False
        yield self._shown

    def on_mount(self) -> None:
        self._show_pictures()

    def result(self) -> str | None:
        """The text; None, after saying why, if there is neither text nor picture."""
        text = super().result()
        if text is not None and not text.strip() and not self.attached:
            self.tell("there is nothing to send yet", hint="write something, or attach a picture")
            return None
        return text

    def hand_over(self, comment_id: int) -> None:
        """Mark the drafts as submitted to the store under a local comment id."""
        for key in (self._draft, self._pictures_draft):
            self._drafts.hand_over(key, comment_id)

    def forget(self) -> None:
        """Delete the drafts, once the store has accepted the comment."""
        self._drafts.forget(self._draft)
        self._drafts.forget(self._pictures_draft)

    @work(exclusive=True, group="attach")
    async def action_attach(self) -> None:
        """Ask for pictures, and validate and copy them."""
        from tui.dialogs.editor.attach import AttachDialog

        if self._why_no_pictures:
            self.tell(self._why_no_pictures)
            return
        paths = await self.app.push_screen_wait(AttachDialog()) or ()
        with keys_held(self.app):
            for path in paths:
                try:
                    kept = await self._keep_picture(path)
                except CallboardError as error:
                    self.tell(error.message, hint=error.hint, error=True)
                else:
                    self._set_attached((*self.attached, kept))

    def action_take_off(self) -> None:
        if self.attached:
            self._set_attached(self.attached[:-1])
        else:
            self.tell("no picture is attached")

    def _set_attached(self, attached: tuple[Attached, ...]) -> None:
        """Set the pictures, and update their draft."""
        self._tell_draft()
        self.attached = attached
        new = [one for one in attached if isinstance(one, KeptPicture)]
        self._drafts.forget(self._pictures_draft)
        if new:
            with suppress(OSError):
                rows = [[one.name, one.content_type, one.size, str(one.path)] for one in new]
                self._drafts.keep(self._pictures_draft, json.dumps(rows))
        self._show_pictures()

    def _draft_pictures(self) -> list[KeptPicture]:
        """The pictures of the draft whose files still exist."""
        kept = self._drafts.get(self._pictures_draft)
        if kept is None:
            return []
        with suppress(ValueError, TypeError):
            rows = [(*row[:3], Path(row[3])) for row in json.loads(kept)]
            return [KeptPicture(*row) for row in rows if row[3].is_file()]
        return []

    def _show_pictures(self) -> None:
        """Update the line that lists the pictures; hide it if there are none."""
        line: list[Span] = []
        for one in self.attached:
            name = one.name if isinstance(one, KeptPicture) else one.title
            line += [(f" ▪ {clean.line(name) or 'picture'}", "name"), (f" {one.size} ", "quiet")]
        hint = keyed("{comment.take-off:ctrl+l} removes the last ")
        self._shown.say(tuple(line), ((hint, "quiet"),))
        self._shown.display = bool(line)

    def _report_draft(self, beneath: Speaking) -> None:
        """Tell the screen below whether a draft with pictures was kept."""
        if self._drafts.get(self._pictures_draft) is not None:
            beneath.say("draft kept with its pictures", hint=f"{self._again} goes on")
        else:
            super()._report_draft(beneath)
