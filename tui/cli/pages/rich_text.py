"""Descriptions as elements of a page: of untrusted HTML what is listed here, and all other text.

Pictures are named and not loaded, and links go to the web alone.
"""

from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from tui.cli.pages.markup import Markup, element, joined, link
from tui.text import clean
from tui.text.html import tree as html_tree
from tui.text.html.inline import safe_address
from tui.text.html.reading import TOO_LONG
from tui.text.html.task_items import is_box, task_item
from tui.text.html.tree import BLOCKS, Element

_INLINE = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "var", "dfn"), "em"),
    **dict.fromkeys(("s", "del", "strike"), "s"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h4"),
}
_KEPT = frozenset(
    {
        *("p", "ul", "ol", "li", "blockquote", "pre", "br", "hr"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
)
_DONE, _OPEN = "☑ ", "☐ "


def rich_text(source: str) -> Markup:
    """The content of a description; empty if it shows nothing."""
    root = html_tree.parse(source)
    shown = _children(root)
    if not root.text().strip() and "<" not in shown:
        return Markup()
    parts = [element("p", TOO_LONG)] if len(source) > html_tree.LIMIT else []
    kind = "text as-typed" if root.is_plain else "text"
    return element("div", shown, *parts, class_=kind, dir="auto")


def _children(parent: Element, *, is_linked: bool = False) -> Markup:
    return joined(*_shown(parent.children, is_linked=is_linked))


def _shown(children: Iterable[Element | str], *, is_linked: bool) -> Iterable[str]:
    for child in children:
        yield child if isinstance(child, str) else _element(child, is_linked=is_linked)


def _element(child: Element, *, is_linked: bool) -> Markup:
    if child.tag == "img":
        return element("em", f"[{_name_of(child)}]")
    if is_box(child):
        return joined(_DONE if "checked" in child.attributes else _OPEN)
    if child.tag == "a" and not is_linked:
        return link(child.attributes.get("href", ""), _children(child, is_linked=True))
    if child.tag == "li":
        is_done, content = task_item(child)
        box = "" if is_done is None else _DONE if is_done else _OPEN
        return element("li", box, _children(content, is_linked=is_linked))
    inside = _children(child, is_linked=is_linked)
    tag = _INLINE.get(child.tag, child.tag if child.tag in _KEPT else "")
    if tag:
        return element(tag, inside)
    return element("div", inside) if child.tag in BLOCKS else inside


def _name_of(picture: Element) -> str:
    title = clean.line(picture.attributes.get("alt", "")).strip()
    address = safe_address(picture.attributes.get("src", ""))
    name = unquote(urlsplit(address).path.rpartition("/")[2]) if address and not title else title
    return f"image: {name}" if name else "image"
