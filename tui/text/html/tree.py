"""A tolerant parser of untrusted HTML: any text becomes a shallow tree, in linear time.

Python's own parser takes quadratic time on unfinished tags and raises on huge character references,
so tags are found here by one regular expression that does not backtrack. A tag ends at the first
`>` outside quotes; where a quote never ends before the next `<`, at the first `>`. Text is made
terminal-safe, attributes are not. Elements that are not meant to be read, such as scripts and
styles, are dropped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tui.text import clean
from tui.text.clean import unescaped

LIMIT = 200_000
"""The default limit of characters; twice what services have stored."""

BLOCKS = frozenset(
    {
        *("html", "body", "main", "section", "article", "aside", "header", "footer", "nav"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "pre", "blockquote", "hr", "center"),
        *("ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "address"),
        *("table", "thead", "tbody", "tfoot", "tr", "td", "th"),
        *("form", "fieldset", "details", "summary"),
    }
)
"""Block elements."""

VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr"),
    }
)
"""Elements without content and end tag."""

_UNREAD = frozenset(
    {
        *("head", "title", "script", "style", "template", "noscript", "iframe", "object", "applet"),
        *("svg", "math", "canvas", "audio", "video", "select", "textarea"),
    }
)
_NOT_IN_P = BLOCKS - {"p"}
# SVG contains no blocks: where one begins, the end tag of the drawing is missing.
_FOREIGN = frozenset({"svg", "math"})
_RAW = frozenset({"script", "style", "textarea", "title", "iframe"})
_DEEPEST = 64
_LONGEST_NUMBER = 6
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
    r"""|<(?P<close>/?)(?P<tag>[a-zA-Z][^\s/<>"']*+)"""
    r"""(?P<rest>(?:[^<>"']++|"[^"]*+"|'[^']*+')*+|[^<>]*+)>"""
    r"|(?P<stray><)"
)
_ATTRIBUTE = re.compile(
    r"""([^\s/<>"'=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+"""
)
# In an address `&copy=` begins the next parameter and is no reference.
_BARE_NAME = re.compile(r"&(?=[a-zA-Z][a-zA-Z0-9]*+(?!;))")


@dataclass(slots=True)
class Element:
    """An element: its tag in lower case, attributes and children.

    `holds_block` says whether it is or contains a block. In the source it goes from `begins` to
    `ends`, and its content from `holds_from` to `holds_to`.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)
    holds_block: bool = False
    begins: int = 0
    holds_from: int = 0
    holds_to: int = 0
    ends: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether it has no block or line break, so that its line ends are kept."""
        return not self.holds_block and not any(inner.tag == "br" for inner in self.elements())

    def elements(self) -> "Iterator[Element]":
        """Every descendant element, in no particular order."""
        waiting = [self]
        while waiting:
            inner = [child for child in waiting.pop().children if isinstance(child, Element)]
            yield from inner
            waiting += reversed(inner)

    @property
    def first_number(self) -> int:
        """The number of the first item of an ordered list."""
        start = self.attributes.get("start", "")
        return int(start) if start.isdecimal() and len(start) <= _LONGEST_NUMBER else 1

    def text(self) -> str:
        """All text in it, with line breaks as line feeds."""
        if self.tag == "br":
            return "\n"
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def parse(source: str, limit: int = LIMIT) -> Element:
    """The tree of at most the first `limit` characters; its root has no tag."""
    builder = _Builder()
    source = source[:limit]
    position = 0
    while token := _TOKEN.match(source, position):
        position = token.end()
        if token["text"] or token["stray"]:
            builder.add_text(unescaped(token[0]))
        elif token["comment"] is not None:
            end = source.find("-->", position)
            # As in browsers, a comment that never ends hides all that follows.
            position = end + len("-->") if end >= 0 else len(source)
        elif token["tag"]:
            tag = token["tag"].lower()
            if token["close"]:
                builder.end(tag, token.start(), position)
            else:
                builder.start(tag, _attributes(token["rest"]), token.start(), position)
                position = _after_raw(tag, source, position)
    return builder.finished(len(source))


def _after_raw(tag: str, source: str, position: int) -> int:
    if tag not in _RAW:
        return position
    end = re.compile(f"</{tag}", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


def _attributes(rest: str) -> dict[str, str]:
    return {
        match[1].lower(): unescaped(_BARE_NAME.sub("&amp;", match[2] or match[3] or match[4] or ""))
        for match in _ATTRIBUTE.finditer(rest)
    }


class _Builder:
    """Places elements roughly as browsers do, with limited depth."""

    def __init__(self) -> None:
        self._root = Element("")
        self._open = [self._root]
        self._too_deep = 0
        self._is_drawing = False

    def finished(self, length: int) -> Element:
        """The tree of a text of this length, with open elements ended."""
        self._close(0, length, length)
        return self._root

    def add_text(self, text: str) -> None:
        cleaned = clean.text(text)
        if cleaned:
            self._open[-1].children.append(cleaned)

    def start(self, tag: str, attributes: dict[str, str], begins: int, ends: int) -> None:
        if tag in BLOCKS:
            if self._is_drawing:
                self._end_if_open(_FOREIGN, frozenset(), begins, begins)
                self._is_drawing = False
            self._end_if_open(frozenset({"p"}), _NOT_IN_P, begins, begins)
        if tag in _ENDS:
            self._end_if_open(*_ENDS[tag], begins, begins)
        self._is_drawing = self._is_drawing or tag in _FOREIGN
        element = Element(tag, attributes, begins=begins)
        element.holds_from = element.holds_to = element.ends = ends
        if tag not in _UNREAD:
            self._open[-1].children.append(element)
        if tag in BLOCKS:
            self._mark_block(element)
        if tag in VOID:
            return
        if len(self._open) < _DEEPEST:
            self._open.append(element)
        else:
            # Its children are placed beside it, so that the tree stays shallow enough for
            # recursion.
            self._too_deep += 1

    def _mark_block(self, element: Element) -> None:
        element.holds_block = True
        for outer in reversed(self._open):
            # Then all elements further out are marked already.
            if outer.holds_block:
                return
            outer.holds_block = True

    def end(self, tag: str, begins: int, ends: int) -> None:
        if tag in VOID:
            return
        if self._too_deep:
            self._too_deep -= 1
            return
        self._end_if_open(frozenset({tag}), frozenset(), begins, ends)

    def _end_if_open(
        self, tags: frozenset[str], within: frozenset[str], begins: int, ends: int
    ) -> None:
        # The end tag in the source goes from `begins` to `ends`.
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag in tags:
                self._close(depth, begins, ends)
                return
            if self._open[depth].tag in within:
                return

    def _close(self, depth: int, begins: int, ends: int) -> None:
        for element in self._open[depth + 1 :]:
            element.holds_to = element.ends = begins
        self._open[depth].holds_to, self._open[depth].ends = begins, ends
        del self._open[depth:]
