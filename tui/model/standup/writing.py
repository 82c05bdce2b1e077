"""A standup as Markdown, for Slack, as plain text and read aloud, and as JSON for programs."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from html import escape
from typing import Any, NamedTuple

from tui.model.standup import words
from tui.model.standup.report import SectionKind, Speaker, Standup, StandupCard, StandupSection
from tui.model.standup.words import SEPARATOR, LinePiece, PieceTopic
from tui.model.task import Person
from tui.text import dates
from tui.text.clean import counted
from tui.text.dates import stamp
from tui.text.markdown.signs import escaped, escaped_heading

Document = dict[str, Any]


class Lens(StrEnum):
    """The two ways to look at a standup."""

    WALK = "by board"
    BY_PERSON = "by person"


TITLE, SECTION, OF_SPEAKER = 1, 2, 3
"""The levels of headings; the sections of a person are below that of the person."""


class CardLine(NamedTuple):
    """A card, and the parts of its line."""

    row: StandupCard
    pieces: tuple[LinePiece, ...]


class StandupBlock(NamedTuple):
    """A heading of a level, or a line of text if that is 0, and the cards below it."""

    level: int
    text: str
    cards: tuple[CardLine, ...] = ()


def markdown(report: Standup, lens: Lens) -> str:
    """The Markdown of a lens; texts of others are shown by it as they are."""

    def heading(block: StandupBlock) -> str:
        text = escaped(block.text)
        return f"{'#' * block.level} {escaped_heading(text)}" if block.level else text

    def part(piece: LinePiece, _row: StandupCard) -> str:
        text = escaped(piece.text)
        return f"**{text}**" if piece.about is PieceTopic.FLAGS else text

    return _written(report, lens, heading, part)


def plain(report: Standup, lens: Lens) -> str:
    """The plain text of a lens."""
    return _written(report, lens, lambda block: block.text, lambda piece, _: piece.text)


def slack(report: Standup, lens: Lens, card_url: str) -> str:
    """The mrkdwn of Slack, with links to the cards if their web address is known.

    Links and mentions in texts of others are shown as they are; Slack knows no way to escape the
    signs of bold and italic ones.
    """

    def heading(block: StandupBlock) -> str:
        text = escape(block.text, quote=False)
        return f"*{text}*" if block.level else text

    def part(piece: LinePiece, row: StandupCard) -> str:
        text = escape(piece.text, quote=False)
        if piece.about is PieceTopic.FLAGS:
            return f"*{text}*"
        if piece.about is not PieceTopic.TITLE or row.task.is_local or not card_url:
            return text
        number, _, title = text.partition(" ")
        # A bar would end the address in `<url|text>`.
        url = escape(row.task.web_address(card_url).replace("|", "%7C"), quote=False)
        return f"<{url}|{number}> {title}"

    return _written(report, lens, heading, part, bullet="•")


def _written(
    report: Standup,
    lens: Lens,
    heading: Callable[[StandupBlock], str],
    part: Callable[[LinePiece, StandupCard], str],
    bullet: str = "-",
) -> str:
    paragraphs: list[str] = []
    for block in blocks(report, lens):
        paragraphs.append(heading(block))
        lines = [
            f"{bullet} {SEPARATOR.join(part(piece, card.row) for piece in card.pieces)}"
            for card in block.cards
        ]
        paragraphs += ["\n".join(lines)] if lines else []
    return "\n\n".join(paragraphs) + "\n"


def sentence(card: CardLine, now: datetime) -> str:
    """The line of a card as it is read aloud, with words in place of signs."""
    row, texts = card.row, list[str]()
    for about, text in card.pieces:
        match about:
            case PieceTopic.PEOPLE if text == words.names(row.task.assignees):
                texts.append(f"assigned to {text}")
            case PieceTopic.PLACE:
                board = f" on {row.board}" if text != row.stage else ""
                texts.append(f"in {row.stage}{board}")
            case PieceTopic.AGE if row.age:
                span = counted(*dates.age(row.age.since.astimezone(now.tzinfo), now))
                texts.append(f"{'' if row.age.is_exact else 'at least '}{span} in its stage")
            case PieceTopic.CHANGES:
                texts.append(text.replace(" → ", " to "))
            case PieceTopic.PRIORITY:
                texts.append(f"priority {text}")
            case PieceTopic.SUBTASKS:
                texts.append(f"{row.task.subtasks_done} of {row.task.subtasks_total} subtasks done")
            case _:
                texts.append(text)
    return f"{', '.join(texts)}."


def blocks(report: Standup, lens: Lens) -> Iterator[StandupBlock]:
    """The title, what is said before the cards, and the sections of a lens."""
    yield StandupBlock(TITLE, words.title(report))
    yield from (StandupBlock(0, line) for line in opening(report))
    yield from sections(report, lens)


def opening(report: Standup) -> Iterator[str]:
    """What is said before the cards: the days, the counts, and what is not known."""
    lines = (words.window(report), words.summary(report), words.caveats(report))
    return filter(None, lines)


def sections(report: Standup, lens: Lens) -> Iterator[StandupBlock]:
    """The sections of a lens; a line instead if there are no cards."""
    walk = (_listed(section, report, SECTION) for section in report.walk)
    body = list(walk if lens is Lens.WALK else _by_person(report))
    if not any(block.cards for block in body):
        yield StandupBlock(0, words.nothing(report))
    yield from body


def _by_person(report: Standup) -> Iterator[StandupBlock]:
    for speaker in report.people:
        yield StandupBlock(SECTION, words.name(speaker))
        for section in speaker.sections:
            yield _listed(section, report, OF_SPEAKER, speaker.person)
    if report.nobody.rows:
        yield _listed(report.nobody, report, SECTION)
    if no_movement := words.no_movement(report):
        yield StandupBlock(0, no_movement)


def _listed(
    section: StandupSection, report: Standup, level: int, speaker: Person | None = None
) -> StandupBlock:
    cards = (
        CardLine(row, words.pieces(row, section.kind, report, speaker)) for row in section.rows
    )
    return StandupBlock(level, words.heading(section, report), tuple(cards))


def document(report: Standup) -> Document:
    """The standup as a JSON document, with both lenses; times are in the user's zone."""
    return {
        "title": words.title(report),
        "now": _time(report.now, report),
        "since": _time(report.since, report),
        "known": [
            {
                "board": history.board_id,
                "read_at": _time(history.read_at, report),
                "complete_since": _time(history.complete_since, report),
            }
            for history in report.histories
        ],
        "boards": [{"id": board.id, "title": board.title} for board in report.boards],
        "walk": [_section(section, report) for section in report.walk],
        "people": [_speaker(speaker, report) for speaker in report.people],
        "nobody": _cards(report.nobody.rows, report),
        "no_movement": [words.names([person]) for person in report.no_movement],
    }


