"""What is set on an opened task: its cover, its contact, and whether it is a template.

The rule it keeps: the same as for properties that cards show: the value read back decides, and the
value a change was made on is kept, so that somebody else's is never overwritten unasked.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from tui.client.errors import NotThere
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, TaskId
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, Operation, Reply, Verdict
from tui.store.operations.comparing import same_words, verdict
from tui.store.operations.reading import task_as_it_is, task_found, task_reply
from tui.store.operations.wording import quoted
from tui.store.remote import Remote


@dataclass(frozen=True, slots=True)
class TaskTrait(Operation, ABC):
    """Something about one task, told by a text; `base` is the one it was made on, if known."""

    field_name: ClassVar[str]

    board_id: BoardId
    task_id: TaskId
    name: str
    base: str | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def mine(self) -> str:
        """What it becomes, as text that can be compared."""

    @abstractmethod
    def found_in(self, task: Document) -> str:
        """What it is in a task as the service said it, as text that can be compared."""

    @abstractmethod
    def on_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with it."""

    @abstractmethod
    def restoring(self, detail: TaskDetail) -> Self:
        """The change to what it is in `detail`."""

    @property
    def keeps_base(self) -> bool:
        """Whether it is known what it was made on."""
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether it is so already."""
        return self.base is not None and same_words(self.base, self.mine)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with it."""
        return self.on_detail(detail) if detail.task.id == self.task_id else detail

    async def look(self, remote: Remote) -> Document | None:
        """The task as it is now."""
        return await task_as_it_is(remote, self.board_id, self.task_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare what is read back with ours and with what was known before."""
        now = await self.look(remote)
        if now is None:
            return task_found(False, self.task_id, None)
        before = self.base if footing.before is None else self.found_in(footing.before)
        if same_words(self.found_in(now), self.mine):
            return task_found(True, self.task_id, now)
        was_known = before is not None and same_words(self.found_in(now), before)
        return task_found(False if was_known else None, self.task_id, now)

    def check(self, now: Document) -> Verdict:
        """Three ways."""
        return verdict(
            self.field_name,
            mine=self.mine,
            theirs=self.found_in(now),
            base=self.base,
            reply=task_reply(now),
        )

    def on_top_of(self, now: Document) -> Self:
        """The same, whatever it is now."""
        return replace(self, base=self.found_in(now))

    def merged_with(self, later: Operation) -> Operation | None:
        """The later one on the earlier base."""
        if not isinstance(later, TaskTrait) or type(later) is not type(self):
            return None
        return replace(later, base=self.base)

    def touches(self, other: Operation) -> bool:
        """Whether the other is about the same, or makes or moves the task."""
        if isinstance(other, TaskTrait):
            return type(other) is type(self) and other.task_id == self.task_id
        return Operation.touches(self, other)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """What it was, if the opened task tells."""
        del before
        if detail is None or detail.task.id != self.task_id:
            return ()
        return (replace(self.restoring(detail), base=self.mine),)


@dataclass(frozen=True, slots=True)
class SetCover(TaskTrait):
    """Give a task's card a colour, hex; empty for none."""

    field_name: ClassVar[str] = "cover"

    color: str

    @classmethod
    def on(cls, detail: TaskDetail, color: str) -> Self:
        """Colour the card of an opened task."""
        task = detail.task
        return cls(task.board_id, task.id, task.title, color, base=detail.cover)

    @property
    def mine(self) -> str:
        """The colour."""
        return self.color

    def found_in(self, task: Document) -> str:
        """The colour."""
        settings = task.get("settings")
        cover = settings.get("cover") if isinstance(settings, dict) else None
        return str(cover.get("backgroundColor") or "") if isinstance(cover, dict) else ""

    def on_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the colour."""
        return replace(detail, cover=self.color)

    def restoring(self, detail: TaskDetail) -> Self:
        """The colour it has."""
        return replace(self, color=detail.cover)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send all settings as they are now with the new colour: they are replaced whole."""
        del truth
        now = await self.look(remote)
        if now is None:
            raise NotThere("The task is not there any more.")
        settings = now.get("settings")
        settings = settings if isinstance(settings, dict) else {}
        cover = settings.get("cover")
        cover = cover if isinstance(cover, dict) else {}
        new = {**settings, "cover": {**cover, "backgroundColor": self.color}}
        return task_reply(await remote.set_task(self.board_id, self.task_id, "settings", new))

    def describe(self) -> str:
        """The task."""
        return f"{'Change' if self.color else 'Remove'} the cover of {quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class SetContact(TaskTrait):
    """Link a task to a contact of a CRM by its id; None for none."""

    field_name: ClassVar[str] = "contact"

    contact_id: int | None

    @classmethod
    def on(cls, detail: TaskDetail, contact_id: int | None) -> Self:
        """Link an opened task to a contact."""
        task, base = detail.task, _digits(detail.contact_id)
        return cls(task.board_id, task.id, task.title, contact_id, base=base)

    @property
    def mine(self) -> str:
        """The id in digits; empty for none."""
        return _digits(self.contact_id)

    def found_in(self, task: Document) -> str:
        """The id in digits; services write none as null or nought."""
        said = str(task.get("crm_contact_id") or "")
        return said if said.strip("0") else ""

    def on_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the contact."""
        return replace(detail, contact_id=self.contact_id)

    def restoring(self, detail: TaskDetail) -> Self:
        """The contact it has."""
        return replace(self, contact_id=detail.contact_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the id."""
        del truth
        return task_reply(
            await remote.set_task(self.board_id, self.task_id, "crm_contact_id", self.contact_id)
        )

    def describe(self) -> str:
        """The task."""
        if self.contact_id is None:
            return f"Link {quoted(self.name)} to no contact"
        return f"Link {quoted(self.name)} to contact #{self.contact_id}"


@dataclass(frozen=True, slots=True)
class SetTemplate(TaskTrait):
    """Make a task a template, or an ordinary task again."""

    field_name: ClassVar[str] = "template"

    is_template: bool

    @classmethod
    def on(cls, detail: TaskDetail, *, is_template: bool) -> Self:
        """Make an opened task a template, or not."""
        task = detail.task
        base = _yes_or_no(detail.is_template)
        return cls(task.board_id, task.id, task.title, is_template, base=base)

    @property
    def mine(self) -> str:
        """`yes` or `no`."""
        return _yes_or_no(self.is_template)

    def found_in(self, task: Document) -> str:
        """`yes` or `no`."""
        meta = task.get("meta")
        said = meta.get("is_template") if isinstance(meta, dict) else None
        return _yes_or_no(str(said).lower() == "yes")

    def on_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task, a template or not."""
        return replace(detail, is_template=self.is_template)

    def restoring(self, detail: TaskDetail) -> Self:
        """What it is."""
        return replace(self, is_template=detail.is_template)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send `yes` or `no`."""
        del truth
        return task_reply(
            await remote.set_task(self.board_id, self.task_id, "is_template", self.mine)
        )

    def describe(self) -> str:
        """The task."""
        if self.is_template:
            return f"Make {quoted(self.name)} a template"
        return f"Make {quoted(self.name)} an ordinary task again"


def _digits(contact_id: int | None) -> str:
    return "" if contact_id is None else str(contact_id)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
