"""Operations on assignees, watching and reminders.

Assignees are a set: people whom others added or removed meanwhile stay so, and the user's additions
and removals are applied on top. A reminder is two properties, a time and a kind, and so two
requests: if only one of them has arrived, that is not a change by others.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.client.errors import ApiError, NotFound
from tui.model.board import BoardView
from tui.model.detail import Reminder, TaskDetail, TaskField, find_task
from tui.model.ids import BoardId, TaskId
from tui.model.task import Person, Task
from tui.store.documents.shapes import Document
from tui.store.operations.base import AlreadyApplied, Baseline, Operation, Reply, Verdict, operation
from tui.store.operations.fields.field import comparable_stamp, stamp
from tui.store.reading import same_text
from tui.store.remote import Remote
from tui.text.clean import quoted

_NAMED = 3


@operation("set-assignees")
@dataclass(frozen=True, slots=True)
class SetAssignees(Operation):
    """Set the assignees of a task; `base` are those before, None if not known."""

    shown_as: ClassVar[TaskField | None] = TaskField.ASSIGNEES

    board_id: BoardId
    task_id: TaskId
    name: str
    people: tuple[Person, ...]
    base: tuple[Person, ...] | None = None

    @classmethod
    def on(cls, task: Task, people: Iterable[Person]) -> Self:
        return cls(task.board_id, task.id, task.title, tuple(people), task.assignees)

    @property
    def keeps_base(self) -> bool:
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        return self.base is not None and _ids(self.base) == _ids(self.people)

    def on_task(self, task: Task) -> Task:
        return replace(task, assignees=self._with_ours(task.assignees))

    def _with_ours(self, present: tuple[Person, ...]) -> tuple[Person, ...]:
        if self.base is None:
            return self.people
        removed = _ids(self.base) - _ids(self.people)
        kept = tuple(person for person in present if person.id not in removed)
        before = _ids(kept) | _ids(self.base)
        return kept + tuple(person for person in self.people if person.id not in before)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Fetch the assignees and send the merged list, so that changes of others stay.

        Raises `NotFound` if the task no longer exists.
        """
        now = await self.fetch(remote)
        if now is None:
            raise NotFound("The task is not there any more.", status=404)
        ids = [person.id for person in self._with_ours(self._people_in(now))]
        return self.reply_about(await remote.assign(self.board_id, self.task_id, ids))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and self._is_so(now)

    def _is_so(self, now: Document) -> bool:
        """Whether everyone we added is there and nobody we removed."""
        present = _ids(self._people_in(now))
        if self.base is None:
            return present == _ids(self.people)
        added = _ids(self.people) - _ids(self.base)
        removed = _ids(self.base) - _ids(self.people)
        return added <= present and not removed & present

    def check(self, now: Document) -> Verdict:
        if self._is_so(now):
            return AlreadyApplied()
        present = self._people_in(now)
        if self.base is None or _ids(present) == _ids(self.base):
            return self
        return replace(self, people=self._with_ours(present), base=present)

    def rebased_on(self, now: Document) -> Self:
        present = self._people_in(now)
        return replace(self, people=self._with_ours(present), base=present)

    def _people_in(self, now: Document) -> tuple[Person, ...]:
        """The people in a document, by the values we have where known."""
        known = {person.id: person for person in (*self.people, *(self.base or ()))}
        ids = [int(person.get("ID", person.get("id"))) for person in now.get("assignees") or ()]
        return tuple(known.get(one) or Person(one, "") for one in ids)

    def merged_with(self, later: Operation) -> Operation | None:
        if not isinstance(later, SetAssignees):
            return None
        return replace(later, base=self.base)

    def depends_on(self, earlier: Operation) -> bool:
        return self._names(earlier) or Operation.depends_on(self, earlier)

    def conflicts_with(self, other: Operation) -> bool:
        return self._names(other) or Operation.conflicts_with(self, other)

    def _names(self, other: Operation) -> bool:
        """Whether the other changes the role of somebody who is assigned: they must be a member."""
        kind, user_id = other.subject
        return kind == "member" and user_id in _ids((*self.people, *(self.base or ())))

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task = find_task(before, detail, self.task_id)
        if task is None:
            return ()
        return (replace(self, people=task.assignees, base=self.on_task(task).assignees),)

    def describe(self) -> str:
        if self.base is None:
            return f"Assign {quoted(self.name)} to {_named(self.people)}"
        added = [person for person in self.people if person.id not in _ids(self.base)]
        removed = [person for person in self.base if person.id not in _ids(self.people)]
        if added and removed:
            return f"Assign {quoted(self.name)} to {_named(added)}, not to {_named(removed)}"
        if removed:
            return f"Take {_named(removed)} off {quoted(self.name)}"
        return f"Assign {quoted(self.name)} to {_named(added)}"


