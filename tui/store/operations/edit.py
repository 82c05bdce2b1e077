"""`Edit`: sets one field of a task, subtask, group, stage, label, custom field or board.

The value read back decides what happened, before sending and after a lost response: ours was set
already, the `base` was not changed, and any other value is a conflict. Sets, as the assignees and
labels of a task are, never conflict: what was added and removed is applied to what is there.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeGuard, TypeVar

from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView
from tui.model.custom_field import CustomField
from tui.model.detail import RowKey, TaskDetail, TaskField
from tui.model.ids import Kind
from tui.model.task import Label, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Conflicting,
    FieldDifference,
    Operation,
    Reply,
    Subject,
    Verdict,
    operation,
)
from tui.store.operations.fields.boards import BOARD_FIELDS
from tui.store.operations.fields.field import TRUE, EditTarget, Field, FieldDelivery, Value
from tui.store.operations.fields.people import people_in
from tui.store.operations.fields.tasks import (
    TASK_FIELDS,
    blocker_of_task,
    custom_field,
    fetch_value,
    label_of_task,
    value_in,
)
from tui.store.remote import Remote
from tui.text.clean import quoted, text

_Shown = TypeVar("_Shown", BoardView, TaskDetail)
FIELDS = TASK_FIELDS | BOARD_FIELDS
"""The fields by kind of thing and name."""
_IN_ORDER = {"status", "due_at"}
"""Fields whose order matters: some services reopen a closed task when its due date is set."""


@operation("edit")
@record
class Edit(Operation):
    """Set a field of `target`: one in `FIELDS`, or a custom field, label or blocker of a task."""

    target: EditTarget
    field: str | CustomField | Label | Blocker
    value: Value
    base: Value | None = None

    def __post_init__(self) -> None:
        """Raise `LookupError` for an unknown field, and `ValueError` for an invalid value."""
        if len(self.value) < len(self._field.parts):
            raise ValueError(self.value)
        self._field.check(self.text)

    @property
    def board_id(self) -> int:
        return self.target.board_id

    @property
    def task_id(self) -> int | None:
        return self.target.task_id

    @property
    def subject(self) -> Subject:
        if isinstance(self.field, CustomField):
            return Subject("field_value", self.field.id)
        return Subject(self.target.kind, self.target.id)

    @property
    def refers(self) -> frozenset[int]:
        needed_id = self.field.id if isinstance(self.field, Label | Blocker) else None
        named = (self.board_id, self.task_id, self.subject.id, needed_id)
        return frozenset(some_id for some_id in named if some_id is not None)

    @property
    def text(self) -> str:
        """The value; the first of its texts, if it has several."""
        return self.value[0] or ""

    @property
    def added_label(self) -> Label | None:
        """The label that it puts on a task, if it does."""
        return self.field if isinstance(self.field, Label) and self.text == TRUE else None

    @property
    def blocker(self) -> Blocker | None:
        """The card that it says blocks a task, or blocks it no more."""
        return self.field if isinstance(self.field, Blocker) else None

    @property
    def _field(self) -> Field:
        if isinstance(self.field, CustomField):
            return custom_field(self.field)
        if isinstance(self.field, Label):
            return label_of_task(self.field)
        if isinstance(self.field, Blocker):
            return blocker_of_task(self.field)
        return FIELDS[self.target.kind, self.field]

    @property
    def row(self) -> RowKey | None:
        if isinstance(self.field, CustomField):
            return TaskField.CUSTOM, self.field.id
        return None if self._field.row is None else (self._field.row, 0)

    @property
    def keeps_base(self) -> bool:
        return self.base is not None and self._field.is_compared

    @property
    def changes_nothing(self) -> bool:
        field, base = self._field, self.base
        return field.is_compared and base is not None and field.same(base, self.value)

    def apply(self, view: BoardView) -> BoardView:
        # The label may have been renamed or recoloured since the edit was made.
        label = view.label(self.field.id) if isinstance(self.field, Label) else None
        edit = self if label is None else replace(self, field=label)
        is_drawn = self._field.is_on_board or self._field.is_on_card
        kind = _ON_BOARD[self.target.kind] if is_drawn else None
        return edit._changed(view, kind)  # noqa: SLF001  of the same class

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        return self._changed(detail, self._in_detail)

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        if self.target.kind != "board":
            return boards
        draw, value = self._field.draw, self.value
        return tuple(
            draw(board, *value) if board.id == self.board_id else board for board in boards
        )

    def _changed(self, shown: _Shown, kind: "_Drawn | None") -> _Shown:
        thing = None if kind is None else kind.find(shown, self.target.id)
        if kind is None or thing is None:
            return shown
        current = self._field.spell(thing) if self._field.is_set else None
        value = self.value if current is None else self._on_top_of(current)
        changed: _Shown = kind.put(shown, self._field.draw(thing, *value))
        return changed

    def _on_top_of(self, now: Value) -> Value:
        merging = self._field.merging if self._field.is_set else None
        if merging is None or self.base is None:
            return self.value
        return (merging.merge(self.base[0] or "", self.text, now[0] or ""),)

    @property
    def _on_board(self) -> "_Drawn | None":
        return _ON_BOARD[self.target.kind] if self._field.is_on_board else None

    @property
    def _in_detail(self) -> "_Drawn | None":
        is_around_task = self.target.kind == "task" and not self._field.is_on_board
        return _AROUND_TASK if is_around_task else _IN_DETAIL.get(self.target.kind)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        to = FieldDelivery(remote, self.target, truth, self.base)
        return self.reply_about(await self._field.send(to, *self.value))

    def reply_about(self, now: Document | None) -> Reply:
        # An empty custom field has no value.
        is_empty = isinstance(self.field, CustomField) and not value_in(now)
        return Operation.reply_about(self, None if is_empty else now)

    async def fetch(self, remote: Remote) -> Document | None:
        if isinstance(self.field, CustomField):
            return await fetch_value(remote, self.target, self.field)
        return await Operation.fetch(self, remote)

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        # Unclear if a text is neither ours nor as it was before.
        field = self._field
        if now is None:
            return False
        present = field.read(now)
        if field.same(present, self._on_top_of(present)):
            return True
        # These may simply be sent again.
        if field.is_set or not field.is_compared:
            return False
        previous = self.base if baseline.document is None else field.read(baseline.document)
        if previous is None:
            return None
        changed, from_ours = (field.differing(present, value) for value in (previous, self.value))
        return None if any(map(all, zip(changed, from_ours, strict=False))) else False

    def check(self, now: Document) -> Verdict:
        field = self._field
        current = field.read(now)
        if field.same(current, self._on_top_of(current)):
            return AlreadyApplied()
        clashing = self._clashing(current)
        if self.base is None or not any(clashing):
            return self
        if field.merging is not None:
            base, current_text = text(self.base[0] or ""), text(current[0] or "")
            merged = field.merging.merge(base, self.text, current_text)
            if merged is not None:
                return replace(self, value=(merged,), base=(current_text,))
        together = zip(field.parts, self.value, current, self.base, clashing, strict=False)
        return Conflicting(
            tuple(
                FieldDifference(part.label, *(part.in_words(value or "") for value in values))
                for part, *values, is_clashing in together
                if is_clashing
            )
        )

    def _clashing(self, current: Value) -> tuple[bool, ...]:
        field, base = self._field, self.base or ()
        changed = field.differing(current, base)
        from_ours = field.differing(current, self.value)
        by_us = field.differing(self.value, base)
        # A field of one text is sent because it was changed; one that is whole sends all its texts.
        if field.is_whole or len(field.parts) == 1:
            by_us = (True,) * len(field.parts)
        return tuple(map(all, zip(changed, from_ours, by_us, strict=False)))

    def rebased_on(self, now: Document) -> Self:
        # Without a base if `now` is a partial reply to another field that may change this one.
        base = self._field.read(now)
        is_partial = self.field == "status" and not base[0]
        return replace(self, value=self._on_top_of(base), base=None if is_partial else base)

    def is_based_on(self, other: Operation) -> bool:
        if not isinstance(other, Edit) or self.base is None or not self._field.is_compared:
            return False
        return self._sets_what(other) and self._field.same(self.base, other.value)

    def without_base(self) -> Self:
        return replace(self, base=None)

    def draft(self, now: Document) -> str | None:
        merging, current = self._field.merging, self._field.read(now)
        if merging is None or merging.draft is None:
            return None
        base = "" if self.base is None else text(self.base[0] or "")
        return merging.draft(base, self.text, text(current[0] or ""))

    def with_text(self, text: str) -> Self:
        merging = self._field.merging
        if merging is None:
            raise NotImplementedError(text)
        return replace(self, value=(merging.typed(text, self.text),))

    def merged_with(self, later: Operation) -> Operation | None:
        # A value that takes several requests is sent first: one of them may have arrived.
        if isinstance(later, Edit) and self._sets_what(later):
            if self._field.is_whole:
                return None
            pairs = zip(self.value, later.value, strict=True)
            value = tuple(old if new is None else new for old, new in pairs)
            return replace(later, value=value, base=self.base)
        return later if later.discards_edits else None

    def sets_the_same(self, later: Operation) -> bool:
        return isinstance(later, Edit) and self._sets_what(later)

    def without(self, earlier: Operation) -> Operation:
        return replace(self, base=earlier.base) if isinstance(earlier, Edit) else self

    @property
    def has_other_setters(self) -> bool:
        return is_edit(self, "status")

    def may_set(self, later: Operation) -> bool:
        # Some services reopen a closed task when its due date is set.
        is_due = later.has_other_setters and is_edit(self, "due_at")
        return is_due or self.sets_the_same(later)

    def _sets_what(self, other: "Edit") -> bool:
        names = {
            edit.field if isinstance(edit.field, str) else (type(edit.field), edit.field.id)
            for edit in (self, other)
        }
        is_same_thing = self.subject == other.subject and self.task_id == other.task_id
        return is_same_thing and len(names) == 1

    def depends_on(self, earlier: Operation) -> bool:
        if self.target.kind == "task":
            return self.conflicts_with(earlier)
        return Operation.depends_on(self, earlier)

    def conflicts_with(self, other: Operation) -> bool:
        # Moving a task may close it; only members of a board can be assigned.
        if self.target.kind != "task":
            return Operation.conflicts_with(self, other)
        if isinstance(other, Edit) and other.target.kind == "task":
            is_in_order = {self.field, other.field} == _IN_ORDER
            # Both are sent as the description, with what it has then.
            is_in_order |= all(map(_is_of_description, (self, other)))
            return other.task_id == self.task_id and (self._sets_what(other) or is_in_order)
        if isinstance(self.field, Label | Blocker) and self.field.id in (
            other.refers | {other.creates}
        ):
            return True
        if self.field == "assignees" and other.subject.kind == "member":
            people = (*people_in(self.text), *people_in(self.base[0] if self.base else None))
            return any(person.id == other.subject.id for person in people)
        if other.subject != ("task", self.target.id):
            return self.target.id in other.refers - other.optional_refs - {other.board_id}
        return other.creates is not None or self.field == "status" or not other.optional_refs

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        # A field that only an opened task shows is set as known.
        field = self._field
        thing = self._on_board and self._on_board.find(view, self.target.id)
        if thing is None and self._in_detail is not None and detail is not None:
            thing = self._in_detail.find(detail, self.target.id)
        previous = None if thing is None else field.spell(thing)
        if previous is None and not field.is_on_board:
            previous = self.base
        if previous is None or (not field.is_compared and field.same(previous, self.value)):
            return ()
        pairs = zip(self.value, previous, strict=True)
        value = tuple(None if new is None else old for new, old in pairs)
        target = replace(self.target, name=self.text) if field.names_it else self.target
        # The inverse is based on the value as it is after this edit.
        base = self._on_top_of(previous) if field.is_compared else None
        return (replace(self, target=target, value=value, base=base),)

    def on(self, task: Task) -> Self:
        """The same change of another task: of a set, what was added and removed."""
        previous = self._field.spell(task) if self._field.is_on_board else self.base
        value = self.value if previous is None else self._on_top_of(previous)
        target = EditTarget(task.board_id, task.title, task.id)
        return replace(self, target=target, value=value, base=previous)

    def describe(self) -> str:
        return self._field.words(self.target.name, self.base, *self.value)

    @property
    def base_in_words(self) -> str:
        """The value that it replaces; empty if there is none, it is not known, or a long text."""
        is_long = self.field == "description" or isinstance(self.field, Label | Blocker)
        if self.base is None or is_long:
            return ""
        values = zip(self._field.parts, self.base, strict=False)
        return " ".join(filter(None, (part.in_words(value or "") for part, value in values)))

    @property
    def noun(self) -> str:
        """What it changes, without the value: “due date of “Fix login””; empty for other kinds."""
        noun = self._field.noun
        return f"{noun} of {quoted(self.target.name)}" if noun else ""


def _is_of_description(edit: Edit) -> bool:
    return isinstance(edit.field, Blocker) or edit.field == "description"


class _Drawn(NamedTuple):
    """Finds a thing in a board or an opened task, and replaces it."""

    find: Callable[[Any, int], Any]
    put: Callable[[Any, Any], Any]


_ON_BOARD: dict[Kind, _Drawn] = {
    "task": _Drawn(BoardView.task, BoardView.with_task),
    "stage": _Drawn(BoardView.stage, BoardView.with_stage),
    "label": _Drawn(BoardView.label, BoardView.with_label),
    "field": _Drawn(BoardView.field, BoardView.with_field),
    "board": _Drawn(lambda view, _: view.board, lambda view, board: replace(view, board=board)),
}
_IN_DETAIL: dict[Kind, _Drawn] = {
    "task": _Drawn(TaskDetail.find, TaskDetail.with_task),
    "subtask_group": _Drawn(TaskDetail.group, TaskDetail.with_group),
}
_AROUND_TASK = _Drawn(
    lambda detail, task_id: detail if detail.task.id == task_id else None, lambda _, detail: detail
)


def is_edit(operation: Operation, field: str, kind: Kind = "task") -> TypeGuard[Edit]:
    """Whether an operation sets this field of things of a kind."""
    return (
        isinstance(operation, Edit) and operation.target.kind == kind and operation.field == field
    )
