"""A sheet: a board as a file describes it, without ids of a service, and what a file lacks.

All texts of a sheet are terminal-safe, and its times are wall-clock times of this machine.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time

from tui.errors import WrongInput
from tui.model.task import Priority
from tui.text import clean
from tui.text.dates import END_OF_WORK, FIRST_YEAR, LAST_YEAR, local

_BY_DOTS = re.compile(r"^(\d\d?)\.(\d\d?)\.(\d{4})(?!\d)", re.ASCII)
LONGEST_TITLE = 1_000
LONGEST_TEXT = 60_000
"""So many characters of Markdown are less than services take as HTML."""


class NotReadable(WrongInput):
    """A file is not what it should be; the message names the line or the key."""


@dataclass(frozen=True, slots=True)
class SheetStage:
    """A stage; cards in it are done if it `closes`."""

    title: str
    closes: bool = False


@dataclass(frozen=True, slots=True)
class SheetSubtask:
    """A subtask, in the group with this title; empty for the default one."""

    title: str
    is_done: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class SheetComment:
    """A comment; its author and time may not be known."""

    text: str
    author: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card. `key` is what it is known by in its program, such as an id; unique in a sheet.

    The description is Markdown. Each of the `people` is given by all that they are called, the
    name first. Without a stage it is in the first.
    """

    title: str
    key: str = ""
    stage: str = ""
    description: str = ""
    labels: tuple[str, ...] = ()
    people: tuple[tuple[str, ...], ...] = ()
    due_at: datetime | None = None
    started_at: datetime | None = None
    priority: Priority = Priority.LOW
    subtasks: tuple[SheetSubtask, ...] = ()
    comments: tuple[SheetComment, ...] = ()
    is_done: bool = False
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A board of a program, which calls it `source`.

    `colors` are those of labels by title, hex. `lost` says in lines what cannot be taken.
    """

    title: str
    source: str = ""
    stages: tuple[SheetStage, ...] = ()
    cards: tuple[SheetCard, ...] = ()
    colors: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[str, ...] = ()


class Losses:
    """Counts what cannot be taken, by what it is."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, things: str, count: int = 1) -> None:
        """Count things of a kind, in the plural: “stickers”."""
        if count:
            self._counts[things] += count

    def lines(self) -> tuple[str, ...]:
        """One line for each kind."""
        return tuple(f"{things}: {count:,}" for things, count in self._counts.items())


def same_title(left: str, right: str) -> bool:
    """Whether two titles of stages or labels mean the same."""
    return folded(left) == folded(right)


def folded(title: str) -> str:
    """A title in a form in which those that mean the same are equal."""
    return " ".join(title.casefold().split())


def one_line(text: str) -> str:
    """A text as a title."""
    return " ".join(clean.line(text).split())


def moment(words: str) -> datetime | None:
    """A date, or a time with or without an offset, as programs write it; None for anything else.

    A date alone means the end of work, as in the program. Dates with slashes are not read, as they
    mean another day in another country.
    """
    words = _BY_DOTS.sub(lambda match: f"{match[3]}-{match[2]:0>2}-{match[1]:0>2}", words.strip())
    try:
        if len(words) <= len("2026-12-01"):
            at = datetime.combine(date.fromisoformat(words), END_OF_WORK)
        else:
            at = datetime.fromisoformat(words)
            at = local(at) if at.tzinfo else at
    except (ValueError, OverflowError, OSError):
        return None
    return at.replace(second=0, microsecond=0) if FIRST_YEAR <= at.year < LAST_YEAR else None


def written(at: datetime | None) -> str:
    """A time as `moment` reads it; without the time of day if a date alone means it."""
    if at is None:
        return ""
    return f"{at:%Y-%m-%d}" if at.time() == END_OF_WORK else f"{at:%Y-%m-%d %H:%M}"


def tidied(sheet: Sheet) -> Sheet:
    """The sheet with terminal-safe texts of the length that services take, and unique keys.

    Stages of the same title are one, and each that a card names is there.
    """
    losses, keys = Losses(), Counter[str]()
    stages: dict[str, SheetStage] = {}
    for stage in sheet.stages:
        title = _title(stage.title, losses)
        if title:
            first = stages.setdefault(folded(title), replace(stage, title=title))
            stages[folded(title)] = replace(first, closes=first.closes and stage.closes)
    cards = []
    for card in sheet.cards:
        title = _title(card.title, losses)
        if not title:
            losses.add("cards without a title")
            continue
        key = one_line(card.key) or title
        keys[key] += 1
        if keys[key] > 1:
            key = f"{key} ({keys[key]})"
        cards.append(_tidied_card(card, title, key, stages, losses))
    return replace(
        sheet,
        title=_title(sheet.title, losses) or "Imported",
        source=one_line(sheet.source),
        stages=tuple(stages.values()),
        cards=tuple(cards),
        colors={one_line(title): color for title, color in sheet.colors.items()},
        lost=(*map(one_line, sheet.lost), *losses.lines()),
    )


def _tidied_card(
    card: SheetCard, title: str, key: str, stages: dict[str, SheetStage], losses: Losses
) -> SheetCard:
    stage = _title(card.stage, losses)
    if stage:
        stage = stages.setdefault(folded(stage), SheetStage(stage, says_done(stage))).title
    subtasks = [
        replace(one, title=_title(one.title, losses), group=_title(one.group, losses))
        for one in card.subtasks
    ]
    comments = [
        replace(one, text=_text(one.text, losses), author=one_line(one.author))
        for one in card.comments
    ]
    named = (tuple(filter(None, map(one_line, names))) for names in card.people)
    return replace(
        card,
        title=title,
        key=key,
        stage=stage,
        description=_text(card.description, losses),
        labels=_unique(one_line(label)[:LONGEST_TITLE].strip() for label in card.labels),
        people=tuple(dict.fromkeys(names for names in named if names)),
        subtasks=tuple(one for one in subtasks if one.title),
        comments=tuple(one for one in comments if one.text),
    )


def _unique(titles: Iterable[str]) -> tuple[str, ...]:
    return tuple({folded(title): title for title in reversed([*titles]) if title}.values())[::-1]


def _title(raw: str, losses: Losses) -> str:
    title = one_line(raw)
    if len(title) > LONGEST_TITLE:
        losses.add(f"titles that were cut at {LONGEST_TITLE:,} characters")
        return title[: LONGEST_TITLE - 1].rstrip() + "…"
    return title


def _text(raw: str, losses: Losses) -> str:
    text = clean.text(raw).strip()
    if len(text) > LONGEST_TEXT:
        losses.add(f"texts that were cut at {LONGEST_TEXT:,} characters")
        return text[: LONGEST_TEXT - 1].rstrip() + "…"
    return text


def clock(words: str) -> time | None:
    """A time of day as 17:00; None for anything else."""
    try:
        return time.fromisoformat(words.strip()).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        return None


DONE_TITLES = frozenset(
    {"done", "closed", "complete", "completed", "finished", "released", "shipped", "resolved"}
)
"""Titles of stages, folded, that say that their cards are done."""


def says_done(title: str) -> bool:
    """Whether the title of a stage says that its cards are done."""
    return bool(DONE_TITLES.intersection(folded(title).replace("/", " ").split()))
