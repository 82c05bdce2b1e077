"""The marks in the line of a card: tags, dates, fields as `[priority:: high]`, and its block id.

They are those of Obsidian's Kanban, Tasks and Dataview. A backslash before a sign keeps it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from tui.model.task import Priority
from tui.transfer.sheet import SheetCard, clock, folded, moment, written

_SIGNS = "\\`*_{}[]()#+-.!@^<>|~:📅🛫⏳🔺⏫🔼🔽⏬✅"
_HIDDEN = [*map(chr, range(1, 9)), *map(chr, range(14, 28)), *map(chr, range(134, 160))]
"""What no text has, nor is white space, stands for escaped signs while marks are looked for."""
_HIDE = dict(zip(_SIGNS, _HIDDEN, strict=False))
_SHOW = {ord(hidden): sign for sign, hidden in _HIDE.items()}
_ESCAPED = re.compile(rf"\\([{re.escape(_SIGNS)}])")

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]{3,})\s*$")
_DATE = re.compile(r"(?<!@)@(?:\{([^}]{1,40})\}|\[\[([^\]]{1,40})\]\])")
_TIME = re.compile(r"@@\{([^}]{1,40})\}")
_FIELD = re.compile(r"\[([A-Za-z]{1,20})::([^\]]*)\]|\(([A-Za-z]{1,20})::([^)]*)\)")
_SIGNED_DATE = re.compile(r"([📅🛫⏳✅])\ufe0f? ?(\d{4}-\d\d-\d\d)")
_SIGNED_PRIORITY = re.compile(r"([🔺⏫🔼🔽⏬])\ufe0f?")
_TAG = re.compile(r"(?<!\S)#((?!\d+(?:\s|$))[^\s#\\.,;:!?()\[\]{}\"'`\x01-\x1f\x80-\x9f]+)(?!\S)")
_SIMPLE_TAG = re.compile(r"(?!\d+$)[\w/-]+")
_PRIORITIES = {
    **dict.fromkeys("🔺⏫", Priority.HIGH),
    "🔼": Priority.MEDIUM,
    **dict.fromkeys("🔽⏬", Priority.LOW),
}
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_RISKY = re.compile(
    r"\\|(?<!\S)#|@(?=[@{\[])|\^(?=[A-Za-z0-9-]*\s*$)|\[(?=[^\]]*::)|\((?=[^)]*::)|^\[|<(?=br)"
    r"|[📅🛫⏳🔺⏫🔼🔽⏬✅]",
    re.IGNORECASE,
)
"""What would be read as a mark in a title."""


@dataclass
class Marks:
    """What a line says beside the title; the rest of a line with breaks is in `more`."""

    title: str = ""
    more: str = ""
    key: str = ""
    due_at: datetime | None = None
    started_at: datetime | None = None
    priority: Priority | None = None
    stage: str = ""
    labels: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    not_understood: int = 0


def shown(text: str) -> str:
    """A text without the backslashes before signs."""
    return _ESCAPED.sub(r"\1", text)


def escaped(text: str) -> str:
    """A text as `shown` reads it."""
    return text.replace("\\", "\\\\")


def read_marks(line: str) -> Marks:
    """The title and the marks of a card's line."""
    marks = Marks()
    text = _ESCAPED.sub(lambda match: _HIDE[match[1]], line)
    if found := _BLOCK_ID.search(text):
        marks.key, text = found[1], text[: found.start()]
    text, *more = _BREAK.split(text)
    marks.more = "\n".join(more).translate(_SHOW).strip()
    text = _FIELD.sub(lambda match: _field_read(marks, match), text)
    times = [time for words in _TIME.findall(text) if (time := clock(words)) is not None]
    days = ["".join(words) for words in _DATE.findall(text)]
    days += [day for sign, day in _SIGNED_DATE.findall(text) if sign == "📅"]
    for sign, day in _SIGNED_DATE.findall(text):
        if sign in "🛫⏳":
            marks.started_at = marks.started_at or moment(day)
    for day in days:
        at = moment(day)
        marks.not_understood += at is None
        if at is not None:
            marks.due_at = datetime.combine(at.date(), times[0]) if times else at
    for sign in _SIGNED_PRIORITY.findall(text):
        marks.priority = _PRIORITIES[sign]
    for mark in (_TIME, _DATE, _SIGNED_DATE, _SIGNED_PRIORITY):
        text = mark.sub(" ", text)
    marks.labels += (tag.translate(_SHOW) for tag in _TAG.findall(text))
    marks.title = " ".join(_TAG.sub(" ", text).split()).translate(_SHOW)
    marks.title = marks.title or shown(line).strip()
    return marks


def _field_read(marks: Marks, match: re.Match[str]) -> str:
    # What is no field of ours stays in the title.
    name, value = folded(match[1] or match[3]), (match[2] or match[4] or "").strip()
    value = value.translate(_SHOW)
    match name:
        case "label" | "tag":
            marks.labels.append(value)
        case "assignee":
            marks.people.append(value)
        case "stage":
            marks.stage = value
        case "due" | "start" | "scheduled":
            at = moment(value)
            marks.not_understood += at is None
            if name == "due":
                marks.due_at = at
            else:
                marks.started_at = at
        case "priority" if folded(value) in {*Priority}:
            marks.priority = Priority(folded(value))
        case _:
            return match[0]
    return " "


def write_marks(card: SheetCard, *, has_stage: bool = False) -> str:
    """The line of a card as `read_marks` reads it, with its stage if that is not above it."""
    return " ".join((_RISKY.sub(r"\\\g<0>", card.title), *_marks(card, has_stage=has_stage)))


def _marks(card: SheetCard, *, has_stage: bool) -> Iterator[str]:
    for label in card.labels:
        yield f"#{label}" if _SIMPLE_TAG.fullmatch(label) else _mark("label", label)
    for names in card.people:
        yield _mark("assignee", names[0])
    if card.priority is not Priority.LOW:
        yield _mark("priority", card.priority.value)
    if card.started_at is not None:
        yield _mark("start", written(card.started_at))
    if has_stage and card.stage:
        yield _mark("stage", card.stage)
    if card.due_at is not None:
        yield f"@{{{card.due_at:%Y-%m-%d}}} @@{{{card.due_at:%H:%M}}}"
    if _BLOCK_ID.fullmatch(f"^{card.key}"):
        yield f"^{card.key}"


def _mark(name: str, value: str) -> str:
    signs = re.sub(r"[\\\]#@<📅🛫⏳🔺⏫🔼🔽⏬✅^]", r"\\\g<0>", value)
    return f"[{name}:: {signs}]"
