"""The standup as a value: the cards of some boards, by the boards' stages and by person.

Members and all to whom an open card is assigned are its people, so that no such card is left out.
Cards in the stages, of a person, and without one are in the same order: stages from the right to
the left, in each the oldest first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from tui.model.board import Board, BoardView, Part, Stage, parts_of
from tui.model.history import BoardHistory, Event
from tui.model.people import Account
from tui.model.standup.rows import BoardSource, Row, rows_of
from tui.model.task import Person
from tui.model.urgency import is_upcoming
from tui.record import record


class Kind(StrEnum):
    """The sections: three of a board, four of a person, and the cards of nobody."""

    DONE = "done"
    STAGE = "stage"
    BACKLOG = "backlog"
    MOVED = "done or moved"
    NOW = "now"
    NEXT = "next"
    STUCK = "stuck"
    NOBODY = "nobody"


@record
class Section:
    """Cards under a heading; those of a board have it, and their stage if they are in one.

    `count` and `new` are the number of its cards and of those created in the window; the backlog
    has rows for only a few of them.
    """

    kind: Kind
    rows: tuple[Row, ...] = ()
    board: Board | None = None
    stage: Stage | None = None
    count: int = 0
    new: int = 0

    @property
    def is_over_limit(self) -> bool:
        """Whether its stage has more open cards than its limit."""
        limit = self.stage.limit if self.stage and self.kind is Kind.STAGE else None
        return limit is not None and self.count > limit


@record
class Speaker:
    """A person with their sections that are not empty; `moved` is whether they did anything."""

    person: Person
    sections: tuple[Section, ...]
    moved: bool

    def section(self, kind: Kind) -> Section:
        """A section of theirs, maybe empty."""
        return next((one for one in self.sections if one.kind is kind), Section(kind))


@record
class Standup:
    """Both lenses on the same cards: `walk`, board by board; `people` and `nobody`, by person.

    `no_movement` are the members that did nothing in the window, with or without cards.
    """

    now: datetime
    since: datetime
    boards: tuple[Board, ...]
    histories: tuple[BoardHistory, ...]
    walk: tuple[Section, ...]
    people: tuple[Speaker, ...]
    nobody: Section
    no_movement: tuple[Person, ...]

    def only(self, me: Account) -> "Standup":
        """The part of one person by person, and nothing else."""
        return replace(
            self,
            walk=(),
            people=tuple(one for one in self.people if me.is_of(one.person)),
            nobody=Section(Kind.NOBODY),
            no_movement=tuple(one for one in self.no_movement if me.is_of(one)),
        )


def standup(sources: Sequence[BoardSource], now: datetime, since: datetime) -> Standup:
    """The standup of some boards; both times are aware, `now` in the user's zone."""
    rows = [rows_of(source, now, since) for source in sources]
    walks = [_walk(source.view, own) for source, own in zip(sources, rows, strict=True)]
    events = [event for source in sources for event in source.history.since(since)]
    views = [source.view for source in sources]
    alone = {view.board.id: view.people[0].id for view in views if len(view.people) == 1}
    by_person = _ByPerson(rows, events, now, alone)
    members = _members(views)
    speakers = [by_person.speaker(one) for one in _in_order([*members.values(), *_assignees(rows)])]
    return Standup(
        now,
        since,
        boards=tuple(view.board for view in views),
        histories=tuple(source.history for source in sources),
        walk=tuple(section for walk in walks for section in walk),
        people=tuple(one for one in speakers if one.sections),
        nobody=by_person.nobody(),
        no_movement=tuple(
            one.person for one in speakers if one.person.id in members and not one.moved
        ),
    )


def _walk(view: BoardView, rows: list[Row]) -> Iterator[Section]:
    """The sections of a board: done, the active stages from the right to the left, the backlog."""
    done = [(row.closed.at, row) for row in rows if row.closed]
    if done:
        latest = sorted(done, key=lambda each: each[0], reverse=True)
        yield _section(Kind.DONE, [row for _, row in latest], view.board)
    parts = parts_of(view.stages)
    for stage in reversed(view.stages):
        own = [row for row in rows if row.task.stage_id == stage.id and not row.task.is_closed]
        own.sort(key=lambda row: row.urgency)
        if parts[stage.id] is Part.ACTIVE and own:
            yield _section(Kind.STAGE, own, view.board, stage)
        elif parts[stage.id] is Part.BACKLOG:
            section = _section(Kind.BACKLOG, own, view.board, stage)
            yield replace(section, rows=tuple(row for row in own if row.flags))


