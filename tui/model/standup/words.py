"""The words of a standup: the parts of a card's line, headings, and what is not known."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple

from tui.model.events.history import Event, age_in_words
from tui.model.standup.report import (
    Flag,
    SectionKind,
    Speaker,
    Standup,
    StandupCard,
    StandupSection,
)
from tui.model.task import Person, Priority
from tui.text import dates
from tui.text.clean import counted

SEPARATOR = " · "
_OLD = timedelta(minutes=10)
_A_WEEK = timedelta(days=6)
"""Less than seven days, so that the name of a weekday is not ambiguous."""
_ON_BOARD = frozenset({SectionKind.STAGE, SectionKind.BACKLOG})


class PieceTopic(Enum):
    """What a part of a card's line is about, in the order of the parts."""

    FLAGS = auto()
    TITLE = auto()
    PEOPLE = auto()
    PLACE = auto()
    AGE = auto()
    CHANGES = auto()
    PRIORITY = auto()
    DUE = auto()
    SUBTASKS = auto()
    COMMENTS = auto()


class LinePiece(NamedTuple):
    """A part of a card's line."""

    about: PieceTopic
    text: str


def pieces(
    row: StandupCard, kind: SectionKind, report: Standup, speaker: Person | None = None
) -> tuple[LinePiece, ...]:
    """The parts of a card's line in a section of this kind, those that are empty left out."""
    task, now = row.task, report.now.replace(tzinfo=None)
    due = dates.relative(task.due_at, now) if task.due_at and not task.is_closed else ""
    texts = (
        ", ".join(_flags(row, kind)),
        f"#{task.id} {task.title}" if not task.is_local else task.title,
        _people(row, speaker),
        _place(row, kind, report),
        age(row, report.now),
        ", ".join(_changes(row, report.now)),
        "" if task.priority is Priority.LOW else task.priority.value,
        due if due.endswith(" overdue") or not due else f"due {due}",
        f"☑{task.subtasks_done}/{task.subtasks_total}" if task.subtasks_total else "",
        counted(row.new_comments, "new comment") if row.new_comments else "",
    )
    return tuple(
        LinePiece(about, text) for about, text in zip(PieceTopic, texts, strict=True) if text
    )


def age(row: StandupCard, now: datetime) -> str:
    """How long an open card has been in its stage: `3d`, or `≥3d` if that is a lower bound."""
    return "" if row.age is None else age_in_words(row.age, now)


def _flags(row: StandupCard, kind: SectionKind) -> Iterator[str]:
    for flag in row.flags:
        if flag is Flag.BLOCKED and row.reason:
            yield f"{flag}: {row.reason}"
        elif flag is not Flag.UNASSIGNED or kind is not SectionKind.NOBODY:
            yield flag


def _people(row: StandupCard, speaker: Person | None) -> str:
    if speaker is None:
        return names(row.task.assignees)
    colleagues = names(person for person in row.task.assignees if person.id != speaker.id)
    return f"with {colleagues}" if colleagues else ""


def names(people: Iterable[Person]) -> str:
    """The names of people."""
    return ", ".join(person.in_words for person in people)


def _place(row: StandupCard, kind: SectionKind, report: Standup) -> str:
    if kind in _ON_BOARD:
        return ""
    return row.stage if kind is SectionKind.DONE else place(row, report)


def place(row: StandupCard, report: Standup) -> str:
    """The stage of a card, with its board if there are several."""
    return " › ".join(filter(None, (row.board if len(report.boards) > 1 else "", row.stage)))


def _changes(row: StandupCard, now: datetime) -> Iterator[str]:
    if row.closed:
        yield closed(row.closed, now)
    if row.moved:
        old, new = row.moved
        yield f"moved {old} → {new}" if old else f"moved to {new}"
    if row.is_new:
        yield "new"


