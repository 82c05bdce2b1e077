"""A field of a task as a row: its label, its value, and why it cannot be changed.

What depends on the time of day is worked out when it is read, so that a row never goes stale.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tui.model.custom_field import CustomField
from tui.model.fields.words import Tense, distance, moment


class TaskField(StrEnum):
    """The fields of a task that a person can understand."""

    STAGE = "stage"
    STATUS = "status"
    PRIORITY = "priority"
    ASSIGNEES = "people"
    LABELS = "labels"
    DUE = "due"
    START = "start"
    REMINDER = "reminder"
    WATCHING = "watching"
    WATCHERS = "watchers"
    CUSTOM = "custom"
    SUBTASKS = "subtasks"
    COMMENTS = "comments"
    ATTACHMENTS = "files"
    PARENT = "parent"
    TEMPLATE = "template"
    COVER = "cover"
    CONTACT = "contact"
    WORTH = "worth"
    REPEATS = "repeats"
    SOURCE = "source"
    CREATED = "made"
    CHANGED = "changed"
    COMPLETED = "completed"
    ARCHIVED = "archived"
    NUMBER = "number"


GLUE = "\u00a0"
"""A blank that a line is not broken at, if there is room."""

RowKey = tuple[TaskField, int]
"""What a row is of: the field, and for a custom field its id, else 0."""


class Piece(NamedTuple):
    """A piece of what a row says, and the role it plays; with a chip in a colour before it."""

    text: str
    role: str = "title"
    chip: str = ""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of one task.

    `said` is what it says, behind the time `at`, if it has one. `fixed` is why it cannot be
    changed here, empty where it can. `is_pending` is whether a change of it is on its way.
    """

    of: TaskField
    label: str
    said: tuple[Piece, ...] = ()
    at: datetime | None = None
    tense: Tense = Tense.EVENT
    field: CustomField | None = None
    fixed: str = ""
    is_pending: bool = False

    @property
    def key(self) -> RowKey:
        """What the row is of."""
        return self.of, self.field.id if self.field else 0

    def pieces(self, now: datetime) -> tuple[Piece, ...]:
        """What it says at a wall-clock time."""
        if self.at is None:
            return self.said
        how_far, role = distance(self.at, now, self.tense)
        when = moment(self.at, now, self.tense)
        return (Piece(f"{when} · {how_far.replace(' ', GLUE)}", role), *self.said)

    def words(self, now: datetime) -> str:
        """What it says at a wall-clock time, without its looks."""
        return in_words(self.pieces(now))


def in_words(pieces: Iterable[Piece]) -> str:
    """Pieces as plain text."""
    return "".join(piece.text for piece in pieces).replace(GLUE, " ")
