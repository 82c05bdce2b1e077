"""A page as Python's parser of HTML reads it: its elements, and the text within some of them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from tui.text.html.tree import VOID

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "div"),
    *("h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "dl", "dt", "dd", "span", "strong", "em"),
    *("s", "code", "pre", "blockquote", "br", "hr", "a", "time", "svg", "rect", "polygon"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
"""Every element that a page may have; none of them runs or loads anything."""
_ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "dir", "class", "href", "rel"),
    *("datetime", "scope", "tabindex", "viewbox", "aria-hidden", "points", "fill", "width"),
    *("height", "preserveaspectratio"),
    *("role", "title", "aria-label"),
}


class ReadElement(NamedTuple):
    """An element with its attributes, and all text in it."""

    tag: str
    attributes: dict[str, str]
    text: list[str]

    @property
    def words(self) -> str:
        return "".join(self.text)


class ReadPage(HTMLParser):
    """The elements of a page, in the order in which they begin."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[ReadElement] = []
        self.unmatched: list[str] = []
        self._open: list[ReadElement] = []
        self.feed(source)
        self.close()
        self.unmatched += [each.tag for each in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = ReadElement(tag, {name: value or "" for name, value in attrs}, [])
        self.elements.append(found)
        if tag not in VOID:
            self._open.append(found)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1].tag == tag:
            self._open.pop()
        else:
            self.unmatched.append(tag)

    def handle_data(self, data: str) -> None:
        for each in self._open:
            each.text.append(data)

    def words(self, tag: str, kind: str = "") -> list[str]:
        """The texts of all elements of a tag, and of a class."""
        return [
            each.words
            for each in self.elements
            if each.tag == tag and (not kind or kind in each.attributes.get("class", "").split())
        ]

    def faults(self) -> Iterator[str]:
        """What no page may have."""
        for tag in self.unmatched:
            yield f"<{tag}> without its other end"
        for each in self.elements:
            if each.tag not in ALLOWED:
                yield f"<{each.tag}>"
            for name in each.attributes.keys() - _ATTRIBUTES:
                yield f"{name} of <{each.tag}>"
            address = each.attributes.get("href", "https://")
            if not address.lower().startswith(("http://", "https://")):
                yield f"a link to {address}"
            if "href" in each.attributes and each.attributes["rel"] != "noopener noreferrer":
                yield f"a link that tells {address} where it is"
        if len(self.words("style")) != 1:
            yield "another style sheet"
