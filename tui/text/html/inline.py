"""Inline content of untrusted HTML as spans.

Only web and mail addresses become links, numbered by address, and numbers of cards.
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from tui.text import clean
from tui.text.card_numbers import spans_of_numbers
from tui.text.html.tree import BLOCKS, Element
from tui.text.spans import Span, SpanKind

KINDS = {
    **dict.fromkeys(("b", "strong", "th", "dt", "summary"), SpanKind.STRONG),
    **dict.fromkeys(("i", "em", "cite", "var", "dfn", "address"), SpanKind.EMPHASIS),
    **dict.fromkeys(("s", "del", "strike"), SpanKind.STRUCK),
    **dict.fromkeys(("code", "kbd", "samp", "tt", "pre"), SpanKind.CODE),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), SpanKind.HEADING),
    "blockquote": SpanKind.QUOTE,
}
"""The kind of span for text in an element."""

_SCHEMES = frozenset({"http", "https", "mailto"})
_LONGEST_ADDRESS = 2048
_LONGEST_NAME = 80
_BARE_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"“”]*[^\s<>\"“”'.,:;!?)\]}]")
_BLANKS = re.compile(r"[ \t\n\f\r]+")


def kind_within(element: Element, outer: SpanKind) -> SpanKind:
    """The kind of text in an element, given the kind around it."""
    if outer in (SpanKind.HEADING, SpanKind.LINK):
        return outer
    if element.tag == "a" and safe_address(element.attributes.get("href", "")):
        return SpanKind.LINK
    return KINDS.get(element.tag, outer)


class Inline:
    """Collects spans, links, which it numbers, and the numbers of cards."""

    def __init__(self) -> None:
        self.links: list[str] = []
        self.cards: dict[str, None] = {}
        self._numbers: dict[str, int] = {}

    def spans(
        self, child: Element | str, kind: SpanKind, *, keep_blanks: bool = False
    ) -> list[Span]:
        """The spans of a part of the tree; white space is collapsed unless kept."""
        spans: list[Span] = []
        self._collect(child, kind, spans, keep_blanks=keep_blanks)
        return spans

    def link_sign(self, address: str | None) -> list[Span]:
        """The number of a link, shown after its text; nothing for an unsafe address."""
        safe = safe_address(address or "")
        if safe is None:
            return []
        number = self._numbers.setdefault(safe, len(self.links) + 1)
        if number > len(self.links):
            self.links.append(safe)
        return [Span(f"[{number}]", SpanKind.SIGN)]

    def _collect(
        self, child: Element | str, kind: SpanKind, spans: list[Span], *, keep_blanks: bool
    ) -> None:
        if isinstance(child, str):
            spans += self._text(child if keep_blanks else _BLANKS.sub(" ", child), kind)
            return
        # A block within inline content must not join the words around it.
        edge = [Span(" ")] if child.tag in BLOCKS else []
        spans += edge + _sign(child, kind)
        kind = kind_within(child, kind)
        for inner in child.children:
            self._collect(inner, kind, spans, keep_blanks=keep_blanks)
        if child.tag in ("a", "img"):
            spans += self.link_sign(child.attributes.get("href" if child.tag == "a" else "src"))
        spans += edge

    def _text(self, text: str, kind: SpanKind) -> list[Span]:
        if kind in (SpanKind.LINK, SpanKind.CODE):
            return [Span(text, kind)]
        spans: list[Span] = []
        end = 0
        for address in _BARE_ADDRESS.finditer(text) if "://" in text else ():
            spans += self._with_cards(text[end : address.start()], kind)
            spans += [Span(address[0], SpanKind.LINK), *self.link_sign(address[0])]
            end = address.end()
        return [*spans, *self._with_cards(text[end:], kind)]

    def _with_cards(self, text: str, kind: SpanKind) -> list[Span]:
        spans: list[Span] = []
        end = 0
        for begin, behind in spans_of_numbers(text):
            number = text[begin:behind]
            self.cards[number] = None
            spans += [Span(text[end:begin], kind), Span(number, SpanKind.LINK)]
            end = behind
        return [*spans, Span(text[end:], kind)]


def collapsed(spans: Iterable[Span]) -> list[Span]:
    """The spans without white space at either end, after a blank or beside a line feed."""
    result: list[Span] = []
    after_blank = True
    for text, kind in spans:
        shown = text.lstrip(" ") if after_blank else text
        if shown == "\n" and result:
            result[-1] = Span(result[-1].text.rstrip(" "), result[-1].kind)
        if shown:
            after_blank = shown[-1] in " \n"
            result.append(Span(shown, kind))
    while result and not result[-1].text.rstrip(" \n"):
        result.pop()
    if result:
        result[-1] = Span(result[-1].text.rstrip(" \n"), result[-1].kind)
    return result


def safe_address(raw: str) -> str | None:
    """The address of a link, if it is safe: http, https or mailto."""
    # Cleaned first, as control characters could hide a scheme that a browser still sees.
    address = _BLANKS.sub("%20", clean.text(raw).strip())
    if len(address) > _LONGEST_ADDRESS:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return address if parts.scheme in _SCHEMES and (parts.netloc or parts.path) else None


def _sign(element: Element, kind: SpanKind) -> list[Span]:
    if element.tag == "br":
        return [Span("\n", kind)]
    if element.tag == "img":
        title = clean.line(element.attributes.get("alt", "") or _file_name(element)).strip()
        return [Span(f"[image: {title}]" if title else "[image]", SpanKind.SIGN)]
    if element.tag == "input" and element.attributes.get("type", "").lower() == "checkbox":
        return [Span("[x] " if "checked" in element.attributes else "[ ] ", SpanKind.SIGN)]
    return []


def _file_name(picture: Element) -> str:
    # Empty if it is not on the web.
    address = safe_address(picture.attributes.get("src", ""))
    return unquote(urlsplit(address).path.rpartition("/")[2])[:_LONGEST_NAME] if address else ""
