"""When the service reminds of a task.

The rule it keeps: a reminder is two properties, a time and a kind, and so two calls. One of them
having arrived is on the way, and nobody else's doing.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from tui.client.errors import ApiError
from tui.model.board import BoardView
from tui.model.detail import Reminder, TaskDetail
from tui.model.fields.row import RowKey, TaskField
from tui.model.ids import BoardId, TaskId
from tui.store.documents.shapes import Document
from tui.store.operations.base import Clear, Finding, Footing, Operation, Reply, Verdict, operation
from tui.store.operations.comparing import same_words, verdict
from tui.store.operations.edit_fields import comparable_stamp, stamp
from tui.store.operations.reading import task_as_it_is, task_found, task_reply
from tui.store.operations.wording import quoted
from tui.store.remote import Remote

_NO_KIND = ("", "none")
_REMINDER = re.compile(r"(.*?) ?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?")


@operation("set-reminder")
@dataclass(frozen=True, slots=True)
class SetReminder(Operation):
    """Set or clear when the service reminds of a task; `reminder_type` is its own word.

    `base` is the reminder it was made on, in words that can be compared, if it is known.
    """

    board_id: BoardId
    task_id: TaskId
    name: str
    reminder_type: str
    at: datetime | None
    base: str | None = field(default=None, kw_only=True)

    @classmethod
    def on(cls, detail: TaskDetail, reminder: Reminder | None) -> Self:
        """Remind of an opened task; None for no reminder."""
        task = detail.task
        kind, at = (reminder.kind, reminder.at) if reminder else ("none", None)
        return cls(
            task.board_id, task.id, task.title, kind, at, base=_reminder_words(detail.reminder)
        )

    @property
    def row(self) -> RowKey:
        return TaskField.REMINDER, 0

    @property
    def keeps_base(self) -> bool:
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        return self.base is not None and same_words(self.base, self._mine)

    @property
    def _mine(self) -> str:
        return _comparable_reminder(self.reminder_type, stamp(self.at))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id:
            return detail
        if self.reminder_type in _NO_KIND and self.at is None:
            return replace(detail, reminder=None)
        return replace(detail, reminder=Reminder(self.reminder_type, self.at))

    async def look(self, remote: Remote) -> Document | None:
        return await task_as_it_is(remote, self.board_id, self.task_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the time, then the kind, which are two properties; a refusal leaves neither."""
        del truth
        ids = (self.board_id, self.task_id)
        timed = await remote.set_task(*ids, "remind_at", stamp(self.at) or None)
        try:
            kind = await remote.set_task(*ids, "reminder_type", self.reminder_type)
        except ApiError as error:
            if self.base is not None and not (error.may_have_happened or error.is_passing):
                await remote.set_task(*ids, "remind_at", _parts(self.base)[1] or None)
            raise
        # A short reply to the second tells nothing of what the first one set.
        return task_reply({**timed, **kind})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the time and the kind each by itself: only one of them may have arrived."""
        now = await self.look(remote)
        if now is None:
            return task_found(False, self.task_id, None)
        before = self.base if footing.before is None else _found_in(footing.before)
        if same_words(_found_in(now), self._mine):
            return task_found(True, self.task_id, now)
        return task_found(False if self._is_on_the_way(now, before) else None, self.task_id, now)

    def check(self, now: Document) -> Verdict:
        """Three ways; one of the two having arrived is no third."""
        if not same_words(_found_in(now), self._mine) and self._is_on_the_way(now, self.base):
            return Clear()
        return verdict(
            "reminder",
            mine=self._mine,
            theirs=_found_in(now),
            base=self.base,
            reply=task_reply(now),
        )

    def on_top_of(self, now: Document) -> Self:
        return replace(self, base=_found_in(now))

    def merged_with(self, later: Operation) -> Operation | None:
        return replace(later, base=self.base) if isinstance(later, SetReminder) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The reminder it had, if the opened task tells."""
        del before
        if detail is None or detail.task.id != self.task_id:
            return ()
        old = detail.reminder or Reminder("none")
        return (replace(self, reminder_type=old.kind, at=old.at, base=self._mine),)

    def _is_on_the_way(self, now: Document, before: str | None) -> bool:
        """Whether time and kind are each ours, or as they were."""
        if before is None:
            return False
        both = zip(*(_parts(one) for one in (_found_in(now), self._mine, before)), strict=True)
        return all(present in (mine, known) for present, mine, known in both)

    def describe(self) -> str:
        """The task and the time."""
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
    """Kind and time of a reminder, as `_comparable_reminder` put them together."""
    found = _REMINDER.fullmatch(reminder)
    return (found[1], found[2] or "") if found else (reminder, "")


def _comparable_kind(value: object) -> str:
    return "" if value is None or value in _NO_KIND else str(value)


def _comparable_reminder(kind: str, at: object) -> str:
    moment = comparable_stamp(at)
    return f"{_comparable_kind(kind)} {moment}".strip()
