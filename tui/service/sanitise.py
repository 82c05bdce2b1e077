"""HTML from people, made harmless before it is kept.

The rule it keeps: only the elements and attributes listed here pass; everything else loses its
tag and keeps its text, but for elements whose text is not meant to be read, which go whole. Links
go to http, https, mailto or a place on the same site, pictures to http or https. What is left is
well-formed: every element that is opened is closed.
"""

import re
from html import escape
from html.parser import HTMLParser

from typing_extensions import override

ALLOWED: dict[str, frozenset[str]] = {
    "a": frozenset({"href", "title"}),
    "img": frozenset({"src", "alt", "title"}),
    "ol": frozenset({"start"}),
    "ul": frozenset({"data-type"}),
    "li": frozenset({"data-checked"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan"}),
    "code": frozenset({"class"}),
    **dict.fromkeys(("p", "br", "hr", "div", "span", "pre", "blockquote"), frozenset[str]()),
    **dict.fromkeys(("b", "strong", "i", "em", "u", "s", "del", "ins"), frozenset[str]()),
    **dict.fromkeys(("sub", "sup", "small", "mark", "kbd"), frozenset[str]()),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), frozenset[str]()),
    **dict.fromkeys(("table", "thead", "tbody", "tfoot", "tr"), frozenset[str]()),
    **dict.fromkeys(("dl", "dt", "dd"), frozenset[str]()),
}
"""The elements that pass, each with the attributes that pass on it."""

_VOID = {"br", "hr", "img"}
_UNREAD = {"script", "style", "template", "iframe", "object", "noscript", "svg", "math", "title"}
_ADDRESSES = {"href": {"http", "https", "mailto"}, "src": {"http", "https"}}
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0]+")
_DEEPEST = 100


def safe_html(source: str) -> str:
    """The same text with nothing in it that acts."""
    if "<" not in source and "&" not in source:
        return source
    writer = _Writer()
    writer.feed(source)
    writer.close()
    return writer.finished()


def is_safe_address(value: str, schemes: set[str]) -> bool:
    """Whether an address has one of these schemes, or none."""
    bare = _INVISIBLE.sub("", value)
    scheme = _SCHEME.match(bare)
    if scheme is None:
        return ":" not in re.split(r"[/?#]", bare, maxsplit=1)[0]
    return scheme[1].lower() in schemes


class _Writer(HTMLParser):
    """Writes what is allowed as it is read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._written: list[str] = []
        self._open: list[str] = []
        self._unread: list[str] = []

    def finished(self) -> str:
        """Everything that was written, with what is still open closed."""
        self._written.extend(f"</{tag}>" for tag in reversed(self._open))
        self._open.clear()
        return "".join(self._written)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            self._unread.append(tag)
        if self._unread or tag not in ALLOWED or len(self._open) >= _DEEPEST:
            return
        self._written.append(f"<{tag}{self._attributes(tag, attrs)}>")
        if tag not in _VOID:
            self._open.append(tag)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            return
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in self._unread:
            while self._unread.pop() != tag:
                pass
            return
        if self._unread or tag not in self._open:
            return
        while (innermost := self._open.pop()) != tag:
            self._written.append(f"</{innermost}>")
        self._written.append(f"</{tag}>")

    @override
    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._written.append(escape(data, quote=False))

    def _attributes(self, tag: str, attrs: list[tuple[str, str | None]]) -> str:
        kept: dict[str, str] = {}
        for name, value in attrs:
            if name not in ALLOWED[tag] or name in kept or value is None:
                continue
            if name in _ADDRESSES and not is_safe_address(value, _ADDRESSES[name]):
                continue
            kept[name] = value
        return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
