"""The fields of tasks, and custom fields."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from tui.client.errors import REFUSALS, ApiError
from tui.model.blocked_by import Blocker, described, joined, united, without
from tui.model.custom_field import CustomField, FieldValue
from tui.model.detail import Reminder, TaskDetail, TaskField
from tui.model.fields.plain import PLAIN_FIELDS, PlainField
from tui.model.ids import Kind
from tui.model.task import Label, Priority, Status, Task
from tui.store.documents.html_lines import words_of
from tui.store.documents.shapes import Document
from tui.store.documents.threeway import both_html, merge_html
from tui.store.operations.fields.field import (
    TRUE,
    EditTarget,
    Field,
    FieldDelivery,
    FieldPart,
    Merge,
    Value,
    comparable_stamp,
    date_in_words,
    is_true,
    moment,
    plain_field,
    spelt,
    stamp,
    text_of,
    within,
)
from tui.store.operations.fields.people import ASSIGNEES
from tui.store.reading import fetch_task, folded
from tui.store.remote import Remote
from tui.text.clean import line, quoted, text

_MIDNIGHT = " 00:00:00"


def _property(
    label: str,
    name: str,
    words: Callable[[str, str], str],
    *,
    attribute: str = "",
    sent: Callable[[str], object] = str,
    **others: Any,
) -> Field:
    """A property of a task, by its name in the interface; `sent` converts the text to send it."""

    async def send(to: FieldDelivery, value: str) -> Document:
        return await to.remote.set_task(*to.ids, name, sent(value))

    return plain_field(
        label, attribute or name, words, **{"send": send, "read": text_of(name), **others}
    )


async def _send_due(to: FieldDelivery, value: str) -> Document:
    """Set the due date, and read the status if the reply lacks it: the date may reopen the task."""
    reply = await to.remote.set_task(*to.ids, "due_at", value or None)
    task = to.truth.task(to.target.id)
    if "status" in reply or task is None or task.status is not Status.CLOSED:
        return reply
    with suppress(*REFUSALS):
        return await fetch_task(to.remote, *to.ids) or reply
    return reply


def _date(label: str, name: str, row: TaskField, **others: Any) -> Field:
    def words(title: str, value: str) -> str:
        if not value:
            return f"Clear the {label} of {quoted(title)}"
        return f"Set the {label} of {quoted(title)} to {date_in_words(value)}"

    return _property(
        label,
        name,
        words,
        spell=stamp,
        parse=moment,
        comparable=comparable_stamp,
        in_words=date_in_words,
        sent=lambda value: value or None,
        row=row,
        noun=label,
        **others,
    )


async def _send_cover(to: FieldDelivery, color: str) -> Document:
    """Send all settings with the new colour: the service replaces them as a whole."""
    settings = within(await to.task(), "settings")
    cover = {**within(settings, "cover"), "backgroundColor": color}
    return await to.remote.set_task(*to.ids, "settings", {**settings, "cover": cover})


async def _send_reminder(to: FieldDelivery, at: str, kind: str) -> Document:
    """Send the time, then the kind, which are two properties; a refusal leaves neither."""
    timed = await to.remote.set_task(*to.ids, "remind_at", at or None)
    try:
        # A short reply to the second request lacks what the first one set.
        return {**timed, **await to.remote.set_task(*to.ids, "reminder_type", kind or "none")}
    except ApiError as error:
        # Only after a certain refusal: if the kind may have been set, the time belongs to it.
        if to.base is not None and not (error.may_have_happened or error.is_passing):
            await to.remote.set_task(*to.ids, "remind_at", to.base[0] or None)
        raise


async def _send_description(to: FieldDelivery, value: str) -> Document:
    """Send it with the line of the blockers as it is now, and those that were typed in the text."""
    text, typed = described(value)
    current = described(_description(await to.task())).blockers
    return await to.remote.set_task(*to.ids, "description", joined(text, united(current, typed)))


def _draw_description(task: Task, value: str) -> Task:
    description, typed = described(text(value))
    return replace(task, description=description, blockers=united(task.blockers, typed))


_description = text_of("description")


def _kind(value: object) -> str:
    return "" if value in (None, "none") else str(value)


@cache
def label_of_task(label: Label) -> Field:
    """A label of the board, as a field of its tasks: whether they have it."""

    def draw(task: Task, value: str) -> Task:
        if spell(task) == value:
            return task
        remaining = tuple(task_label for task_label in task.labels if task_label.id != label.id)
        return replace(task, labels=(*remaining, label) if value == TRUE else remaining)

    def spell(task: Task) -> str:
        return spelt(any(other.id == label.id for other in task.labels))

    async def send(to: FieldDelivery, value: str) -> Document:
        change = to.remote.add_label if value == TRUE else to.remote.remove_label
        return {"id": to.target.id, "labels": await change(*to.ids, label.id)}

    def words(name: str, base: Value | None, value: str) -> str:
        if value == TRUE:
            return f"Label {quoted(name)} with {label.in_words}"
        return f"Remove the label {label.in_words} from {quoted(name)}"

    part = FieldPart(
        "label",
        lambda task: spelt(any(row.get("id") == label.id for row in task.get("labels") or ())),
        spell,
    )
    merging, row = Merge(lambda _, ours, __: ours), TaskField.LABELS
    return Field((part,), draw, send, words, merging=merging, row=row, check=is_true)


@cache
def blocker_of_task(blocker: Blocker) -> Field:
    """A card that may block others, as a field of these: whether the description names it.

    What others wrote into the description meanwhile stays, and so do the cards that they named.
    """

    def named(task: Task, value: str) -> tuple[Blocker, ...]:
        others = without(task.blockers, blocker.id)
        return task.blockers if spell(task) == value else (*others, *_if(value, blocker))

    def spell(task: Task) -> str:
        return spelt(any(other.id == blocker.id for other in task.blockers))

    async def send(to: FieldDelivery, value: str) -> Document:
        text, current = described(_description(await to.task()))
        blockers = united(without(current, blocker.id), _if(value, blocker))
        return await to.remote.set_task(*to.ids, "description", joined(text, blockers))

    def words(name: str, base: Value | None, value: str) -> str:
        card = f"#{blocker.id}" if blocker.id > 0 else "a new card"
        verb = "Block" if value == TRUE else "Unblock"
        return f"{verb} {quoted(name)} {'by' if value == TRUE else 'from'} {card}"

    part = FieldPart(
        "blocked by",
        lambda task: spelt(
            any(other.id == blocker.id for other in described(_description(task)).blockers)
        ),
        spell,
    )
    merging, row = Merge(lambda _, ours, __: ours), TaskField.BLOCKED_BY
    return Field(
        (part,),
        lambda task, value: replace(task, blockers=named(task, value)),
        send,
        words,
        merging=merging,
        row=row,
        check=is_true,
    )


def _if(value: str, blocker: Blocker) -> tuple[Blocker, ...]:
    return (blocker,) if value == TRUE else ()


def _plain(field: PlainField, **others: Any) -> Field:
    kind = field.kind
    return _property(
        field.name,
        field.path[-1],
        lambda name, text: field.change(name, kind.parse(text)),
        attribute=field.attribute,
        read=lambda document: kind.spell(field.read(document)),
        spell=kind.spell,
        parse=kind.parse,
        sent=kind.send,
        in_words=lambda text: line(field.shown(kind.parse(text)) or field.blank),
        row=field.row,
        noun="" if field.name == "template" else field.name,
        is_on_board=False,
        **others,
    )


def value_in(document: Document | None) -> str:
    """The custom field value in a document, as text."""
    value = None if document is None else within(document, "settings").get("value")
    return spelt(value if isinstance(value, (str, bool)) else None if value is None else str(value))


def _plain_value(field: CustomField, value: str) -> str:
    """A value of a custom field without what services write differently."""
    if field.type == "date":
        return comparable_stamp(value).removesuffix(_MIDNIGHT).strip()
    return value.strip().lower() if field.is_checkbox else value


def _value_in_words(field: CustomField, value: str) -> str:
    if field.type == "date":
        return date_in_words(value, has_clock=":" in _plain_value(field, value))
    if field.is_checkbox and value:
        return FieldValue(0, _plain_value(field, value) == TRUE).in_words
    return line(value)


@cache
def custom_field(field: CustomField) -> Field:
    """The custom field of a board, as a field of its tasks."""

    def draw(detail: TaskDetail, value: str) -> TaskDetail:
        shown: str | bool | None = text(value) or None
        if field.is_checkbox and shown is not None:
            shown = value == TRUE
        return detail.with_value(field.id, shown)

    def sent(value: str) -> str | bool | datetime:
        if field.is_checkbox and value:
            return value == TRUE
        with suppress(ValueError):  # what is no date is left to the service to refuse
            return (moment(value) if field.type == "date" else None) or value
        return value

    async def send(to: FieldDelivery, value: str) -> Document:
        """Send it, and read what the task holds then: services say nothing of it."""
        await to.remote.set_field_value(*to.ids, field.id, sent(value))
        return await fetch_value(to.remote, to.target, field)

    def words(name: str, base: Value | None, value: str) -> str:
        if not value:
            return f"Clear {quoted(field.title)} of {quoted(name)}"
        shown = quoted(_value_in_words(field, value))
        return f"Set {quoted(field.title)} of {quoted(name)} to {shown}"

    part = FieldPart(
        line(field.title),
        read=value_in,
        spell=lambda detail: None if detail.values is None else spelt(detail.value(field.id)),
        comparable=lambda value: folded(_plain_value(field, value)),
        in_words=lambda value: _value_in_words(field, value),
    )
    return Field((part,), draw, send, words, is_on_board=False, noun=quoted(field.title))


async def fetch_value(remote: Remote, to: EditTarget, field: CustomField) -> Document:
    """The value of a custom field; an empty document if there is none."""
    values = await remote.field_values(to.board_id, to.id)
    matching = (value for value in values if value.get("foreign_id") == field.id)
    return next(matching, {"foreign_id": field.id, "settings": {"value": None}})


TASK_FIELDS: dict[tuple[Kind, str], Field] = {
    ("task", "title"): _property(
        "title",
        "title",
        lambda name, value: f"Rename {quoted(name)} to {quoted(line(value))}",
        parse=line,
        names_it=True,
        merging=Merge(
            merge=lambda *_: None,
            draft=lambda _, ours, __: ours,
            typed=lambda typed, ours: " ".join(typed.split()) or ours,
        ),
    ),
    ("task", "description"): replace(
        _property(
            "description",
            "description",
            lambda name, _: f"Change the description of {quoted(name)}",
            send=_send_description,
            read=lambda task: described(_description(task)).text,
            noun="description",
            comparable=lambda value: folded(described(value).text),
            in_words=lambda value: words_of(value) or "none",
            merging=Merge(
                merge=lambda base, ours, current: merge_html(base=base, ours=ours, current=current),
                draft=lambda base, ours, current: both_html(base=base, ours=ours, current=current),
            ),
        ),
        draw=_draw_description,
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
        noun="priority",
    ),
    ("task", "due_at"): _date("due date", "due_at", TaskField.DUE, send=_send_due),
    ("task", "started_at"): _date("start date", "started_at", TaskField.START),
    ("task", "assignees"): ASSIGNEES,
    ("task", "watching"): _property(
        "watching",
        "is_watching",
        lambda name, value: f"{'Watch' if value == TRUE else 'Stop watching'} {quoted(name)}",
        attribute="watching",
        read=lambda task: spelt(task.get("is_watching")),
        spell=lambda watching: None if watching is None else spelt(watching),
        parse=is_true,
        send=lambda to, value: to.remote.watch(*to.ids, on=value == TRUE),
        row=TaskField.WATCHING,
        is_on_board=False,
        is_compared=False,
    ),
    ("task", "reminder"): Field(
        (
            FieldPart(
                "reminder",
                read=lambda task: comparable_stamp(task.get("remind_at")),
                spell=lambda detail: stamp(detail.reminder and detail.reminder.at),
                comparable=comparable_stamp,
                in_words=date_in_words,
            ),
            FieldPart(
                "kind of reminder",
                read=lambda task: _kind(task.get("reminder_type")),
                spell=lambda detail: _kind(detail.reminder and detail.reminder.kind),
                comparable=_kind,
                in_words=lambda value: line(Reminder(value).in_words) or "none",
            ),
        ),
        draw=lambda detail, at, kind: replace(
            detail, reminder=Reminder(kind, moment(at)) if kind or at else None
        ),
        send=_send_reminder,
        words=lambda name, _, at, __: (
            f"Set the reminder of {quoted(name)} to {date_in_words(at)}"
            if at
            else f"Clear the reminder of {quoted(name)}"
        ),
        is_on_board=False,
        is_whole=True,
        row=TaskField.REMINDER,
        noun="reminder",
        check=moment,
    ),
    **{("task", field.name): _plain(field) for field in PLAIN_FIELDS.values()},
    ("task", "template"): _plain(PLAIN_FIELDS["template"], is_on_card=True),
    ("task", "cover"): _plain(PLAIN_FIELDS["cover"], send=_send_cover, is_on_card=True),
}
"""The fields of tasks by kind and name."""
