"""Untrusted HTML as a tree.

The rule it keeps: whatever comes in, a small tree comes out, in time that grows with the length
of the text alone, and without an error. Python's own parser keeps neither promise: it reads text
full of unfinished tags again and again, and raises on huge character references; so tags are
found here by one expression that never goes back. Texts are cleaned for the terminal; attributes
are not. What is never meant to be read, such as scripts and styles, is dropped.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tui.text import clean

LIMIT = 200_000
"""How many characters are read if the caller does not say; twice what services have stored."""

BLOCKS = frozenset(
    {
        *("html", "body", "main", "section", "article", "aside", "header", "footer", "nav"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "pre", "blockquote", "hr", "center"),
        *("ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "address"),
        *("table", "thead", "tbody", "tfoot", "tr", "td", "th"),
        *("form", "fieldset", "details", "summary"),
    }
)
"""The elements that stand on lines of their own."""

_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr"),
    }
)
_UNREAD = frozenset(
    {
        *("head", "title", "script", "style", "template", "noscript", "iframe", "object", "applet"),
        *("svg", "math", "canvas", "audio", "video", "select", "textarea"),
    }
)
_RAW = frozenset({"script", "style", "textarea", "title", "iframe"})
_DEEPEST = 64
# A start of one of these ends an open one of these, as far out as the nearest of the others.
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"})),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}))),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), frozenset({"table", "tr"}))),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
}
_TOKEN = re.compile(
    r"(?P<text>[^<]++)"
    r"|<!--(?:>|->|(?P<comment>))"
    r"|<[!?][^>]*+>?"
    r"""|<(?P<close>/?)(?P<tag>[a-zA-Z][^\s/<>"']*+)(?P<rest>(?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>"""
    r"|(?P<stray><)"
)
_ATTRIBUTE = re.compile(
    r"""([^\s/<>"'=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+"""
)
# A reference longer than this stands for no character, and may be too long for a number.
_HUGE_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")


@dataclass(slots=True)
class Element:
    """A part of the tree: its tag in lower case, its attributes and what is in it, in order.

    `holds_block` says whether it is a block or has one somewhere in it.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)
    holds_block: bool = False

    def elements(self) -> "Iterator[Element]":
        """Every element below this one, in no particular order."""
        waiting = [self]
        while waiting:
            inner = [child for child in waiting.pop().children if isinstance(child, Element)]
            yield from inner
            waiting += reversed(inner)

    def text(self) -> str:
        """All text below this one, with line breaks as line feeds."""
        if self.tag == "br":
            return "\n"
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def parse(source: str, limit: int = LIMIT) -> Element:
    """The tree of at most the first `limit` characters of some HTML; its root has no tag."""
    builder = _Builder()
    source = source[:limit]
    position = 0
    while found := _TOKEN.match(source, position):
        position = found.end()
        if found["text"] or found["stray"]:
            builder.add_text(_unescaped(found[0]))
        elif found["comment"] is not None:
            end = source.find("-->", position)
            position = end + len("-->") if end >= 0 else len(source)
        elif found["tag"]:
            tag = found["tag"].lower()
            if found["close"]:
                builder.end(tag)
            else:
                builder.start(tag, _attributes(found["rest"]))
                position = _after_raw(tag, source, position)
    return builder.root


def _after_raw(tag: str, source: str, position: int) -> int:
    """Where to read on after a start tag: behind scripts and the like, which hold no tags."""
    if tag not in _RAW:
        return position
    end = re.compile(f"</{tag}", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


def _attributes(rest: str) -> dict[str, str]:
    return {
        found[1].lower(): _unescaped(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(rest)
    }


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    return html.unescape(_HUGE_REFERENCE.sub("\N{REPLACEMENT CHARACTER}", text))


class _Builder:
    """Puts elements where browsers would put them, roughly, and never deep."""

    def __init__(self) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._too_deep = 0

    def add_text(self, text: str) -> None:
        cleaned = clean.text(text)
        if cleaned:
            self._open[-1].children.append(cleaned)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in BLOCKS:
            self._end_if_open(frozenset({"p"}), BLOCKS - {"p"})
        if tag in _ENDS:
            self._end_if_open(*_ENDS[tag])
        element = Element(tag, attributes)
        if tag not in _UNREAD:
            self._open[-1].children.append(element)
        if tag in BLOCKS:
            self._mark_block(element)
        if tag in _VOID:
            return
        if len(self._open) < _DEEPEST:
            self._open.append(element)
        else:
            self._too_deep += 1

    def _mark_block(self, element: Element) -> None:
        element.holds_block = True
        for outer in reversed(self._open):
            if outer.holds_block:
                return
            outer.holds_block = True

    def end(self, tag: str) -> None:
        if tag in _VOID:
            return
        if self._too_deep:
            self._too_deep -= 1
            return
        self._end_if_open(frozenset({tag}), frozenset())

    def _end_if_open(self, tags: frozenset[str], within: frozenset[str]) -> None:
        """End the innermost open one of `tags`, unless one of `within` is open inside it."""
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag in tags:
                del self._open[depth:]
                return
            if self._open[depth].tag in within:
                return
