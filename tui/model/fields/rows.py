"""The fields of an opened task as rows, and why a field cannot be changed.

What depends on the time is computed when it is drawn, so that rows do not become stale. An unknown
value is not shown as empty.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.colors import color_words, drawable
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import Part, RowKey, TaskDetail, TaskField
from tui.model.fields.values import Tense, distance, is_checked, kept_date, moment
from tui.model.task import Person, Priority, Task
from tui.text.dates import local
from tui.text.keyed import keyed

NONE = "none"
NOBODY = "nobody"
NO_DATE = "no date"
UNKNOWN = "not loaded yet"

_BY_ITSELF = "the service sets this"
_KINDS_UNSAID = ("", "none", "once")


GLUE = "\u00a0"
"""A blank at which a line is not broken, if there is room."""


class Piece(NamedTuple):
    """A part of a row's text with its role; a chip of a colour before it."""

    text: str
    role: str = "text"
    chip: str = ""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of one task.

    `said` is its value, after the time `at`, if it has one; `blank` is the text of an empty one.
    `fixed` is why it cannot be changed here, or empty. `is_pending` says that it has a pending
    change.
    """

    of: TaskField
    said: tuple[Piece, ...] = ()
    at: datetime | None = None
    tense: Tense = Tense.EVENT
    field: CustomField | None = None
    blank: str = NONE
    fixed: str = ""
    is_pending: bool = False

    @property
    def label(self) -> str:
        """The name of the field."""
        if self.field is None:
            return self.of.value
        return self.field.title or f"Field {self.field.id}"

    @property
    def key(self) -> RowKey:
        """The field."""
        return self.of, self.field.id if self.field else 0

    @property
    def is_set(self) -> bool:
        """Whether it has a value."""
        return bool(self.said) or self.at is not None

    @property
    def is_empty(self) -> bool:
        """Whether it is known to have no value."""
        return not self.is_set and self.blank != UNKNOWN

    def pieces(self, now: datetime) -> tuple[Piece, ...]:
        """Its text at a wall-clock time."""
        if self.at is None:
            return self.said or _quiet(self.blank)
        how_far, role = distance(self.at, now, self.tense)
        when = moment(self.at, now, self.tense)
        return (Piece(f"{when} · {how_far.replace(' ', GLUE)}", role), *self.said)

    def words(self, now: datetime) -> str:
        """Its plain text at a wall-clock time."""
        return in_words(self.pieces(now))


def in_words(pieces: Iterable[Piece]) -> str:
    """Pieces as plain text."""
    return "".join(piece.text for piece in pieces).replace(GLUE, " ")


def task_rows(
    view: BoardView, detail: TaskDetail, on_the_way: Container[RowKey] = ()
) -> tuple[FieldRow, ...]:
    """The fields of an opened task; those of `on_the_way` have pending changes."""
    rows = (
        *_work(view, detail.task),
        *_dates(detail),
        *_watch(detail),
        *_custom(view, detail),
        *_around(view, detail),
        *_traits(detail),
        *_history(view, detail),
    )
    return tuple(
        replace(row, is_pending=True) if _is_on_the_way(row, detail, on_the_way) else row
        for row in rows
    )


def _is_on_the_way(row: FieldRow, detail: TaskDetail, on_the_way: Container[RowKey]) -> bool:
    """Whether a row has a pending change, by its key or the id of its custom field."""
    return row.key in on_the_way or (
        row.field is not None and row.field.id in detail.pending_of("field_value")
    )


def _work(view: BoardView, task: Task) -> Iterable[FieldRow]:
    """Stage, status, priority, assignees and labels."""
    stage = view.stage(task.stage_id)
    where = f"{stage.title if stage else NONE} · {view.board.title}"
    yield FieldRow(TaskField.STAGE, _said(where))
    yield FieldRow(TaskField.STATUS, _said("closed ✓" if task.is_closed else "open"))
    role = "strong" if task.priority is Priority.HIGH else "text"
    yield FieldRow(TaskField.PRIORITY, (Piece(task.priority.value, role),))
    yield FieldRow(TaskField.ASSIGNEES, _people(task.assignees), blank=NOBODY)
    chips = tuple(
        Piece(label.title or color_words(label.color), "text", drawable(label.color))
        for label in task.labels
    )
    yield FieldRow(TaskField.LABELS, chips)


def _dates(detail: TaskDetail) -> Iterable[FieldRow]:
    task, reminder = detail.task, detail.reminder
    due = Tense.EVENT if task.is_closed else Tense.DEADLINE
    yield _timed(TaskField.DUE, task.due_at, tense=due)
    yield _timed(TaskField.START, task.started_at)
    if reminder is None:
        yield FieldRow(TaskField.REMINDER)
        return
    kind = "" if reminder.kind in _KINDS_UNSAID else f" ({reminder.kind})"
    said = _quiet(f"{'' if reminder.at else 'at no time'}{kind}")
    yield FieldRow(TaskField.REMINDER, said, reminder.at)


def _watch(detail: TaskDetail) -> Iterable[FieldRow]:
    """Whether the user watches it, and the watchers."""
    words = "yes" if detail.watching else ""
    blank = UNKNOWN if detail.watching is None else "no"
    yield FieldRow(TaskField.WATCHING, _said(words), blank=blank)
    fixed = "people can only watch for themselves"
    watchers = _people(detail.watchers)
    yield FieldRow(TaskField.WATCHERS, watchers, blank=NOBODY, fixed=fixed)


def _custom(view: BoardView, detail: TaskDetail) -> Iterable[FieldRow]:
    reason = detail.why.get(Part.VALUES, "")
    if reason and detail.values is None:
        yield FieldRow(TaskField.CUSTOM, _quiet(reason), fixed=reason)
        return
    for field in view.fields:
        if detail.values is None:
            fixed = "this value is not loaded yet"
            yield FieldRow(TaskField.CUSTOM, field=field, blank=UNKNOWN, fixed=fixed)
        else:
            yield value_row(field, detail.value(field.id))


def _around(view: BoardView, detail: TaskDetail) -> Iterable[FieldRow]:
    """Subtasks, comments, attachments and parent."""
    task, (done, total) = detail.task, detail.progress
    blank = detail.why.get(Part.SUBTASKS, NONE) if detail.groups is None else NONE
    said = _said(f"{done} of {total} done" if total else "")
    fixed = "subtasks are changed in their section"
    yield FieldRow(TaskField.SUBTASKS, said, blank=blank, fixed=fixed)
    said = _said(str(task.comments_count or ""))
    fixed = keyed("{task.comment:c} writes a comment")
    yield FieldRow(TaskField.COMMENTS, said, fixed=fixed)
    count = max(task.attachments_count, len(detail.attachments))
    named = " · ".join((str(count), *detail.attachments)) if count else ""
    fixed = "pictures are attached to comments"
    yield FieldRow(TaskField.ATTACHMENTS, _said(named), fixed=fixed)
    if task.parent_id is None:
        fixed = "it is a task of its own, not a subtask"
        yield FieldRow(TaskField.PARENT, fixed=fixed)
        return
    parent = view.task(task.parent_id)
    title = f" “{parent.title}”" if parent else ""
    number = f"#{task.parent_id}" if task.parent_id > 0 else "new"
    yield FieldRow(TaskField.PARENT, _said(f"{number}{title}"))


def _traits(detail: TaskDetail) -> Iterable[FieldRow]:
    """Template, cover, contact, worth and repetition."""
    words = "yes" if detail.is_template else ""
    yield FieldRow(TaskField.TEMPLATE, _said(words), blank="no")
    cover = detail.cover
    chip = (Piece(color_words(cover), "text", drawable(cover)),)
    yield FieldRow(TaskField.COVER, chip if cover else ())
    contact = "" if detail.contact_id is None else f"#{detail.contact_id} in the CRM"
    yield FieldRow(TaskField.CONTACT, _said(contact))
    if detail.worth:
        fixed = "the service does not let it be changed"
        yield FieldRow(TaskField.WORTH, _said(detail.worth), fixed=fixed)
    if detail.repeats:
        fixed = "repeating is set at the service"
        yield FieldRow(TaskField.REPEATS, _said("yes"), fixed=fixed)


def _history(view: BoardView, detail: TaskDetail) -> Iterable[FieldRow]:
    """Origin and time stamps."""
    task = detail.task
    source = " ".join(filter(None, (task.source, detail.source_id)))
    fixed = "the source of a task cannot be changed"
    yield FieldRow(TaskField.SOURCE, _said(source), fixed=fixed)
    author = _author(view, task.created_by)
    by = f"{' · ' if task.created_at else ''}by {author}" if author else ""
    at = local(task.created_at) if task.created_at else None
    yield FieldRow(TaskField.CREATED, _said(by), at, blank=UNKNOWN, fixed=_BY_ITSELF)
    changed = local(task.updated_at) if task.updated_at else None
    yield _timed(TaskField.UPDATED, changed, UNKNOWN, fixed=_BY_ITSELF)
    fixed = "it is set when the task is closed"
    yield _timed(TaskField.COMPLETED, detail.last_completed_at, NO_DATE, fixed=fixed)
    if task.archived_at is not None:
        yield _timed(
            TaskField.ARCHIVED, task.archived_at, fixed="it is set when the task is archived"
        )
    number = f"#{task.id}" if not task.is_local else "none until the service has it"
    yield FieldRow(TaskField.NUMBER, _said(number), fixed=_BY_ITSELF)


def _author(view: BoardView, person_id: int | None) -> str:
    if person_id is None:
        return ""
    known = next((person for person in view.people if person.id == person_id), None)
    return known.in_words if known else f"person {person_id}"


def _people(people: Iterable[Person]) -> tuple[Piece, ...]:
    return _said(", ".join(person.in_words for person in people))


def _timed(
    of: TaskField,
    at: datetime | None,
    blank: str = NO_DATE,
    *,
    tense: Tense = Tense.EVENT,
    fixed: str = "",
) -> FieldRow:
    return FieldRow(of, (), at, tense, blank=blank, fixed=fixed)


def _said(words: str) -> tuple[Piece, ...]:
    return (Piece(words),) if words else ()


def _quiet(words: str) -> tuple[Piece, ...]:
    """Text in addition to, or in place of, a value."""
    return (Piece(words, "quiet"),) if words else ()


def value_row(field: CustomField, value: str | bool | None) -> FieldRow:
    """The row of a custom field."""
    said, at = _told(field, value)
    tense = Tense.DAY if at and at.time() == time() else Tense.EVENT
    blank = "—" if value is None or value == "" else "no"
    return FieldRow(TaskField.CUSTOM, said, at, tense, field, blank)


def _told(
    field: CustomField, value: str | bool | None
) -> tuple[tuple[Piece, ...], datetime | None]:
    """A value as text, or as a time."""
    if value is None or value == "":
        return (), None
    if isinstance(value, bool) or field.is_checkbox:
        return _said("yes ✓" if is_checked(value) else ""), None
    when = kept_date(value) if field.type is FieldType.DATE else None
    if when is not None:
        return (), when
    return (Piece(value),), None
