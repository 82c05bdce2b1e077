"""The fields of a task, one below the other, with a cursor on one of them.

The rule it keeps: it is told what it shows and posts what a person wants to change; the cursor
stays on its field when fields come and go; only lines that differ are drawn again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from tui.model.fields.row import FieldRow
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted
from tui.widgets.task.field_lines import label_width, row_lines

_LEAST_WIDTH = 12


class FieldList(Painted, can_focus=True):
    """The rows of a task's fields."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "edit", id="field.edit", tooltip="Change the field at the cursor"),
        *[
            Binding(keys, action, label, id=f"field.{name}", show=False, tooltip=tooltip)
            for keys, action, label, name, tooltip in (
                ("j,down", "move(1)", "Next", "next", "The next field"),
                ("k,up", "move(-1)", "Before", "before", "The field before"),
                ("g g,home", "go_to(0)", "First", "first", "The first field"),
                ("G,end", "go_to(-1)", "Last", "last", "The last field"),
                ("ctrl+d,pagedown", "page(1)", "Page down", "page-down", "Half a page down"),
                ("ctrl+u,pageup", "page(-1)", "Page up", "page-up", "Half a page up"),
            )
        ],
    ]

    @dataclass(eq=False, repr=False)
    class EditRequested(Message):
        """The user wants to change a field."""

        row: FieldRow

    def __init__(self) -> None:
        super().__init__()
        self.cursor = 0
        self.top = 0
        self._rows: tuple[FieldRow, ...] = ()
        self._now: datetime | None = None
        self._lines: list[tuple[int, Line]] = []
        self._drawn_for = Size(0, 0)
        self._shown: list[Line] = []

    @property
    def rows(self) -> tuple[FieldRow, ...]:
        """The rows that are shown."""
        return self._rows

    @property
    def current(self) -> FieldRow | None:
        """The row at the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def show(self, rows: Sequence[FieldRow], now: datetime) -> None:
        """Show these rows as they are at a wall-clock time; the cursor stays on its field."""
        key = self.current.key if self.current else None
        before = len(self._lines)
        self._rows, self._now = tuple(rows), now
        keys = [row.key for row in self._rows]
        self.cursor = keys.index(key) if key in keys else min(self.cursor, max(0, len(keys) - 1))
        self._draw()
        if len(self._lines) != before:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as all rows take."""
        del container, viewport
        return len(self._all_lines(width))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self._drawn_for != self.size:
            self._draw()
        return self.strip(self._shown[y]) if y < len(self._shown) else Strip.blank(self.size.width)

    def on_resize(self) -> None:
        """Keep the cursor in sight when there is less room."""
        self._draw()

    def on_focus(self) -> None:
        """Show the cursor."""
        self._draw()

    def on_blur(self) -> None:
        """Show no cursor."""
        self._draw()

    def action_move(self, by: int) -> None:
        """Move the cursor by rows."""
        self.action_go_to(max(0, min(self.cursor + by, len(self._rows) - 1)))

    def action_go_to(self, row: int) -> None:
        """Put the cursor on a row; negative ones count from the end."""
        self.cursor = row % len(self._rows) if self._rows else 0
        self._draw()

    def action_page(self, direction: int) -> None:
        """Move by half of what is in sight."""
        self.action_move(direction * max(1, self.size.height // 2))

    def action_edit(self) -> None:
        """Ask for the row at the cursor to be changed."""
        if self.current is not None:
            self.post_message(self.EditRequested(self.current))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a row; a second click changes it."""
        row = self._row_at(event.y)
        if row is None:
            return
        event.stop()
        self.action_go_to(row)
        if event.chain > 1:
            self.action_edit()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll, as far as there is something."""
        event.stop()
        self._have_at_top(self.top + 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll back."""
        event.stop()
        self._have_at_top(self.top - 1)

    def _row_at(self, y: int) -> int | None:
        """The row that is drawn at a line of this widget."""
        line = self.top + y
        return self._lines[line][0] if line < len(self._lines) else None

    def _all_lines(self, width: int) -> list[tuple[int, Line]]:
        """Every line of every row, with the number of its row."""
        if width < _LEAST_WIDTH or self._now is None:
            return []
        labels, cursor = label_width(self._rows, width), self.cursor if self.has_focus else None
        return [
            (number, line)
            for number, row in enumerate(self._rows)
            for line in row_lines(row, width, labels, self._now, is_current=number == cursor)
        ]

    def _draw(self) -> None:
        """Draw what is in sight, with the cursor in it, and refresh what that changes."""
        self._drawn_for = self.size
        width, height = self.size
        self._lines = self._all_lines(width)
        if len(self._lines) > height:
            self._lines = self._all_lines(width - 1)
        own = [place for place, (number, _) in enumerate(self._lines) if number == self.cursor]
        top = self.top
        if own and self.has_focus:
            top = max(top, own[-1] - height + 1)
            top = min(top, own[0])
        self._have_at_top(top)

    def _have_at_top(self, top: int) -> None:
        """Have a line at the top, as far as there are lines, and refresh what that changes."""
        width, height = self.size
        self.top = max(0, min(top, len(self._lines) - height))
        lines = [line for _, line in self._lines[self.top : self.top + height]]
        if len(self._lines) > height:
            lines = [(*line, self._thumb(y)) for y, line in enumerate(lines)]
        before, self._shown = self._shown, lines
        if len(before) != len(lines):
            self.refresh()
            return
        pairs = enumerate(zip(before, lines, strict=True))
        changed = [Region(0, y, width, 1) for y, (old, new) in pairs if old != new]
        if changed:
            self.refresh(*changed)

    def _thumb(self, y: int) -> tuple[str, str]:
        """The cell at the right of a line that says which part of the list is in sight."""
        height, total = self.size.height, len(self._lines)
        length = max(1, height * height // total)
        start = self.top * (height - length) // max(1, total - height)
        return ("┃" if start <= y < start + length else glyphs.FRAME.down), "frame"
