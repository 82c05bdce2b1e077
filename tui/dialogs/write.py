"""Dialogs for a text of several lines, which goes back to the caller on Esc, too."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import TextArea

from tui.dialogs.base import Dialog, DialogMessage
from tui.text.cells import cut
from tui.text.checklist import ChecklistLine
from tui.text.clean import counted
from tui.widgets import glyphs

_MOST_SHOWN = 6
"""The most lines in the preview."""
_WIDTH = 80


class Written(NamedTuple):
    """The text, and whether it was submitted or is only to be kept."""

    text: str
    is_submitted: bool


class _Writing(Dialog[Written]):
    """A dialog with a text."""

    frame_class = "-wide"

    def __init__(self, title: str, draft: str, text: str = "") -> None:
        super().__init__(title, text)
        self.area = TextArea(draft, tab_behavior="focus", show_line_numbers=False, compact=True)

    def body(self) -> Iterable[Widget]:
        yield self.area

    def action_submit(self) -> None:
        self.dismiss(Written(self.area.text, is_submitted=True))

    def action_cancel(self) -> None:
        self.dismiss(Written(self.area.text, is_submitted=False))


class WriteDialog(_Writing):
    """Asks for a text, starting from `draft`; `text` explains what for."""

    keys_text = "{write.send:ctrl+s} send   {dialog.cancel:esc} back (keeps your text)"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "send", id="write.send", tooltip="Send", priority=True),
    ]


class PasteLines(_Writing):
    """Creates cards or subtasks from lines, with a preview.

    `reading` parses the text, `thing` is the noun for one of the items.
    """

    keys_text = "{paste.take:ctrl+s} add   {dialog.cancel:esc} back (keeps your text)"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "add", id="paste.take", tooltip="Add cards", priority=True),
    ]

    def __init__(
        self,
        title: str,
        draft: str,
        reading: Callable[[str], Sequence[ChecklistLine]],
        thing: str,
    ) -> None:
        super().__init__(title, draft)
        self._reading = reading
        self._thing = thing
        self._preview = DialogMessage(classes="dialog-text")

    def body(self) -> Iterable[Widget]:
        return self.area, self._preview

    def on_mount(self) -> None:
        self.area.move_cursor(self.area.document.end)
        self.on_text_area_changed()

    def on_text_area_changed(self) -> None:
        self._preview.show(preview(self._reading(self.area.text), self._thing))

    def action_submit(self) -> None:
        if self._reading(self.area.text):
            super().action_submit()
        else:
            nothing = "nothing to add yet: type or paste one line per"
            self._preview.show(f"{nothing} {self._thing}")


def preview(lines: Sequence[ChecklistLine], thing: str) -> str:
    """The first items and their number, or a hint if there are none."""
    if not lines:
        return f"one {thing} per line; start a line with [x] if it is done"
    shown = [
        cut(f"{glyphs.DONE if line.is_done else glyphs.OPEN} {line.title}", _WIDTH)
        for line in lines[:_MOST_SHOWN]
    ]
    if len(lines) > _MOST_SHOWN:
        shown.append(f"… and {len(lines) - _MOST_SHOWN} more")
    done = sum(line.is_done for line in lines)
    count = counted(len(lines), thing)
    return "\n".join([*shown, f"{count}, {done} of them done" if done else count])
