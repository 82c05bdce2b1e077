"""The rows of a standup: cards under the headings of a lens, notes, and the parking lot."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tui.model.standup import words
from tui.model.standup.report import Kind, Section, Standup
from tui.model.standup.rows import Row
from tui.model.standup.words import SEPARATOR, Piece
from tui.model.standup.writing import Lens
from tui.model.task import Person
from tui.widgets import glyphs


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
        """Whether it is a topic of the parking lot."""
        return self.turn == PARKING_LOT

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies it; a card may be in several places."""
        return self.turn, self.kind, self.card.task.id if self.card else self.text

    @property
    def words(self) -> str:
        """Everything that it says."""
        return self.text or SEPARATOR.join(piece.text for piece in self.pieces)


def rows_of(of: Standup, lens: Lens, topics: Sequence[str]) -> list[StandupRow]:
    """The rows of a lens; none until a board is known."""
    if not of.boards:
        return []
    rows = list(_walk(of) if lens is Lens.WALK else _by_person(of))
    if not any(row.card for row in rows):
        rows.insert(0, StandupRow(EVERYTHING, (), text=words.nothing(of)))
    headings = (f"{PARKING_LOT.name} ({len(topics)})",)
    return [*rows, *(StandupRow(PARKING_LOT, headings, text=topic) for topic in topics)]


def _walk(of: Standup) -> Iterator[StandupRow]:
    for section in of.walk:
        sign = f"{glyphs.NEEDS_YOU} " if section.is_over_limit else ""
        headings = (f"{sign}{words.heading(section, of)}",)
        yield from _cards(section, of, EVERYTHING, headings)
        if section.kind is Kind.BACKLOG and not section.rows:
            note = "none of them is blocked or overdue" if section.count else "no open cards"
            yield StandupRow(EVERYTHING, headings, section.kind, text=note)


def _by_person(of: Standup) -> Iterator[StandupRow]:
    for speaker in of.people:
        turn = Turn.of(speaker.person)
        for section in speaker.sections:
            headings = (words.name(speaker), f"{words.heading(section, of)} ({section.count})")
            yield from _cards(section, of, turn, headings, speaker.person)
    yield from _cards(of.nobody, of, NOBODY, (f"{NOBODY.name} ({of.nobody.count})",))
    if of.no_movement:
        yield StandupRow(NO_MOVEMENT, (NO_MOVEMENT.name,), text=words.names(of.no_movement))


def _cards(
    section: Section, of: Standup, turn: Turn, headings: tuple[str, ...],
    person: Person | None = None,
) -> Iterator[StandupRow]:  # fmt: skip
    for row in section.rows:
        pieces = words.pieces(row, section.kind, of, person)
        yield StandupRow(turn, headings, section.kind, row, pieces)
