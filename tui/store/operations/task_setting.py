"""Changes that set one property of a task or subtask.

The rule it keeps: setting is told by the value itself. A setting knows the value it was made on
(`base`, as it would be sent; None if that is not known, "" if there was none), so that before
sending and after a lost reply the value read back decides: ours is done, the base is not done, and
a third one was set by somebody else, so that nobody but a person can say whose should stay.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, TaskId
from tui.model.task import Task
from tui.store.operations.base import (
    AlreadySo,
    Clear,
    Difference,
    Differs,
    Finding,
    Footing,
    Operation,
    Reply,
    Verdict,
)
from tui.store.operations.reading import is_no_date, task_as_it_is, task_found, task_reply
from tui.store.remote import Document, Remote
from tui.text.clean import line

_LONGEST_DATE = len("YYYY-MM-DD HH:MM:SS")
_IN_ORDER = {"status", "due_at"}
"""Their order matters: some services reopen a closed task when its due date is set."""


@dataclass(frozen=True, slots=True)
class TaskSetting(Operation, ABC):
    """One property of one task, set to a value; `name` is what the task is called in words."""

    property_name: ClassVar[str]
    field_name: ClassVar[str]
    """What people call the property."""

    board_id: BoardId
    task_id: TaskId
    name: str
    base: str | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def sent(self) -> str | None:
        """The value as it is sent."""

    @abstractmethod
    def on_task(self, task: Task) -> Task:
        """The task with the value set."""

    @abstractmethod
    def restoring(self, task: Task) -> Operation:
        """The change that gives the property the value it has in `task`, made on ours."""

    @property
    def keeps_base(self) -> bool:
        """Whether the value it was made on is known."""
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether it sets the value it was made on."""
        return self.base is not None and self.comparable(self.base) == self.comparable(self.sent)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task's new value."""
        task = view.task(self.task_id)
        return view if task is None else view.with_task(self.on_task(task))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task, or one of its subtasks, with the new value."""
        task = detail.find(self.task_id)
        return detail if task is None else detail.with_task(self.on_task(task))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the property; `truth` does not matter here."""
        del truth
        return task_reply(
            await remote.set_task(self.board_id, self.task_id, self.property_name, self.sent)
        )

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the value read back with ours and with the one known before."""
        now = await self.look(remote)
        if now is None:
            return task_found(False, self.task_id, None)
        present = self.comparable(now.get(self.property_name))
        before = footing.before
        done: bool | None = present == self.comparable(self.sent)
        if not done and (
            before is None or present != self.comparable(before.get(self.property_name))
        ):
            done = None
        return task_found(done, self.task_id, now)

    async def look(self, remote: Remote) -> Document | None:
        """The task as the service has it now."""
        return await task_as_it_is(remote, self.board_id, self.task_id)

    def check(self, now: Document) -> Verdict:
        """Compare the base value, ours and the present one."""
        present = self.comparable(now.get(self.property_name))
        if present == self.comparable(self.sent):
            return AlreadySo(task_reply(now))
        if self.base is None or present == self.comparable(self.base):
            return Clear()
        return self.differing(now)

    def differing(self, now: Document) -> Verdict:
        """What to do about a value that somebody else set meanwhile: ask."""
        return Differs(
            (
                Difference(
                    self.field_name,
                    mine=self.in_words(self.sent),
                    theirs=self.in_words(now.get(self.property_name)),
                    base=self.in_words(self.base),
                ),
            )
        )

    def on_top_of(self, now: Document) -> Self:
        """The same value, set on the present one."""
        present = now.get(self.property_name)
        return replace(self, base="" if present is None else str(present))

    def without_base(self) -> Self:
        """The same value, whatever it was before."""
        return replace(self, base=None)

    def merged_with(self, later: Operation) -> Operation | None:
        """The later value on the earlier base."""
        if not isinstance(later, TaskSetting) or later.property_name != self.property_name:
            return None
        return replace(later, base=self.base)

    def depends_on(self, earlier: Operation) -> bool:
        """Whether the other is about the same property, or one that it may change."""
        return self.touches(earlier)

    def touches(self, other: Operation) -> bool:
        """Whether the other is about the same property, or one that it may change.

        Moving a task may close it.
        """
        if isinstance(other, TaskSetting):
            names = {self.property_name, other.property_name}
            return other.task_id == self.task_id and (len(names) == 1 or names == _IN_ORDER)
        if other.subject != self.subject:
            return self.task_id in other.refers - other.beside
        return other.creates is not None or self.property_name == "status" or not other.beside

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The same property with the value it had."""
        task = before.task(self.task_id)
        if task is None and detail is not None:
            task = detail.find(self.task_id)
        return () if task is None else (self.restoring(task),)

    @staticmethod
    def comparable(value: object) -> str:
        """A value so that what services write differently is equal."""
        return " ".join(line(str(value)).split()) if value is not None else ""

    @staticmethod
    def in_words(value: object) -> str:
        """A value for people: clean, and “none” where there is none."""
        return line(str(value)) if value else "none"


def stamp(moment: datetime | None) -> str | None:
    """A wall-clock time as it is sent: `YYYY-MM-DD HH:MM:SS`, or None."""
    if moment is None:
        return None
    return moment.isoformat(sep=" ", timespec="seconds")[:_LONGEST_DATE]


def comparable_stamp(value: object) -> str:
    """A time stamp as services write it, so that equal ones compare equal; "" for no date."""
    return "" if is_no_date(value) else str(value).replace("T", " ")[:_LONGEST_DATE]
