"""The marks in the lines of a card: tags, dates, fields as `[priority:: high]`, and its block id.

They are those of Obsidian's Kanban, Tasks and Dataview. A backslash before a sign keeps it. In the
title they are cut out; in a line below, a tag between words stays, as it is one of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time
from functools import cache

from tui.model.task import Priority
from tui.transfer.formats.fields import YES, field_of, priority_called
from tui.transfer.formats.markdown_dates import DateStyle
from tui.transfer.moments import moment, moment_or_day, written
from tui.transfer.sheet import SheetCard, folded

_SIGNS = "\\`*_{}[]()#+-.!@^<>|~:📅📆🗓🛫⏳⌛🔺⏫🔼🔽⏬✅➕❌🆔"
# No white space among them, which would separate words.
_HIDDEN = [*map(chr, range(1, 9)), *map(chr, range(14, 28)), *map(chr, range(134, 160))]
"""Characters that no text has stand for escaped signs while marks are looked for."""
_HIDE = dict(zip(_SIGNS, _HIDDEN, strict=False))
_SHOW = {ord(hidden): sign for sign, hidden in _HIDE.items()}
_KEEP = {ord(hidden): f"\\{sign}" for sign, hidden in _HIDE.items()}
_ESCAPED = re.compile(rf"\\([{re.escape(_SIGNS)}])")

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]{3,})\s*$")
_FIELD = re.compile(r"\[([A-Za-z]{1,20})::([^\]]*)\]|\(([A-Za-z]{1,20})::([^)]*)\)")
_FIELD_LINE = re.compile(r"\s*([A-Za-z]{1,20}):: ?(.*)")
_SIGNED_DATE = re.compile(r"([📅📆🗓🛫⏳⌛✅➕❌])\ufe0f? ?(\d{4}-\d\d-\d\d)")
_SIGNED_PRIORITY = re.compile(r"([🔺⏫🔼🔽⏬])\ufe0f?")
_SIGNED_ID = re.compile(r"🆔\ufe0f? ?([A-Za-z0-9_-]+)")
_TAG = re.compile(r"(?<!\S)#((?!\d+(?:\s|$))[^\s#\\.,;:!?()\[\]{}\"'`\x01-\x1f\x80-\x9f]+)(?!\S)")
_SIMPLE_TAG = re.compile(r"(?!\d+$)[\w/-]+")
_DUE, _START = "📅📆🗓", "🛫⏳⌛"
_PAST = {
    "✅": "dates of completion",
    "❌": "dates of cancellation",
    "➕": "dates of creation",
}
_PRIORITIES = {
    **dict.fromkeys("🔺⏫", Priority.HIGH),
    "🔼": Priority.MEDIUM,
    **dict.fromkeys("🔽⏬", Priority.LOW),
}
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_RISKY = re.compile(
    r"\\|(?<!\S)#|@(?=[@{\[])|\^(?=[A-Za-z0-9-]*\s*$)|\[(?=[^\]]*::)|\((?=[^)]*::)|^\[|<(?=br)"
    r"|[📅📆🗓🛫⏳⌛🔺⏫🔼🔽⏬✅➕❌🆔]",
    re.IGNORECASE,
)
"""What would be read as a mark in a title."""
_NOUNS = {"completion": "completion", "created": "creation", "cancelled": "cancellation"}
_USUAL = DateStyle()


@dataclass
class Marks:
    """What the lines of a card say beside its title; those after a break are in `more`.

    `lost` is what they say that a card has no place for.
    """

    title: str = ""
    more: str = ""
    key: str = ""
    day: datetime | None = None
    clock: time | None = None
    started_at: datetime | None = None
    priority: Priority | None = None
    stage: str = ""
    labels: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    is_done: bool | None = None
    is_archived: bool = False
    is_template: bool = False
    lost: list[str] = field(default_factory=list)

    @property
    def due_at(self) -> datetime | None:
        """When the card is due; a time counts for the day, on whatever line each is."""
        if self.day is not None and self.clock is not None:
            return datetime.combine(self.day.date(), self.clock)
        return self.day

    def set_due(self, at: datetime) -> None:
        """Set the day; the last one counts."""
        if self.day not in (None, at):
            self.lost.append("dates beside the due date")
        self.day = at

    def set_start(self, at: datetime) -> None:
        """Set when it starts; the first counts."""
        if self.started_at not in (None, at):
            self.lost.append("dates beside the start date")
        self.started_at = self.started_at or at


def shown(text: str) -> str:
    """A text without the backslashes before signs."""
    return _ESCAPED.sub(r"\1", text)


def escaped(text: str) -> str:
    """A text as `shown` reads it."""
    return text.replace("\\", "\\\\")


def read_marks(line: str, style: DateStyle = _USUAL) -> Marks:
    """The title and the marks of a card's line."""
    marks = Marks()
    text = _hidden(line)
    # The id ends the line, so it is cut off before the line is split.
    if block_id := _BLOCK_ID.search(text):
        marks.key, text = block_id[1], text[: block_id.start()]
    text, *more = _BREAK.split(text)
    text = _cut_out(marks, text, style)
    marks.labels += (tag.translate(_SHOW) for tag in _TAG.findall(text))
    marks.title = " ".join(_TAG.sub(" ", text).split()).translate(_SHOW)
    marks.title = marks.title or shown(line).strip()
    remaining = (_without_marks(marks, part, style) for part in more)
    marks.more = "\n".join(part for part in remaining if part is not None).translate(_SHOW).strip()
    return marks


