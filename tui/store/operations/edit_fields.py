"""The fields that an `Edit` sets: how each is read, compared, drawn, sent and told in words.

A value is kept as texts, spelled as it is sent: "" for none, a date as `YYYY-MM-DD HH:MM:SS`, yes
and no as the service says them. Nearly every field has one text; a label has three.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from tui.client.errors import NotThere
from tui.model.board import BoardView
from tui.model.custom_field import CustomField, FieldValue
from tui.model.detail import TaskDetail, TaskField
from tui.model.ids import BoardId, GroupId, Kind, LabelId, StageId, TaskId
from tui.model.task import Label, Priority, Status
from tui.store.documents.html_lines import words_of
from tui.store.documents.shapes import Document
from tui.store.documents.threeway import both_html, merge_html
from tui.store.operations.reading import is_no_date, task_as_it_is, value_as_it_is
from tui.store.remote import Remote
from tui.text.clean import line, quoted, text

Value: TypeAlias = tuple[str | None, ...]
"""The texts of a field; None leaves one as it is."""

_LONGEST_DATE = len("YYYY-MM-DD HH:MM:SS")
_MINUTES = len("YYYY-MM-DD HH:MM")
TRUE, FALSE = "true", "false"


@dataclass(frozen=True, slots=True)
class Target:
    """What is edited: the board, or the stage, label, group or task on it that is named.

    The group of a task is named beside the task. `name` is what it is called in words.
    """

    board_id: BoardId
    name: str = ""
    task_id: TaskId | None = None
    group_id: GroupId | None = None
    stage_id: StageId | None = None
    label_id: LabelId | None = None

    @property
    def kind(self) -> Kind:
        """What kind of thing it is."""
        return self._named[0]

    @property
    def id(self) -> int:
        """Its id."""
        return self._named[1]

    @property
    def _named(self) -> tuple[Kind, int]:
        named: tuple[tuple[Kind, int | None], ...] = (
            ("subtask_group", self.group_id),
            ("stage", self.stage_id),
            ("label", self.label_id),
            ("task", self.task_id),
        )
        found = ((kind, one) for kind, one in named if one is not None)
        return next(found, ("board", self.board_id))


def _folded(value: str) -> str:
    """Services fold white space and drop what is invisible."""
    return " ".join(line(value).split())


class Part(NamedTuple):
    """One text of a field: what people call it, how it is compared, and how it is shown."""

    label: str
    comparable: Callable[[str], str] = _folded
    in_words: Callable[[str], str] = line


class Merge(NamedTuple):
    """How a person's text and somebody else's are put together.

    `merge` is None where they meet; `draft` is what a person starts from to do it, `typed` what
    becomes of what they typed. Each gets the base, ours and theirs.
    """

    merge: Callable[[str, str, str], str | None]
    draft: Callable[[str, str, str], str]
    typed: Callable[[str, str], str] = lambda typed, _: typed


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that can be set.

    `read` tells the value in a document, `spell` that of a value of the model (None if it is not
    known), and `draw` makes the value of the model that has it. `check` raises `ValueError` for a
    text that cannot be. A field that is not `is_on_board` is drawn in the opened task alone. Of one
    that is not `is_compared`, nobody is asked whether somebody else was faster. `names_it` says
    that its target is called by it, `row` where an opened task shows it among its fields.
    """

    parts: tuple[Part, ...]
    read: Callable[[Document], Value]
    spell: Callable[[Any], Value | None]
    draw: Callable[[Any, Value], Any]
    send: Callable[[Remote, Target, Value, BoardView], Awaitable[Document]]
    words: Callable[[str, Value, Value | None], str]
    is_on_board: bool = True
    is_compared: bool = True
    names_it: bool = False
    merging: Merge | None = None
    row: TaskField | None = None
    check: Callable[[str], object] = str

    def same(self, one: Value, other: Value) -> bool:
        """Whether two values are equal, but for what services write differently."""
        return not any(self.differing(one, other))

    def differing(self, one: Value, other: Value) -> tuple[bool, ...]:
        """Which of the texts differ; one that is left as it is does not."""
        return tuple(
            a is not None and b is not None and part.comparable(a) != part.comparable(b)
            for part, a, b in zip(self.parts, one, other, strict=False)
        )


