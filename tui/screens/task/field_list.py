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
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, Span, fitted

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


class EntryFace(NamedTuple):
    """Everything an entry shows; `labels` is the width of labels."""

    entry: Entry
    width: int
    labels: int
    now: datetime
    is_current: bool

    def lines(self) -> list[Line]:
        """Its lines; none where there is hardly any room."""
        entry, width, labels, now, is_current = self
        if width < _LEAST_WIDTH:
            return []
        if isinstance(entry, Fold):
            return [fold_line(entry, width, is_current=is_current)]
        return row_lines(entry, width, labels, now, is_current=is_current)


class FieldList(LineList[Entry], can_focus=True):
    """The fields of a task that are set, then the empty ones or only their number."""

    wheel = 1

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "edit", id="field.edit", tooltip="Edit field"),
        *list_keys("field", "field"),
    ]

    @dataclass(eq=False, repr=False)
    class EditRequested(Message):
        """The user wants to change a field."""

        row: FieldRow

    def __init__(self) -> None:
        super().__init__()
        self.shows_cursor = False
        self._fields: tuple[FieldRow, ...] = ()
        self._kept: set[RowKey] = set()
        """Fields that were seen with a value: they keep their places when they lose it."""
        self._is_unfolded = False
        self._now = datetime.min  # noqa: DTZ901 (nothing is drawn for it)
        self._measured_for = Size(0, 0)
        self._width = self._labels = 0
        self._heights: list[int] = []

    def begin(self) -> None:
        """Show another task from now on: which of its fields had values is not known."""
        super().begin()
        self._fields = ()
        self._kept.clear()

    def show(self, rows: Sequence[FieldRow], now: datetime) -> None:
        """Show these rows as they are at a wall-clock time.

        The cursor stays on its field, or goes to one to which the person has just given a value.
        """
        had_none = {row.key for row in self._fields if not row.is_set}
        given = [row for row in rows if row.is_set and row.is_pending and row.key in had_none]
        here = given[0] if given else self.row
        self._fields, self._now = tuple(rows), now
        self._kept.update(row.key for row in rows if row.is_set)
        self._arrange(here)

    def turn_fold(self) -> bool:
        """List the empty fields, with the cursor above them, or only their number.

        Whether there are any.
        """
        fold = next((entry for entry in self.rows if isinstance(entry, Fold)), None)
        if fold is None:
            return False
        self._is_unfolded = not self._is_unfolded
        self._arrange(fold if self._is_unfolded else self.row)
        return True

    def height(self, row: int) -> int:
        """How many lines a row has in this size."""
        if self._measured_for != self.drawn_size:
            self._measure()
        return self._heights[row]

    def face_of(self, row: int) -> EntryFace:
        here = self.is_current(row)
        return EntryFace(self.rows[row], self._width, self._labels, self._now, here)

    def keep_in_sight(self) -> None:
        """Have the cursor in sight, and below an open fold the empty fields."""
        if isinstance(self.row, Fold) and self.row.is_open:
            self.bring_into_sight(len(self.rows) - 1)
            self.bring_into_sight(self.cursor)
        else:
            super().keep_in_sight()

    def lines_now(self, size: Size) -> list[Line]:
        lines, total = self.row_lines(), sum(self._heights)
        if total <= size.height:
            return lines
        length = max(1, size.height * size.height // total)
        above = sum(self._heights[: self.top.row]) + self.top.line
        start = above * (size.height - length) // max(1, total - size.height)
        thumb = range(start, start + length)
        return [
            (*line, ("┃" if y in thumb else glyphs.FRAME.down, "frame"))
            for y, line in enumerate(lines)
        ]

    def on_focus(self) -> None:
        """Show the cursor."""
        self.shows_cursor = True
        self.keep_in_sight()

    def on_blur(self) -> None:
        """Show no cursor."""
        self.shows_cursor = False
        self.settle()

    def action_edit(self) -> None:
        """Ask for the row at the cursor to be changed, or list the empty ones."""
        if isinstance(self.row, Fold):
            self.turn_fold()
        elif self.row is not None:
            self.post_message(self.EditRequested(self.row))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a row; a second click changes it."""
        row = self.row_at(event.y)
        if row is None:
            return
        event.stop()
        self.go_to(row)
        if event.chain > 1:
            self.action_edit()

    def _arrange(self, here: Entry | None) -> None:
        """List what is to be listed, with the cursor where it was, or on the fold."""
        empty = [row for row in self._fields if row.is_empty and row.key not in self._kept]
        listed = [row for row in self._fields if row not in empty]
        fold = [Fold(len(empty), self._is_unfolded)] if empty else []
        self.rows = (*listed, *fold, *(empty if self._is_unfolded else ()))
        self._measure()
        keys = [entry.key for entry in self.rows]
        self.go_to(keys.index(here.key) if here and here.key in keys else self.cursor)

    def _measure(self) -> None:
        """Find how many lines each row has, with a cell left for a thumb if not all fit."""
        self._measured_for = self.drawn_size
        for thumb in (0, 1):
            self._width = self.drawn_size.width - thumb
            self._labels = label_width(self._fields, self._width)
            self._heights = [len(self.face_of(row).lines()) for row in range(len(self.rows))]
            if sum(self._heights) <= self.drawn_size.height:
                break


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
        last = spans[-1][1] if spans[-1][1] in ("cursor", "title") else "meta"
        lines.append(fitted((edge, *spans), width, last))
    return lines


def fold_line(fold: Fold, width: int, *, is_current: bool) -> Line:
    """The line that stands for the empty fields, exactly `width` cells wide."""
    words = f"{'-' if fold.is_open else '+'} {fold.empty} empty"
    role = "cursor" if is_current else "meta"
    return fitted((_edge(is_current=is_current), (words, role)), width, role)


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


def _keeps_color(text: str, role: str) -> bool:
    """Whether a span looks the same under the cursor: chips do."""
    return role.startswith("#") and text == glyphs.CHIP


def _width(spans: Iterable[Span]) -> int:
    return sum(cell_width(text) for text, _ in spans)
