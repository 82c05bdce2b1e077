"""The fields of an opened task as rows, and why a field cannot be changed.

What depends on the time is computed when it is drawn, so that rows do not become stale. An unknown
value is not shown as empty.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, time
from typing import NamedTuple

from tui.model.blocked_by import in_words
from tui.model.board import Board, BoardView
from tui.model.colors import color_words, drawable
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import DetailPart, RowKey, TaskDetail, TaskField
from tui.model.fields.plain import PLAIN_FIELDS
from tui.model.fields.values import (
    START_OF_WORK,
    Tense,
    distance,
    is_checked,
    kept_date,
    moment,
)
from tui.model.people import Account, first_names
from tui.model.relations import Relations, Standing
from tui.model.task import Person, Priority, Task
from tui.record import record
from tui.text.dates import END_OF_WORK, local, past_time

NONE = "none"
UNASSIGNED, NOBODY = "unassigned", "no one"
NO_DATE = "no date"
UNKNOWN = "not loaded yet"

_BY_ITSELF = "set by the service"
_USUAL = {TaskField.START: START_OF_WORK, TaskField.DUE: END_OF_WORK}
"""The times of day of dates that were typed without one."""
_KINDS_UNSAID = ("", "once")


GLUE = "\u00a0"
"""A blank at which a line is not broken, if there is room."""


class RowPiece(NamedTuple):
    """A part of a row's text with its role; a chip of a colour before it."""

    text: str
    role: str = "text"
    chip: str = ""


@record
class FieldRow:
    """One field of one task.

    `said` is its value, after the time `at`, if it has one; `brief` is the same in fewer cells,
    where that is possible. `blank` is the text of an empty one. `fixed` is why it cannot be changed
    here, or empty. `is_pending` says that it has a pending change.
    """

    of: TaskField
    said: tuple[RowPiece, ...] = ()
    at: datetime | None = None
    tense: Tense = Tense.EVENT
    field: CustomField | None = None
    blank: str = NONE
    fixed: str = ""
    is_pending: bool = False
    brief: tuple[RowPiece, ...] = ()

    @property
    def label(self) -> str:
        """The name of the field."""
        if self.field is None:
            return self.of.value
        return self.field.title or f"Field {self.field.id}"

    @property
    def key(self) -> RowKey:
        """The field, with the id of a custom one."""
        return self.of, self.field.id if self.field else 0

    @property
    def is_set(self) -> bool:
        """Whether it has a value."""
        return bool(self.said) or self.at is not None

    @property
    def is_empty(self) -> bool:
        """Whether it is known to have no value."""
        return not self.is_set and self.blank != UNKNOWN

    def pieces(self, now: datetime) -> tuple[RowPiece, ...]:
        """Its text at a wall-clock time, as short as it can be.

        The time of day that a date has by itself is left out, and how long ago something was.
        """
        value = self.brief or self.said
        if self.at is None:
            return value or _quiet(self.blank)
        if self.tense is Tense.RECORD:
            return (RowPiece(past_time(self.at, now), "quiet"), *value)
        is_usual = self.at.time() == _USUAL.get(self.of)
        when = moment(self.at, now, Tense.DAY if is_usual else self.tense)
        how_far, role = distance(self.at, now, self.tense)
        if self.at >= now or self.tense is not Tense.EVENT:
            when += f" · {how_far.replace(' ', GLUE)}"
        return (RowPiece(when, role), *value)

    def words(self, now: datetime) -> str:
        """Its whole text at a wall-clock time, without roles."""
        text = "".join(  # on a screen chips are apart by their squares
            f", {piece.text}" if piece.chip and at else piece.text
            for at, piece in enumerate(self.said)
        )
        if self.at is None:
            return text or self.blank
        how_far, _ = distance(self.at, now, self.tense)
        return f"{moment(self.at, now, self.tense)} · {how_far}{text}"


