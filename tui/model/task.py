"""A task, as a card on the board.

Every text in the model is terminal-safe; the raw text stays in the cache, where edits start from.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from tui.model.blocked_by import Blocker
from tui.model.custom_field import FieldValue
from tui.model.ids import BoardId, LabelId, StageId, TaskId
from tui.record import record
from tui.text.clean import quoted

BLOCKED = "Blocked"
"""The title of a label that marks blocked cards; the reason is in a comment."""
_BEFORE_REASON = f"{BLOCKED}: "


class Status(StrEnum):
    """Whether a task is open or closed."""

    OPEN = "open"
    CLOSED = "closed"


class Priority(StrEnum):
    """The priority of a task."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@record
class Label:
    """A label of a task; its title may be empty."""

    id: LabelId
    title: str
    color: str = "#8590a2"

    @property
    def in_words(self) -> str:
        """Its title in quotes, or its colour."""
        return quoted(self.title) if self.title else self.color


@record
class Person:
    """A member of a board."""

    id: int
    name: str
    login: str = ""

    @property
    def in_words(self) -> str:
        """What the person is called; they may have no name."""
        return self.name or self.login or f"person {self.id}"

    @property
    def initials(self) -> str:
        """The default initials, if nobody else has them (`model.people`)."""
        words = self.name.split() or [self.login]
        letters = words[0][:2] if len(words) == 1 else words[0][:1] + words[-1][:1]
        return letters.upper()


@record
class Task:
    """A task. Local ids, of tasks not sent yet, are negative.

    `due_at` and `started_at` are wall-clock times without a zone, as typed; `created_at` and
    `updated_at` are aware and in UTC. `values` are those of custom fields, as the list of tasks has
    them; an opened task has newer ones. `cover` is a colour, empty for none. A template is a card
    that others are made from. `blockers` are the cards that the last line of the description names,
    which `description` lacks.
    """

    id: TaskId
    board_id: BoardId
    stage_id: StageId | None
    title: str
    status: Status = Status.OPEN
    priority: Priority = Priority.LOW
    position: float = 0.0
    description: str = ""
    due_at: datetime | None = None
    started_at: datetime | None = None
    archived_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    parent_id: TaskId | None = None
    labels: tuple[Label, ...] = ()
    assignees: tuple[Person, ...] = ()
    comments_count: int = 0
    subtasks_done: int = 0
    subtasks_total: int = 0
    attachments_count: int = 0
    source: str = ""
    created_by: int | None = None
    values: tuple[FieldValue, ...] = ()
    cover: str = ""
    is_template: bool = False
    blockers: tuple[Blocker, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether the service has not assigned an id yet."""
        return self.id < 0

    def web_address(self, pattern: str) -> str:
        """Its address on the web; the pattern has `{id}` and perhaps `{board}`."""
        return pattern.replace("{id}", str(self.id)).replace("{board}", str(self.board_id))

    @property
    def is_closed(self) -> bool:
        """Whether the task is closed."""
        return self.status is Status.CLOSED

    @property
    def is_open(self) -> bool:
        """Whether it is work to do: neither closed nor a template."""
        return self.status is Status.OPEN and not self.is_template

    def is_assigned_to(self, person: Person) -> bool:
        """Whether a person is among its assignees, who may have other names there."""
        return any(assignee.id == person.id for assignee in self.assignees)


def distinct(people: Iterable[Person]) -> tuple[Person, ...]:
    """Everybody once, by the first of their names: those on cards and boards may differ."""
    first: dict[int, Person] = {}
    for person in people:
        first.setdefault(person.id, person)
    return tuple(first.values())


def says_blocked(title: str) -> bool:
    """Whether a label with this title, in any letter case, marks a card as blocked."""
    return title.strip().casefold() == BLOCKED.casefold()


def blocked_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels that mark a card as blocked; a board may have several."""
    return tuple(label for label in labels if says_blocked(label.title))


def as_comment(reason: str) -> str:
    """The comment that gives a reason."""
    return f"{_BEFORE_REASON}{reason}"


def reason_in(comment: str) -> str:
    """The reason that a comment gives, its first line; empty if it gives none."""
    prefix, mark, reason = comment.partition(_BEFORE_REASON)
    return reason.partition("\n")[0].strip() if mark and not prefix else ""
