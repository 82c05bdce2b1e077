"""Many cards or subtasks at once, from the lines of a text that is typed or pasted.

What will be made is shown while one types. What was typed is handed back on Esc.
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
"""How many of the lines are shown as they will be."""
_WIDTH = 80


class Pasted(NamedTuple):
    """The text, and whether its lines are to be made."""

    text: str
    is_taken: bool


class PasteLines(Dialog[Pasted]):
    """Asks for lines; `reading` tells what a text makes, `thing` what one of them is called."""

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
        """The text, what it makes, and the keys."""
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
        """Start typing, behind what was kept."""
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)
        self._show()

    def on_text_area_changed(self) -> None:
        """Show what the text makes so far."""
        self._show()

    def action_take(self) -> None:
        """Answer with the text, if it makes anything; if not, that is said."""
        text = self.query_one(TextArea).text
        if self._reading(text):
            self.dismiss(Pasted(text, is_taken=True))
        else:
            words = f"there is nothing to make yet: type or paste a line for each {self._thing}"
            self.query_one("#paste-preview", Static).update(Content(words))

    def action_cancel(self) -> None:
        """Close; the caller keeps the text."""
        self.dismiss(Pasted(self.query_one(TextArea).text, is_taken=False))

    def _show(self) -> None:
        """What the text makes."""
        lines = self._reading(self.query_one(TextArea).text)
        self.query_one("#paste-preview", Static).update(Content(preview(lines, self._thing)))


def preview(lines: Sequence[ChecklistLine], thing: str) -> str:
    """The first of the things that will be made, and how many there are."""
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
