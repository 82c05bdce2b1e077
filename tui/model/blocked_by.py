"""The cards that block a card, as the line of its description that names them.

`Blocked by: #12, Support #801` is written as the last paragraph, so that it can be read and edited
with any client. What people made of it is read leniently: in another place or letter case, with
other separators, with formatting, or with text behind it, which stays.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tui.model.ids import TaskId
from tui.record import record
from tui.text.clean import unescaped

# A line of the page ends at these. Every pattern here takes linear time.
_BOUNDARY = re.compile(
    r"(?i)\n|<(/?)(p|div|li|[uod]l|d[td]|h[1-6r]|br|pre|blockquote|t[rdh]|table|t?head|tbody)\b[^<>]*>"
)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_IS_CODE = re.compile(r"(?i)<code\b")
_QUOTES = ("pre", "blockquote")
_LINE_BREAKS = ("br", "")
_BEGIN = re.compile(r"(?i)blocked by ?(:?) ?")
_NAME = r"([^#,;]{0,80})#(\d{1,18})\b"
_FIRST = re.compile(_NAME)
_NEXT = re.compile(rf"(?i)(?: ?[,;&] ?| and ){_NAME}| ?()#(\d{{1,18}})\b")
_PUNCTUATION = " .,;"
_UNNAMEABLE = re.compile(r"[#,;<>]")
_LONGEST_NAME = 60


@record
class Blocker:
    """A card that blocks another; `board` is the name written before it, empty for its own."""

    id: TaskId
    board: str = ""


class Described(NamedTuple):
    """A description without the line, and the cards that the line names."""

    text: str
    blockers: tuple[Blocker, ...] = ()


def described(description: str) -> Described:
    """Take the line out of a description in HTML; nothing else of it changes."""
    if "#" not in description or "blocked" not in description.lower():
        return Described(description)
    lines = _lines_in(description)
    if not lines:
        return Described(description)
    parts, at = list[str](), 0
    for line in lines:
        parts += [description[at : line.begin], line.remaining]
        at = line.end
    parts.append(description[at:])
    return Described("".join(parts), united(*(line.blockers for line in lines)))


def joined(text: str, blockers: Iterable[Blocker]) -> str:
    """A description with the line as its last; `text` is without it."""
    named = ", ".join(f"{_name(blocker.board)}#{blocker.id}" for blocker in blockers)
    return f"{text}<p>Blocked by: {named}</p>" if named else text


def united(*several: Iterable[Blocker]) -> tuple[Blocker, ...]:
    """All of these blockers, each card once, as it is named first."""
    by_id = dict[int, Blocker]()
    for blockers in several:
        for blocker in blockers:
            by_id.setdefault(blocker.id, blocker)
    return tuple(by_id.values())


def without(blockers: Iterable[Blocker], card_id: int) -> tuple[Blocker, ...]:
    """These blockers without one card."""
    return tuple(blocker for blocker in blockers if blocker.id != card_id)


def in_words(blocker: Blocker) -> str:
    """How a card is named: by its number, behind the name of its board if that is another one."""
    number = f"#{blocker.id}" if blocker.id > 0 else "new card"
    return f"{blocker.board} {number}".strip()


def name_of_board(title: str) -> str:
    """A title as it can be written in the line, which has signs of its own."""
    return " ".join(_UNNAMEABLE.sub(" ", title).split())[:_LONGEST_NAME].strip()


def _name(board: str) -> str:
    name = name_of_board(board).replace("&", "&amp;")
    return f"{name} " if name else ""


class _Line(NamedTuple):
    """Where the line stands, who is named in it, and what of it stays."""

    begin: int
    end: int
    blockers: tuple[Blocker, ...]
    remaining: str


def _lines_in(description: str) -> list[_Line]:
    boundaries = list(_BOUNDARY.finditer(description))
    # What is quoted is no relation. A quotation that is never closed does not count as one, so that
    # the line behind any text is read.
    last_closed = {
        (boundary[2] or "").lower(): boundary.start() for boundary in boundaries if boundary[1]
    }
    depths = dict.fromkeys(_QUOTES, 0)
    lines, begin = list[_Line](), 0
    for index, boundary in enumerate([*boundaries, None]):
        end = len(description) if boundary is None else boundary.start()
        is_quoted = any(depths[kind] and begin < last_closed.get(kind, -1) for kind in _QUOTES)
        piece = description[begin:end]
        found = None if is_quoted or ("#" not in piece and "&" not in piece) else _read(piece)
        if found is not None:
            previous = boundaries[index - 1] if index else None
            first, last = _span(previous, boundary, begin, end)
            if found.text:
                first, last = begin, end
            lines.append(_Line(first, last, found.blockers, found.text))
        if boundary is not None:
            begin = boundary.end()
            kind = (boundary[2] or "").lower()
            if kind in depths:
                depths[kind] = max(0, depths[kind] + (-1 if boundary[1] else 1))
    return lines


def _span(
    previous: re.Match[str] | None, following: re.Match[str] | None, begin: int, end: int
) -> tuple[int, int]:
    """From where to where a line is taken out: with its own tags, or with one line break."""
    kinds = [(match[2] or "").lower() if match else None for match in (previous, following)]
    if previous and following and kinds[0] == kinds[1] and not previous[1] and following[1]:
        return previous.start(), following.end()
    if previous and kinds[0] in _LINE_BREAKS:
        return previous.start(), end
    if following and kinds[1] in _LINE_BREAKS:
        return begin, following.end()
    return begin, end


def _read(piece: str) -> Described | None:
    """What stays of a line of a description, and who is named in it; None if it is another line."""
    words = " ".join(unescaped(_TAG.sub("", piece)).split())
    begin = _BEGIN.match(words)
    if begin is None or _IS_CODE.search(piece):
        return None
    found, numbers = list[Blocker](), list[str]()
    item = _FIRST.match(words, begin.end())
    at = begin.end()
    while item is not None:
        name, number = item[1], item[2]
        if number is None:  # the form without a separator, of `_NEXT`
            name, number = item[3], item[4]
        if int(number):
            found.append(Blocker(int(number), " ".join((name or "").split())))
        numbers.append(number)
        at = item.end()
        item = _NEXT.match(words, at)
    behind = words[at:].strip(_PUNCTUATION)
    if not found or (not begin[1] and (behind or found[0].board)):
        return None
    tags = _TAG.findall(piece)
    closing = sum(tag.startswith("</") for tag in tags)
    if not behind:
        return Described("" if 2 * closing == len(tags) else "".join(tags), united(found))
    return Described(_behind(piece, numbers, behind), united(found))


def _behind(piece: str, numbers: Iterable[str], behind: str) -> str:
    """The text behind the numbers, with all tags of the line."""
    bare = _TAG.sub(lambda tag: " " * len(tag[0]), piece)
    at = 0
    for number in numbers:
        place = re.compile(rf"(?<!&)#{number}\b").search(bare, at)
        if place is None:  # the sign is written as a reference
            return behind.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        at = place.end()
    return "".join(_TAG.findall(piece[:at])) + piece[at:].lstrip(_PUNCTUATION)
