"""Inline content of HTML as a list of leaves, each with all its markup.

Equivalent markup gives equal leaves: markup is in a fixed order without duplicates, white space is
collapsed, and blanks at the edge of an emphasis are outside of it.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from itertools import groupby
from typing import NamedTuple

from tui.text import clean
from tui.text.html.inline import safe_address
from tui.text.html.task_items import is_box
from tui.text.html.tree import BLOCKS, Element
from tui.text.html.writing import Attributes, relative_address, safe_attributes, styles_of

Around = dict[str, Attributes]
"""The markup around some text: tags with attributes."""

_PLAIN = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em"), "em"),
    **dict.fromkeys(("s", "del", "strike"), "s"),
    **dict.fromkeys(("code", "tt"), "code"),
}
_KEPT = frozenset(
    {
        *("u", "ins", "sub", "sup", "small", "big", "mark", "kbd", "samp", "var", "dfn", "cite"),
        *("q", "abbr", "time"),
    }
)
_ORDER = ("a", "raw", "strong", "em", "s", "code")
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ITALIC = re.compile(r"font-style\s*:\s*italic", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\n\f\r]+")
_INNER_BLANKS = re.compile(r"  +")


class LeafType(Enum):
    """The type of a leaf."""

    TEXT = auto()
    BREAK = auto()
    PICTURE = auto()


class TagMark(NamedTuple):
    """A tag with attributes around a leaf."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()


class Leaf(NamedTuple):
    """A piece of text, a line break or a picture; `marks` go from the outermost to the innermost.

    The text of a picture is its description.
    """

    sort: LeafType
    text: str
    marks: tuple[TagMark, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether it is white space."""
        return self.sort is LeafType.BREAK or (self.sort is LeafType.TEXT and self.text == " ")


def leaves(
    children: Iterable[Element | str], around: Around, *, keep_lines: bool = False
) -> list[Leaf]:
    """The leaves of parts of a tree; with `keep_lines` line feeds are breaks."""
    collected = _Collecting(keep_lines=keep_lines)
    collected.add(children, around)
    return _settled(_folded(collected.leaves))


def within(element: Element, around: Around) -> Around:
    """The markup around the text in an element."""
    tag = element.tag
    if tag in _PLAIN:
        return {**around, _PLAIN[tag]: {}}
    if tag == "a":
        href = element.attributes.get("href", "")
        is_link = safe_address(href) or relative_address(href)
        return {**around, "a": safe_attributes(element)} if is_link else around
    if tag in _KEPT:
        return {**around, tag: safe_attributes(element)}
    if tag in ("span", "font"):
        return _within_span(element, around)
    return around


def _within_span(element: Element, around: Around) -> Around:
    style = element.attributes.get("style", "")
    inside = dict(around)
    if _BOLD.search(style):
        inside["strong"] = {}
    if _ITALIC.search(style):
        inside["em"] = {}
    styles = styles_of(element)
    styles.pop("text-align", None)
    line = styles.pop("text-decoration", "")
    if "underline" in line:
        inside["u"] = {}
    if "line-through" in line:
        inside["s"] = {}
    data = {name: value for name, value in safe_attributes(element).items() if name[:5] == "data-"}
    data |= {f"style:{name}": value for name, value in styles.items()}
    if data:
        inside["span"] = {**inside.get("span", {}), **data}
    return inside


class _Collecting:
    """Collects the leaves of a tree."""

    def __init__(self, *, keep_lines: bool) -> None:
        self.leaves: list[Leaf] = []
        self._keeps_lines = keep_lines

    def add(self, children: Iterable[Element | str], around: Around) -> None:
        for child in children:
            if isinstance(child, str):
                self._add_text(child, around)
            else:
                self._add_element(child, around)

    def _add_element(self, element: Element, around: Around) -> None:
        if element.tag == "br":
            self._add(LeafType.BREAK, "\n", around)
        elif element.tag == "img":
            self._add_picture(element, around)
        elif is_box(element):
            self._add_text("[x] " if "checked" in element.attributes else "[ ] ", around)
        else:
            edge = element.tag in BLOCKS
            if edge:
                self._add_text(" ", around)
            self.add(element.children, within(element, around))
            if edge:
                self._add_text(" ", around)

    def _add_picture(self, element: Element, around: Around) -> None:
        title = clean.line(element.attributes.get("alt", "")).strip()
        attributes = tuple(sorted(safe_attributes(element).items()))
        self._add(LeafType.PICTURE, title, around, attributes)

    def _add_text(self, text: str, around: Around) -> None:
        if not self._keeps_lines:
            self._add(LeafType.TEXT, _BLANKS.sub(" ", text), around)
            return
        for index, line in enumerate(text.expandtabs(4).split("\n")):
            if index:
                self._add(LeafType.BREAK, "\n", around)
            # HTML collapses rows of blanks: all but the last one become no-break spaces.
            shown = _INNER_BLANKS.sub(lambda match: "\xa0" * (len(match[0]) - 1) + " ", line)
            self._add(LeafType.TEXT, shown, around)

    def _add(
        self,
        sort: LeafType,
        text: str,
        around: Around,
        attributes: tuple[tuple[str, str], ...] = (),
    ) -> None:
        if text or sort is LeafType.PICTURE:
            marks = (TagMark(tag, tuple(sorted(values.items()))) for tag, values in around.items())
            self.leaves.append(Leaf(sort, text, tuple(sorted(marks, key=_order)), attributes))


def _order(mark: TagMark) -> tuple[int, str]:
    return _ORDER.index(mark.tag if mark.tag in _ORDER else "raw"), mark.tag


def _folded(leaves: Iterable[Leaf]) -> Iterator[Leaf]:
    waiting: Leaf | None = None
    is_after_blank = True
    for leaf in leaves:
        if leaf.sort is LeafType.BREAK:
            waiting, is_after_blank = None, True
            yield leaf
            continue
        if leaf.sort is LeafType.PICTURE:
            if waiting:
                yield waiting
            waiting, is_after_blank = None, False
            yield leaf
            continue
        text = leaf.text
        # A blank is held back until text follows, so that none stays before a line break.
        if text[0] == " " and not is_after_blank and waiting is None:
            waiting = leaf._replace(text=" ")
        bare = text.strip(" ")
        if bare:
            if waiting:
                yield waiting
            yield leaf._replace(text=bare)
            waiting, is_after_blank = None, False
            if text[-1] == " ":
                waiting = leaf._replace(text=" ")


def _settled(leaves: Iterable[Leaf]) -> list[Leaf]:
    # Blanks move out of markup that does not span both neighbours.
    row = list(leaves)
    after: list[tuple[TagMark, ...]] = []
    following: tuple[TagMark, ...] = ()
    for leaf in reversed(row):
        after.append(following)
        following = following if leaf.is_blank else leaf.marks
    settled: list[Leaf] = []
    preceding: tuple[TagMark, ...] = ()
    for leaf, behind in zip(row, reversed(after), strict=True):
        if leaf.is_blank:
            settled.append(leaf._replace(marks=tuple(mark for mark in preceding if mark in behind)))
        else:
            settled.append(leaf)
            preceding = leaf.marks
    return _joined(settled)


def _joined(row: Iterable[Leaf]) -> list[Leaf]:
    joined: list[Leaf] = []
    for (sort, marks, attributes), alike in groupby(
        row, lambda leaf: (leaf.sort, leaf.marks, leaf.attributes)
    ):
        if sort is LeafType.TEXT:
            text = "".join(leaf.text for leaf in alike)
            joined.append(Leaf(sort, text, marks, attributes))
        else:
            joined += alike
    return joined
