"""The table of fields that an `Edit` can set."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any

from tui.client.errors import NotFound
from tui.model.board import BoardView
from tui.model.colors import text_color
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import TaskDetail, TaskField
from tui.model.ids import Kind
from tui.model.task import Label, Priority, Status
from tui.store.documents.assemble import custom_field_of, field_type
from tui.store.documents.html_lines import words_of
from tui.store.documents.shapes import Document
from tui.store.documents.threeway import both_html, merge_html
from tui.store.operations.field import (
    Field,
    Merge,
    Part,
    Target,
    Value,
    comparable_stamp,
    stamp,
)
from tui.store.operations.stage_fields import STAGE_FIELDS
from tui.store.reading import fetch_current, fetch_task, folded, is_no_date
from tui.store.remote import Remote
from tui.text.clean import line, quoted, text

_MINUTES = len("YYYY-MM-DD HH:MM")
TRUE, FALSE = "true", "false"


def _said(name: str) -> Callable[[Document], str]:
    """A function that reads a text of a document, by its name."""
    return lambda document: "" if document.get(name) is None else str(document[name])


def _within(document: Document, name: str) -> Document:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _property(
    label: str,
    name: str,
    words: Callable[[str, str], str],
    *,
    attribute: str = "",
    read: Callable[[Document], str] | None = None,
    spell: Callable[[Any], str] = str,
    parse: Callable[[str], object] = str,
    sent: Callable[[str], object] = str,
    comparable: Callable[[str], str] = folded,
    in_words: Callable[[str], str] = lambda value: line(value) or "none",
    **others: Any,
) -> Field:
    """A property of a task, by its name in the interface and in the model.

    `read` reads it from a document, `spell` converts a model value to text and `parse` back, `sent`
    converts the text to what is sent.
    """
    attribute = attribute or name

    async def send(remote: Remote, to: Target, truth: BoardView, value: str) -> Document:
        return await remote.set_task(to.board_id, to.id, name, sent(value))

    def spelled(shown: Any) -> str:
        return spell(getattr(shown, attribute))

    return Field(
        (Part(label, read or _said(name), spelled, comparable, in_words),),
        draw=lambda shown, value: replace(shown, **{attribute: parse(value)}),
        words=lambda title, _, value: words(title, value),
        check=parse,
        **{"send": send, **others},
    )


def _moment(value: str) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _date(label: str, name: str, row: TaskField) -> Field:
    def words(title: str, value: str) -> str:
        if not value:
            return f"Clear the {label} of {quoted(title)}"
        return f"Set the {label} of {quoted(title)} to {value[:_MINUTES]}"

    return _property(
        label,
        name,
        words,
        spell=stamp,
        parse=_moment,
        comparable=comparable_stamp,
        in_words=lambda value: comparable_stamp(value)[:_MINUTES] or "none",
        sent=lambda value: value or None,
        row=row,
    )


async def _send_cover(remote: Remote, to: Target, truth: BoardView, color: str) -> Document:
    """Send all settings with the new colour: the service replaces them as a whole."""
    now = await fetch_task(remote, to.board_id, to.id)
    if now is None:
        raise NotFound("The task is not there any more.")
    settings = _within(now, "settings")
    cover = {**_within(settings, "cover"), "backgroundColor": color}
    return await remote.set_task(to.board_id, to.id, "settings", {**settings, "cover": cover})


def _said_contact(document: Document) -> str:
    """The id in digits; services write none as null or zero."""
    said = str(document.get("crm_contact_id") or "")
    return said if said.strip("0") else ""


def _contact(value: str) -> int | None:
    return int(value) if value else None


def yes_or_no(value: bool) -> str:
    """The value that services use for a task being a template."""
    return "yes" if value else "no"


def _is_yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError(value)
    return value == "yes"


def _renamed(what: str) -> Callable[[str, Value | None, str], str]:
    def words(name: str, base: Value | None, title: str) -> str:
        new = quoted(line(title))
        if base is None:
            return f"Rename a {what} to {new}"
        return f"Rename the {what} {quoted(line(base[0] or ''))} to {new}"

    return words


def _words_of_board(name: str, base: Value | None, title: str, about: str | None) -> str:
    new = quoted(line(title))
    if base is None:
        return f"Rename the board to {new}"
    if title == base[0]:
        return f"Change the description of the board {new}"
    return f"Rename the board {quoted(base[0] or '')} to {new}"


def _words_of_archiving(name: str, base: Value | None, at: str) -> str:
    if at:
        return f"Archive the board {quoted(name)}"
    return f"Bring the board {quoted(name)} back from the archive"


def _words_of_label(
    name: str, base: Value | None, title: str | None, color: str | None, _: str | None
) -> str:
    was_title, was_color = (one or "" for one in (base or (name, ""))[:2])
    new = Label(0, line(was_title if title is None else title), color or was_color).in_words
    if base is None:
        return f"Change a label to {new}"
    old = Label(0, line(was_title), was_color).in_words
    if title is None or was_title == line(title):
        return f"Recolour the label {old} to {color}"
    return f"Rename the label {old} to {new}"


async def _send_look(remote: Remote, to: Target, truth: BoardView, *look: str | None) -> Document:
    """Send all of it, as services require: what is not changed as it is now."""
    if None not in look:
        return await remote.update_label(to.board_id, to.id, *map(str, look))
    now = await fetch_current(remote, "label", to.id, to.board_id, None)
    if now is None:
        raise NotFound("The label is not there any more.")
    color = str(now.get("bg_color") or "")
    kept = (now.get("title"), color, now.get("color") or text_color(color))
    whole = (str(old or "") if new is None else new for old, new in zip(kept, look, strict=True))
    return await remote.update_label(to.board_id, to.id, *whole)


async def _send_definition(
    remote: Remote, to: Target, truth: BoardView, *definition: str | None
) -> Document:
    """The same for the title, type and options of a custom field."""
    title, kind, options = definition
    now = await fetch_current(remote, "field", to.id, to.board_id, None)
    if now is None:
        raise NotFound("The custom field is not there any more.")
    known = _within(now, "settings").get("custom_field_type")
    present = custom_field_of(now, to.board_id).options
    return await remote.update_field(
        to.board_id,
        to.id,
        title=str(now.get("title") or "") if title is None else title,
        field_type=str(known or FieldType.TEXT) if kind is None else kind,
        options=present if options is None else options.splitlines(),
    )


def _draw_definition(
    field: CustomField, title: str | None, kind: str | None, options: str | None
) -> CustomField:
    return replace(
        field,
        title=field.title if title is None else line(title),
        type=field.type if kind is None else field_type(kind),
        options=field.options if options is None else tuple(map(line, options.splitlines())),
    )


def _words_of_definition(
    name: str, base: Value | None, title: str | None, kind: str | None, options: str | None
) -> str:
    if title is not None:
        return f"Rename the custom field {quoted(name)} to {quoted(line(title))}"
    what = "type" if kind is not None else "options"
    return f"Change the {what} of the custom field {quoted(name)}"


def spelt(value: str | bool | None) -> str:
    """A custom field value as text: `true` or `false`, empty for none."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return value or ""


