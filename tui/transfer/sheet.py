"""A sheet: a board as a file describes it, without ids of a service, and what a file lacks.

All texts of a sheet are terminal-safe, and its times are wall-clock times of this machine.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from tui.errors import WrongInput
from tui.model.task import Priority
from tui.text import clean
from tui.transfer.losses import Losses

_SEPARATOR = "\n"
"""Stands in the key of a card without an id; an id is a line."""
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
    """A card. `key` is the id that its program gives it, else its title and place.

    Keys are unique in a sheet once it is `tidied`. The description is Markdown. Each of the
    `people` is given by all that they are called, the name first. Without a stage it is in the
    first. `blocked_by` are the keys of other cards; those that its description names in a line are
    not among them.
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
    is_template: bool = False
    blocked_by: tuple[str, ...] = ()

    @property
    def own_id(self) -> str:
        """The id that its program gives it; empty if it has none."""
        return "" if is_place(self.key) else self.key


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


def same_title(left: str, right: str) -> bool:
    """Whether two titles of stages or labels mean the same."""
    return folded(left) == folded(right)


def folded(title: str) -> str:
    """A title in a form in which those that mean the same are equal."""
    return " ".join(title.casefold().split())


def one_line(text: str) -> str:
    """A text as a title."""
    return " ".join(clean.line(text).split())


def with_link(text: str, number: str, url: str) -> str:
    """The description of an issue, with a link to it below; without an address as it is."""
    link = f"[{'#' + number if number else url}](<{url}>)" if url else ""
    return "\n\n".join(filter(None, (text.replace("\r\n", "\n"), link)))


def key_of_place(title: str, stage: str) -> str:
    """The key of a card without an id."""
    return f"{folded(title)}{_SEPARATOR}{folded(stage)}"


def is_place(key: str) -> bool:
    """Whether a key is a title and a place, and no id."""
    return _SEPARATOR in key


def title_in(key: str) -> str:
    """The folded title in a key by `key_of_place`; an id as it is."""
    return key.partition(_SEPARATOR)[0]


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
            losses.of_board("cards without a title")
            continue
        place = _stage_of(card, stages, losses)
        key = one_line(card.key) or key_of_place(title, place)
        keys[key] += 1
        if keys[key] > 1:
            # With the separator it no longer counts as an id, which would have to be unique.
            key = f"{key}{_SEPARATOR}{keys[key]}"
        cards.append(_tidied_card(replace(card, title=title, key=key, stage=place), losses))
    return replace(
        sheet,
        title=_title(sheet.title, losses) or "Imported",
        source=one_line(sheet.source),
        stages=tuple(stages.values()),
        cards=tuple(cards),
        colors={one_line(title): color for title, color in sheet.colors.items()},
        lost=(*map(one_line, sheet.lost), *losses.lines()),
    )


def _stage_of(card: SheetCard, stages: dict[str, SheetStage], losses: Losses) -> str:
    if title := _title(card.stage, losses):
        return stages.setdefault(folded(title), SheetStage(title, says_done(title))).title
    return ""


def _tidied_card(card: SheetCard, losses: Losses) -> SheetCard:
    subtasks = [
        replace(subtask, title=_title(subtask.title, losses), group=_title(subtask.group, losses))
        for subtask in card.subtasks
    ]
    losses.of_board("subtasks without a title", sum(not subtask.title for subtask in subtasks))
    comments = [
        replace(comment, text=_text(comment.text, losses), author=one_line(comment.author))
        for comment in card.comments
    ]
    named = (tuple(filter(None, map(one_line, names))) for names in card.people)
    return replace(
        card,
        description=_text(card.description, losses),
        labels=_unique(_title(label, losses) for label in card.labels),
        blocked_by=tuple(dict.fromkeys(filter(None, map(one_line, card.blocked_by)))),
        people=tuple(dict.fromkeys(names for names in named if names)),
        subtasks=tuple(subtask for subtask in subtasks if subtask.title),
        comments=tuple(comment for comment in comments if comment.text),
    )


def _unique(titles: Iterable[str]) -> tuple[str, ...]:
    # Of equal titles the spelling of the first is kept.
    return tuple({folded(title): title for title in reversed([*titles]) if title}.values())[::-1]


def _title(raw: str, losses: Losses) -> str:
    title = one_line(raw)
    if len(title) > LONGEST_TITLE:
        losses.of_board(f"titles that were cut at {LONGEST_TITLE:,} characters")
        return title[: LONGEST_TITLE - 1].rstrip() + "…"
    return title


def _text(raw: str, losses: Losses) -> str:
    text = clean.text(raw).strip()
    if len(text) > LONGEST_TEXT:
        losses.of_board(f"texts that were cut at {LONGEST_TEXT:,} characters")
        return text[: LONGEST_TEXT - 1].rstrip() + "…"
    return text


DONE_TITLES = frozenset(
    {
        *("done", "closed", "complete", "completed", "finished", "released", "shipped", "resolved"),
        *("canceled", "cancelled"),
    }
)
"""Words in the titles of stages, folded, that say that their cards are done."""
_NOT_YET = frozenset({"not", "to", "be", "un"})
"""Words that say the opposite beside them: “not done”, “to be released”."""


def says_done(title: str) -> bool:
    """Whether the title of a stage says that its cards are done."""
    words = set(folded(title).replace("/", " ").split())
    return bool(words & DONE_TITLES) and not words & _NOT_YET
