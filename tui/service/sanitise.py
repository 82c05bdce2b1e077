"""HTML from people, made harmless before it is kept.

The rule it keeps: only the elements and attributes listed here pass; everything else loses its
tag and keeps its text, but for elements whose text is not meant to be read, which go whole. Links
go to http, https, mailto or a place on the same site, pictures to http or https. What is left is
well-formed: every element that is opened is closed. The work is linear in the length of the text,
however malformed it is; a tag that never ends is text.
"""

import re
from html import escape, unescape

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
_DEEPEST = 100

_NAME = r"(/?)([a-zA-Z][^\s/<>]*+)"
_TAG = re.compile(rf"""<{_NAME}((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_CRUDE_TAG = re.compile(rf"<{_NAME}([^>]*+)>")
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+"""
)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0]+")


def safe_html(source: str) -> str:
    """The same text with nothing in it that acts."""
    if "<" not in source and "&" not in source:
        return source
    writer = _Writer()
    at = 0
    while (begins := source.find("<", at)) >= 0:
        writer.text(source[at:begins])
        at = _read_tag(source, begins, writer)
    writer.text(source[at:])
    return writer.finished()


def is_safe_address(value: str, schemes: set[str]) -> bool:
    """Whether an address has one of these schemes, or none."""
    bare = _INVISIBLE.sub("", value)
    scheme = _SCHEME.match(bare)
    if scheme is None:
        return ":" not in re.split(r"[/?#]", bare, maxsplit=1)[0]
    return scheme[1].lower() in schemes


def _read_tag(source: str, begins: int, writer: "_Writer") -> int:
    """Read what the `<` at `begins` begins; says where reading goes on."""
    if source.startswith(("<!", "<?"), begins):
        mark = "-->" if source.startswith("<!--", begins) else ">"
        ends = source.find(mark, begins)
        return _rest(source, begins, writer) if ends < 0 else ends + len(mark)
    if not source[begins + 1 : begins + 3].strip("/")[:1].isalpha():
        writer.text("<")
        return begins + 1
    tag = _TAG.match(source, begins) or _CRUDE_TAG.match(source, begins)
    if tag is None:
        return _rest(source, begins, writer)
    name = tag[2].lower()
    if tag[1]:
        writer.end(name)
    elif name in _UNREAD:
        closing = re.compile(rf"</{name}\b[^>]*+>", re.IGNORECASE).search(source, tag.end())
        return closing.end() if closing else len(source)
    else:
        writer.start(name, tag[3])
    return tag.end()


def _rest(source: str, begins: int, writer: "_Writer") -> int:
    """Take everything from here as text."""
    writer.text(source[begins:])
    return len(source)


class _Writer:
    """Writes what is allowed as it is read."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._open: list[str] = []

    def finished(self) -> str:
        """Everything that was written, with what is still open closed."""
        self._written.extend(f"</{tag}>" for tag in reversed(self._open))
        self._open.clear()
        return "".join(self._written)

    def start(self, tag: str, attributes: str) -> None:
        """An element begins; one that ends with `/` ends at once unless it is never closed."""
        if tag not in ALLOWED or (len(self._open) >= _DEEPEST and tag not in _VOID):
            return
        self._written.append(f"<{tag}{_attributes(tag, attributes)}>")
        if tag not in _VOID:
            self._open.append(tag)
            if attributes.endswith("/"):
                self.end(tag)

    def end(self, tag: str) -> None:
        """An element ends, and with it those that were begun in it."""
        if tag not in self._open:
            return
        while (innermost := self._open.pop()) != tag:
            self._written.append(f"</{innermost}>")
        self._written.append(f"</{tag}>")

    def text(self, source: str) -> None:
        """Text between tags; references to characters in it are resolved."""
        self._written.append(escape(_unescaped(source), quote=False))


def _attributes(tag: str, source: str) -> str:
    """The attributes that may stay, as they are written."""
    kept: dict[str, str] = {}
    for found in _ATTRIBUTE.finditer(source):
        name = found[1].lower()
        raw = next((value for value in found.groups()[1:] if value is not None), None)
        if name not in ALLOWED[tag] or name in kept or raw is None:
            continue
        value = _unescaped(raw)
        if name not in _ADDRESSES or is_safe_address(value, _ADDRESSES[name]):
            kept[name] = value
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


def _unescaped(source: str) -> str:
    """Text with its references resolved; kept as it is where one of them is absurdly long."""
    try:
        return unescape(source)
    except ValueError:
        return source
