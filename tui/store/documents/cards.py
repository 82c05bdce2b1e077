"""Cards as rows of the cache: what boards show of their active tasks, cleaned and in few bytes.

The columns are what statements ask for; the body is the whole task. A board of 100,000 cards is
read as bodies, some hundred in a row, and only the cards that are looked at become
tasks. Equal labels, people and values are shared between these.
"""

import json
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import starmap
from operator import itemgetter
from typing import Any, NamedTuple

from tui.model.blocked_by import Blocker
from tui.model.custom_field import FieldValue
from tui.model.lane import Tally
from tui.model.task import Label, Person, Priority, Status, Task, blocked_labels

NO_STAGE = 0
"""The stage of a card that is in none."""

_STATUSES = {status.value: status for status in Status}
_PRIORITIES = {priority.value: priority for priority in Priority}
_as_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_moment = datetime.fromisoformat
_PLAIN_EXTRAS = 2
"""How many of the parts that are left out are stored as they are: cover and template."""
_POSITION = itemgetter(4)
"""Of a card, given by its body."""
_TEMPLATE = 20
"""Where a body says that the card is a template, if it does."""
SEPARATOR = b",\n"
"""Between bodies: there is no newline in JSON, so they can be told apart without reading them."""


class CardRow(NamedTuple):
    """An active task as stored; `due_at` is wall-clock time in ISO 8601, `body` is all of it.

    `blockers` are the ids of the cards that block it, as JSON; None on most cards. `words` are what
    a search looks through, folded; None if the body has them as they are, but for capital letters.

    The body is kept as bytes, since one character beyond Latin-1 doubles the size of a text.
    """

    board_id: int
    stage_id: int
    position: float
    id: int
    is_open: bool
    is_blocked: bool
    due_at: str | None
    blockers: str | None
    words: str | None
    body: bytes


def row_of(task: Task) -> CardRow | None:
    """The row of a task; None if it is archived or a subtask, and so on no board."""
    if task.archived_at is not None or task.parent_id is not None:
        return None
    due_at = _iso(task.due_at)
    body = (
        task.id,
        task.title,
        task.status,
        task.priority,
        task.position,
        task.description,
        due_at,
        _iso(task.started_at),
        _iso(task.created_at),
        _iso(task.updated_at),
        # As text within the text: equal lists are then found in `_Shared` without being parsed.
        _as_text([(label.id, label.title, label.color) for label in task.labels]),
        _as_text([(person.id, person.name, person.login) for person in task.assignees]),
        task.comments_count,
        task.subtasks_done,
        task.subtasks_total,
        task.attachments_count,
        task.source,
        task.created_by,
        [(value.field_id, value.value) for value in task.values],
        # Left out if there is none, as on most cards.
        *([task.cover] if task.cover or task.is_template or task.blockers else ()),
        *([task.is_template] if task.is_template or task.blockers else ()),
        *([[(blocker.id, blocker.board) for blocker in task.blockers]] if task.blockers else ()),
    )
    return CardRow(
        task.board_id,
        task.stage_id or NO_STAGE,
        task.position,
        task.id,
        task.is_open,
        bool(blocked_labels(task.labels)),
        due_at,
        _as_text([blocker.id for blocker in task.blockers]) if task.blockers else None,
        _hidden_words(task),
        _as_text(body).encode(),
    )


def _hidden_words(task: Task) -> str | None:
    searched = f"{task.title} {task.description}"
    if searched.isascii() and "&" not in searched:
        return None
    # Imported late: the first paint writes no cards.
    from tui.text.fuzzy import fold, folded_words

    return f"{task.id} {fold(task.title)} {folded_words(task.description)}"


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


class _Shared(dict[str, tuple[Any, ...]]):
    """Tuples of labels or people by their JSON text, decoded when first looked up."""

    def __init__(self, kind: Callable[..., object]) -> None:
        self._kind = kind

    def __missing__(self, text: str) -> tuple[Any, ...]:
        self[text] = values = tuple(starmap(self._kind, json.loads(text)))
        return values


class CardUnpacker:
    """Makes tasks of bodies; equal tuples of labels or people are one object."""

    def __init__(self) -> None:
        self._labels = _Shared(Label)
        self._people = _Shared(Person)
        self._columns: Mapping[str, Callable[[list[Any]], Any]] = {
            "title": itemgetter(1),
            "is_open": lambda body: (
                body[2] == Status.OPEN and body[_TEMPLATE : _TEMPLATE + 1] != [True]
            ),
            "priority": lambda body: _PRIORITIES[body[3]],
            "position": _POSITION,
            "due_at": lambda body: body[6] and _moment(body[6]),
            "created_at": lambda body: body[8] and _moment(body[8]),
            "updated_at": lambda body: body[9] and _moment(body[9]),
            "labels": lambda body: self._labels[body[10]],
            "assignees": lambda body: self._people[body[11]],
        }

    def values(self, name: str, bodies: bytes) -> list[Any]:
        """An attribute of each card with these bodies, without making tasks."""
        return list(map(self._columns[name], json.loads(b"[%b]" % bodies)))

    def tasks(self, board_id: int, stage_id: int | None, bodies: bytes) -> tuple[Task, ...]:
        """The tasks of a stage whose bodies these are, separated by commas."""
        return tuple(
            Task(
                task_id,
                board_id,
                stage_id,
                title,
                _STATUSES[status],
                _PRIORITIES[priority],
                position,
                description,
                due_at and _moment(due_at),
                started_at and _moment(started_at),
                None,
                created_at and _moment(created_at),
                updated_at and _moment(updated_at),
                None,
                self._labels[labels],
                self._people[people],
                comments,
                done,
                subtasks,
                files,
                sys.intern(source),
                created_by,
                tuple(starmap(FieldValue, values)),
                *extras[:_PLAIN_EXTRAS],
                *(tuple(starmap(Blocker, named)) for named in extras[_PLAIN_EXTRAS:]),
            )
            for (
                task_id, title, status, priority, position, description, due_at, started_at,
                created_at, updated_at, labels, people, comments, done, subtasks, files, source,
                created_by, values, *extras,
            ) in json.loads(b"[%b]" % bodies)
        )  # fmt: skip