def found_in(document: Document | None) -> str:
    """The custom field value in a document, as text."""
    value = None if document is None else _within(document, "settings").get("value")
    return spelt(value if isinstance(value, (str, bool)) else None if value is None else str(value))


@cache
def custom_field(field: CustomField) -> Field:
    """The custom field of a board, as a field of its tasks."""

    def plain(value: str) -> str:
        """A value without what services write differently."""
        if field.type == "date":
            return comparable_stamp(value).removesuffix(" 00:00:00").strip()
        return value.strip().lower() if field.is_checkbox else value

    def draw(detail: TaskDetail, value: str) -> TaskDetail:
        shown: str | bool | None = text(value) or None
        if field.is_checkbox and shown is not None:
            shown = value == TRUE
        return detail.with_value(field.id, shown)

    async def send(remote: Remote, to: Target, truth: BoardView, value: str) -> Document:
        """Send it, and read what the task holds then: services say nothing of it."""
        sent = value == TRUE if field.is_checkbox and value else value
        await remote.set_field_value(to.board_id, to.id, field.id, sent)
        return await fetch_value(remote, to, field)

    def words(name: str, base: Value | None, value: str) -> str:
        if not value:
            return f"Clear {quoted(field.title)} of {quoted(name)}"
        told = FieldValue(0, value == TRUE).in_words if field.is_checkbox else line(value)
        return f"Set {quoted(field.title)} of {quoted(name)} to {quoted(told)}"

    part = Part(
        line(field.title),
        read=found_in,
        spell=lambda detail: None if detail.values is None else spelt(detail.value(field.id)),
        comparable=lambda value: folded(plain(value)),
        in_words=lambda value: line(plain(value)),
    )
    return Field((part,), draw, send, words, is_on_board=False)


async def fetch_value(remote: Remote, to: Target, field: CustomField) -> Document:
    """The value of a custom field; an empty document if there is none."""
    values = await remote.field_values(to.board_id, to.id)
    found = (value for value in values if value.get("foreign_id") == field.id)
    return next(found, {"foreign_id": field.id, "settings": {"value": None}})


_TITLE = Part("title", _said("title"), attrgetter("title"))

