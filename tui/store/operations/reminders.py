"""When the service reminds of a task.

The rule it keeps: a reminder is two properties, a time and a kind, and so two calls. One of them
having arrived is on the way, and nobody else's doing.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.client.errors import ApiError
from tui.model.board import BoardView
from tui.model.detail import Reminder, TaskDetail
from tui.store.documents.shapes import Document
from tui.store.operations.base import Clear, Finding, Footing, Reply, Verdict
from tui.store.operations.comparing import same_words
from tui.store.operations.reading import task_found, task_reply
from tui.store.operations.task_setting import comparable_stamp, stamp
from tui.store.operations.traits import TaskTrait
from tui.store.operations.wording import quoted
from tui.store.remote import Remote

_NO_KIND = ("", "none")
_REMINDER = re.compile(r"(.*?) ?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?")


@dataclass(frozen=True, slots=True)
class SetReminder(TaskTrait):
    """Set or clear when the service reminds of a task; `reminder_type` is its own word."""

    field_name: ClassVar[str] = "reminder"

    reminder_type: str
    at: datetime | None

    @classmethod
    def on(cls, detail: TaskDetail, reminder: Reminder | None) -> Self:
        """Remind of an opened task; None for no reminder."""
        task = detail.task
        kind, at = (reminder.kind, reminder.at) if reminder else ("none", None)
        return cls(
            task.board_id, task.id, task.title, kind, at, base=_reminder_words(detail.reminder)
        )

    @property
    def mine(self) -> str:
        """The kind and the time."""
        return _comparable_reminder(self.reminder_type, stamp(self.at))

    def found_in(self, task: Document) -> str:
        """The kind and the time."""
        return _comparable_reminder(str(task.get("reminder_type") or ""), task.get("remind_at"))

    def on_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the reminder."""
        if self.reminder_type in _NO_KIND and self.at is None:
            return replace(detail, reminder=None)
        return replace(detail, reminder=Reminder(self.reminder_type, self.at))

    def restoring(self, detail: TaskDetail) -> Self:
        """The reminder it has."""
        old = detail.reminder
        return replace(self, reminder_type=old.kind if old else "none", at=old.at if old else None)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the time, then the kind, which are two properties; a refusal leaves neither."""
        del truth
        ids = (self.board_id, self.task_id)
        timed = await remote.set_task(*ids, "remind_at", stamp(self.at))
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
        before = self.base if footing.before is None else self.found_in(footing.before)
        if same_words(self.found_in(now), self.mine):
            return task_found(True, self.task_id, now)
        return task_found(False if self._is_on_the_way(now, before) else None, self.task_id, now)

    def check(self, now: Document) -> Verdict:
        """Three ways; one of the two having arrived is no third."""
        if not same_words(self.found_in(now), self.mine) and self._is_on_the_way(now, self.base):
            return Clear()
        return TaskTrait.check(self, now)

    def _is_on_the_way(self, now: Document, before: str | None) -> bool:
        """Whether time and kind are each ours, or as they were."""
        if before is None:
            return False
        both = zip(*(_parts(one) for one in (self.found_in(now), self.mine, before)), strict=True)
        return all(present in (mine, known) for present, mine, known in both)

    def describe(self) -> str:
        """The task and the time."""
        if self.at is None:
            return f"Clear the reminder of {quoted(self.name)}"
        return f"Remind of {quoted(self.name)} at {self.at:%Y-%m-%d %H:%M}"


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