def _section(section: StandupSection, report: Standup) -> Document:
    stage = section.stage
    return {
        "board": section.board.id if section.board else None,
        "section": section.kind.value,
        "stage": stage.title if stage else None,
        "limit": stage.limit if stage else None,
        "count": section.count,
        "new": section.new,
        "cards": _cards(section.rows, report),
    }


def _speaker(speaker: Speaker, report: Standup) -> Document:
    kinds = {
        "done": SectionKind.MOVED,
        "now": SectionKind.NOW,
        "next": SectionKind.NEXT,
        "stuck": SectionKind.STUCK,
    }
    return {
        "name": words.names([speaker.person]),
        "login": speaker.person.login,
        "moved": speaker.moved,
        **{key: _cards(speaker.section(kind).rows, report) for key, kind in kinds.items()},
    }


def _cards(rows: Iterable[StandupCard], report: Standup) -> list[Document]:
    return [_card(row, report) for row in rows]


def _card(row: StandupCard, report: Standup) -> Document:
    task = row.task
    return {
        "id": task.id,
        "title": task.title,
        "board": task.board_id,
        "stage": row.stage,
        "people": [words.names([person]) for person in task.assignees],
        "flags": [flag.value for flag in row.flags],
        "blocked": row.reason or None,
        "since": _time(row.age.since if row.age else None, report),
        "since_is_exact": row.age is not None and row.age.is_exact,
        "closed_at": _time(row.closed.at if row.closed else None, report),
        "moved": list(row.moved) if row.moved else None,
        "new": row.is_new,
        "priority": task.priority.value,
        "due": _time(task.due_at, report),
        "subtasks": [task.subtasks_done, task.subtasks_total],
        "new_comments": row.new_comments,
    }


def _time(at: datetime | None, report: Standup) -> str | None:
    return stamp(at, report.now.tzinfo) if at else None
