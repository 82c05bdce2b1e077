"""Untrusted HTML as lines to read in a terminal.

Only readable content is shown: no scripts, styles or control characters, and links to web and mail
addresses only, each with a number to open it, and to cards, such as `#12`. Text without any block
or line break is plain text, whose line ends are kept. Added text (bullets, boxes, bars, rules,
levels of headings, numbers of links) is in spans of the kind `SIGN`.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tui.record import record
from tui.text import cells
from tui.text.html import tree as html_tree
from tui.text.html.inline import Inline, collapsed, kind_within
from tui.text.html.task_items import MARKS, task_item
from tui.text.html.tree import Element
from tui.text.spans import Line, Span, SpanKind, width as spans_width, wrap

TOO_LONG = "… the rest is too long to show."

_BULLETS = ("• ", "◦ ", "▪ ")
_BAR = Span(" │ ", SpanKind.SIGN)
_LISTS = ("ul", "ol")
_TAB = 4


@record
class ReadableText:
    """Lines and links of a text; the first link has the number 1. `cards` are numbers of cards."""

    lines: tuple[Line, ...]
    links: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


def read(source: str, width: int) -> ReadableText:
    """HTML as lines of at most `width` cells, at least two.

    At most `tui.text.html.tree.LIMIT` characters are read; a line says so if there are more.
    """
    root = html_tree.parse(source)
    writer = _Writer(max(2, width))
    if root.is_plain:
        writer.add_plain(root)
    else:
        writer.add_blocks(root, SpanKind.PLAIN)
    if len(source) > html_tree.LIMIT:
        writer.add([Span(TOO_LONG, SpanKind.SIGN)])
    inline = writer.inline
    return ReadableText(tuple(writer.lines), tuple(inline.links), tuple(inline.cards))


@dataclass(slots=True)
class _Indent:
    """The prefixes of a block's lines: of the first, and of the others."""

    first: str
    rest: str
    is_fresh: bool = True

    def take(self) -> str:
        """The prefix of the next line."""
        now = self.first if self.is_fresh else self.rest
        self.is_fresh = False
        return now