def _property(
    label: str,
    name: str,
    spell: Callable[[Any], str],
    parse: Callable[[str], object],
    words: Callable[[str, str], str],
    *,
    comparable: Callable[[str], str] = _folded,
    in_words: Callable[[str], str] = lambda value: line(value) or "none",
    none: str | None = "",
    names_it: bool = False,
    merging: Merge | None = None,
    row: TaskField | None = None,
) -> Field:
    """A property of a task that cards show, by its name in the interface and in the model.

    `none` is what is sent where there is no value.
    """

    async def send(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
        return await remote.set_task(to.board_id, to.id, name, value[0] or none)

    return Field(
        (Part(label, comparable, in_words),),
        read=lambda document: (_said(document, name),),
        spell=lambda task: (spell(getattr(task, name)),),
        draw=lambda task, value: replace(task, **{name: parse(value[0] or "")}),
        send=send,
        words=lambda name, value, _: words(name, value[0] or ""),
        names_it=names_it,
        merging=merging,
        row=row,
        check=parse,
    )


def stamp(moment: datetime | None) -> str:
    """A wall-clock time as it is sent: `YYYY-MM-DD HH:MM:SS`; empty for none."""
    return "" if moment is None else moment.isoformat(sep=" ", timespec="seconds")[:_LONGEST_DATE]


def comparable_stamp(value: object) -> str:
    """A time stamp as services write it, so that equal ones compare equal; "" for no date."""
    return "" if is_no_date(value) else str(value).replace("T", " ")[:_LONGEST_DATE]


def _date(label: str, name: str, row: TaskField) -> Field:
    def words(title: str, value: str) -> str:
        if not value:
            return f"Clear the {label} of {quoted(title)}"
        return f"Set the {label} of {quoted(title)} to {value[:_MINUTES]}"

    return _property(
        label,
        name,
        stamp,
        lambda value: datetime.fromisoformat(value) if value else None,
        words,
        comparable=comparable_stamp,
        in_words=lambda value: comparable_stamp(value)[:_MINUTES] or "none",
        none=None,
        row=row,
    )


def _said(document: Document, name: str) -> str:
    value = document.get(name)
    return "" if value is None else str(value)


def _within(document: Document, name: str) -> Document:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


async def _send_cover(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    """Send all settings as they are now with the new colour: they are replaced whole."""
    now = await task_as_it_is(remote, to.board_id, to.id)
    if now is None:
        raise NotThere("The task is not there any more.")
    settings = _within(now, "settings")
    cover = {**_within(settings, "cover"), "backgroundColor": value[0]}
    return await remote.set_task(to.board_id, to.id, "settings", {**settings, "cover": cover})


def _said_contact(document: Document) -> Value:
    """The id in digits; services write none as null or nought."""
    said = str(document.get("crm_contact_id") or "")
    return (said if said.strip("0") else "",)


async def _send_contact(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    return await remote.set_task(to.board_id, to.id, "crm_contact_id", _contact(value[0] or ""))


def _words_of_contact(name: str, value: Value, base: Value | None) -> str:
    return f"Link {quoted(name)} to {f'contact #{value[0]}' if value[0] else 'no contact'}"


async def _send_template(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    return await remote.set_task(to.board_id, to.id, "is_template", value[0])


def _words_of_template(name: str, value: Value, base: Value | None) -> str:
    return f"Make {quoted(name)} {'a template' if value[0] == 'yes' else 'an ordinary task again'}"


def yes_or_no(value: bool) -> str:
    """How services spell that a task is a template."""
    return "yes" if value else "no"


def _contact(value: str) -> int | None:
    return int(value) if value else None


def _is_yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError(value)
    return value == "yes"


async def _send_stage_title(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    stage = await remote.update_stage(to.board_id, to.id, value[0] or "")
    return {**stage, "board_id": to.board_id}


async def _send_stage_status(
    remote: Remote, to: Target, value: Value, truth: BoardView
) -> Document:
    """Send the status with the title the stage has, which services want beside it."""
    stage = truth.stage(to.id)
    title = to.name if stage is None else stage.title
    document = await remote.set_stage_status(to.board_id, to.id, title, value[0] or "")
    return {**document, "board_id": to.board_id}


def _words_of_stage_status(name: str, value: Value, base: Value | None) -> str:
    closes = "close" if value[0] == Status.CLOSED else "not close"
    return f"Have the stage {quoted(name)} {closes} what is moved into it"


async def _send_group_title(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    return await remote.rename_subtask_group(
        to.board_id, to.task_id or 0, to.group_id or 0, value[0] or ""
    )


def _renamed(what: str) -> Callable[[str, Value, Value | None], str]:
    def words(name: str, value: Value, base: Value | None) -> str:
        new = quoted(line(value[0] or ""))
        if base is None:
            return f"Rename a {what} to {new}"
        return f"Rename the {what} {quoted(line(base[0] or ''))} to {new}"

    return words


def _drawn_board(board: Any, value: Value) -> Any:
    title, about = value
    described = board.description if about is None else text(about)
    return replace(board, title=line(title or ""), description=described)


async def _send_board(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    title, about = value
    board = await remote.update_board(to.board_id, title or "", about)
    return {**board, "id": to.board_id}


def _words_of_board(name: str, value: Value, base: Value | None) -> str:
    new = quoted(line(value[0] or ""))
    if base is None:
        return f"Rename the board to {new}"
    if value[0] == base[0]:
        return f"Change the description of the board {new}"
    return f"Rename the board {quoted(base[0] or '')} to {new}"


async def _send_label(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
    title, color, text_color = (one or "" for one in value)
    label = await remote.update_label(to.board_id, to.id, title, color, text_color)
    return {**label, "board_id": to.board_id}


def _words_of_label(name: str, value: Value, base: Value | None) -> str:
    new, color = _label_in_words(value), value[1]
    if base is None:
        return f"Change a label to {new}"
    if base[0] == line(value[0] or ""):
        return f"Recolour the label {_label_in_words(base)} to {color}"
    return f"Rename the label {_label_in_words(base)} to {new}"


def _label_in_words(value: Value) -> str:
    return Label(0, line(value[0] or ""), value[1] or "").in_words


def spelt(value: str | bool | None) -> str:
    """What a custom field holds as an edit keeps it: text, `true` or `false`, empty for none."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return value or ""


def found_in(document: Document | None) -> str:
    """The value of a custom field that a document tells of, as an edit keeps it."""
    value = None if document is None else _within(document, "settings").get("value")
    return spelt(value if isinstance(value, (str, bool)) else None if value is None else str(value))


@cache
def custom_field(field: CustomField) -> Field:
    """What a task holds in a field of its board."""

    def plain(value: str) -> str:
        """A value without what services write differently."""
        if field.type == "date":
            return comparable_stamp(value).removesuffix(" 00:00:00").strip()
        return value.strip().lower() if field.is_checkbox else value

    def drawn(detail: TaskDetail, value: Value) -> TaskDetail:
        shown: str | bool | None = text(value[0] or "") or None
        if field.is_checkbox and shown is not None:
            shown = value[0] == TRUE
        return detail.with_value(field.id, shown)

    async def send(remote: Remote, to: Target, value: Value, truth: BoardView) -> Document:
        """Send it, and read what the task holds then: services say nothing of it."""
        sent: str | bool = value[0] or ""
        if field.is_checkbox and sent:
            sent = sent == TRUE
        await remote.set_field_value(to.board_id, to.id, field.id, sent)
        return await fetch_value(remote, to, field)

    def words(name: str, value: Value, base: Value | None) -> str:
        if not value[0]:
            return f"Clear {quoted(field.title)} of {quoted(name)}"
        told = FieldValue(0, value[0] == TRUE).in_words if field.is_checkbox else line(value[0])
        return f"Set {quoted(field.title)} of {quoted(name)} to {quoted(told)}"

    return Field(
        (
            Part(
                line(field.title),
                comparable=lambda value: _folded(plain(value)),
                in_words=lambda value: line(plain(value)),
            ),
        ),
        read=lambda document: (found_in(document),),
        spell=lambda detail: None if detail.values is None else (spelt(detail.value(field.id)),),
        draw=drawn,
        send=send,
        words=words,
        is_on_board=False,
    )


async def fetch_value(remote: Remote, to: Target, field: CustomField) -> Document:
    """What a task holds in a field; an empty document of it where it holds nothing."""
    now = await value_as_it_is(remote, to.board_id, to.id, field.id)
    return now or {"foreign_id": field.id, "settings": {"value": None}}


FIELDS: dict[tuple[Kind, str], Field] = {
    ("task", "title"): _property(
        "title",
        "title",
        spell=str,
        parse=line,
        words=lambda name, value: f"Rename {quoted(name)} to {quoted(line(value))}",
        names_it=True,
        merging=Merge(
            merge=lambda *_: None,
            draft=lambda _, mine, __: mine,
            typed=lambda typed, mine: " ".join(typed.split()) or mine,
        ),
    ),
    ("task", "description"): _property(
        "description",
        "description",
        spell=str,
        parse=text,
        words=lambda name, _: f"Change the description of {quoted(name)}",
        in_words=lambda value: words_of(value) or "none",
        merging=Merge(
            merge=lambda base, mine, theirs: merge_html(base=base, mine=mine, theirs=theirs),
            draft=lambda base, mine, theirs: both_html(base=base, mine=mine, theirs=theirs),
        ),
    ),
    ("task", "status"): _property(
        "status",
        "status",
        spell=str,
        parse=Status,
        row=TaskField.STATUS,
        words=lambda name, value: (
            f"{'Close' if value == Status.CLOSED else 'Reopen'} {quoted(name)}"
        ),
    ),
    ("task", "priority"): _property(
        "priority",
        "priority",
        spell=str,
        parse=Priority,
        row=TaskField.PRIORITY,
        words=lambda name, value: f"Set the priority of {quoted(name)} to {value}",
    ),
    ("task", "due_at"): _date("due date", "due_at", TaskField.DUE),
    ("task", "started_at"): _date("start date", "started_at", TaskField.START),
    ("task", "cover"): Field(
        (Part("cover"),),
        read=lambda document: (
            str(_within(_within(document, "settings"), "cover").get("backgroundColor") or ""),
        ),
        spell=lambda detail: (detail.cover,),
        draw=lambda detail, value: replace(detail, cover=value[0] or ""),
        send=_send_cover,
        row=TaskField.COVER,
        words=lambda name, value, _: (
            f"{'Change' if value[0] else 'Remove'} the cover of {quoted(name)}"
        ),
        is_on_board=False,
    ),
    ("task", "contact"): Field(
        (Part("contact"),),
        read=_said_contact,
        spell=lambda detail: ("" if detail.contact_id is None else str(detail.contact_id),),
        draw=lambda detail, value: replace(detail, contact_id=_contact(value[0] or "")),
        send=_send_contact,
        row=TaskField.CONTACT,
        words=_words_of_contact,
        is_on_board=False,
        check=_contact,
    ),
    ("task", "template"): Field(
        (Part("template"),),
        read=lambda document: (
            yes_or_no(str(_within(document, "meta").get("is_template")).lower() == "yes"),
        ),
        spell=lambda detail: (yes_or_no(detail.is_template),),
        draw=lambda detail, value: replace(detail, is_template=_is_yes(value[0] or "")),
        send=_send_template,
        row=TaskField.TEMPLATE,
        words=_words_of_template,
        is_on_board=False,
        check=_is_yes,
    ),
    ("subtask_group", "title"): Field(
        (Part("group"),),
        read=lambda document: (_said(document, "value"),),
        spell=lambda group: (group.title,),
        draw=lambda group, value: replace(group, title=line(value[0] or "")),
        send=_send_group_title,
        words=_renamed("group"),
        is_on_board=False,
    ),
    ("stage", "title"): Field(
        (Part("title"),),
        read=lambda document: (_said(document, "title"),),
        spell=lambda stage: (stage.title,),
        draw=lambda stage, value: replace(stage, title=line(value[0] or "")),
        send=_send_stage_title,
        words=_renamed("stage"),
    ),
    ("stage", "status"): Field(
        (Part("status"),),
        read=lambda document: (
            str(_within(document, "settings").get("default_task_status") or Status.OPEN),
        ),
        spell=lambda stage: (stage.default_status.value,),
        draw=lambda stage, value: replace(stage, default_status=Status(value[0] or "")),
        send=_send_stage_status,
        words=_words_of_stage_status,
        is_compared=False,
        check=Status,
    ),
    ("board", "title"): Field(
        (Part("title"), Part("description")),
        read=lambda document: (_said(document, "title"), _said(document, "description")),
        spell=lambda board: (board.title, board.description),
        draw=_drawn_board,
        send=_send_board,
        words=_words_of_board,
    ),
    ("label", "look"): Field(
        (Part("title"), Part("colour", comparable=str.casefold)),
        read=lambda document: (_said(document, "title"), _said(document, "bg_color")),
        spell=lambda label: (label.title, label.color),
        draw=lambda label, value: replace(label, title=line(value[0] or ""), color=value[1]),
        send=_send_label,
        words=_words_of_label,
    ),
}
"""What can be set, by the kind of thing and the name of the field."""
