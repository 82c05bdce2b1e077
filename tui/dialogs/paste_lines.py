"""A dialog that creates many cards or subtasks from lines of text, with a preview.

On Esc the text is returned to the caller, who keeps it.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from tui.dialogs.base import Dialog
from tui.text.cells import cut
from tui.text.checklist import ChecklistLine
from tui.text.clean import counted
from tui.widgets import glyphs

SHOWN = 6
"""The most lines in the preview."""
_WIDTH = 80


class Pasted(NamedTuple):
    """The text, and whether it was submitted."""

    text: str
    is_taken: bool


class PasteLines(Dialog[Pasted]):
    """Asks for lines; `reading` parses the text, `thing` is the noun for one of the items."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "make", id="paste.take", tooltip="Add cards", priority=True),
    ]

    def __init__(
        self,
        title: str,
        text: str,
        reading: Callable[[str], Sequence[ChecklistLine]],
        thing: str,
    ) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._reading = reading
        self._thing = thing

    def compose(self) -> ComposeResult:
        """The text, the preview, and the keys."""
        frame = self.frame(
            self._title,
            TextArea(self._text, tab_behavior="focus", show_line_numbers=False, compact=True),
            Static(id="paste-preview", classes="dialog-text"),
            Static(
                Content("ctrl+s makes them   esc back, your text is kept"), classes="dialog-keys"
            ),
        )
        frame.add_class("-wide")
        yield frame

    def on_mount(self) -> None:
        """Put the cursor at the end of the text."""
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)
        self._show()

    def on_text_area_changed(self) -> None:
        """Update the preview."""
        self._show()

    def action_take(self) -> None:
        """Submit the text; say so if it has no items."""
        text = self.query_one(TextArea).text
        if self._reading(text):
            self.dismiss(Pasted(text, is_taken=True))
        else:
            words = f"there is nothing to make yet: type or paste a line for each {self._thing}"
            self.query_one("#paste-preview", Static).update(Content(words))

    def action_cancel(self) -> None:
        """Close and return the text to the caller, who keeps it."""
        self.dismiss(Pasted(self.query_one(TextArea).text, is_taken=False))

    def _show(self) -> None:
        """Update the preview."""
        lines = self._reading(self.query_one(TextArea).text)
        self.query_one("#paste-preview", Static).update(Content(preview(lines, self._thing)))


def preview(lines: Sequence[ChecklistLine], thing: str) -> str:
    """The preview: the first items and their number, or a hint if there are none."""
    if not lines:
        return f"a {thing} for each line; [x] before it makes one that is done"
    shown = [
        cut(f"{glyphs.DONE if line.is_done else glyphs.OPEN} {line.title}", _WIDTH)
        for line in lines[:SHOWN]
    ]
    if len(lines) > SHOWN:
        shown.append(f"… and {len(lines) - SHOWN} more")
    done = sum(line.is_done for line in lines)
    count = counted(len(lines), thing)
    return "\n".join([*shown, f"{count}, {done} of them done" if done else count])