def read_more(marks: Marks, line: str, style: DateStyle) -> str | None:
    """Take the marks of a line below the title; what is left of it, None for nothing."""
    text = _hidden(line)
    remaining = _without_marks(marks, text, style)
    return line if remaining == text else remaining and remaining.translate(_KEEP)


def take_field(marks: Marks, name: str, value: str) -> bool:
    """Take a field as `due: 2026-12-24`; whether it is one that a card has."""
    value = value.strip()
    listed = [part.strip().lstrip("#") for part in value.strip("[]").split(",")]
    names = [part for part in listed if part]
    match field_of(name):
        case "due" if at := moment_or_day(value):
            marks.set_due(at)
        case "start" if at := moment_or_day(value):
            marks.set_start(at)
        case "priority" if value and (priority := priority_called(value)):
            marks.priority = priority
        case "labels" if names:
            marks.labels += names
        case "assignees" if names:
            marks.people += (name.lstrip("@") for name in names)
        case _:
            return False
    return True


def _hidden(line: str) -> str:
    return _ESCAPED.sub(lambda match: _HIDE[match[1]], line)


def _without_marks(marks: Marks, text: str, style: DateStyle) -> str | None:
    # A tag that begins or stands between words is one of them; None if nothing is left.
    if field_line := _FIELD_LINE.fullmatch(text):
        remaining = _field_read(marks, field_line, field_line[1], field_line[2]).strip()
        return text if remaining else None
    remaining = _cut_out(marks, text, style)
    tags = [*_TAG.finditer(remaining)]
    marks.labels += (tag[1].translate(_SHOW) for tag in tags)
    end = len(remaining)
    for tag in reversed(tags):
        if remaining[tag.end() : end].strip():
            break
        end = tag.start()
    remaining = remaining[:end]
    if not remaining.strip():
        return None if text.strip() else text
    return remaining.rstrip() if remaining != text else text


def _cut_out(marks: Marks, text: str, style: DateStyle) -> str:
    times, days = _patterns(style)
    taking = _Taking(marks, style)
    for mark, take in (
        (_FIELD, taking.field),
        (times, taking.time),
        (days, taking.day),
        (_SIGNED_DATE, taking.signed_date),
        (_SIGNED_PRIORITY, taking.priority),
        (_SIGNED_ID, taking.own_id),
    ):
        text = mark.sub(take, text)
    return text


