"""The list of a task's fields, with a cursor.

Empty fields are folded into one line below the others. The cursor stays on its field when fields
appear or disappear. Every line is exactly as wide as the widget; a long value is wrapped to a few
lines, and cut at the end of the last one.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from tui.model.detail import RowKey, TaskField
from tui.model.fields.rows import GLUE, FieldRow, RowPiece
from tui.text.cells import ELLIPSIS, cut, fit, pad, split, width as cell_width
from tui.text.spans import Span, wrap
from tui.widgets import glyphs
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, fitted, line_width

MOST_LINES = 3
"""How many lines a value has at most."""

_LEAST_WIDTH = 12
_LABEL_MOST, _LABEL_LEAST = 22, 6
_SIGNS = 2
"""The cells between label and value: the sign of a pending change, and a blank."""

_GROUP_ENDS = (
    TaskField.PRIORITY,
    TaskField.WATCHERS,
    TaskField.REMINDER,
    TaskField.CUSTOM,
    TaskField.SOURCE,
)
"""The last fields of the groups that a blank row separates, where there is room."""
_ORDER = tuple(TaskField)

_WORDS = re.compile(r"[^ \t\n]+")
_CHARACTERS_PER_CELL = 6


class Fold(NamedTuple):
    """The row for the empty fields: their number, and whether they are listed below it."""

    empty: int
    is_open: bool
    key: None = None


Entry = FieldRow | Fold


class EntryFace(NamedTuple):
    """Everything an entry shows; `labels` is the width of the labels."""

    entry: Entry
    width: int
    labels: int
    now: datetime
    is_current: bool = False
    is_first: bool = False
    """Whether a blank row is above it, because a group begins."""

    def lines(self) -> list[Line]:
        """The lines, each exactly `width` cells wide."""
        entry, width, is_current = self.entry, self.width, self.is_current
        if width < _LEAST_WIDTH:
            return []
        lines: list[Line] = [((" " * width, "text"),)] if self.is_first else []
        edge = (glyphs.BAR, "cursor") if is_current else (" ", "text")
        if isinstance(entry, Fold):
            fields = "field" if entry.empty == 1 else "fields"
            words = f"{'-' if entry.is_open else '+'} {entry.empty} empty {fields}"
            role = "cursor" if is_current else "quiet"
            return [*lines, fitted((edge, (words, role)), width, role)]
        room = max(1, width - 1 - self.labels - _SIGNS)
        for number, value in enumerate(wrapped(entry.pieces(self.now), room, MOST_LINES)):
            label = fit(entry.label if number == 0 else "", self.labels)
            is_marked = entry.is_pending and number == 0
            sign = (pad(glyphs.ON_THE_WAY if is_marked else "", _SIGNS), "warn")
            spans = [(label, "quiet"), sign, *value]
            if is_current:
                spans = [("".join(text for text, _ in spans), "cursor")]
            lines.append(fitted((edge, *spans), width, "cursor" if is_current else "text"))
        return lines


class FieldList(LineList[Entry], can_focus=True):
    """The fields of a task: those with values, then the empty ones, or only their number."""

    wheel = 1

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "edit", id="field.edit", tooltip="Edit field"),
        *list_keys("field", "field"),
    ]

    @dataclass(eq=False, repr=False)
    class EditRequested(Message):
        """The user wants to edit a field."""

        row: FieldRow

    def __init__(self) -> None:
        super().__init__()
        self.ground = "card"
        self.shows_cursor = False
        self._fields: tuple[FieldRow, ...] = ()
        self._had_value: set[RowKey] = set()
        """Fields that had a value on this screen; they stay in place when they lose it."""
        self._is_unfolded = False
        self._now = datetime.min  # noqa: DTZ901 (replaced before drawing)
        self._measured_for = Size(0, 0)
        self._labels = 0
        self._has_groups = False
        self._heights: list[int] = []

    def begin(self) -> None:
        super().begin()
        self._fields = ()
        self._had_value.clear()

    def show(self, rows: Sequence[FieldRow], now: datetime) -> None:
        """Show these rows; `now` is wall-clock time.

        The cursor stays on its field, or moves to one that the user has just set.
        """
        # To the minute, so that a refresh within it redraws nothing.
        now = now.replace(second=0, microsecond=0)
        if (tuple(rows), now) == (self._fields, self._now):
            return
        had_none = {row.key for row in self._fields if not row.is_set}
        newly_set = [row for row in rows if row.is_set and row.is_pending and row.key in had_none]
        current = newly_set[0] if newly_set else self.row
        self._fields, self._now = tuple(rows), now
        self._had_value.update(row.key for row in rows if row.is_set)
        self._arrange(current)

    def turn_fold(self) -> bool:
        """List the empty fields, with the cursor on the fold, or hide them.

        Returns whether there are any.
        """
        fold = next((entry for entry in self.rows if isinstance(entry, Fold)), None)
        if fold is None:
            return False
        self._is_unfolded = not self._is_unfolded
        self._arrange(fold if self._is_unfolded else self.row)
        return True

    def height(self, row: int) -> int:
        if self._measured_for != self.drawn_size:
            self._measure()
        return self._heights[row]

    def face_of(self, row: int) -> EntryFace:
        if self._measured_for != self.drawn_size:
            self._measure()
        entry, is_current = self.rows[row], self.is_current(row)
        is_first = self._has_groups and row > 0 and _group(entry) != _group(self.rows[row - 1])
        return EntryFace(
            entry, self.drawn_size.width, self._labels, self._now, is_current, is_first
        )

    def keep_in_sight(self) -> None:
        # As many of the unfolded fields as there is room for, and always the fold itself.
        if isinstance(self.row, Fold) and self.row.is_open:
            self.bring_into_sight(len(self.rows) - 1)
            self.bring_into_sight(self.cursor)
        else:
            super().keep_in_sight()

    def on_focus(self) -> None:
        self.shows_cursor = True
        self.keep_in_sight()

    def on_blur(self) -> None:
        self.shows_cursor = False
        self.settle()

    def action_edit(self) -> None:
        if isinstance(self.row, Fold):
            self.turn_fold()
        elif self.row is not None:
            self.post_message(self.EditRequested(self.row))

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is None:
            return
        event.stop()
        self.go_to(row)
        if event.chain == 1:
            self.action_edit()

    def _arrange(self, current: Entry | None) -> None:
        empty = [row for row in self._fields if row.is_empty and row.key not in self._had_value]
        listed = [row for row in self._fields if row not in empty]
        fold = [Fold(len(empty), self._is_unfolded)] if empty else []
        self.rows = (*listed, *fold, *(empty if self._is_unfolded else ()))
        self._measure()
        keys = [entry.key for entry in self.rows]
        self.go_to(keys.index(current.key) if current and current.key in keys else self.cursor)

    def _measure(self) -> None:
        # Blank rows between groups only where there is room for all lines.
        self._measured_for = self.drawn_size
        self._labels = label_width(self._fields, self.drawn_size.width)
        for self._has_groups in (True, False):
            self._heights = [len(self.lines_of(row)) for row in range(len(self.rows))]
            if sum(self._heights) <= self.drawn_size.height:
                break


def _group(entry: Entry) -> int:
    if isinstance(entry, Fold):
        return -1
    return sum(_ORDER.index(entry.of) > _ORDER.index(last) for last in _GROUP_ENDS)


def label_width(rows: Iterable[FieldRow], width: int) -> int:
    """The width of the labels: that of the longest, but less than half of `width`."""
    longest = max((cell_width(row.label) for row in rows), default=0)
    return max(_LABEL_LEAST, min(longest, _LABEL_MOST, width * 2 // 5 - 1))


def wrapped(pieces: Iterable[RowPiece], width: int, most: int) -> list[Line]:
    """Pieces wrapped to `width` cells, in at least one and at most `most` lines; the last is cut.

    Words that are glued together are parted only where they are wider than a line.
    """
    spans: list[Span] = []
    enough = (most + 1) * (width + 1)
    for text, role, chip in pieces:
        if spans:
            spans.append(Span(" ", spans[-1].kind))
        if chip:
            spans.append(Span(glyphs.CHIP, chip))
        # Only as much of a long text as could be shown is divided into words.
        words = _WORDS.findall(text[: enough * _CHARACTERS_PER_CELL])
        parted = (word if cell_width(word) <= width else word.replace(GLUE, " ") for word in words)
        spans.append(Span(split(" ".join(parted), enough)[0], role))
    lines: list[Line] = [
        tuple((text.replace(GLUE, " "), role) for text, role in line) for line in wrap(spans, width)
    ]
    return lines if len(lines) <= most else [*lines[: most - 1], _cut(lines[most - 1], width)]


def _cut(line: Line, width: int) -> Line:
    *leading, (text, role) = line
    room = width - line_width(leading)
    # An ellipsis is due even if the text itself fits, as lines below it were left out.
    whole = text + ELLIPSIS
    return (*leading, (whole if cell_width(whole) <= room else cut(text + " " * room, room), role))
