"""What a task says in the custom fields of its board."""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView
from tui.model.custom_field import CustomField, FieldValue
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, TaskId
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, News, Operation, Reply, Verdict
from tui.store.operations.comparing import same_words, verdict
from tui.store.operations.ids import About
from tui.store.operations.looking import value_as_it_is
from tui.store.operations.task_setting import comparable_stamp
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line, text

_TRUE, _FALSE = "true", "false"


@dataclass(frozen=True, slots=True)
class SetFieldValue(Operation):
    """Set a custom field of a task; empty text clears it, a checkbox says `true` or `false`.

    `base` is what it was, spelt the same way, None if that is not known; `name` is the task's
    title.
    """

    board_id: BoardId
    task_id: TaskId
    name: str
    field: About[CustomField]
    value: str
    base: str | None = None

    @classmethod
    def on(cls, detail: TaskDetail, field: CustomField, value: str | bool | None) -> Self:
        """Give an opened task a value in `field`; None clears it."""
        task = detail.task
        base = None if detail.values is None else spelt(detail.value(field.id))
        return cls(task.board_id, task.id, task.title, field, spelt(value), base)

    @property
    def keeps_base(self) -> bool:
        """Whether it is known what it was."""
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether it is so already."""
        return self.base is not None and self._comparable(self.base) == self._comparable(self.value)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the value."""
        if detail.task.id != self.task_id:
            return detail
        shown: str | bool | None = text(self.value) or None
        if shown is not None and self.field.is_checkbox:
            shown = self.value == _TRUE
        return detail.with_value(self.field.id, shown)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and read what became of it: the reply tells of the field alone."""
        del truth
        value = self.value == _TRUE if self.field.is_checkbox and self.value else self.value
        await remote.set_field_value(self.board_id, self.task_id, self.field.id, value)
        return self._told(await self._now(remote))

    async def _now(self, remote: Remote) -> Document | None:
        return await value_as_it_is(remote, self.board_id, self.task_id, self.field.id)

    def _told(self, now: Document | None) -> Reply:
        return Reply(news=(News("field_value", self.field.id, now, self.task_id),))

    async def look(self, remote: Remote) -> Document | None:
        """The value as it is now; an empty one where there is none."""
        return await self._now(remote) or {"foreign_id": self.field.id, "settings": {"value": None}}

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the value read back with ours and with what was known before."""
        now = await self._now(remote)
        present = found_in(now)
        before = self.base if footing.before is None else found_in(footing.before)
        if self._comparable(present) == self._comparable(self.value):
            return Finding(True, self._told(now))
        was_known = before is not None and same_words(present, before)
        return Finding(False if was_known else None, self._told(now))

    def check(self, now: Document) -> Verdict:
        """The value, three ways."""
        kept = None if (now.get("settings") or {}).get("value") is None else now
        return verdict(
            line(self.field.title),
            mine=self._comparable(self.value),
            theirs=self._comparable(found_in(now)),
            base=None if self.base is None else self._comparable(self.base),
            reply=self._told(kept),
        )

    def _comparable(self, value: str) -> str:
        """A value so that what services write differently is equal."""
        if self.field.type == "date":
            return comparable_stamp(value).removesuffix(" 00:00:00").strip()
        return value.strip().lower() if self.field.is_checkbox else value

    def on_top_of(self, now: Document) -> Self:
        """The same value, whatever it is now."""
        return replace(self, base=found_in(now))

    def merged_with(self, later: Operation) -> Operation | None:
        """The later value on the earlier base, if it is of the same task."""
        if not isinstance(later, SetFieldValue) or later.task_id != self.task_id:
            return None
        return replace(later, base=self.base)

    def touches(self, other: Operation) -> bool:
        """Whether the other is about the same field of the same task, or makes the task."""
        if isinstance(other, SetFieldValue):
            return other.task_id == self.task_id and other.field.id == self.field.id
        return Operation.touches(self, other)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The value it had, if that is known."""
        del before
        old = self.base
        if detail is not None and detail.task.id == self.task_id and detail.values is not None:
            old = spelt(detail.value(self.field.id))
        return () if old is None else (replace(self, value=old, base=self.value),)

    def describe(self) -> str:
        """The field and its value."""
        if not self.value:
            return f"Clear {quoted(self.field.title)} of {quoted(self.name)}"
        shown = self.value if not self.field.is_checkbox else FieldValue(0, self.value == _TRUE)
        told = shown.in_words if isinstance(shown, FieldValue) else line(shown)
        return f"Set {quoted(self.field.title)} of {quoted(self.name)} to {quoted(told)}"


def spelt(value: str | bool | None) -> str:
    """A value as an operation keeps it: text, `true` or `false`, empty for none."""
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    return value or ""


def found_in(document: Document | None) -> str:
    """The value that a document tells of, as an operation keeps it."""
    settings = None if document is None else document.get("settings")
    value = settings.get("value") if isinstance(settings, dict) else None
    return spelt(value if isinstance(value, (str, bool)) else None if value is None else str(value))