def closed(event: Event, now: datetime) -> str:
    """When a card was closed: `closed Fri 15:47`."""
    at = event.at.astimezone(now.tzinfo)
    day = f"{at:%a}" if now - at < _A_WEEK else f"{at.day} {at:%b}"
    return f"{'seen ' if event.is_observed else ''}closed {day} {at:%H:%M}"


def title(report: Standup) -> str:
    """The heading above everything."""
    return f"Standup: {', '.join(board.title for board in report.boards)}"


def window(report: Standup) -> str:
    """The day of the standup, and since when: `Monday 9 November 2026, since Friday 6 November`."""
    day = f"{_day(report.now)} {report.now.year}"
    return f"{day}, today" if _is_today(report) else f"{day}, since {_since(report)}"


def summary(report: Standup) -> str:
    """How many cards were closed and moved, and how many have each flag; empty if none."""
    sections = [
        *report.walk,
        *(section for speaker in report.people for section in speaker.sections),
        report.nobody,
    ]
    cards = {row.task.id: row for section in sections for row in section.rows}.values()
    flags = Counter(flag for row in cards for flag in row.flags)
    counts = (
        (sum(row.closed is not None for row in cards), "closed"),
        (sum(row.moved is not None and not row.closed for row in cards), "moved"),
        *((flags[flag], flag.value) for flag in Flag),
    )
    words = [f"{count} {word}" for count, word in counts if count]
    comments = sum(row.new_comments for row in cards)
    return SEPARATOR.join(words + [counted(comments, "new comment")] * bool(comments))


def heading(section: StandupSection, report: Standup) -> str:
    """The heading of a section: `Website: Review (3 of 2)`, `Done or moved`."""
    name = section.kind.capitalize()
    if section.board is None:
        return name
    if section.stage is not None:
        name = section.stage.title
    board = f"{section.board.title}: " if len(report.boards) > 1 else ""
    return f"{board}{name} ({_count(section)})"


def _count(section: StandupSection) -> str:
    if section.kind is SectionKind.BACKLOG and section.new:
        return f"{section.count}, {section.new} new"
    if section.is_over_limit and section.stage is not None:
        return f"{section.count} of {section.stage.limit}"
    return str(section.count)


def name(speaker: Speaker) -> str:
    """The heading of a person's sections."""
    name = names([speaker.person])
    return name if speaker.moved else f"{name} (no movement)"


def no_movement(report: Standup) -> str:
    """Who did nothing; empty if everybody did something."""
    return f"No movement: {names(report.no_movement)}" if report.no_movement else ""


def nothing(report: Standup) -> str:
    """What is said if there are no cards to show."""
    return (
        "Nothing happened today."
        if _is_today(report)
        else f"Nothing happened since {_since(report)}."
    )


def caveats(report: Standup, old: timedelta = _OLD) -> str:
    """How old this is, if it is `old`, and since when activity is known, if not since long."""
    sentences = []
    reads = [history.read_at for history in report.histories]
    read = [at for at in reads if at is not None]
    if read and min(read) < report.now - old:
        sentences.append(f"As of {_moment(min(read), report.now)}.")
    backs = [history.complete_since for history in report.histories]
    back = [at for at in backs if at is not None]
    if len(back) < len(backs):
        sentences.append("Some activity is not loaded.")
    elif back and max(back) > report.since:
        sentences.append(f"Activity before {_moment(max(back), report.now)} is not loaded.")
    return " ".join(sentences)


def _moment(at: datetime, now: datetime) -> str:
    at = at.astimezone(now.tzinfo)
    return f"{at:%a} {at.day} {at:%b} {at:%H:%M}"


def _is_today(report: Standup) -> bool:
    return report.since.date() == report.now.date()


def _since(report: Standup) -> str:
    year = f" {report.since.year}" if report.since.year != report.now.year else ""
    return f"{_day(report.since)}{year}"


def _day(day: datetime) -> str:
    return f"{day:%A} {day.day} {day:%B}"
