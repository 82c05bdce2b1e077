"""A standup as Markdown and as plain text, with the same words."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from tui.model.standup import words
from tui.model.standup.report import Section, Standup
from tui.model.standup.words import SEPARATOR, About, Piece
from tui.model.task import Person
from tui.text.markdown.signs import escaped, escaped_heading


class Lens(StrEnum):
    """The two ways to look at a standup."""

    WALK = "walk the board"
    BY_PERSON = "by person"


class _Block(NamedTuple):
    """A heading of a level, or lines of text if it is 0; `rows` are a list below it."""

    level: int
    text: str
    rows: tuple[tuple[Piece, ...], ...] = ()


def markdown(of: Standup, lens: Lens) -> str:
    """The Markdown of a lens; texts of others are shown by it as they are."""
    paragraphs: list[str] = []
    for block in _blocks(of, lens):
        text = escaped(block.text)
        paragraphs.append(f"{'#' * block.level} {escaped_heading(text)}" if block.level else text)
        paragraphs += ["\n".join(f"- {_marked(row)}" for row in block.rows)] if block.rows else []
    return "\n\n".join(paragraphs) + "\n"


def plain(of: Standup, lens: Lens) -> str:
    """The plain text of a lens."""
    paragraphs: list[str] = []
    for block in _blocks(of, lens):
        paragraphs.append(block.text)
        rows = (SEPARATOR.join(piece.text for piece in row) for row in block.rows)
        paragraphs += ["\n".join(f"- {row}" for row in rows)] if block.rows else []
    return "\n\n".join(paragraphs) + "\n"


def _marked(row: tuple[Piece, ...]) -> str:
    return SEPARATOR.join(
        f"**{escaped(piece.text)}**" if piece.about is About.FLAGS else escaped(piece.text)
        for piece in row
    )


def _blocks(of: Standup, lens: Lens) -> Iterator[_Block]:
    yield _Block(1, words.title(of))
    yield _Block(0, words.window(of))
    if known := words.known(of):
        yield _Block(0, known)
    body = list(_walk(of) if lens is Lens.WALK else _by_person(of))
    if not any(block.rows for block in body):
        yield _Block(0, words.nothing(of))
    yield from body


def _walk(of: Standup) -> Iterator[_Block]:
    for section in of.walk:
        yield _listed(section, of, 2)


def _by_person(of: Standup) -> Iterator[_Block]:
    for speaker in of.people:
        yield _Block(2, words.name(speaker))
        for section in speaker.sections:
            yield _listed(section, of, 3, speaker.person)
    if of.nobody.rows:
        yield _listed(of.nobody, of, 2)
    if told := words.no_movement(of):
        yield _Block(0, told)


def _listed(section: Section, of: Standup, level: int, speaker: Person | None = None) -> _Block:
    rows = (words.pieces(row, section.kind, of, speaker) for row in section.rows)
    return _Block(level, words.heading(section, of), tuple(rows))