def task_rows(
    view: BoardView,
    detail: TaskDetail,
    on_the_way: Container[RowKey] = (),
    me: Account | None = None,
    *,
    relations: Relations | None = None,
    boards: Sequence[Board] = (),
) -> tuple[FieldRow, ...]:
    """The fields of an opened task; those of `on_the_way` have pending changes.

    With `relations` and all `boards` it is said how it stands with the cards that block it.
    """
    rows = (
        *_work(view, detail.task),
        *_people(view, detail, me or Account()),
        *_dates(detail),
        _labels(detail.task),
        _blockers(detail.task, relations, boards),
        *_custom(view, detail),
        *_around(view, detail),
        *_traits(detail),
        *_history(view, detail),
    )
    values = detail.pending_of("field_value")
    return tuple(
        replace(row, is_pending=True)
        if row.key in on_the_way or (row.field is not None and row.field.id in values)
        else row
        for row in rows
    )


def _work(view: BoardView, task: Task) -> Iterable[FieldRow]:
    stage = view.stage(task.stage_id)
    title = stage.title if stage else NONE
    yield FieldRow(TaskField.STAGE, _plain(f"{title} · {view.board.title}"), brief=_plain(title))
    yield FieldRow(TaskField.STATUS, _plain("closed ✓" if task.is_closed else "open"))
    role = "strong" if task.priority is Priority.HIGH else "text"
    yield FieldRow(TaskField.PRIORITY, (RowPiece(task.priority.value, role),))


def _people(view: BoardView, detail: TaskDetail, me: Account) -> Iterable[FieldRow]:
    assignees = detail.task.assignees
    commas = [*[","] * (len(assignees) - 1), ""]
    listed = tuple(
        RowPiece(f"{person.in_words}{comma}", "accent" if me.is_of(person) else "text")
        for person, comma in zip(assignees, commas, strict=False)
    )
    yield FieldRow(TaskField.ASSIGNEES, _names(assignees), blank=UNASSIGNED, brief=listed)
    words = "yes" if detail.watching else ""
    blank = UNKNOWN if detail.watching is None else "no"
    yield FieldRow(TaskField.WATCHING, _plain(words), blank=blank)
    first = first_names((*view.people, *detail.watchers))
    yield FieldRow(
        TaskField.WATCHERS,
        _names(detail.watchers),
        blank=NOBODY,
        fixed="you can only watch for yourself",
        brief=_plain(", ".join(first[person.id] for person in detail.watchers)),
    )


def _labels(task: Task) -> FieldRow:
    chips = tuple(
        RowPiece(label.title or color_words(label.color), "text", drawable(label.color))
        for label in task.labels
    )
    return FieldRow(TaskField.LABELS, chips)


def _blockers(task: Task, relations: Relations | None, boards: Sequence[Board]) -> FieldRow:
    pieces = list[RowPiece]()
    for at, blocker in enumerate(task.blockers, 1):
        name, fact, is_open = in_words(blocker), "", True
        if relations is not None and relations.has_blockers_of(task):
            name, fact = relations.named(task, blocker, boards)
            is_open = relations.standing(blocker.id) is Standing.OPEN
        words = f"{name} ({fact})" if fact else name
        comma = "," if at < len(task.blockers) else ""
        role = "text" if is_open else "quiet"
        pieces.append(RowPiece(f"{words.replace(' ', GLUE)}{comma}", role))
    said = " ".join(piece.text for piece in pieces).replace(GLUE, " ")
    return FieldRow(TaskField.BLOCKED_BY, _plain(said), brief=tuple(pieces))


def _dates(detail: TaskDetail) -> Iterable[FieldRow]:
    task, reminder = detail.task, detail.reminder
    due = Tense.EVENT if task.is_closed else Tense.DEADLINE
    yield _timed(TaskField.START, task.started_at)
    yield _timed(TaskField.DUE, task.due_at, tense=due)
    if reminder is None:
        yield FieldRow(TaskField.REMINDER)
        return
    words = reminder.in_words
    kind = "" if words in _KINDS_UNSAID else f" ({words})"
    pieces = _quiet(f"{'' if reminder.at else 'no time set'}{kind}")
    glued = _quiet(f" {kind.strip().replace(' ', GLUE)}" if reminder.at and kind else "")
    yield FieldRow(TaskField.REMINDER, pieces, reminder.at, brief=glued)