def _section(
    kind: Kind, rows: Sequence[Row], board: Board | None = None, stage: Stage | None = None
) -> Section:
    return Section(kind, tuple(rows), board, stage, len(rows), sum(row.is_new for row in rows))


class _ByPerson:
    """The cards and events of all boards, looked at by person.

    Cards without an assignee belong to the only member of a board, in `alone` by the board's id.
    """

    def __init__(
        self, rows: list[list[Row]], events: list[Event], now: datetime, alone: dict[int, int]
    ) -> None:
        self._alone = alone
        self._boards = [[row for row in own if not row.task.is_closed] for own in rows]
        self._open = [row for own in self._boards for row in own]
        self._moved = sorted(
            (row for own in rows for row in own if row.movement),
            key=lambda row: row.movement[-1].at,
            reverse=True,
        )
        self._events = events
        self._clock = now.replace(tzinfo=None)

    def speaker(self, person: Person) -> Speaker:
        """The sections of a person."""
        moved = [
            row for row in self._moved if self._concerns(row, person) or _did(person, row.movement)
        ]
        stuck = [row for row in self._open if self._concerns(row, person) and row.flags]
        sections = (
            _section(Kind.MOVED, moved),
            _section(Kind.NOW, [row for row in self._active() if self._is_free(row, person)]),
            _section(Kind.NEXT, self._next(person)),
            _section(Kind.STUCK, sorted(stuck, key=lambda row: row.urgency)),
        )
        return Speaker(
            person,
            tuple(one for one in sections if one.rows),
            moved=bool(moved) or _did(person, self._events),
        )

    def nobody(self) -> Section:
        """The open cards in active stages without an assignee."""
        rows = [row for row in self._active() if not row.task.assignees]
        return _section(Kind.NOBODY, [row for row in rows if row.task.board_id not in self._alone])

    def _next(self, person: Person) -> list[Row]:
        """What is due soon in the backlogs; otherwise the first card in each."""
        queues = [
            [row for row in own if row.part is Part.BACKLOG and self._is_free(row, person)]
            for own in self._boards
        ]
        due = [row for queue in queues for row in queue if is_upcoming(row.task, self._clock)]
        due.sort(key=lambda row: row.task.due_at or self._clock)
        return due or [queue[0] for queue in queues if queue]

    def _active(self) -> Iterator[Row]:
        for own in self._boards:
            active = [row for row in own if row.part is Part.ACTIVE]
            yield from sorted(active, key=lambda row: (row.place[0], row.oldest))

    def _concerns(self, row: Row, person: Person) -> bool:
        only = self._alone.get(row.task.board_id)
        return row.concerns(person) or (not row.task.assignees and only == person.id)

    def _is_free(self, row: Row, person: Person) -> bool:
        return self._concerns(row, person) and not row.flags


def _did(person: Person, events: Sequence[Event]) -> bool:
    """Whether a person did any of these; one without an id is told by the name."""
    return any(
        by.id == person.id or (not by.id and by.name.casefold() == person.name.casefold())
        for by in (event.by for event in events)
        if by is not None
    )


def _members(views: Sequence[BoardView]) -> dict[int, Person]:
    return {
        one.id: one for view in views for one in view.people if one.id not in view.board.viewers
    }


def _assignees(rows: list[list[Row]]) -> list[Person]:
    opened = (row.task for own in rows for row in own if not row.task.is_closed)
    return [one for task in opened for one in task.assignees]


def _in_order(people: Sequence[Person]) -> list[Person]:
    """People once each, by folded name."""
    by_id = {one.id: one for one in reversed(people)}
    return sorted(by_id.values(), key=lambda one: (one.name.casefold(), one.id))
