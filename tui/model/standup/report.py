"""The standup as a value: the cards of some boards, by the boards' stages and by person.

A card is a row: where it is, what happened to it, and what is wrong. Members and all to whom an
open card is assigned are the people of a standup, so that no such card is left out. Cards in the
stages, of a person, and without one are in the same order: stages from the right to the left, in
each the oldest first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from tui.model.board import Board, BoardView, Stage, StageKind
from tui.model.events.history import LONG, Age, BoardHistory, Event, EventKind, ages, thresholds
from tui.model.ids import numbered
from tui.model.people import Account
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.stage_kinds import kinds_of
from tui.model.task import Person, Task, blocked_labels, reason_in
from tui.model.urgency import is_overdue, is_upcoming
from tui.record import record


class Flag(StrEnum):
    """What is wrong with an open card, the most urgent first."""

    BLOCKED = "blocked"
    OVERDUE = "overdue"
    STALE = "stale"
    UNASSIGNED = "unassigned"


_UNKNOWN = Account()
_NO_STAGE = Stage(0, 0, "")


@record
class BoardSource:
    """What is known of a board: a complete view with card limits, the archived tasks, the history.

    `relations` tell which cards block which, over all boards.

    Stages without a limit are never over it.
    """

    view: BoardView
    history: BoardHistory
    archived: tuple[Task, ...] = ()
    relations: Relations = NO_RELATIONS


@record
class StandupCard:
    """A card in a standup; `board` and `stage` are titles, `reason` is why it is blocked.

    `movement` is what counts as movement in the window, oldest first: being closed, if it still is,
    and changes of the stage that were not reverted. `moved` are the titles of the first and the
    last stage of these. `place` is its place in the order of the board's stages and cards. `usual`
    is how long most cards stay in its stage, where that is known.
    """

    task: Task
    board: str
    stage: str
    stage_kind: StageKind
    place: tuple[int, int]
    flags: tuple[Flag, ...] = ()
    reason: str = ""
    age: Age | None = None
    movement: tuple[Event, ...] = ()
    moved: tuple[str, str] | None = None
    is_new: bool = False
    new_comments: int = 0
    usual: timedelta | None = None

    @property
    def closed(self) -> Event | None:
        """The event by which it was closed in the window."""
        return next((event for event in self.movement if event.kind is EventKind.CLOSED), None)

    @property
    def urgency(self) -> tuple[int, bool, float]:
        """A sort key: by the first flag, then the oldest in the stage, unknown ages last."""
        rank = list(Flag).index(self.flags[0]) if self.flags else len(Flag)
        return rank, *self.oldest

    @property
    def oldest(self) -> tuple[bool, float]:
        """A sort key: the oldest in the stage first, unknown ages last."""
        return self.age is None, self.age.since.timestamp() if self.age else 0.0

    def concerns(self, person: Person) -> bool:
        """Whether the card is assigned to a person."""
        return any(assignee.id == person.id for assignee in self.task.assignees)


def rows_of(
    source: BoardSource, now: datetime, since: datetime, me: Account = _UNKNOWN
) -> list[StandupCard]:
    """The open cards of a board, and the closed ones that moved in the window, in order."""
    return list(_Rows(source, now, since, me).all())


class _Rows:
    """Makes the rows of a board."""

    def __init__(self, source: BoardSource, now: datetime, since: datetime, me: Account) -> None:
        self._me = me
        self._view, self._archived = source.view, source.archived
        self._relations = source.relations
        self._now, self._since = now, since
        self._clock = now.replace(tzinfo=None)
        self._thresholds = thresholds(source.history)
        self._kinds = kinds_of(source.view.stages)
        self._events: dict[int, list[Event]] = defaultdict(list)
        for event in source.history.events:
            self._events[event.task_id].append(event)
        titles = {stage.id: stage.title for stage in source.view.stages}
        opened = (
            (task, titles[task.stage_id])
            for task in source.view.all_tasks()
            if task.is_open and task.stage_id in titles
        )
        self._ages = ages(opened, source.history)

    def all(self) -> Iterator[StandupCard]:
        """Every row, stages from the right to the left."""
        for order, stage in enumerate(reversed(self._view.stages)):
            for position, task in enumerate(self._view.in_stage(stage.id)):
                yield from self._rows(task, stage, (order, position))
        stages = {stage.id: stage for stage in self._view.stages}
        for position, task in enumerate(self._archived):
            if task.is_closed:
                stage = stages.get(task.stage_id or 0, _NO_STAGE)
                yield from self._rows(task, stage, (len(stages), position))

    def _rows(self, task: Task, stage: Stage, place: tuple[int, int]) -> Iterator[StandupCard]:
        """The row of a task, if it is open or moved, and no template."""
        if task.is_template:
            return
        events = self._events.get(task.id, [])
        recent = [event for event in events if event.at >= self._since]
        moves = [event for event in recent if event.kind is EventKind.MOVED]
        moved = (moves[0].old, moves[-1].new) if moves else None
        # Moved there and back counts as not moved.
        if moved is not None and moved[0] == moved[1]:
            moves, moved = [], None
        closing = [event for event in recent if event.kind is EventKind.CLOSED and task.is_closed]
        if task.is_closed and not moves and not closing:
            return
        kind = self._kinds.get(stage.id, StageKind.DONE)
        age = self._ages.get(task.id)
        flags = () if task.is_closed else tuple(self._flags(task, stage, kind, age))
        yield StandupCard(
            task,
            self._view.board.title,
            stage.title,
            kind,
            place,
            flags=flags,
            reason=self._reason(task, events) if Flag.BLOCKED in flags else "",
            age=age,
            # Closed again after it was reopened counts once.
            movement=tuple(sorted(moves + closing[-1:], key=lambda event: event.at)),
            moved=moved,
            is_new=self._is_new(task, recent),
            new_comments=sum(
                event.kind is EventKind.COMMENTED and not self._me.is_of(event.by)
                for event in recent
            ),
            usual=self._thresholds.get(stage.title),
        )

    def _reason(self, task: Task, events: Sequence[Event]) -> str:
        by = [f"{numbered(card.id)} {card.title}" for card in self._relations.blocking(task)]
        typed = _reason(events) if blocked_labels(task.labels) else ""
        return ", ".join(filter(None, (*by, typed)))

    def _flags(self, task: Task, stage: Stage, kind: StageKind, age: Age | None) -> Iterator[Flag]:
        if self._relations.is_blocked(task):
            yield Flag.BLOCKED
        if is_overdue(task, self._clock):
            yield Flag.OVERDUE
        if kind is not StageKind.ACTIVE:
            return
        if age is not None and self._now - age.since > self._thresholds.get(stage.title, LONG):
            yield Flag.STALE
        # On a board of one person, unassigned cards are theirs.
        if not task.assignees and len(self._view.people) > 1:
            yield Flag.UNASSIGNED

    def _is_new(self, task: Task, recent: list[Event]) -> bool:
        if task.created_at is not None:
            return task.created_at >= self._since
        return any(event.kind is EventKind.CREATED for event in recent)


def _reason(events: Sequence[Event]) -> str:
    """The reason in the last comment that gives one; empty if it is not known."""
    comments = (event.new for event in reversed(events) if event.kind is EventKind.COMMENTED)
    return next(filter(None, map(reason_in, comments)), "")


class SectionKind(StrEnum):
    """The sections: three of a board, four of a person, and the cards of nobody."""

    DONE = "done"
    STAGE = "stage"
    BACKLOG = "backlog"
    MOVED = "done or moved"
    NOW = "now"
    NEXT = "next"
    STUCK = "needs attention"
    NOBODY = "unassigned"


@record
class StandupSection:
    """Cards under a heading; those of a board have it, and their stage if they are in one.

    `count` and `new` are the number of its cards and of those created in the window; the backlog
    has rows for only a few of them.
    """

    kind: SectionKind
    rows: tuple[StandupCard, ...] = ()
    board: Board | None = None
    stage: Stage | None = None
    count: int = 0
    new: int = 0

    @property
    def is_over_limit(self) -> bool:
        """Whether its stage has more open cards than its limit."""
        limit = self.stage.limit if self.stage and self.kind is SectionKind.STAGE else None
        return limit is not None and self.count > limit


@record
class Speaker:
    """A person with their sections that are not empty; `moved` is whether they did anything."""

    person: Person
    sections: tuple[StandupSection, ...]
    moved: bool

    def section(self, kind: SectionKind) -> StandupSection:
        """A section of theirs, maybe empty."""
        return next(
            (section for section in self.sections if section.kind is kind), StandupSection(kind)
        )


@record
class Standup:
    """Both lenses on the same cards: `walk`, board by board; `people` and `nobody`, by person.

    `no_movement` are the members that did nothing in the window and have no card to talk about.
    """

    now: datetime
    since: datetime
    boards: tuple[Board, ...]
    histories: tuple[BoardHistory, ...]
    walk: tuple[StandupSection, ...]
    people: tuple[Speaker, ...]
    nobody: StandupSection
    no_movement: tuple[Person, ...]

    def only(self, me: Account) -> "Standup":
        """The part of one person by person, and nothing else."""
        return replace(
            self,
            walk=(),
            people=tuple(person for person in self.people if me.is_of(person.person)),
            nobody=StandupSection(SectionKind.NOBODY),
            no_movement=tuple(person for person in self.no_movement if me.is_of(person)),
        )


def standup(
    sources: Sequence[BoardSource], now: datetime, since: datetime, me: Account = _UNKNOWN
) -> Standup:
    """The standup of some boards; both times are aware, `now` in the user's zone.

    To `me`, own comments are not new.
    """
    rows = [rows_of(source, now, since, me) for source in sources]
    walks = [_walk(source.view, own) for source, own in zip(sources, rows, strict=True)]
    events = [event for source in sources for event in source.history.since(since)]
    views = [source.view for source in sources]
    alone = {view.board.id: view.people[0].id for view in views if len(view.people) == 1}
    by_person = _ByPerson(rows, events, now, alone)
    members = _members(views)
    opened = (row.task for own in rows for row in own if not row.task.is_closed)
    assignees = (person for task in opened for person in task.assignees)
    speakers = [by_person.speaker(person) for person in _in_order([*members.values(), *assignees])]
    return Standup(
        now,
        since,
        boards=tuple(view.board for view in views),
        histories=tuple(source.history for source in sources),
        walk=tuple(section for walk in walks for section in walk),
        people=tuple(speaker for speaker in speakers if speaker.sections),
        nobody=by_person.nobody(),
        no_movement=tuple(
            speaker.person
            for speaker in speakers
            if speaker.person.id in members and not speaker.moved and not speaker.sections
        ),
    )


def _walk(view: BoardView, rows: list[StandupCard]) -> Iterator[StandupSection]:
    """The sections of a board: done, the active stages from the right to the left, the backlog."""
    closed = [(row.closed.at, row) for row in rows if row.closed]
    if closed:
        latest = sorted(closed, key=lambda pair: pair[0], reverse=True)
        yield _section(SectionKind.DONE, [row for _, row in latest], view.board)
    kinds, waiting = kinds_of(view.stages), list[StandupSection]()
    for stage in reversed(view.stages):
        own = [row for row in rows if row.task.stage_id == stage.id and not row.task.is_closed]
        own.sort(key=lambda row: row.urgency)
        if kinds[stage.id] is StageKind.ACTIVE and own:
            yield _section(SectionKind.STAGE, own, view.board, stage)
        elif kinds[stage.id] is StageKind.BACKLOG:
            section = _section(SectionKind.BACKLOG, own, view.board, stage)
            waiting.append(replace(section, rows=tuple(row for row in own if row.flags)))
    yield from waiting


def _section(
    kind: SectionKind,
    rows: Sequence[StandupCard],
    board: Board | None = None,
    stage: Stage | None = None,
) -> StandupSection:
    return StandupSection(
        kind, tuple(rows), board, stage, len(rows), sum(row.is_new for row in rows)
    )


class _ByPerson:
    """The cards and events of all boards, looked at by person.

    Cards without an assignee belong to the only member of a board, in `alone` by the board's id.
    """

    def __init__(
        self,
        rows: list[list[StandupCard]],
        events: list[Event],
        now: datetime,
        alone: dict[int, int],
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
            _section(SectionKind.MOVED, moved),
            _section(
                SectionKind.NOW, [row for row in self._active() if self._is_free(row, person)]
            ),
            _section(SectionKind.NEXT, self._next(person)),
            _section(SectionKind.STUCK, sorted(stuck, key=lambda row: row.urgency)),
        )
        return Speaker(
            person,
            tuple(section for section in sections if section.rows),
            moved=bool(moved) or _did(person, self._events),
        )

    def nobody(self) -> StandupSection:
        """The open cards in active stages without an assignee."""
        rows = [row for row in self._active() if not row.task.assignees]
        return _section(
            SectionKind.NOBODY, [row for row in rows if row.task.board_id not in self._alone]
        )

    def _next(self, person: Person) -> list[StandupCard]:
        """What is due soon in the backlogs; otherwise the first card in each."""
        queues = [
            [
                row
                for row in own
                if row.stage_kind is StageKind.BACKLOG and self._is_free(row, person)
            ]
            for own in self._boards
        ]
        due = [row for queue in queues for row in queue if is_upcoming(row.task, self._clock)]
        due.sort(key=lambda row: row.task.due_at or self._clock)
        return due or [queue[0] for queue in queues if queue]

    def _active(self) -> Iterator[StandupCard]:
        for own in self._boards:
            active = [row for row in own if row.stage_kind is StageKind.ACTIVE]
            yield from sorted(active, key=lambda row: (row.place[0], row.oldest))

    def _concerns(self, row: StandupCard, person: Person) -> bool:
        only = self._alone.get(row.task.board_id)
        return row.concerns(person) or (not row.task.assignees and only == person.id)

    def _is_free(self, row: StandupCard, person: Person) -> bool:
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
        person.id: person
        for view in views
        for person in view.people
        if person.id not in view.board.viewers
    }


def _in_order(people: Sequence[Person]) -> list[Person]:
    """People once each, by folded name."""
    # Reversed, so that of several entries with one id the first wins: the member's.
    by_id = {person.id: person for person in reversed(people)}
    return sorted(by_id.values(), key=lambda person: (person.name.casefold(), person.id))
