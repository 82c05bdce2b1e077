"""The rows of a task's fields as lines of text: pure functions, drawn by `FieldList`.

The rule it keeps: every line is exactly as wide as asked, in cells; a long value takes a few lines
and is cut at the end of the last one, with an ellipsis.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from tui.model.fields.row import GLUE, FieldRow, Piece
from tui.text.cells import ELLIPSIS, cut, fit, pad, split, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span

MOST_LINES = 3
"""So many lines a value takes at most."""

_LABEL_MOST, _LABEL_LEAST = 22, 6
_SIGNS = 2
"""The cells between label and value: the sign of a change on its way, and a blank."""

_WORDS = re.compile(r"[^ \t\n]+")
_CHARACTERS_LOOKED_AT = 4_000

Word = tuple[Span, ...]
"""Spans that are not parted, if there is room for them."""


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
    edge = (glyphs.BAR, "bar") if is_current else (" ", "meta")
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
