"""Lines made of spans, and line wrapping.

No line is wider than the limit in terminal cells, and nothing is lost but the blanks at which a
line is broken.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from tui.text import cells


class SpanKind(StrEnum):
    """The kind of a span, for drawing. `SIGN` is text that was added."""

    PLAIN = "plain"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    STRUCK = "struck"
    CODE = "code"
    HEADING = "heading"
    LINK = "link"
    QUOTE = "quote"
    SIGN = "sign"


class Span(NamedTuple):
    """A piece of a line with one appearance: a `SpanKind`, or a role of the theme."""

    text: str
    kind: str = SpanKind.PLAIN


Line = tuple[Span, ...]

# Longer than a line of any terminal, even of zero-width characters.
_BLOCK = 8192
_PIECES = re.compile(" +|[^ ]+")


def width(line: Iterable[Span]) -> int:
    """The total width of spans in cells."""
    return sum(cells.width(span.text) for span in line)


def wrap(spans: Iterable[Span], limit: int, *, keep_blanks: bool = False) -> list[Line]:
    """The spans in lines of at most `limit` cells, at least two, broken at line feeds and blanks.

    Words wider than a line are broken where it is full. With `keep_blanks` lines are only broken
    where they are full, for code.
    """
    limit = max(2, limit)
    lines: list[Line] = []
    for row in _rows(spans):
        wrapping = _Wrapping(limit)
        for span in row:
            for piece in [span.text] if keep_blanks else _PIECES.findall(span.text):
                wrapping.add(Span(piece, span.kind), is_gap=not keep_blanks and piece[0] == " ")
        lines += wrapping.finished()
    return lines


def _rows(spans: Iterable[Span]) -> Iterator[list[Span]]:
    row: list[Span] = []
    for text, kind in _joined(spans):
        first, *following = text.split("\n")
        row.append(Span(first, kind))
        for following_text in following:
            yield row
            row = [Span(following_text, kind)]
    yield row


class _Wrapping:
    """Fills lines with words; a word may have several kinds and is kept together if possible."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lines: list[Line] = []
        self._line: list[Span] = []
        self._gap: list[Span] = []
        self._word: list[Span] = []

    def add(self, piece: Span, *, is_gap: bool) -> None:
        if is_gap:
            self._end_word()
            self._gap.append(piece)
        elif piece.text:
            self._word.append(piece)

    def finished(self) -> list[Line]:
        self._end_word()
        return [*self._lines, _joined(self._line)]

    def _end_word(self) -> None:
        if not self._word:
            return
        room = self._limit - width(self._line) - width(self._gap)
        if width(self._word) <= room:
            self._line += self._gap
        elif self._line:
            self._break()
        # An indentation stays as long as something fits behind it.
        elif room > 1:
            self._line += self._gap
        for span in self._word:
            self._fill(span)
        self._gap, self._word = [], []

    def _fill(self, span: Span) -> None:
        remaining = ""
        for block in _blocks(span.text):
            remaining += block
            # The end of a block waits for the next one, as a grapheme may go on there.
            while len(remaining) > _BLOCK:
                remaining = self._fill_line(remaining, span.kind)
        while remaining:
            remaining = self._fill_line(remaining, span.kind)

    def _fill_line(self, text: str, kind: str) -> str:
        head, remaining = cells.split(text, self._limit - width(self._line))
        if head:
            self._line.append(Span(head, kind))
        if remaining:
            self._break()
        return remaining

    def _break(self) -> None:
        self._lines.append(_joined(self._line))
        self._line = []


def _blocks(text: str) -> Iterator[str]:
    # In pieces, so that taking a line copies little; never cut at a joiner.
    start = 0
    while start < len(text):
        end = start + _BLOCK
        while end < len(text) and cells.JOINER in text[end - 1 : end + 1]:
            end += 1
        yield text[start:end]
        start = end


def _joined(spans: Iterable[Span]) -> Line:
    return tuple(
        Span("".join(span.text for span in alike), kind)
        for kind, alike in groupby((span for span in spans if span.text), attrgetter("kind"))
    )
