"""How a row of a standup is drawn: flags, number and title first, because the end may be cut."""

from collections.abc import Iterable, Iterator

from tui.model.standup.rows import Row
from tui.model.standup.words import SEPARATOR, About, Piece
from tui.model.task import Priority
from tui.screens.standup.rows import StandupRow
from tui.text.cells import cut, width as cell_width
from tui.text.clean import quoted
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, line_width

_ROLES = {About.PEOPLE: "people", About.CHANGES: "title", About.COMMENTS: "news"}
_NARROW = 48
"""With less room than this, nothing takes room of the title."""
_LEAST_PIECE = 6
"""A piece behind the title is not cut to fewer cells than this, but left out."""


def row_line(row: StandupRow, width: int) -> Line:
    """A row; what does not fit into `width` cells is for the list to cut."""
    card = row.card
    if card is None:
        return ((f" {row.text}", "title" if row.is_topic else "meta"),)
    texts = {piece.about: piece.text for piece in row.pieces}
    flags, reason = _flags(card, texts.get(About.FLAGS, ""), width)
    sign = f"{glyphs.DONE} " if card.task.is_closed else ""
    number = "new" if card.task.is_local else f"#{card.task.id}"
    first = ((f" {sign}", "good"), (flags, "late"), (f"{number} ", "meta"))
    beside = list(_beside(card, row.pieces, reason))
    room = width - line_width(first)
    taken = sum(cell_width(f"{SEPARATOR}{text}") for text, _ in beside)
    title = cut(card.task.title, max(room - taken, room if room < _NARROW else room // 2))
    behind = _fitting(beside, room - cell_width(title))
    return (*first, (title, "closed" if sign else "title"), *behind)


def _fitting(spans: Iterable[Span], room: int) -> Iterator[Span]:
    """As many spans as there is room for, each behind a separator; the last one may be cut."""
    for text, role in spans:
        room -= cell_width(SEPARATOR)
        if room < min(cell_width(text), _LEAST_PIECE):
            return
        yield from ((SEPARATOR, "meta"), (cut(text, room), role))
        room -= cell_width(text)


def _flags(card: Row, text: str, width: int) -> tuple[str, str]:
    """The flags in a third of the width, if possible, and the reason if there is no room for it."""
    if not text:
        return "", ""
    words = [flag.value for flag in card.flags if flag.value in text]
    more = f" +{len(words) - 1}" if len(words) > 1 else ""
    ways = (text, ", ".join(words), f"{words[0]}{more}")
    chosen = next((way for way in ways if cell_width(way) <= width // 3), ways[-1])
    reason = card.reason if chosen is not text else ""
    return f"{glyphs.NEEDS_YOU} {chosen} ", reason


def _beside(card: Row, pieces: tuple[Piece, ...], reason: str) -> Iterator[Span]:
    """What stands behind the title."""
    if reason:
        yield quoted(reason), "late"
    for about, text in pieces:
        if about not in (About.FLAGS, About.TITLE):
            yield text, _role(about, text, card)


def _role(about: About, text: str, card: Row) -> str:
    if about is About.PRIORITY:
        return "high" if card.task.priority is Priority.HIGH else "meta"
    if about is About.DUE:
        return "late" if text.endswith(" late") else "soon"
    return _ROLES.get(about, "meta")
