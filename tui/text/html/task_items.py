"""List items that are checklist items, open or done.

An item is one if it begins with a box, as an `input` or typed as `[ ]` or `[x]`, or if it has
`data-checked`. The rest of the item is its text.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from tui.text.html.tree import Element

MARKS = {True: "[x] ", False: "[ ] "}
"""The typed boxes."""

_NO_BOX_IN = frozenset({"ul", "ol", "img", "pre", "table", "code"})
_TYPED = re.compile(r"\s*\[([ xX])\](?:\s+|$)")


def task_item(item: Element) -> tuple[bool | None, Element]:
    """Whether an item is done, None if it has no box, and the rest of the item."""
    state = item.attributes.get("data-checked")
    box, content = _without_box(item)
    if state is None:
        return box, content
    is_done = state.lower() not in ("false", "0")
    # Beside `data-checked` a typed box is text, but an `input` is the box itself.
    return is_done, (item if box is None or _TYPED.match(item.text()) else content)


def is_box(element: Element) -> bool:
    """Whether an element is a checkbox."""
    return element.tag == "input" and element.attributes.get("type", "").lower() == "checkbox"


def dress_boxes(root: Element, like: str) -> None:
    """Convert typed boxes to the kind of box that the HTML of a text uses, if any."""
    is_told = "data-checked" in like
    if not is_told and "checkbox" not in like:
        return
    for parent in _lists(root):
        for item in parent.children:
            if not isinstance(item, Element) or item.tag != "li":
                continue
            is_done, content = task_item(item)
            if is_done is None:
                continue
            item.children = (
                content.children if is_told else [_drawn(is_done), " ", *content.children]
            )
            if is_told:
                item.attributes["data-checked"] = str(is_done).lower()
                parent.attributes["data-type"] = "taskList"


def _lists(parent: Element) -> Iterator[Element]:
    # Boxes in a table are read as text.
    for child in parent.children:
        if isinstance(child, Element) and child.tag not in ("table", "dl", "details"):
            if child.tag == "ul":
                yield child
            yield from _lists(child)


def _drawn(is_done: bool) -> Element:
    return Element("input", {"type": "checkbox", **({"checked": ""} if is_done else {})})


def _without_box(element: Element) -> tuple[bool | None, Element]:
    for index, child in enumerate(element.children):
        if isinstance(child, str):
            if not child.strip():
                continue
            typed = _TYPED.match(child)
            if typed:
                return typed[1] != " ", _with_child(element, index, [child[typed.end() :]])
        elif is_box(child):
            return "checked" in child.attributes, _with_child(element, index, [])
        elif child.tag == "br":
            continue
        elif child.tag not in _NO_BOX_IN:
            box, content = _without_box(child)
            if box is not None:
                return box, _with_child(element, index, [content] if content.children else [])
            if not child.children:
                continue
        break
    return None, element


def _with_child(element: Element, index: int, instead: list[Element | str]) -> Element:
    return replace(element, children=[*instead, *element.children[index + 1 :]])
