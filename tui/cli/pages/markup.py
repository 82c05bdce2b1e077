"""Elements of HTML. Every text in them is cleaned and escaped, unless it is an element itself."""

from datetime import datetime
from html import escape

from tui.text import clean
from tui.text.html.inline import safe_address
from tui.text.html.tree import VOID

_WEB = ("http://", "https://")


class Markup(str):
    """HTML of our own, which is written as it is."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str) -> Markup:
    """An element; attributes without a value are left out, and `class_` is `class`."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
        if value
    )
    end = "" if tag in VOID else f"</{tag}>"
    return Markup(f"<{tag}{written}>{joined(*children)}{end}")


def joined(*children: str) -> Markup:
    """Elements and texts in a row."""
    return Markup(
        "".join(child if isinstance(child, Markup) else text(child) for child in children)
    )


def text(raw: str) -> Markup:
    """A text without control characters and overrides of direction, escaped."""
    return Markup(escape(clean.text(raw)))


def moment(at: datetime, words: str, **attributes: str) -> Markup:
    """A time for people and for programs."""
    return element("time", words, datetime=at.isoformat(timespec="minutes"), **attributes)


def link(address: str, *children: str) -> Markup:
    """A link to an address of the web; without the link for any other address."""
    safe = safe_address(address) or ""
    if not safe.lower().startswith(_WEB):
        return joined(*children)
    return element("a", *children, href=safe, rel="noopener noreferrer")