def _custom(view: BoardView, detail: TaskDetail) -> Iterable[FieldRow]:
    reason = detail.why.get(DetailPart.VALUES, "")
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
    task = detail.task
    count = max(task.attachments_count, len(detail.attachments))
    named = " · ".join((str(count), *detail.attachments)) if count else ""
    fixed = "attach pictures to comments instead"
    yield FieldRow(TaskField.ATTACHMENTS, _plain(named), fixed=fixed)
    if task.parent_id is None:
        fixed = "it is a card, not a subtask"
        yield FieldRow(TaskField.PARENT, fixed=fixed)
        return
    parent = view.task(task.parent_id)
    title = f" “{parent.title}”" if parent else ""
    number = f"#{task.parent_id}" if task.parent_id > 0 else "new"
    yield FieldRow(TaskField.PARENT, _plain(f"{number}{title}"))


def _traits(detail: TaskDetail) -> Iterable[FieldRow]:
    for field in PLAIN_FIELDS.values():
        value = field.of(detail)
        piece = RowPiece(field.shown(value), chip=drawable(value) if field.is_color else "")
        yield FieldRow(field.row, (piece,) if piece.text else (), blank=field.blank)
    if detail.worth:
        fixed = "the service does not allow changes"
        yield FieldRow(TaskField.WORTH, _plain(detail.worth), fixed=fixed)
    if detail.repeats:
        fixed = "set on the service"
        yield FieldRow(TaskField.REPEATS, _plain("yes"), fixed=fixed)


def _history(view: BoardView, detail: TaskDetail) -> Iterable[FieldRow]:
    task = detail.task
    source = " ".join(filter(None, (task.source, detail.source_id)))
    fixed = "the source of a card cannot be changed"
    yield FieldRow(TaskField.SOURCE, _plain(source), fixed=fixed)
    author = _author(view, task.created_by)
    gap = " · " if task.created_at else ""
    yield FieldRow(
        TaskField.CREATED,
        _plain(f"{gap}by {author.in_words}" if author else ""),
        local(task.created_at) if task.created_at else None,
        Tense.RECORD,
        blank=UNKNOWN,
        fixed=_BY_ITSELF,
        brief=_quiet(f"{gap}{first_names((author, *view.people))[author.id]}" if author else ""),
    )
    changed = local(task.updated_at) if task.updated_at else None
    yield _timed(TaskField.UPDATED, changed, UNKNOWN, tense=Tense.RECORD, fixed=_BY_ITSELF)
    at, fixed = detail.last_completed_at, "set when the card is closed"
    yield _timed(TaskField.COMPLETED, at, tense=Tense.RECORD, fixed=fixed)
    if (at := task.archived_at) is not None:
        fixed = "set when the card is archived"
        yield _timed(TaskField.ARCHIVED, at, tense=Tense.RECORD, fixed=fixed)


def _author(view: BoardView, person_id: int | None) -> Person | None:
    if person_id is None:
        return None
    people = (person for person in view.people if person.id == person_id)
    return next(people, Person(person_id, ""))


def _names(people: Iterable[Person]) -> tuple[RowPiece, ...]:
    return _plain(", ".join(person.in_words for person in people))


def _timed(
    of: TaskField,
    at: datetime | None,
    blank: str = NO_DATE,
    *,
    tense: Tense = Tense.EVENT,
    fixed: str = "",
) -> FieldRow:
    return FieldRow(of, (), at, tense, blank=blank, fixed=fixed)


def _plain(words: str) -> tuple[RowPiece, ...]:
    return (RowPiece(words),) if words else ()


def _quiet(words: str) -> tuple[RowPiece, ...]:
    """Text in addition to, or in place of, a value."""
    return (RowPiece(words, "quiet"),) if words else ()


def value_row(field: CustomField, value: str | bool | None) -> FieldRow:
    """The row of a custom field."""
    text, at = "", None
    if isinstance(value, bool) or field.is_checkbox:
        text = "yes ✓" if is_checked(value) else ""
    elif value:
        at = kept_date(value) if field.type is FieldType.DATE else None
        text = "" if at else value
    tense = Tense.DAY if at and at.time() == time() else Tense.EVENT
    blank = "—" if value in (None, "") else "no"
    return FieldRow(TaskField.CUSTOM, _plain(text), at, tense, field, blank)
