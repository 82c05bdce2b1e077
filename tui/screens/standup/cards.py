"""The cards of a speaker, side by side in columns; pure functions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from textual.geometry import Region, Size

from tui.context import Density
from tui.model.standup.report import Standup, StandupCard
from tui.screens.board.card import CardLook, CardState, details
from tui.screens.standup.rows import StandupRow, flag_of, in_words, reason
from tui.text.cells import cut, fit
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.painted import Line, fitted, line_width, on_ground
from tui.widgets.row_list import Heading

MARGIN = 2
"""The cells at the left and the right of the columns, and between them."""
_HEADING_LINES = 2
_MOST_LINES = 4
"""How many lines a title or a reason has at most, which is enough for all but very long ones."""


class CardColumn(NamedTuple):
    """A column: its heading, and which rows of the list are its cards."""

    heading: Heading
    rows: range


class Drawing(NamedTuple):
    """Columns as drawn: the lines of each with a margin at the left, `width` cells wide.

    `places` is where in all of them the cards are, by their rows in the list. `beyond` has for each
    column where it begins, and how many cards are out of sight above and below.
    """

    columns: Sequence[list[Line]] = ()
    width: int = 0
    places: Mapping[int, Region] = MappingProxyType({})
    beyond: Sequence[tuple[int, int, int]] = ()


NOTHING = Drawing()
CardLines = Callable[[int, int], list[Line]]
"""The lines of the card of a row, in so many cells."""


def drawn(columns: Sequence[CardColumn], size: Size, cursor: int, card: CardLines) -> Drawing:
    """The columns, each as far as it fits: whole cards, those around the row `cursor`."""
    width = max(1, (size.width - MARGIN) // len(columns) - MARGIN)
    margin, blank = (" " * MARGIN, "text"), (" " * width, "text")
    places: dict[int, Region] = {}
    beyond, blocks = [], list[list[Line]]()
    for at, (heading, rows) in enumerate(columns):
        x = MARGIN + at * (MARGIN + width)
        title: Line = ((heading.title, "strong"), ("  ", "text"), *heading.note)
        block: list[Line] = [fitted(title, width, "text"), ((glyphs.FRAME.across * width, "line"),)]
        shown_row = cursor if cursor in rows else rows.start
        cards = ((row, card(row, width)) for row in rows)
        page = _page(cards, size.height - _HEADING_LINES, shown_row)
        for row, lines in page:
            places[row] = Region(x, len(block), width, len(lines))
            block += [*lines, (blank,)]
        if page:
            beyond.append((x, page[0][0] - rows.start, rows.stop - 1 - page[-1][0]))
        else:
            block.append(((fit("  no cards", width), "quiet"),))
        block += [(blank,)] * (size.height - len(block))
        blocks.append([(margin, *line) for line in block[: size.height]])
    return Drawing(blocks, MARGIN + width, places, beyond)


def _page(
    cards: Iterable[tuple[int, list[Line]]], room: int, current_row: int
) -> list[tuple[int, list[Line]]]:
    # The page of whole cards that has the `current_row`: a step of the cursor within it moves no
    # other card.
    page: list[tuple[int, list[Line]]] = []
    used = 0
    for row, lines in cards:
        if page and used + len(lines) > room:
            if current_row < row:
                break
            page, used = [], 0
        page.append((row, lines))
        used += len(lines) + 1
    return page


class CardMark(NamedTuple):
    """What the user did to a card: the cursor is on it, it is marked."""

    is_current: bool = False
    is_marked: bool = False


def card_lines(
    row: StandupRow,
    card: StandupCard,
    report: Standup,
    width: int,
    mark: CardMark,
    *,
    is_tall: bool,
) -> list[Line]:
    """A card for a room: its whole title, its details, why it is blocked, and more in words.

    Each line is exactly `width` cells wide.
    """
    task, room = card.task, max(1, width - 2 * MARGIN)
    whole = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    title = _wrapped(whole, room)
    role = "cursor" if mark.is_current else "mark" if mark.is_marked else ""
    role = role or ("quiet/card" if task.is_closed else "strong/card")
    edges = [glyphs.BAR if mark.is_current else " "] * len(title)
    if mark.is_marked:
        edges[0] = glyphs.MARK
    blank: Line = ((" " * width, "text/card"),)
    lines: list[Line] = [
        ((f"{edge} {fit(text, room)}  ", role),) for edge, text in zip(edges, title, strict=True)
    ]
    if is_tall:
        lines.append(blank)
    lines.append(_details(row, card, report, width))
    why = _wrapped(reason(card), room) if card.reason else []
    lines += [((f"  {fit(text, room)}  ", "alert/card"),) for text in why]
    lines.append(((f"  {fit(in_words(row, card, report), room)}  ", "quiet/card"),))
    return [*lines, blank] if is_tall else lines


def _wrapped(text: str, room: int) -> list[str]:
    whole = cut(text, room * _MOST_LINES)
    texts = ["".join(span.text for span in line) for line in wrap([TextSpan(whole)], room)]
    if len(texts) > _MOST_LINES:
        texts[_MOST_LINES - 1 :] = [cut(" ".join(texts[_MOST_LINES - 1 :]), room)]
    return texts


def _details(row: StandupRow, card: StandupCard, report: Standup, width: int) -> Line:
    word, role = flag_of(row, card, report)
    prefix: Line = ((" ", "text"),)
    if word and role not in ("blocked", "good"):  # which the details and the title say
        prefix = (("  ", "text"), (word, role), (" ", "text"))
    look = CardLook(Density.ROOMY, report.now.replace(tzinfo=None))
    # Without assignees: the head names the speaker, the line in words the others.
    alone = replace(card.task, assignees=())
    own = details(alone, max(1, width - line_width(prefix)), look, CardState())
    return fitted((*on_ground(prefix, "card"), *own), width, "text/card")