class PackedBodies:
    """Successive cards of a stage by their bodies, of which tasks are made when they are needed."""

    def __init__(self, unpacker: CardUnpacker, board_id: int, stage_id: int, bodies: bytes) -> None:
        # Nothing more, as a view of all cards has hundreds of these.
        self._unpacker = unpacker
        self.board_id, self.stage_id = board_id, stage_id
        self._bodies = bodies

    @cached_property
    def _single(self) -> Sequence[bytes]:
        return self._bodies.split(SEPARATOR)

    def task(self, row: int) -> Task:
        """One of the cards as a task."""
        (task,) = self._unpacker.tasks(self.board_id, self.stage_id, self._single[row])
        return task

    def values(self, name: str) -> Sequence[Any]:
        """An attribute of each card."""
        return self._unpacker.values(name, self._bodies)

    def may_have(self, some_id: int) -> bool:
        """Whether a card may have this person or label, whose ids look alike."""
        return b'[%d,\\"' % some_id in self._bodies

    def may_name(self, card_id: int) -> bool:
        """Whether a card may name this one as its blocker; values of custom fields look alike."""
        return any(begin % card_id in self._bodies for begin in (b'[[%d,"', b',[%d,"'))

    def unpacked(self) -> tuple[Task, ...]:
        """The cards as tasks."""
        return self._unpacker.tasks(self.board_id, self.stage_id, self._bodies)


class CardGroup(NamedTuple):
    """Successive cards of a stage as one row, whose texts have commas between their elements.

    `first_position` and `last_position` are those of the first and last card, `due` the dates of
    the open ones, `bodies` the cards themselves.
    """

    ids: str
    first_position: float
    last_position: float
    open: int
    blocked: int
    due: str | None
    bodies: bytes


class PackedCards(PackedBodies):
    """Successive cards of a stage, as `model.lane` has them while none of them is looked at."""

    def __init__(
        self, unpacker: CardUnpacker, board_id: int, stage_id: int, group: CardGroup
    ) -> None:
        super().__init__(unpacker, board_id, stage_id, group.bodies)
        # Arrays, because lists would hold an object of its own for each id of a large board.
        self.ids = array("q", json.loads(f"[{group.ids}]"))
        self.first = group.first_position, self.ids[0]
        self.last = group.last_position, self.ids[-1]
        self._group = group

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def positions(self) -> Sequence[float]:
        """The positions of the cards."""
        return array("d", map(_POSITION, json.loads(b"[%b]" % self._group.bodies)))

    def tally(self) -> Tally:
        """The tally of the cards."""
        due = self._group.due
        dates = sorted(map(_moment, due.split(","))) if due else []
        return Tally(self._group.open, self._group.blocked, dates)


class MatchGroup(NamedTuple):
    """The cards of a stage that a query matches, as one row.

    `ids` and `due`, which is empty for cards without a date, have commas between their elements.
    `states` has a digit for each card: 0 if it is not open, 2 if it is open and blocked, else 1.
    """

    board_id: int
    stage_id: int
    ids: str
    states: str
    due: str
    bodies: bytes


class PackedMatches(PackedBodies):
    """The cards of a stage that a query matches, sorted and grouped without making tasks."""

    def __init__(self, unpacker: CardUnpacker, group: MatchGroup) -> None:
        super().__init__(unpacker, group.board_id, group.stage_id, group.bodies)
        self.ids = array("q", json.loads(f"[{group.ids}]"))
        self._group = group

    def __len__(self) -> int:
        return len(self.ids)

    def values(self, name: str) -> Sequence[Any]:
        """An attribute of each card; the usual ones without reading bodies."""
        if name == "due_at":
            return [_moment(due) if due else None for due in self._group.due.split(",")]
        if name == "is_open":
            return [state != "0" for state in self._group.states]
        return super().values(name)

    @property
    def first(self) -> tuple[float, int]:
        """The position and the id of the first card."""
        return self.positions[0], self.ids[0]

    @property
    def positions(self) -> Sequence[float]:
        """The positions of the cards."""
        return self.values("position")

    def tally(self) -> Tally:
        """The tally of the cards."""
        pairs = zip(self.values("due_at"), self.values("is_open"), strict=True)
        dates = sorted(due for due, is_open in pairs if due is not None and is_open)
        states = self._group.states
        return Tally(len(states) - states.count("0"), states.count("2"), dates)
