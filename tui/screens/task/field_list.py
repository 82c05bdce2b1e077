"""The fields of a task, one below the other, with a cursor on one of them.

Empty fields are folded into a line below the others. The cursor stays on its field when fields come
and go. Every line is exactly as wide as the widget, in cells; a long value takes a few lines and is
cut at the end of the last one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from tui.model.detail import RowKey
from tui.model.fields.rows import GLUE, FieldRow, Piece
from tui.text.cells import ELLIPSIS, cut, fit, pad, split, width as cell_width
from tui.widgets import glyphs
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, Span

MOST_LINES = 3
"""So many lines a value takes at most."""

_LEAST_WIDTH = 12
_LABEL_MOST, _LABEL_LEAST = 22, 6
_SIGNS = 2
"""The cells between label and value: the sign of a change on its way, and a blank."""

_WORDS = re.compile(r"[^ \t\n]+")
_CHARACTERS_LOOKED_AT = 4_000

Word = tuple[Span, ...]
"""Spans that are not parted, if there is room for them."""


class Fold(NamedTuple):
    """The line for the empty fields: how many, and whether they are listed below it."""

    empty: int
    is_open: bool
    key: None = None


Entry = FieldRow | Fold


class FieldList(LineList, can_focus=True):
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
        self._entries: tuple[Entry, ...] = ()
        self._kept: set[RowKey] = set()
        """Fields that were seen with a value: they keep their places when they lose it."""
        self._is_unfolded = False
        self._now: datetime | None = None
        self._row_lines: list[tuple[int, Line]] = []
        self._laid_out_for = Size(0, 0)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is listed: the fields that are set, then the empty ones or only their number."""
        return self._entries

    @property
    def current(self) -> Entry | None:
        """What the cursor is on."""
        return self._entries[self.cursor] if self._entries else None

    def begin(self) -> None:
        """Show another task from now on: which of its fields had values is not known."""
        self._rows = ()
        self._kept.clear()

    def show(self, rows: Sequence[FieldRow], now: datetime) -> None:
        """Show these rows as they are at a wall-clock time.

        The cursor stays on its field, or goes to one to which the person has just given a value.
        """
        had_none = {row.key for row in self._rows if not row.is_set}
        given = [row for row in rows if row.is_set and row.is_pending and row.key in had_none]
        here = given[0] if given else self.current
        self._rows, self._now = tuple(rows), now
        self._kept.update(row.key for row in rows if row.is_set)
        self._arrange(here)

    def turn_fold(self) -> bool:
        """List the empty fields, with the cursor above them, or only their number.

        Whether there are any.
        """
        fold = next((entry for entry in self._entries if isinstance(entry, Fold)), None)
        if fold is None:
            return False
        self._is_unfolded = not self._is_unfolded
        self._arrange(fold if self._is_unfolded else self.current)
        return True

    def _arrange(self, here: Entry | None) -> None:
        """List what is to be listed, with the cursor where it was, or on the fold."""
        empty = [row for row in self._rows if row.is_empty and row.key not in self._kept]
        listed = [row for row in self._rows if row not in empty]
        fold = [Fold(len(empty), self._is_unfolded)] if empty else []
        self._entries = (*listed, *fold, *(empty if self._is_unfolded else ()))
        keys = [entry.key for entry in self._entries]
        last = min(self.cursor, max(0, len(keys) - 1))
        self.cursor = keys.index(here.key) if here and here.key in keys else last
        before = len(self._row_lines)
        self._draw()
        if len(self._row_lines) != before:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as all rows take."""
        del container, viewport
        return len(self._all_lines(width))

    def lines_now(self, size: Size) -> list[Line]:
        if self._laid_out_for != size:
            self._lay_out(size)
        lines = [line for _, line in self._row_lines[self.top : self.top + size.height]]
        if len(self._row_lines) <= size.height:
            return lines
        return [(*line, self._thumb(y)) for y, line in enumerate(lines)]

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
        self.action_go_to(max(0, min(self.cursor + by, len(self._entries) - 1)))

    def action_go_to(self, row: int) -> None:
        """Put the cursor on a row; negative ones count from the end."""
        self.cursor = row % len(self._entries) if self._entries else 0
        self._draw()

    def action_page(self, direction: int) -> None:
        """Move by half of what is in sight."""
        self.action_move(direction * max(1, self.size.height // 2))

    def action_edit(self) -> None:
        """Ask for the row at the cursor to be changed, or list the empty ones."""
        if isinstance(self.current, Fold):
            self.turn_fold()
        elif self.current is not None:
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
        return self._row_lines[line][0] if line < len(self._row_lines) else None

    def _all_lines(self, width: int) -> list[tuple[int, Line]]:
        """Every line of every row, with the number of its row."""
        if width < _LEAST_WIDTH or self._now is None:
            return []
        labels, cursor = label_width(self._rows, width), self.cursor if self.has_focus else None
        lines: list[tuple[int, Line]] = []
        for number, entry in enumerate(self._entries):
            here = number == cursor
            if isinstance(entry, Fold):
                lines.append((number, fold_line(entry, width, is_current=here)))
                continue
            of_row = row_lines(entry, width, labels, self._now, is_current=here)
            lines += [(number, line) for line in of_row]
        return lines

    def _draw(self) -> None:
        """Lay out what is to be seen, and draw what that changes."""
        self._lay_out(self.size)
        self.redraw()

    def _lay_out(self, size: Size) -> None:
        """Lay out all rows, with the one at the cursor in sight, or all below the open fold."""
        self._laid_out_for = size
        width, height = size
        self._row_lines = self._all_lines(width)
        if len(self._row_lines) > height:
            self._row_lines = self._all_lines(width - 1)
        is_open = isinstance(self.current, Fold) and self.current.is_open
        own = [
            place
            for place, (number, _) in enumerate(self._row_lines)
            if number == self.cursor or (is_open and number > self.cursor)
        ]
        if own and (self.has_focus or is_open):
            self.top = min(max(self.top, own[-1] - height + 1), own[0])
        self.top = max(0, min(self.top, len(self._row_lines) - height))

    def _have_at_top(self, top: int) -> None:
        """Have a line at the top, as far as there are lines."""
        self.top = max(0, min(top, len(self._row_lines) - self.size.height))
        self.redraw()

    def _thumb(self, y: int) -> tuple[str, str]:
        """The cell at the right of a line that says which part of the list is in sight."""
        height, total = self.size.height, len(self._row_lines)
        length = max(1, height * height // total)
        start = self.top * (height - length) // max(1, total - height)
        return ("┃" if start <= y < start + length else glyphs.FRAME.down), "frame"


def label_width(rows: Iterable[FieldRow], width: int) -> int:
    """How wide the labels are drawn: as wide as the longest, but never half of the room."""
    longest = max((cell_width(row.label) for row in rows), default=0)
    return max(_LABEL_LEAST, min(longest, _LABEL_MOST, width * 2 // 5 - 1))


def row_lines(
    row: FieldRow, width: int, labels: int, now: datetime, *, is_current: bool = False
) -> list[Line]:
    """The lines of a row, each exactly `width` cells wide; `labels` is the width of labels."""
    room = max(1, width - 1 - labels - _SIGNS)
    values = wrapped(row.pieces(now), room, MOST_LINES)
    edge = _edge(is_current=is_current)
    lines: list[Line] = []
    for number, value in enumerate(values):
        label = fit(row.label if number == 0 else "", labels)
        is_marked = row.is_pending and number == 0
        sign = (pad(glyphs.ON_THE_WAY if is_marked else "", _SIGNS), "pending")
        spans = [(label, "active" if is_current else "meta"), sign, *value]
        if is_current:
            spans = [(text, role if _keeps_color(text, role) else "cursor") for text, role in spans]
        lines.append(_cut_to((edge, *spans), width))
    return lines


def fold_line(fold: Fold, width: int, *, is_current: bool) -> Line:
    """The line that stands for the empty fields, exactly `width` cells wide."""
    words = f"{'-' if fold.is_open else '+'} {fold.empty} empty"
    return _cut_to(
        (_edge(is_current=is_current), (words, "cursor" if is_current else "meta")), width
    )


def _edge(*, is_current: bool) -> Span:
    """The first cell of a line."""
    return (glyphs.BAR, "bar") if is_current else (" ", "meta")


def wrapped(pieces: Iterable[Piece], width: int, most: int) -> list[Line]:
    """Pieces in at most so many lines of at most so many cells, one at least.

    They are broken between words where that can be, and cut where the last line ends.
    """
    lines: list[list[Span]] = [[]]
    for word in _broken(_words(pieces), width):
        gap = bool(lines[-1])
        if _width(lines[-1]) + gap + _width(word) > width:
            if len(lines) == most:
                lines[-1] = _with_ellipsis(lines[-1], width)
                break
            lines.append([])
            gap = False
        role = lines[-1][-1][1] if gap else ""
        lines[-1] += [(" ", role), *word] if gap else word
    return [tuple(line) for line in lines]


def _words(pieces: Iterable[Piece]) -> Iterator[Word]:
    """The words of pieces; a chip stands before the first word of its piece."""
    for text, role, chip in pieces:
        before: Word = ((glyphs.CHIP, chip),) if chip else ()
        for found in _WORDS.findall(text[:_CHARACTERS_LOOKED_AT]):
            yield (*before, (found, role))
            before = ()
        if before:
            yield before


def _broken(words: Iterable[Word], width: int) -> Iterator[Word]:
    """The words, with those that are wider than a line in pieces: at their glue, else anywhere."""
    for word in words:
        if _width(word) <= width:
            yield tuple((text.replace(GLUE, " "), role) for text, role in word)
            continue
        for text, role in word:
            for part in text.split(GLUE):
                rest = part
                while rest:
                    head, rest = split(rest, width)
                    if not head:
                        break
                    yield ((head, role),)


def _with_ellipsis(line: Sequence[Span], width: int) -> list[Span]:
    """A line that says that there is more."""
    *before, (text, role) = line
    room = width - _width(before)
    whole = text + ELLIPSIS
    return [*before, (whole if cell_width(whole) <= room else cut(text + " " * room, room), role)]


def _cut_to(line: Iterable[Span], width: int) -> Line:
    """A line in exactly so many cells."""
    cut_line, left = list[Span](), width
    for text, role in line:
        piece = cut(text, left)
        cut_line.append((piece, role))
        left -= cell_width(piece)
    last = cut_line[-1][1] if cut_line[-1][1] in ("cursor", "title") else "meta"
    return (*cut_line, (" " * left, last)) if left > 0 else tuple(cut_line)


def _keeps_color(text: str, role: str) -> bool:
    """Whether a span looks the same under the cursor: chips do."""
    return role.startswith("#") and text == glyphs.CHIP


def _width(spans: Iterable[Span]) -> int:
    return sum(cell_width(text) for text, _ in spans)