class _Writer:
    """Writes blocks as lines, with a blank line between them, except within lists."""

    def __init__(self, width: int) -> None:
        self.lines: list[Line] = []
        self.inline = Inline()
        self._width = width
        self._indents: list[_Indent] = []
        self._lists = 0
        self._is_loose = True

    def add_plain(self, root: Element) -> None:
        """Write text without blocks, keeping its line ends."""
        spans = self.inline.spans(root, SpanKind.PLAIN, keep_blanks=True)
        self.add(Span(text.expandtabs(_TAB), kind) for text, kind in spans)
        while self.lines and not self.lines[-1]:
            self.lines.pop()

    def add_blocks(self, parent: Element, kind: SpanKind) -> None:
        """Write the content of an element: blocks, and paragraphs of the text between them."""
        paragraph: list[Span] = []
        for child in parent.children:
            if isinstance(child, Element) and child.holds_block:
                self.add(collapsed(paragraph))
                paragraph = []
                self._add_block(child, kind_within(child, kind))
            else:
                paragraph += self.inline.spans(child, kind)
        self.add(collapsed(paragraph))

    def add(self, spans: Iterable[Span], *, keep_blanks: bool = False) -> None:
        """Write one block, if it is not empty."""
        spans = list(spans)
        if not any(span.text for span in spans):
            return
        if self.lines and self._is_loose:
            # The blank line between two blocks keeps the bars of quotations, but has no bullets.
            worn = "".join(indent.rest for indent in self._indents if not indent.is_fresh).rstrip()
            self.lines.append((Span(worn, SpanKind.SIGN),) if worn else ())
        for line in wrap(spans, self._room(), keep_blanks=keep_blanks):
            prefix = "".join(indent.take() for indent in self._indents)
            prefix = prefix if line else prefix.rstrip()
            self.lines.append((Span(prefix, SpanKind.SIGN), *line) if prefix else line)
        self._is_loose = self._lists == 0

    def _room(self) -> int:
        return self._width - sum(cells.width(indent.rest) for indent in self._indents)

    @contextmanager
    def _indented(self, first: str, rest: str) -> Iterator[None]:
        # Unless too little room would be left.
        fits = self._room() - cells.width(first) >= max(2, self._width // 2)
        if fits:
            self._indents.append(_Indent(first, rest))
        yield
        if fits:
            self._indents.pop()

    def _add_block(self, element: Element, kind: SpanKind) -> None:
        match element.tag:
            case "pre":
                text = element.text().expandtabs(_TAB).strip("\n")
                self.add([Span(text, SpanKind.CODE)], keep_blanks=True)
            case "ul" | "ol":
                self._add_list(element, kind)
            case "blockquote":
                with self._indented("│ ", "│ "):
                    self.add_blocks(element, kind)
            case "dd":
                self._is_loose = False
                with self._indented("  ", "  "):
                    self.add_blocks(element, kind)
            case "hr":
                self.add([Span("─" * self._room(), SpanKind.SIGN)])
            case "table":
                self._add_table(element, kind)
            case _:
                self.add_blocks(element, kind)
                if element.tag == "a":
                    self._is_loose = False
                    self.add(self.inline.link_sign(element.attributes.get("href")))

    def _add_list(self, element: Element, kind: SpanKind) -> None:
        number = element.first_number if element.tag == "ol" else None
        bullet = _BULLETS[min(self._lists, len(_BULLETS) - 1)]
        self._lists += 1
        for part in _parts(element, "li"):
            is_done, item = task_item(part)
            sign = bullet if number is None else f"{number}. "
            if is_done is not None:
                sign = MARKS[is_done] if number is None else sign + MARKS[is_done]
            # An item that begins with a nested list has no sign: the nested items have theirs.
            if isinstance(part.children[0], Element) and part.children[0].tag in _LISTS:
                sign = " " * len(sign)
            elif number is not None:
                number += 1
            with self._indented(sign, " " * len(sign)):
                self.add_blocks(item, kind)
                # An empty item would not be written, and its box with it.
                if is_done is not None and not item.text().strip():
                    self.add([Span(" ", kind)])
        self._lists -= 1
        self._is_loose = self._lists == 0

    def _add_table(self, table: Element, kind: SpanKind) -> None:
        rows = [self._cells(row, kind) for row in _rows(table)]
        columns: list[int] = []
        for row in rows:
            columns += [0] * (len(row) - len(columns))
            columns[: len(row)] = map(max, columns, map(spans_width, row))
        fits = sum(columns) + cells.width(_BAR.text) * (len(columns) - 1) <= self._room()
        for row in rows:
            padded = zip(row, columns, strict=False) if fits else ((cell, 0) for cell in row)
            spans: list[Span] = []
            for cell, column in padded:
                spans += [_BAR] if spans else []
                spans += [*cell, Span(" " * (column - spans_width(cell)))]
            self.add(spans)
            self._is_loose = False
        self._is_loose = self._lists == 0

    def _cells(self, row: Element, kind: SpanKind) -> list[list[Span]]:
        return [
            [
                Span(text.replace("\n", " "), shown)
                for text, shown in collapsed(self.inline.spans(cell, kind))
            ]
            for cell in _parts(row, "td", "th")
        ]


def _parts(parent: Element, *tags: str) -> Iterator[Element]:
    for child in parent.children:
        if isinstance(child, Element) and child.tag in tags:
            if child.children or child.tag in ("td", "th"):
                yield child
        elif isinstance(child, Element):
            yield Element(tags[0], children=[child], holds_block=child.holds_block)
        elif child.strip():
            yield Element(tags[0], children=[child])


def _rows(table: Element) -> Iterator[Element]:
    for part in _parts(table, "tr", "thead", "tbody", "tfoot"):
        if part.tag == "tr":
            yield part
        else:
            yield from _rows(part)
