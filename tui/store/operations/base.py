"""The base of every operation: frozen data that is drawn, sent, looked for, undone and described.

An operation tells how it is drawn (`on_task` or `apply`), how it is sent (`deliver`), how to find
out whether it took effect after a lost reply (`is_done`, or `is_mine` of what is made), whether
somebody else was faster (`check`), what undoes it (`inverse`) and what it is in words (`describe`).

Ids below zero are local: the service has not given one yet. What an operation is about, makes and
needs follows from the annotations of its fields, see `tui.store.operations.ids`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import DynamicClassAttribute
from typing import ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from tui.model.board import Board, BoardView
from tui.model.detail import RowKey, TaskDetail, TaskField
from tui.model.ids import BoardId, Kind
from tui.model.task import Task
from tui.store.documents.shapes import Document
from tui.store.operations.ids import links_of, renamed
from tui.store.reading import fetch_all, fetch_current, same_text
from tui.store.remote import Remote
from tui.text.clean import line

_T = TypeVar("_T", bound="Operation")


class Subject(NamedTuple):
    """One thing of the service's, or one that is to be made."""

    kind: Kind
    id: int


class ReplyPart(NamedTuple):
    """What the service said about one thing; a `document` of None says that it is gone.

    `task_id` is that of the task which comments, groups and values belong to.
    """

    kind: Kind
    id: int
    document: Document | None
    task_id: int | None = None


class Reply(NamedTuple):
    """What a delivery, or a look, brought: `made` is the id of what was made, if anything was."""

    made: int | None = None
    parts: tuple[ReplyPart, ...] = ()


class Finding(NamedTuple):
    """What reading back showed: whether the operation took effect, and what the service said.

    `done` is None if it cannot be told; then only a person can decide.
    """

    done: bool | None
    reply: Reply = Reply()


class Baseline(NamedTuple):
    """What was known when an operation was first sent; what a read-back is compared with.

    `before` is the subject as the service last said it, None if it was not known; `newest_id` is
    the highest id known of its kind, on the board or among what belongs to the same task.
    `sent_at` is when it was first sent, an aware time in ISO 8601; empty if that is not known.
    """

    before: Document | None = None
    newest_id: int = 0
    sent_at: str = ""


class Difference(NamedTuple):
    """A field that somebody else changed meanwhile, each value in clean words for people."""

    field: str
    mine: str
    theirs: str
    base: str


class NoConflict(NamedTuple):
    """Nobody was faster, or it does not matter: send it."""


class AlreadyApplied(NamedTuple):
    """The service has the value already: nothing is to be sent."""

    reply: Reply = Reply()


class Merged(NamedTuple):
    """Both changes go together in this operation, which is to be sent instead."""

    operation: "Operation"


class Conflicting(NamedTuple):
    """Somebody else changed the same, and only a person can say whose should stay."""

    differences: tuple[Difference, ...]


Verdict: TypeAlias = NoConflict | AlreadyApplied | Merged | Conflicting


def compared(field: str, *, mine: str, theirs: str, base: str | None, reply: Reply) -> Verdict:
    """Compare a text three ways; without a known base nobody was faster."""
    if same_text(theirs, mine):
        return AlreadyApplied(reply)
    if base is None or same_text(theirs, base):
        return NoConflict()
    return Conflicting((Difference(field, line(mine), line(theirs), line(base)),))


