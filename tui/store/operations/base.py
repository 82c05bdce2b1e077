"""The base of every operation: frozen data that is drawn, sent, read back, undone and described.

An operation implements how it is drawn (`apply`), how it is sent (`deliver`), whether
it took effect after a lost response (`is_done`), whether it conflicts with changes of others
(`check`), its inverse (`inverse`) and its description (`describe`).

Negative ids are local: the service has not assigned one yet. What an operation is about, creates
and needs follows from the annotations of its fields, see `tui.store.operations.ids`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import DynamicClassAttribute
from typing import ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from tui.model.board import Board, BoardView
from tui.model.detail import RowKey, TaskDetail, TaskField
from tui.model.ids import BoardId, Kind
from tui.model.task import Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.ids import links_of, own_ids, renamed
from tui.store.reading import fetch_current
from tui.store.remote import Remote

_T = TypeVar("_T", bound="Operation")


class Subject(NamedTuple):
    """A thing of the service, or one to be created."""

    kind: Kind
    id: int


def rows_with(task: Task) -> frozenset[Subject]:
    """The container in which a task has a place, as in `Operation.arranges`: stage or parent."""
    if task.parent_id is not None:
        return frozenset({Subject("task", task.parent_id)})
    return frozenset(() if task.stage_id is None else {Subject("stage", task.stage_id)})


class ReplyPart(NamedTuple):
    """A document in a reply; a `document` of None says that the thing no longer exists.

    `task_id` is the task to which comments, groups and values belong.
    """

    kind: Kind
    id: int
    document: Document | None
    task_id: int | None = None


class Reply(NamedTuple):
    """The result of a delivery or read-back; `created_id` is None if nothing was created."""

    created_id: int | None = None
    parts: tuple[ReplyPart, ...] = ()


class Finding(NamedTuple):
    """The result of reading back: whether the operation took effect, with the documents read.

    `done` is None if that cannot be determined; then only the user can decide.
    """

    done: bool | None
    reply: Reply = Reply()


class Baseline(NamedTuple):
    """What was known when an operation was first sent, for comparison when reading back.

    `document` is the subject's document, None if not known; `newest_id` is the highest known id of
    its kind, on the board or in the same task. `sent_at` is when it was first sent, an aware time
    in ISO 8601; empty if not known.
    """

    document: Document | None = None
    newest_id: int = 0
    sent_at: str = ""


class FieldDifference(NamedTuple):
    """A field that others changed meanwhile, each value as terminal-safe text."""

    field: str
    ours: str
    current: str
    base: str


class AlreadyApplied(NamedTuple):
    """The service has the value already: nothing is sent."""


class Conflicting(NamedTuple):
    """Others changed the same, and only the user can decide."""

    differences: tuple[FieldDifference, ...]


Verdict: TypeAlias = "Operation | AlreadyApplied | Conflicting"
"""The result of comparing: otherwise the operation to send, which may be merged with theirs."""


class Operation(ABC):
    """One change to one board. Implementations are records.

    `deliver` and `describe` are abstract; everything else has a default that fits an operation
    which draws nothing and has no base value. The attributes are `DynamicClassAttribute`s because
    these, unlike properties, may be replaced by dataclass fields without becoming the fields'
    defaults.
    """

    __slots__ = ()

    kept_as: ClassVar[str]
    """Its kind in the outbox and the history."""
    shown_as: ClassVar[TaskField | None] = None
    """The field of its task that shows it."""
    hides_task: ClassVar[bool] = False
    """Whether its task leaves its stage, or its group of subtasks."""
    removes_subject: ClassVar[bool] = False
    """Whether its subject no longer exists afterwards."""
    discards_edits: ClassVar[bool] = False
    """Whether it removes what earlier edits of its subject changed."""
    can_be_placed_anew: ClassVar[bool] = False
    """Whether its place may be recomputed, so that the order is the same after others were sent."""

    @DynamicClassAttribute
    def board_id(self) -> int:
        """The board it changes, or of the task it changes."""
        board_id: int = links_of(type(self)).board_id(self)
        return board_id

    @DynamicClassAttribute
    def task_id(self) -> int | None:
        """The task or subtask it is about; None for stages, labels and boards."""
        task_id: int | None = links_of(type(self)).task_id(self)
        return task_id

    @property
    def subject(self) -> Subject:
        """What is changed or created."""
        links = links_of(type(self))
        if links.kind is not None:
            return Subject(links.kind, links.subject_id(self))
        if self.task_id is not None:
            return Subject("task", self.task_id)
        return Subject("board", self.board_id)

    @property
    def shown_on(self) -> Sequence[Subject]:
        """What is marked as pending in an opened task."""
        return (self.subject,)

    @property
    def creates(self) -> int | None:
        """The local id of what it creates, None if nothing."""
        return None

    @property
    def refers(self) -> frozenset[int]:
        """Ids that it depends on, without what it creates; local ones must be assigned first."""
        links = links_of(type(self))
        named = {self.board_id, self.task_id}
        for name in links.things + links.places:
            named.update(own_ids(getattr(self, name)))
        return frozenset(some_id for some_id in named - {self.creates} if some_id is not None)

    @property
    def optional_refs(self) -> frozenset[int]:
        """Those of `refers` it can do without: the neighbours that define a place."""
        places = links_of(type(self)).places
        named = (some_id for name in places for some_id in own_ids(getattr(self, name)))
        return frozenset(named) - {self.subject.id}

    @property
    def row(self) -> RowKey | None:
        """The row of its task's fields that shows it; None if none does."""
        return None if self.shown_as is None else (self.shown_as, 0)

    @property
    def keeps_base(self) -> bool:
        """Whether it knows the value it is based on, for `fetch` and `check`."""
        return False

    @property
    def changes_nothing(self) -> bool:
        """Whether it sets its base value, so that it need not be sent."""
        return False

    def apply(self, view: BoardView) -> BoardView:
        """The board with this change; unchanged where it does not apply (any more)."""
        return view.without_task(self.subject.id) if self.hides_task else view

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """An opened task with this change; unchanged if it is another one."""
        return detail.without_subtask(self.subject.id) if self.hides_task else detail

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        """The board without what this may have created already while its reply is outstanding.

        `newest_id` is the highest id known when it was sent. What it creates is drawn by its local
        id until then.
        """
        return view

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        """The opened task without what this may have created already; see `without_made`."""
        return detail

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list of boards with this change."""
        return boards

    @abstractmethod
    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; `truth` is the board without pending changes.

        Raises `tui.client.errors.ApiError`.
        """

    @property
    def _parent_id(self) -> int | None:
        return None if self.subject == ("task", self.task_id) else self.task_id

    def reply_about(self, now: Document | None) -> Reply:
        """A reply with the subject's document, or None if it no longer exists.

        Of the parent in a subtask's document only the counts are used, and nothing of the stage:
        other differences may be changes of others, which a list of tasks reports.
        """
        kind, own_id = self.subject
        document = None if now is None else self._placed(now)
        parent = document.pop("parent", None) if document and kind == "task" else None
        part = ReplyPart(kind, own_id, document, self._parent_id)
        if not isinstance(parent, dict) or not isinstance(parent.get("settings"), dict):
            return Reply(parts=(part,))
        counts = {"id": int(parent["id"]), "settings": parent["settings"]}
        return Reply(parts=(part, ReplyPart("task", counts["id"], counts)))

    def _placed(self, document: Document) -> Document:
        kind = self.subject.kind
        if kind == "task":
            return {name: value for name, value in document.items() if name != "stage"}
        if kind == "board" and self.creates is None:
            return {**document, "id": self.board_id}
        is_of_board = kind in ("stage", "label", "field")
        return {**document, "board_id": self.board_id} if is_of_board else document

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Read back whether it took effect, after a lost response.

        Raises `tui.client.errors.ApiError`.
        """
        now = await self.fetch(remote)
        return Finding(self.is_done(now, baseline), self.reply_about(now))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        """Whether the subject's document shows that it took effect; None if it does not show it."""
        return now is None if self.removes_subject else None

    async def fetch(self, remote: Remote) -> Document | None:
        """The subject as the service has it now, None if it no longer exists.

        Raises `tui.client.errors.ApiError`.
        """
        return await fetch_current(remote, *self.subject, self.board_id, self._parent_id)

    async def reply_again(self, remote: Remote) -> Reply:
        """What became of what it created, if the reply to that was lost.

        Raises `tui.client.errors.ApiError`.
        """
        return self.reply_about(await self.fetch(remote))

    def check(self, now: Document) -> Verdict:
        """Compare the base value, ours and the one in `now`; called if it `keeps_base`."""
        return self

    def rebased_on(self, now: Document) -> Self:
        """The same change based on the value in `now`, overwriting it."""
        return self

    def is_based_on(self, other: "Operation") -> bool:
        """Whether the value that `other` sets is the one that it replaces."""
        del other
        return False

    def without_base(self) -> Self:
        """The same change without a base."""
        return self

    def with_text(self, text: str) -> Self:
        """The same change with a text that the user merged; for texts only."""
        raise NotImplementedError(text)

    def draft(self, now: Document) -> str | None:
        """The starting text for merging our text and that in `now`.

        None if it is not about a text; otherwise `with_text` takes the result.
        """
        return None

    def merged_with(self, later: "Operation") -> "Operation | None":
        """One operation that replaces both, with the base value of this one.

        `later` has the same subject. None if two are needed; `Nothing` if none is, as when what was
        created is deleted. It takes the position of `later` or, if something is created, of this
        one.
        """
        return later if self.removes_subject and type(later) is type(self) else None

    def sets_the_same(self, later: "Operation") -> bool:
        """Whether `later`, of the same subject, sets the same value."""
        together = self.merged_with(later)
        return together is not None and not isinstance(together, Nothing)

    @property
    def has_other_setters(self) -> bool:
        """Whether changes of other kinds may set its value too, as a move may close a task."""
        return False

    def may_set(self, later: "Operation") -> bool:
        """Whether it sets the value that `later`, of the same subject, sets; or may set it."""
        return later.has_other_setters or self.sets_the_same(later)

    def without(self, earlier: "Operation") -> "Operation":
        """The same change with the base of `earlier`, which sets the same value."""
        return earlier.merged_with(self) or self

    def depends_on(self, earlier: "Operation") -> bool:
        """Whether leaving out `earlier`, which is superseded later, changes its result."""
        return earlier.subject.id in self.refers

    def conflicts_with(self, other: "Operation") -> bool:
        """Whether the order of the two matters, or one may depend on the other."""
        shared = (self.refers | {self.creates}) & (other.refers | {other.creates})
        # Every operation of a board refers to it: that alone is no conflict.
        return bool(shared - {self.board_id, None})

    @property
    def arranges(self) -> frozenset[Subject]:
        """Where it changes the order: of the cards of a stage, the subtasks of a task, and so on.

        For the stages and custom fields of a board, that is the board.
        """
        return frozenset()

    @property
    def leaves(self) -> frozenset[Subject]:
        """The container that its task leaves; the service renumbers those that stay there."""
        return frozenset()

    def may_overtake(self, older: "Operation") -> bool:
        """Whether the order becomes as drawn if it is sent before `older`, which failed."""
        return older.can_be_placed_anew or self.arranges.isdisjoint(older.arranges)

    def fits(self, reply: Document, truth: BoardView) -> bool:
        """Whether the position in a reply means the place to which it puts its card.

        It does not if the service renumbered the stage, or left the card where it was.
        """
        return True

    def may_be_taken_for(self, other: "Operation") -> bool:
        """Whether reading back could mistake what `other` creates for what this creates."""
        return False

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> "tuple[Operation, ...]":
        """What undoes it, in order, given the view before it; may be empty.

        `detail` is that of its task, or of the task to which a subtask, comment or value belongs,
        if known.
        """
        return ()

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        """The same change with titles and the starting place from the current view."""
        return self

    def lost_when_undone(self) -> str:
        """What undoing it cannot restore, in words; empty if nothing is lost."""
        return ""

    @abstractmethod
    def describe(self) -> str:
        """A description for the user: “Move “Fix login” to “Review””."""

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with local ids replaced by assigned ones."""
        return renamed(self, ids) if ids else self


KINDS: dict[str, type[Operation]] = {}
"""The imported operations by kind."""


def operation(kind: str) -> Callable[[type[_T]], type[_T]]:
    """Register a class of operations under this kind, for the outbox and the history."""

    def register(cls: type[_T]) -> type[_T]:
        cls.kept_as = kind
        KINDS[kind] = cls
        return cls

    return register


@record
class Nothing(Operation):
    """The result of merging changes that cancel each other; never stored or sent."""

    board_id: BoardId

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        return Reply()

    def describe(self) -> str:
        return "Change nothing"