@operation("watch")
@dataclass(frozen=True, slots=True)
class Watch(Operation):
    """Watch a task, or stop watching it."""

    shown_as: ClassVar[TaskField | None] = TaskField.WATCHING

    board_id: BoardId
    task_id: TaskId
    name: str
    on: bool

    @classmethod
    def of(cls, task: Task, *, on: bool) -> Self:
        return cls(task.board_id, task.id, task.title, on)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        return replace(detail, watching=self.on) if detail.task.id == self.task_id else detail

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        return self.reply_about(await remote.watch(self.board_id, self.task_id, on=self.on))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        """Send it again if the service does not report it; that is harmless."""
        return now is not None and now.get("is_watching") is self.on

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, Watch) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        known = detail if detail is not None and detail.task.id == self.task_id else None
        is_so = known is not None and known.watching is self.on
        return () if is_so else (replace(self, on=not self.on),)

    def describe(self) -> str:
        return f"{'Watch' if self.on else 'Stop watching'} {quoted(self.name)}"


def _ids(people: Iterable[Person]) -> frozenset[int]:
    return frozenset(person.id for person in people)


def _named(people: Iterable[Person]) -> str:
    names = [one.in_words for one in people]
    if not names:
        return "nobody"
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_NO_KIND = ("", "none")
_REMINDER = re.compile(r"(.*?) ?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?")


@operation("set-reminder")
@dataclass(frozen=True, slots=True)
class SetReminder(Operation):
    """Set or clear the reminder of a task; `reminder_type` is the service's word.

    `base` is the previous reminder in a comparable form, if known. `former` are those of operations
    merged into it: half of one may have arrived, since it takes two requests.
    """

    shown_as: ClassVar[TaskField | None] = TaskField.REMINDER

    board_id: BoardId
    task_id: TaskId
    name: str
    reminder_type: str
    at: datetime | None
    base: str | None = field(default=None, kw_only=True)
    former: tuple[str, ...] = field(default=(), kw_only=True)

    @classmethod
    def on(cls, detail: TaskDetail, reminder: Reminder | None) -> Self:
        """Set the reminder of an opened task; None for none."""
        task = detail.task
        kind, at = (reminder.kind, reminder.at) if reminder else ("none", None)
        return cls(
            task.board_id, task.id, task.title, kind, at, base=_reminder_words(detail.reminder)
        )

    @property
    def keeps_base(self) -> bool:
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        return self.base is not None and same_text(self.base, self._mine)

    @property
    def _mine(self) -> str:
        return _comparable_reminder(self.reminder_type, stamp(self.at))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id:
            return detail
        if self.reminder_type in _NO_KIND and self.at is None:
            return replace(detail, reminder=None)
        return replace(detail, reminder=Reminder(self.reminder_type, self.at))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the time, then the kind, which are two properties; a refusal leaves neither."""
        ids = (self.board_id, self.task_id)
        timed = await remote.set_task(*ids, "remind_at", stamp(self.at) or None)
        try:
            kind = await remote.set_task(*ids, "reminder_type", self.reminder_type)
        except ApiError as error:
            if self.base is not None and not (error.may_have_happened or error.is_passing):
                await remote.set_task(*ids, "remind_at", _parts(self.base)[1] or None)
            raise
        # A short reply to the second request lacks what the first one set.
        return self.reply_about({**timed, **kind})

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        if now is None:
            return False
        if same_text(_found_in(now), self._mine):
            return True
        before = self.base if baseline.before is None else _found_in(baseline.before)
        return False if self._is_on_the_way(now, before) else None

    def check(self, now: Document) -> Verdict:
        """Compare three ways; half of our own change is no conflict."""
        theirs = _found_in(now)
        if not same_text(theirs, self._mine) and self._is_on_the_way(now, self.base):
            return self
        return self.compare_text("reminder", mine=self._mine, theirs=theirs, base=self.base)

    def rebased_on(self, now: Document) -> Self:
        return replace(self, base=_found_in(now))

    def merged_with(self, later: Operation) -> Operation | None:
        if not isinstance(later, SetReminder):
            return None
        former = (*self.former, self._mine, *later.former)
        return replace(later, base=self.base, former=tuple(dict.fromkeys(former)))

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The previous reminder, if the opened task has it."""
        if detail is None or detail.task.id != self.task_id:
            return ()
        old = detail.reminder or Reminder("none")
        return (replace(self, reminder_type=old.kind, at=old.at, base=self._mine, former=()),)

    def _is_on_the_way(self, now: Document, before: str | None) -> bool:
        """Whether time and kind are each ours, of a merged operation, or unchanged."""
        if before is None:
            return False
        kinds, times = zip(*map(_parts, (self._mine, before, *self.former)), strict=True)
        kind, time = _parts(_found_in(now))
        return kind in kinds and time in times

    def describe(self) -> str:
        if self.at is None:
            return f"Clear the reminder of {quoted(self.name)}"
        return f"Remind of {quoted(self.name)} at {self.at:%Y-%m-%d %H:%M}"


def _found_in(task: Document) -> str:
    return _comparable_reminder(str(task.get("reminder_type") or ""), task.get("remind_at"))


def _reminder_words(reminder: Reminder | None) -> str:
    if reminder is None:
        return ""
    return _comparable_reminder(reminder.kind, stamp(reminder.at))


def _parts(reminder: str) -> tuple[str, str]:
    """Kind and time of a comparable reminder."""
    found = _REMINDER.fullmatch(reminder)
    return (found[1], found[2] or "") if found else (reminder, "")


def _comparable_reminder(kind: str, at: object) -> str:
    return f"{'' if kind in _NO_KIND else kind} {comparable_stamp(at)}".strip()
