"""A standup as Markdown and as plain text, with the same words, and as JSON for programs."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from tui.model.standup import words
from tui.model.standup.report import Kind, Section, Speaker, Standup
from tui.model.standup.rows import Row
from tui.model.standup.words import SEPARATOR, About, Piece
from tui.model.task import Person
from tui.text.dates import stamp
from tui.text.markdown.signs import escaped, escaped_heading

Document = dict[str, Any]


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
    if summary := words.summary(of):
        yield _Block(0, summary)
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


def document(of: Standup) -> Document:
    """What JSON is written of, with both lenses; times are in the user's zone."""
    return {
        "title": words.title(of),
        "now": _told(of.now, of),
        "since": _told(of.since, of),
        "known": [
            {
                "board": history.board_id,
                "read_at": _told(history.read_at, of),
                "complete_since": _told(history.complete_since, of),
            }
            for history in of.histories
        ],
        "boards": [{"id": board.id, "title": board.title} for board in of.boards],
        "walk": [_section(section, of) for section in of.walk],
        "people": [_speaker(speaker, of) for speaker in of.people],
        "nobody": _cards(of.nobody.rows, of),
        "no_movement": [words.names([one]) for one in of.no_movement],
    }


def _section(section: Section, of: Standup) -> Document:
    stage = section.stage
    return {
        "board": section.board.id if section.board else None,
        "section": section.kind.value,
        "stage": stage.title if stage else None,
        "limit": stage.limit if stage else None,
        "count": section.count,
        "new": section.new,
        "cards": _cards(section.rows, of),
    }


def _speaker(speaker: Speaker, of: Standup) -> Document:
    kinds = {"done": Kind.MOVED, "now": Kind.NOW, "next": Kind.NEXT, "stuck": Kind.STUCK}
    return {
        "name": words.names([speaker.person]),
        "login": speaker.person.login,
        "moved": speaker.moved,
        **{key: _cards(speaker.section(kind).rows, of) for key, kind in kinds.items()},
    }


def _cards(rows: Iterable[Row], of: Standup) -> list[Document]:
    return [_card(row, of) for row in rows]


def _card(row: Row, of: Standup) -> Document:
    task = row.task
    return {
        "id": task.id,
        "title": task.title,
        "board": task.board_id,
        "stage": row.stage,
        "people": [words.names([one]) for one in task.assignees],
        "flags": [flag.value for flag in row.flags],
        "blocked": row.reason or None,
        "since": _told(row.age.since if row.age else None, of),
        "since_is_exact": row.age is not None and row.age.is_exact,
        "closed_at": _told(row.closed.at if row.closed else None, of),
        "moved": list(row.moved) if row.moved else None,
        "new": row.is_new,
        "priority": task.priority.value,
        "due": _told(task.due_at, of),
        "subtasks": [task.subtasks_done, task.subtasks_total],
        "new_comments": row.new_comments,
    }


def _told(at: datetime | None, of: Standup) -> str | None:
    """A time in the user's zone with its offset."""
    return stamp(at, of.now.tzinfo) if at else None