FIELDS: dict[tuple[Kind, str], Field] = {
    ("task", "title"): _property(
        "title",
        "title",
        lambda name, value: f"Rename {quoted(name)} to {quoted(line(value))}",
        parse=line,
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
        lambda name, _: f"Change the description of {quoted(name)}",
        parse=text,
        in_words=lambda value: words_of(value) or "none",
        merging=Merge(
            merge=lambda base, mine, theirs: merge_html(base=base, mine=mine, theirs=theirs),
            draft=lambda base, mine, theirs: both_html(base=base, mine=mine, theirs=theirs),
        ),
    ),
    ("task", "status"): _property(
        "status",
        "status",
        lambda name, value: f"{'Close' if value == Status.CLOSED else 'Reopen'} {quoted(name)}",
        parse=Status,
        row=TaskField.STATUS,
    ),
    ("task", "priority"): _property(
        "priority",
        "priority",
        lambda name, value: f"Set the priority of {quoted(name)} to {value}",
        parse=Priority,
        row=TaskField.PRIORITY,
    ),
    ("task", "due_at"): _date("due date", "due_at", TaskField.DUE),
    ("task", "started_at"): _date("start date", "started_at", TaskField.START),
    ("task", "cover"): _property(
        "cover",
        "cover",
        lambda name, color: f"{'Change' if color else 'Remove'} the cover of {quoted(name)}",
        read=lambda document: str(
            _within(_within(document, "settings"), "cover").get("backgroundColor") or ""
        ),
        in_words=line,
        send=_send_cover,
        row=TaskField.COVER,
        is_on_board=False,
    ),
    ("task", "contact"): _property(
        "contact",
        "crm_contact_id",
        lambda name, one: f"Link {quoted(name)} to {f'contact #{one}' if one else 'no contact'}",
        attribute="contact_id",
        read=_said_contact,
        spell=lambda contact_id: str(contact_id or ""),
        parse=_contact,
        sent=_contact,
        in_words=line,
        row=TaskField.CONTACT,
        is_on_board=False,
    ),
    ("task", "template"): _property(
        "template",
        "is_template",
        lambda name, value: (
            f"Make {quoted(name)} {'a template' if value == 'yes' else 'an ordinary task again'}"
        ),
        read=lambda document: yes_or_no(
            str(_within(document, "meta").get("is_template")).lower() == "yes"
        ),
        spell=yes_or_no,
        parse=_is_yes,
        in_words=line,
        row=TaskField.TEMPLATE,
        is_on_board=False,
    ),
    ("subtask_group", "title"): Field(
        (Part("group", _said("value"), attrgetter("title")),),
        draw=lambda group, title: replace(group, title=line(title)),
        send=lambda remote, to, _, title: remote.rename_subtask_group(
            to.board_id, to.task_id, to.id, title
        ),
        words=_renamed("group"),
        is_on_board=False,
    ),
    ("stage", "title"): Field(
        (_TITLE,),
        draw=lambda stage, title: replace(stage, title=line(title)),
        send=lambda remote, to, _, title: remote.update_stage(to.board_id, to.id, title),
        words=_renamed("stage"),
    ),
    **{("stage", name): field for name, field in STAGE_FIELDS.items()},
    ("board", "title"): Field(
        (_TITLE, Part("description", _said("description"), attrgetter("description"))),
        draw=lambda board, title, about: replace(
            board,
            title=line(title),
            description=board.description if about is None else text(about),
        ),
        send=lambda remote, to, _, title, about: remote.update_board(to.board_id, title, about),
        words=_words_of_board,
    ),
    ("board", "archived_at"): Field(
        (
            Part(
                "archive",
                _said("archived_at"),
                spell=lambda board: stamp(board.archived_at),
                comparable=lambda value: str(is_no_date(value)),
            ),
        ),
        draw=lambda board, at: replace(board, archived_at=_moment(at)),
        send=lambda remote, to, _, at: (
            remote.archive_board(to.board_id) if at else remote.restore_board(to.board_id)
        ),
        words=_words_of_archiving,
        is_compared=False,
        check=_moment,
    ),
    ("label", "look"): Field(
        (
            _TITLE,
            Part("colour", _said("bg_color"), attrgetter("color"), str.casefold),
            Part(
                "text colour",
                _said("color"),
                spell=lambda label: text_color(label.color),
                comparable=lambda _: "",
            ),
        ),
        draw=lambda label, title, color, _: replace(
            label,
            title=label.title if title is None else line(title),
            color=label.color if color is None else color,
        ),
        send=_send_look,
        words=_words_of_label,
    ),
    ("field", "definition"): Field(
        (
            _TITLE,
            Part(
                "type",
                read=lambda document: str(custom_field_of(document, 0).type),
                spell=lambda field: str(field.type),
            ),
            Part(
                "options",
                read=lambda document: "\n".join(custom_field_of(document, 0).options),
                spell=lambda field: "\n".join(field.options),
                comparable=str,
                in_words=lambda options: ", ".join(map(line, options.splitlines())) or "none",
            ),
        ),
        draw=_draw_definition,
        send=_send_definition,
        words=_words_of_definition,
    ),
}
"""The fields by kind of thing and name."""