class _Taking:
    # Takes each mark, and returns what stays in its place: a mark that is not understood does.

    def __init__(self, marks: Marks, style: DateStyle) -> None:
        self._marks = marks
        self._style = style

    def field(self, match: re.Match[str]) -> str:
        return _field_read(self._marks, match, match[1] or match[3], match[2] or match[4] or "")

    def time(self, match: re.Match[str]) -> str:
        at = self._style.time(match[1].translate(_SHOW))
        if at is None:
            return self._not_understood(match, "times")
        self._marks.clock = at
        return " "

    def day(self, match: re.Match[str]) -> str:
        words = (match[1] or match[2] or match[3]).translate(_SHOW)
        at = self._style.day(words) if match[1] else self._style.linked_day(words)
        if at is None:
            return self._not_understood(match, "dates")
        self._marks.set_due(at)
        return " "

    def signed_date(self, match: re.Match[str]) -> str:
        sign, at = match[1], moment(match[2])
        if at is None:
            return self._not_understood(match, "dates")
        if sign in _DUE:
            self._marks.set_due(at)
        elif sign in _START:
            self._marks.set_start(at)
        else:
            self._marks.lost.append(_PAST[sign])
        return " "

    def priority(self, match: re.Match[str]) -> str:
        self._marks.priority = _PRIORITIES[match[1]]
        return " "

    def own_id(self, match: re.Match[str]) -> str:
        self._marks.key = self._marks.key or match[1]
        return " "

    def _not_understood(self, match: re.Match[str], things: str) -> str:
        self._marks.lost.append(f"{things} that are not understood")
        return match[0]


@cache
def _patterns(style: DateStyle) -> tuple[re.Pattern[str], re.Pattern[str]]:
    time_trigger, day_trigger = (
        re.escape(trigger) for trigger in (style.time_trigger, style.date_trigger)
    )
    first = re.escape(style.date_trigger[0])
    return (
        re.compile(rf"{time_trigger}\{{([^}}]{{1,40}})\}}"),
        re.compile(
            # By default `@@` before a time ends with the `@` before a day, which must not follow
            # itself.
            rf"(?<!{first}){day_trigger}"
            r"(?:\{([^}]{1,60})\}|\[\[([^\]]{1,200})\]\]|\[([^\]]{1,60})\]\([^)]{1,200}\))"
        ),
    )


def _field_read(marks: Marks, match: re.Match[str], name: str, value: str) -> str:  # noqa: C901  one case after another
    # What is no field of ours stays in the text.
    value = value.strip().translate(_SHOW)
    match folded(name):
        case "label" | "tag":
            marks.labels.append(value)
        case "assignee":
            marks.people.append(value)
        case "stage":
            marks.stage = value
        case "due" if at := moment(value):
            marks.set_due(at)
        case "start" | "scheduled" if at := moment(value):
            marks.set_start(at)
        case "completion" | "created" | "cancelled" if moment(value):
            marks.lost.append(f"dates of {_NOUNS[folded(name)]}")
        case "priority" if folded(value) in {*Priority}:
            marks.priority = Priority(folded(value))
        case "template" if folded(value) in YES:
            marks.is_template = True
        case "id" if value:
            marks.key = marks.key or value
        case "due" | "start" | "scheduled":
            marks.lost.append("dates that are not understood")
            return match[0]
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
    if card.is_template:
        yield _mark("template", "yes")
    if has_stage and card.stage:
        yield _mark("stage", card.stage)
    if card.due_at is not None:
        yield f"@{{{card.due_at:%Y-%m-%d}}} @@{{{card.due_at:%H:%M}}}"
    if _BLOCK_ID.fullmatch(f"^{card.key}"):
        yield f"^{card.key}"


def _mark(name: str, value: str) -> str:
    signs = re.sub(r"[\\\]#@<📅📆🗓🛫⏳⌛🔺⏫🔼🔽⏬✅➕❌🆔^]", r"\\\g<0>", value)
    return f"[{name}:: {signs}]"
