"""The rows of a standup: cards under the headings of a lens, notes, and the parking lot.

Of a row flags, number and title are drawn first, because the end may be cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tui.model.standup import words
from tui.model.standup.report import Kind, Section, Standup
from tui.model.standup.rows import Row
from tui.model.standup.words import SEPARATOR, About, Piece
from tui.model.standup.writing import Lens
from tui.model.task import Person, Priority
from tui.text.cells import cut, width as cell_width
from tui.text.clean import quoted
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, line_width

_ROLES = {About.PEOPLE: "people", About.CHANGES: "title", About.COMMENTS: "news"}
_NARROW = 48
"""With less room than this, nothing takes room of the title."""
_LEAST_PIECE = 6
"""A piece behind the title is not cut to fewer cells than this, but left out."""


class Turn(NamedTuple):
    """A part of a standup that is talked about at a time: a speaker, or one of its last parts."""

    person_id: int
    name: str

    @classmethod
    def of(cls, person: Person) -> "Turn":
        """The turn of a speaker."""
        return cls(person.id, words.names([person]))


EVERYTHING = Turn(0, "")
NOBODY, NO_MOVEMENT, PARKING_LOT = (
    Turn(-1, "Nobody"),
    Turn(-2, "No movement"),
    Turn(-3, "Parking lot"),
)


class StandupRow(NamedTuple):
    """A card, a note, or a topic of the parking lot, with the headings above it."""

    turn: Turn
    headings: tuple[str, ...]
    kind: Kind | None = None
    card: Row | None = None
    pieces: tuple[Piece, ...] = ()
    text: str = ""

    @property
    def is_topic(self) -> bool:
        return self.turn == PARKING_LOT

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies it; a card may be in several places."""
        return self.turn, self.kind, self.card.task.id if self.card else self.text

    @property
    def words(self) -> str:
        return self.text or SEPARATOR.join(piece.text for piece in self.pieces)


def rows_of(report: Standup, lens: Lens, topics: Sequence[str]) -> list[StandupRow]:
    """The rows of a lens; none until a board is known."""
    if not report.boards:
        return []
    rows = list(_walk(report) if lens is Lens.WALK else _by_person(report))
    if not any(row.card for row in rows):
        rows.insert(0, StandupRow(EVERYTHING, (), text=words.nothing(report)))
    headings = (f"{PARKING_LOT.name} ({len(topics)})",)
    return [*rows, *(StandupRow(PARKING_LOT, headings, text=topic) for topic in topics)]


def _walk(report: Standup) -> Iterator[StandupRow]:
    for section in report.walk:
        sign = f"{glyphs.NEEDS_YOU} " if section.is_over_limit else ""
        headings = (f"{sign}{words.heading(section, report)}",)
        yield from _cards(section, report, EVERYTHING, headings)
        if section.kind is Kind.BACKLOG and not section.rows:
            note = "none of them is blocked or overdue" if section.count else "no open cards"
            yield StandupRow(EVERYTHING, headings, section.kind, text=note)


def _by_person(report: Standup) -> Iterator[StandupRow]:
    for speaker in report.people:
        turn = Turn.of(speaker.person)
        for section in speaker.sections:
            headings = (words.name(speaker), f"{words.heading(section, report)} ({section.count})")
            yield from _cards(section, report, turn, headings, speaker.person)
    yield from _cards(report.nobody, report, NOBODY, (f"{NOBODY.name} ({report.nobody.count})",))
    if report.no_movement:
        yield StandupRow(NO_MOVEMENT, (NO_MOVEMENT.name,), text=words.names(report.no_movement))


def _cards(
    section: Section, report: Standup, turn: Turn, headings: tuple[str, ...],
    person: Person | None = None,
) -> Iterator[StandupRow]:  # fmt: skip
    for row in section.rows:
        pieces = words.pieces(row, section.kind, report, person)
        yield StandupRow(turn, headings, section.kind, row, pieces)


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
    for text, role in spans:
        room -= cell_width(SEPARATOR)
        if room < min(cell_width(text), _LEAST_PIECE):
            return
        yield from ((SEPARATOR, "meta"), (cut(text, room), role))
        room -= cell_width(text)


def _flags(card: Row, text: str, width: int) -> tuple[str, str]:
    if not text:
        return "", ""
    words = [flag.value for flag in card.flags if flag.value in text]
    more = f" +{len(words) - 1}" if len(words) > 1 else ""
    ways = (text, ", ".join(words), f"{words[0]}{more}")
    chosen = next((way for way in ways if cell_width(way) <= width // 3), ways[-1])
    reason = card.reason if chosen is not text else ""
    return f"{glyphs.NEEDS_YOU} {chosen} ", reason


def _beside(card: Row, pieces: tuple[Piece, ...], reason: str) -> Iterator[Span]:
    if reason:
        yield quoted(reason), "late"
    for about, text in pieces:
        if about is About.PRIORITY:
            yield text, "high" if card.task.priority is Priority.HIGH else "meta"
        elif about is About.DUE:
            yield text, "late" if text.endswith(" late") else "soon"
        elif about not in (About.FLAGS, About.TITLE):
            yield text, _ROLES.get(about, "meta")
