"""Serialises a tree as safe HTML.

Only listed elements are written; of others only the content is kept. Links go to the web, to mail
or to a path on the same site, pictures to the web or are embedded. Of styles only colours,
alignment and lines through or under the text are kept.
"""

import html
import re
from itertools import chain

from tui.text import clean
from tui.text.html.inline import safe_address
from tui.text.html.tree import BLOCKS, VOID, Element, parse

Attributes = dict[str, str]

_INLINE = frozenset(
    {
        *("a", "b", "strong", "i", "em", "u", "s", "del", "ins", "strike", "code", "br", "img"),
        *("sub", "sup", "small", "big", "mark", "kbd", "samp", "var", "dfn", "cite", "q", "abbr"),
        *("time", "span", "input"),
    }
)
_STRUCTURE = (BLOCKS | {"caption", "colgroup", "col"}) - {"html", "body", "form", "fieldset"}
WRITTEN = _INLINE | _STRUCTURE | {"font"}
"""The elements that are written; a font as a span."""

_ATTRIBUTES = frozenset({"title", "lang", "dir", "colspan", "rowspan", "datetime"})
_ATTRIBUTES_OF = {
    "a": frozenset({"href"}),
    "img": frozenset({"src", "alt", "width", "height"}),
    "ol": frozenset({"start"}),
    "input": frozenset({"type", "checked"}),
    "details": frozenset({"open"}),
}
_BARE = frozenset({"checked", "open"})
_DATA = re.compile(r"data-[a-z0-9][a-z0-9-]*")
_LANGUAGE = re.compile(r"\blang(?:uage)?-[\w+#.-]+")
_STYLES = frozenset({"color", "background-color", "text-align", "text-decoration"})
_STYLE_VALUE = re.compile(r"[\w#%., -]+(?:\([\w%., /-]*\))?")
_MEANINGLESS = frozenset(
    {
        *("auto", "inherit", "initial", "unset", "currentcolor", "windowtext", "transparent"),
        *("black", "#000", "#000000", "white", "#fff", "#ffffff", "none", "start", "left"),
    }
)
_LONGEST_STYLE = 60
_LONGEST_VALUE = 2048
_PICTURE_DATA = re.compile(r"data:image/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=]+")
_SCHEME = re.compile(r"[^/?#]*:")
_BLANKS = re.compile(r"[ \t\n\f\r]+")


def written(element: Element) -> str:
    """The content of an element as HTML; its white space is kept."""
    return "".join(_Writing(is_tidy=False).children(element))


def tidy(element: Element) -> str:
    """An element as HTML with each block on a line of its own, and no empty lines."""
    once = "".join(_Writing(is_tidy=True).element(element)).strip()
    # Dropped elements can leave texts side by side: collapse their blanks too.
    return "".join(_Writing(is_tidy=True).children(parse(once, len(once)))).strip()


def language(element: Element) -> str:
    """The language of code in its class, or nothing."""
    match = _LANGUAGE.search(element.attributes.get("class", ""))
    return match[0].partition("-")[2] if match else ""


def safe_attributes(element: Element) -> Attributes:
    """The attributes of an element that are kept."""
    result: Attributes = {}
    for name, raw in element.attributes.items():
        if name in _BARE and name in _ATTRIBUTES_OF.get(element.tag, ()):
            result[name] = ""
        elif value := _safe_value(element.tag, name, clean.line(raw)):
            result[name] = value
    if element.tag in ("code", "pre") and (named := language(element)):
        result["class"] = f"language-{named}"
    styles = {**styles_of(element)}
    if element.attributes.get("align", "").lower() in ("center", "right", "justify"):
        styles.setdefault("text-align", element.attributes["align"].lower())
    if styles:
        result["style"] = "; ".join(f"{name}: {value}" for name, value in sorted(styles.items()))
    return result


def styles_of(element: Element) -> Attributes:
    """The styles of an element that are kept."""
    styles: Attributes = {}
    for declaration in element.attributes.get("style", "").lower().split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        value = _BLANKS.sub(" ", clean.line(value).removesuffix("!important").strip())
        if name == "background":
            name = "background-color"
        if name in _STYLES and value not in _MEANINGLESS and _is_style(value):
            styles[name] = value
    if element.tag == "font" and _is_style(color := element.attributes.get("color", "").lower()):
        styles.setdefault("color", color)
    return styles


def _is_style(value: str) -> bool:
    return len(value) <= _LONGEST_STYLE and _STYLE_VALUE.fullmatch(value) is not None


def opened(tag: str, attributes: Attributes) -> str:
    """A start tag."""
    written = "".join(
        f" {name}" if name in _BARE else f' {name}="{html.escape(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>"


def _safe_value(tag: str, name: str, value: str) -> str | None:
    if name not in _ATTRIBUTES | _ATTRIBUTES_OF.get(tag, frozenset()) and not _DATA.fullmatch(name):
        return None
    if name == "src" and _PICTURE_DATA.fullmatch(value):
        return value
    if name in ("src", "href"):
        return safe_address(value) or relative_address(value)
    if name == "type" and value.lower() != "checkbox":
        return None
    return value[:_LONGEST_VALUE]


def relative_address(raw: str) -> str | None:
    """A path on the same site, if it is one."""
    value = clean.line(raw).strip()
    fits = value and len(value) <= _LONGEST_VALUE and not _SCHEME.match(value)
    return _BLANKS.sub("%20", value) if fits else None


class _Writing:
    """Writes a tree; tidy HTML can be part of Markdown, without empty lines."""

    def __init__(self, *, is_tidy: bool) -> None:
        self._is_tidy = is_tidy
        self._is_code = False

    def element(self, element: Element) -> list[str]:
        attributes = safe_attributes(element)
        tag = "span" if element.tag == "font" else element.tag
        inside = self.children(element)
        if tag not in WRITTEN or (tag in ("span", "a") and not attributes):
            return inside
        if tag == "input" and "type" not in attributes:
            return []
        line = "\n" if self._is_tidy and tag in BLOCKS and not self._is_code else ""
        end = [] if tag in VOID else [f"</{tag}>"]
        return [line, opened(tag, attributes), *inside, *end]

    def children(self, parent: Element) -> list[str]:
        was_code, self._is_code = self._is_code, self._is_code or parent.tag == "pre"
        parts: list[list[str]] = []
        for index, child in enumerate(parent.children):
            if isinstance(child, Element):
                parts.append(self.element(child))
            else:
                parts.append([html.escape(self._text(parent, index, child), quote=False)])
        if self._is_code and self._is_tidy:
            # An empty line would end the block of HTML in Markdown, also within code.
            parts = [[text.replace("\n", "&#10;") for text in part] for part in parts]
        self._is_code = was_code
        return list(chain.from_iterable(parts))

    def _text(self, parent: Element, index: int, text: str) -> str:
        if not self._is_tidy or self._is_code:
            return text
        text = _BLANKS.sub(" ", text)
        if _is_edge(parent, index - 1):
            text = text.removeprefix(" ")
        return text.removesuffix(" ") if _is_edge(parent, index + 1) else text


def _is_edge(parent: Element, index: int) -> bool:
    if not 0 <= index < len(parent.children):
        return parent.holds_block
    neighbour = parent.children[index]
    return isinstance(neighbour, Element) and (neighbour.holds_block or neighbour.tag == "br")
