"""The cards of a board in a standup: where each is, what happened to it, and what is wrong."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from tui.model.board import BoardView, Part, Stage, parts_of
from tui.model.history import LONG, Age, BoardHistory, Event, EventKind, ages, thresholds
from tui.model.task import Person, Task, blocked_labels, reason_in
from tui.model.urgency import is_overdue
from tui.record import record


class Flag(StrEnum):
    """What is wrong with an open card, the most urgent first."""

    BLOCKED = "blocked"
    OVERDUE = "overdue"
    STALE = "stale"
    UNASSIGNED = "unassigned"


_NO_STAGE = Stage(0, 0, "")


@record
class BoardSource:
    """What is known of a board: a complete view with card limits, the archived tasks, the history.

    Stages without a limit are never over it.
    """

    view: BoardView
    history: BoardHistory
    archived: tuple[Task, ...] = ()


@record
class Row:
    """A card in a standup; `board` and `stage` are titles, `reason` is why it is blocked.

    `movement` is what counts as movement in the window, oldest first: being closed, if it still is,
    and changes of the stage that were not reverted. `moved` are the titles of the first and the
    last stage of these. `place` is its place in the order of the board's stages and cards. `usual`
    is how long most cards stay in its stage, where that is known.
    """

    task: Task
    board: str
    stage: str
    part: Part
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
        return next((one for one in self.movement if one.kind is EventKind.CLOSED), None)

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
        return any(one.id == person.id for one in self.task.assignees)


def rows_of(source: BoardSource, now: datetime, since: datetime) -> list[Row]:
    """The open cards of a board, and the closed ones that moved in the window, in order."""
    return list(_Rows(source, now, since).all())


class _Rows:
    """Makes the rows of a board."""

    def __init__(self, source: BoardSource, now: datetime, since: datetime) -> None:
        self._view, self._archived = source.view, source.archived
        self._now, self._since = now, since
        self._clock = now.replace(tzinfo=None)
        self._thresholds = thresholds(source.history)
        self._parts = parts_of(source.view.stages)
        self._events: dict[int, list[Event]] = defaultdict(list)
        for event in source.history.events:
            self._events[event.task_id].append(event)
        titles = {stage.id: stage.title for stage in source.view.stages}
        opened = (
            (task, titles[task.stage_id])
            for task in source.view.all_tasks()
            if not task.is_closed and task.stage_id in titles
        )
        self._ages = ages(opened, source.history)

    def all(self) -> Iterator[Row]:
        """Every row, stages from the right to the left."""
        for order, stage in enumerate(reversed(self._view.stages)):
            for position, task in enumerate(self._view.in_stage(stage.id)):
                yield from self._rows(task, stage, (order, position))
        stages = {stage.id: stage for stage in self._view.stages}
        for position, task in enumerate(self._archived):
            if task.is_closed:
                stage = stages.get(task.stage_id or 0, _NO_STAGE)
                yield from self._rows(task, stage, (len(stages), position))

    def _rows(self, task: Task, stage: Stage, place: tuple[int, int]) -> Iterator[Row]:
        """The row of a task, if it is open or moved."""
        events = self._events.get(task.id, [])
        recent = [event for event in events if event.at >= self._since]
        moves = [event for event in recent if event.kind is EventKind.MOVED]
        moved = (moves[0].old, moves[-1].new) if moves else None
        if moved is not None and moved[0] == moved[1]:
            moves, moved = [], None
        closing = [event for event in recent if event.kind is EventKind.CLOSED and task.is_closed]
        if task.is_closed and not moves and not closing:
            return
        part = self._parts.get(stage.id, Part.DONE)
        age = self._ages.get(task.id)
        flags = () if task.is_closed else tuple(self._flags(task, stage, part, age))
        yield Row(
            task,
            self._view.board.title,
            stage.title,
            part,
            place,
            flags=flags,
            reason=_reason(events) if Flag.BLOCKED in flags else "",
            age=age,
            movement=tuple(sorted(moves + closing[-1:], key=lambda event: event.at)),
            moved=moved,
            is_new=self._is_new(task, recent),
            new_comments=sum(event.kind is EventKind.COMMENTED for event in recent),
            usual=self._thresholds.get(stage.title),
        )

    def _flags(self, task: Task, stage: Stage, part: Part, age: Age | None) -> Iterator[Flag]:
        if blocked_labels(task.labels):
            yield Flag.BLOCKED
        if is_overdue(task, self._clock):
            yield Flag.OVERDUE
        if part is not Part.ACTIVE:
            return
        if age is not None and self._now - age.since > self._thresholds.get(stage.title, LONG):
            yield Flag.STALE
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
