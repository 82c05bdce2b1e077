"""A line of tabs: the sections of a screen with their numbers; one of them is active.

The active tab has a sign as well as a colour. If the line is too long, first the notes and then the
names of inactive tabs are left out; the numbers stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip

from tui.text.cells import cut
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted, line_width

GAP = "  "


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: the name of a section and a short note, such as a count."""

    name: str
    note: str = ""


class TabLine(Painted):
    """Shows the tabs and posts which one was clicked."""

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """The user clicked a tab; the first is 0."""

        index: int

    def __init__(self) -> None:
        super().__init__()
        self._tabs: tuple[Tab, ...] = ()
        self._current = 0

    @property
    def words(self) -> str:
        """The text of the line without styles."""
        return "".join(text for piece in self._pieces() for text, _ in piece)

    def show(self, tabs: Sequence[Tab], current: int) -> None:
        """Show these tabs, with `current` as the active one; redraw if anything changed."""
        if (tuple(tabs), current) != (self._tabs, self._current):
            self._tabs, self._current = tuple(tabs), current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        line = [span for piece in self._pieces() for span in piece]
        used = line_width(line)
        return self.strip((*line, (" " * max(0, self.size.width - used), "said")))

    def on_click(self, event: events.Click) -> None:
        end = 0
        for index, piece in enumerate(self._pieces()):
            end += line_width(piece)
            if event.x < end:
                self.post_message(self.Chosen(index))
                return

    def _pieces(self) -> list[Line]:
        for has_notes, has_names in ((True, True), (False, True), (False, False)):
            pieces = [
                self._piece(index, has_notes=has_notes, has_names=has_names)
                for index in range(len(self._tabs))
            ]
            if sum(map(line_width, pieces)) <= self.size.width:
                break
        return pieces if self._tabs else []

    def _piece(self, index: int, *, has_notes: bool, has_names: bool) -> Line:
        tab, is_active = self._tabs[index], index == self._current
        sign = glyphs.HERE if is_active else " "
        name = f" {tab.name}" if has_names or is_active else ""
        note = f" {tab.note}" if tab.note and (has_notes or is_active) else ""
        room = max(0, self.size.width - 2)
        return (
            (f"{sign}{index + 1}", "key"),
            (cut(name, room), "name" if is_active else "quiet"),
            (f"{note}{GAP}", "quiet"),
        )