class Operation(ABC):
    """One change to one board. Implementations are frozen, slotted dataclasses.

    `deliver` and `describe` are to be written for each; everything else has a default
    that fits an operation which draws nothing and keeps no base value. The attributes are
    `DynamicClassAttribute`s because these, unlike properties, may be replaced by dataclass fields
    without becoming the fields' defaults.
    """

    __slots__ = ()

    kept_as: ClassVar[str]
    """The name of its kind in the outbox and the history."""
    shown_as: ClassVar[TaskField | None] = None
    """Which of its task's fields shows it."""
    takes_away: ClassVar[bool] = False
    """Whether what it is about is not there any more after it."""
    makes_edits_needless: ClassVar[bool] = False
    """Whether it takes away what earlier edits of the same have changed."""

    @DynamicClassAttribute
    def board_id(self) -> int:
        """The board it changes; that of the task, where it changes one."""
        board_id_of = links_of(type(self)).board_id
        if board_id_of is None:
            raise NotImplementedError
        board_id: int = board_id_of(self)
        return board_id

    @DynamicClassAttribute
    def task_id(self) -> int | None:
        """The task or subtask it is about; None for stages, labels and boards."""
        task_id_of = links_of(type(self)).task_id
        return None if task_id_of is None else task_id_of(self)

    @property
    def subject(self) -> Subject:
        """What is changed or made."""
        links = links_of(type(self))
        if links.kind is not None and links.subject_id is not None:
            return Subject(links.kind, links.subject_id(self))
        if self.task_id is not None:
            return Subject("task", self.task_id)
        return Subject("board", self.board_id)

    @property
    def creates(self) -> int | None:
        """The local id of what it makes, None if it makes nothing."""
        links = links_of(type(self))
        return links.subject_id(self) if links.is_created and links.subject_id else None

    @property
    def refers(self) -> frozenset[int]:
        """Every id it names but that of what it makes; local ones must have been made first."""
        links = links_of(type(self))
        named = {self.board_id, self.task_id, *links.needed(self), *links.neighbours(self)}
        created = self.creates
        return frozenset(one for one in named if one is not None and one != created)

    @property
    def optional_refs(self) -> frozenset[int]:
        """Those of `refers` it can do without: the neighbours that tell a place."""
        return links_of(type(self)).neighbours(self) - {self.subject.id}

    @property
    def row(self) -> RowKey | None:
        """Which row of its task's fields shows it; None if none does."""
        return None if self.shown_as is None else (self.shown_as, 0)

    @property
    def keeps_base(self) -> bool:
        """Whether it knows the value it was made on, for `fetch` and `check`."""
        return False

    @property
    def changes_nothing(self) -> bool:
        """Whether what it sets is what it was made on, so that it need not be sent at all."""
        return False

    def on_task(self, task: Task) -> Task | None:
        """The task or subtask it is about as it looks with this change; None if it goes."""
        return task

    def apply(self, view: BoardView) -> BoardView:
        """The board as it looks with this change; unchanged where it does not apply (any more)."""
        kind, own_id = self.subject
        task = view.task(own_id) if kind == "task" else None
        changed = None if task is None else self.on_task(task)
        if task is None or changed is task:
            return view
        return view.without_task(own_id) if changed is None else view.with_task(changed)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """An opened task as it looks with this change; unchanged where it is another's."""
        kind, own_id = self.subject
        task = detail.find(own_id) if kind == "task" else None
        changed = None if task is None else self.on_task(task)
        if task is None or changed is task:
            return detail
        return detail.without_subtask(own_id) if changed is None else detail.with_task(changed)

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        """The board without what this has made already, though its answer is outstanding.

        `newest_id` is the highest id that was known when it was sent. What was made is drawn by its
        local id until then.
        """
        return view

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        """The opened task without what this has made already; see `without_made`."""
        return detail

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list of boards as it looks with this change."""
        return boards

    @abstractmethod
    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; `truth` is the service's last word. Raises `tui.client.errors.ApiError`."""

    @property
    def _parent_id(self) -> int | None:
        """The task that what it is about belongs to."""
        return None if self.subject == ("task", self.task_id) else self.task_id

    def reply_about(self, now: Document | None) -> Reply:
        """What a document of the subject tells; None, that it is gone.

        Of the parent that may come with a subtask only the counts are taken over, and nothing of
        the stage: what else they tell may be news of others, which a list of tasks brings.
        """
        kind, own_id = self.subject
        document = None if now is None else self._placed(now)
        parent = document.pop("parent", None) if document and kind == "task" else None
        told = ReplyPart(kind, own_id, document, self._parent_id)
        if not isinstance(parent, dict) or not isinstance(parent.get("settings"), dict):
            return Reply(parts=(told,))
        counts = {"id": int(parent["id"]), "settings": parent["settings"]}
        return Reply(parts=(told, ReplyPart("task", counts["id"], counts)))

    def reply_created(self, document: Document, *more: ReplyPart) -> Reply:
        """What a document of what was made tells."""
        kind, new = self.subject.kind, int(document["id"])
        return Reply(new, (ReplyPart(kind, new, self._placed(document), self._parent_id), *more))

    def _placed(self, document: Document) -> Document:
        """A document of the subject with the board it is on, and without the stage it is in."""
        kind = self.subject.kind
        if kind == "task":
            return {name: value for name, value in document.items() if name != "stage"}
        if kind == "board" and self.creates is None:
            return {**document, "id": self.board_id}
        return {**document, "board_id": self.board_id} if kind in ("stage", "label") else document

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Read back whether it took effect, after a reply was lost.

        What was made is known by being newer than everything known before and like ours: none that
        is has not been made, of two nobody can tell. Raises `tui.client.errors.ApiError`.
        """
        if self.creates is None:
            now = await self.fetch(remote)
            return Finding(self.is_done(now, baseline), self.reply_about(now))
        present = fetch_all(remote, self.subject.kind, self.board_id, self._parent_id)
        return self.found_among([one async for one in present], baseline)

    def found_among(self, present: Iterable[Document], baseline: Baseline) -> Finding:
        """Whether what it makes is among what is there now."""
        new = [one for one in present if int(one["id"]) > baseline.newest_id and self.is_mine(one)]
        if len(new) != 1:
            return Finding(done=None if new else False)
        return Finding(True, self.reply_created(new[0]))

    def is_mine(self, document: Document) -> bool:
        """Whether something new is like what it makes."""
        raise NotImplementedError

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        """Whether the subject as it is now tells that it took effect; None if it does not tell."""
        return now is None if self.takes_away else None

    async def fetch(self, remote: Remote) -> Document | None:
        """The subject as the service has it now, None if it is gone.

        Raises `tui.client.errors.ApiError`.
        """
        return await fetch_current(remote, *self.subject, self.board_id, self._parent_id)

    def check(self, now: Document) -> Verdict:
        """Compare the base value, ours and the one in `now`; asked if it `keeps_base`."""
        return NoConflict()

    def rebased_on(self, now: Document) -> Self:
        """The same change made on the value in `now`: mine stays, whatever others did."""
        return self

    def without_base(self) -> Self:
        """The same change, not knowing what it was made on."""
        return self

    def with_text(self, text: str) -> Self:
        """The same change with an edited value, as a person merged it; only of texts."""
        raise NotImplementedError(text)

    def draft(self, now: Document) -> str | None:
        """What a person starts from to put our text and that in `now` together.

        None where there is no text to be edited; else `with_text` takes what was made of it.
        """
        return None

    def merged_with(self, later: "Operation") -> "Operation | None":
        """The one operation that stands for both, with the base value of this one.

        `later` has the same subject. None if two are needed; `Nothing` if none is, as when what
        was made is deleted. It goes where `later` stood, or, if something is made, where this did.
        """
        if self.creates is not None:
            return Nothing(self.board_id) if later.takes_away else None
        return later if self.takes_away and type(later) is type(self) else None

    def sets_the_same(self, later: "Operation") -> bool:
        """Whether `later`, of the same subject, sets what this one sets."""
        together = self.merged_with(later)
        return together is not None and not isinstance(together, Nothing)

    def without(self, earlier: "Operation") -> "Operation":
        """The same change, made on what `earlier` was made on; that one sets the same."""
        return earlier.merged_with(self) or self

    def depends_on(self, earlier: "Operation") -> bool:
        """Whether it comes out otherwise if `earlier`, which is made up for later, is left out."""
        return earlier.subject.id in self.refers

    def conflicts_with(self, other: "Operation") -> bool:
        """Whether the order of the two matters, or one may hinge on the other."""
        shared = (self.refers | {self.creates}) & (other.refers | {other.creates})
        return bool(shared - {self.board_id, None})

    def inverse(
        self, before: BoardView, detail: TaskDetail | None = None
    ) -> "tuple[Operation, ...]":
        """What takes it back, in order, given what was drawn before it; may be empty.

        `detail` is that of the task it is about, or of the task that subtasks, comments and
        values belong to, if it is known.
        """
        return ()

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        """The same change with what is drawn when it is asked for: words, and where it starts."""
        return self

    def lost_when_undone(self) -> str:
        """What taking it back cannot bring back, in words; empty if nothing is lost."""
        return ""

    @abstractmethod
    def describe(self) -> str:
        """What it does, in words, for people: “Move “Fix login” to “Review””."""

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with local ids, wherever it names them, replaced by those given."""
        return renamed(self, ids)


KINDS: dict[str, type[Operation]] = {}
"""The operations whose modules were imported, by the names they are kept under."""


def operation(kind: str) -> Callable[[type[_T]], type[_T]]:
    """Keep the operations of a class in the outbox and the history, under this name."""

    def register(cls: type[_T]) -> type[_T]:
        cls.kept_as = kind
        KINDS[kind] = cls
        return cls

    return register


@dataclass(frozen=True, slots=True)
class Nothing(Operation):
    """What is left of changes that cancel each other; never kept, never sent."""

    board_id: BoardId

    @property
    def changes_nothing(self) -> bool:
        """It does not change anything."""
        return True

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send nothing."""
        return Reply()

    def describe(self) -> str:
        """No change."""
        return "Change nothing"
