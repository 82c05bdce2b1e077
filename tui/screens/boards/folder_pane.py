"""The folders at the left of the list of boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from tui.text.cells import fit
from tui.widgets import glyphs
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, fitted


class FolderRow(NamedTuple):
    """A folder with the number of its boards, or what stands for all boards, or those in none."""

    id: int
    title: str
    boards: int


class FolderFace(NamedTuple):
    """A folder as it is drawn."""

    line: Line

    def lines(self) -> list[Line]:
        return [self.line]


class FolderPane(LineList[FolderRow], can_focus=True):
    """All boards, each folder, and those in no folder; the one at the cursor is shown."""

    ground = "card"

    BINDINGS: ClassVar[list[BindingType]] = [
        *list_keys("folders", "folder"),
        Binding(
            "enter",
            "screen.run('boards.boards-pane')",
            "boards",
            id="folders.leave",
            tooltip="Go to the boards",
        ),
    ]

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """Another folder is at the cursor."""

        folder_id: int

    def __init__(self) -> None:
        super().__init__()
        self.above = 1

    def lines_now(self, size: Size) -> list[Line]:
        return [fitted((("  Folders", "strong"),), size.width, "text"), *self.row_lines()]

    def show(self, rows: Sequence[FolderRow], chosen: int) -> None:
        self.rows = rows
        self.cursor = next((at for at, row in enumerate(rows) if row.id == chosen), 0)
        self.keep_in_sight()

    def face_of(self, row: int) -> FolderFace:
        folder, is_current = self.rows[row], self.is_current(row)
        is_lit = is_current and self.has_focus
        sign = glyphs.BAR if is_lit else glyphs.HERE if is_current else " "
        count, width = f" {folder.boards} ", max(1, self.drawn_size.width)
        title = fit(f"{sign} {folder.title}", max(1, width - len(count)))
        if is_lit:  # one style from edge to edge
            return FolderFace(((fit(f"{title}{count}", width), "cursor"),))
        line = ((title, "accent" if is_current else "text"), (count, "quiet"))
        return FolderFace(fitted(line, width, "text"))

    def go_to(self, row: int) -> None:
        super().go_to(row)
        if self.row is not None:
            self.post_message(self.Chosen(self.row.id))

    def watch_has_focus(self, has_focus: bool) -> None:
        # Textual's handlers, which change it, run after those of a subclass.
        super().watch_has_focus(has_focus)
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is not None:
            self.go_to(row)
