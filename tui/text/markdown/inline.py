"""Inline content as Markdown.

The result parses as the same content. Where an emphasis would not be recognised between its
neighbours, and where Markdown has no syntax, HTML is written.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from string import punctuation
from typing import NamedTuple

from tui.text.html.inline import safe_address
from tui.text.html.leaves import Leaf, LeafType, TagMark
from tui.text.html.writing import opened
from tui.text.markdown.signs import address, code_span, escaped, escaped_start, titled

BREAK = "\n"
# A tag alone on the first line would turn everything after it into HTML.
_IS_TAG = re.compile(r"<img [^<>]*>")
_SIGNS = {"strong": ("**",), "em": ("_", "*"), "s": ("~~",)}


class _Place(NamedTuple):
    """The characters before and after some text, and the form of line breaks in it."""

    preceding: str
    following: str
    line_break: str

    def between(self, preceding: str, following: str) -> "_Place":
        """The place between two other characters."""
        return self._replace(preceding=preceding, following=following)


def paragraphs(leaves: Sequence[Leaf]) -> list[str]:
    """Paragraphs; two or more breaks end one."""
    parts: list[list[Leaf]] = [[]]
    breaks = 0
    for leaf in leaves:
        breaks = breaks + 1 if leaf.sort is LeafType.BREAK else 0
        if breaks > 1:
            parts.append([])
        else:
            parts[-1].append(leaf)
    return [text for part in parts if (text := _paragraph(part))]


def line(leaves: Iterable[Leaf], *, line_break: str = " ") -> str:
    """One line, with line breaks replaced."""
    return _row(_trimmed(leaves), 0, _Place("\n", "\n", line_break)).strip()


def _paragraph(leaves: Iterable[Leaf]) -> str:
    text = _row(_trimmed(leaves), 0, _Place("\n", "\n", BREAK)).strip()
    lines = text.split("\n")
    if len(lines) > 1 and _IS_TAG.fullmatch(lines[0]):
        lines[0] += "\n"
    return "\n".join(escaped_start(text_line) for text_line in lines)


def _trimmed(leaves: Iterable[Leaf]) -> list[Leaf]:
    row = list(leaves)
    while row and row[0].is_blank:
        del row[0]
    while row and row[-1].is_blank:
        del row[-1]
    return row


def _row(leaves: Sequence[Leaf], depth: int, place: _Place) -> str:
    groups = [
        (mark, list(group))
        for mark, group in groupby(
            leaves, lambda leaf: leaf.marks[depth] if len(leaf.marks) > depth else None
        )
    ]
    out: list[str] = []
    for index, (mark, group) in enumerate(groups):
        following = place.following
        if index + 1 < len(groups):
            following = _first_sign(*groups[index + 1])
        preceding = next((text[-1] for text in reversed(out) if text), place.preceding)
        if mark is None:
            out += [_leaf(leaf, place.line_break) for leaf in group]
        else:
            out.append(_marked(mark, group, depth + 1, place.between(preceding, following)))
    return "".join(out)


def _first_sign(mark: TagMark | None, group: list[Leaf]) -> str:
    leaf = group[0]
    # Markup begins with a sign or a tag: punctuation, as far as its neighbour is concerned.
    return leaf.text[0] if mark is None and leaf.sort is not LeafType.PICTURE else "."


def _leaf(leaf: Leaf, line_break: str) -> str:
    if leaf.sort is LeafType.BREAK:
        return line_break
    if leaf.sort is LeafType.TEXT:
        return escaped(leaf.text)
    attributes = dict(leaf.attributes)
    src = attributes.get("src", "")
    if safe_address(src) is None or any(name[:5] == "data-" for name in attributes):
        return opened("img", attributes)
    return f"![{escaped(leaf.text)}]({address(src)}{titled(attributes.get('title', ''))})"


def _marked(mark: TagMark, group: list[Leaf], depth: int, place: _Place) -> str:
    if mark.tag == "code":
        return _code(group, place.line_break)
    if mark.tag == "a" and (link := _link(mark, group, depth, place)):
        return link
    # `_` is no emphasis beside letters, so that `*` is tried there. If no sign works, it is HTML.
    for sign in _SIGNS.get(mark.tag, ()):
        inner = _row(group, depth, place.between(sign[-1], sign[0]))
        if _is_understood(sign, inner, place.preceding, place.following):
            return f"{sign}{inner}{sign}"
    start = opened(mark.tag, _styled(dict(mark.attributes)))
    return f"{start}{_row(group, depth, place.between('>', '<'))}</{mark.tag}>"


def _code(group: list[Leaf], line_break: str) -> str:
    out: list[str] = []
    for leaf in group:
        if leaf.sort is LeafType.TEXT:
            out.append(code_span(leaf.text))
        else:
            out.append(_leaf(leaf, line_break))
    return "".join(out)


def _link(mark: TagMark, group: list[Leaf], depth: int, place: _Place) -> str:
    # Nothing if only HTML can express it.
    attributes = dict(mark.attributes)
    url = safe_address(attributes.get("href", ""))
    if url is None or any(name[:5] == "data-" for name in attributes):
        return ""
    title = titled(attributes.get("title", ""))
    if not title and _is_bare(group, depth, url):
        return f"<{url}>"
    return f"[{_row(group, depth, place.between('[', ']'))}]({address(url)}{title})"


def _is_bare(group: list[Leaf], depth: int, url: str) -> bool:
    if len(group) > 1 or group[0].sort is not LeafType.TEXT or len(group[0].marks) != depth:
        return False
    return group[0].text == url and not set(url) & set("<>\\`|")


def _styled(attributes: dict[str, str]) -> dict[str, str]:
    plain = {name: value for name, value in attributes.items() if not name.startswith("style:")}
    styles = [
        f"{name.removeprefix('style:')}: {value}"
        for name, value in sorted(attributes.items())
        if name.startswith("style:")
    ]
    return {**plain, "style": "; ".join(styles)} if styles else plain


def _is_understood(sign: str, inner: str, preceding: str, following: str) -> bool:
    if not inner or sign[0] in (preceding, following, inner[0], inner[-1]):
        return False
    if sign == "*" and not (preceding.isalnum() or following.isalnum()):
        return False
    return _can_stand(sign, preceding, inner[0]) and _can_stand(sign, following, inner[-1])


def _can_stand(sign: str, outside: str, inside: str) -> bool:
    is_free = outside.isspace() or outside in punctuation
    if inside.isspace():
        return False
    return is_free or (inside.isalnum() and sign != "_")
