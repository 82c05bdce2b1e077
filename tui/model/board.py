"""A board with its stages and tasks, as one frozen value.

A change makes a new view. Places are defined by neighbours, so that they stay meaningful after
changes of the stage by others.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from itertools import chain
from typing import Annotated, TypeAlias, TypeVar

from tui.model.custom_field import CustomField
from tui.model.ids import BoardId, IdOf, StageId
from tui.model.lane import Lane, Tally, lane_of
from tui.model.people import Account, Role, RoleWord
from tui.model.task import Label, Person, Status, Task
from tui.record import record


class BoardType(StrEnum):
    """The two kinds of board the service knows."""

    TO_DO = "to-do"
    ROADMAP = "roadmap"


class StageKind(StrEnum):
    """What cards do in a stage: wait, are worked on, or are done."""

    BACKLOG = "backlog"
    ACTIVE = "active"
    DONE = "done"


@record
class Stage:
    """A column of a board; `limit` and `kind` are the user's own, where they chose one.

    `default_status` is what tasks become that are moved into it, `default_assignees` are the ids of
    the people whom new tasks in it get, and `color` is hex, empty for none.
    """

    id: StageId
    board_id: BoardId
    title: str
    position: float = 0.0
    default_status: Status = Status.OPEN
    limit: int | None = None
    kind: StageKind | None = None
    color: str = ""
    default_assignees: tuple[int, ...] = ()
    is_template: bool = False


@record
class Board:
    """A board without its contents, as in the list of boards.

    `is_view_only` says that the user may only read it; `viewers`, `members` and `managers` are the
    ids of those reported to be that, `administrators` those of administrators of the whole service
    among its members. `own_role` is the user's, where a list of boards reports it without the
    members.
    """

    id: BoardId
    title: str
    type: BoardType = BoardType.TO_DO
    description: str = ""
    archived_at: datetime | None = None
    created_at: datetime | None = None
    tasks_count: int = 0
    completed_count: int = 0
    people: tuple[Person, ...] = ()
    is_view_only: bool = False
    viewers: frozenset[int] = frozenset()
    members: frozenset[int] = frozenset()
    managers: frozenset[int] = frozenset()
    administrators: frozenset[int] = frozenset()
    own_role: Role | None = None

    def member_role(self, user_id: int) -> Role | None:
        """The role of a member; None for others."""
        if not any(person.id == user_id for person in self.people):
            return None
        if user_id in self.managers:
            return Role.MANAGER
        return Role.VIEWER if user_id in self.viewers else Role.MEMBER

    def role_word(self, user_id: int) -> RoleWord:
        """The role of a user as the service calls it; empty if not a member."""
        role = self.member_role(user_id)
        return "" if role is None else role.word

    def with_role(self, person: Person, role: RoleWord) -> "Board":
        """The board with a person in a role; without them if it is empty."""
        is_member = any(member.id == person.id for member in self.people)
        people = self.people if is_member else (*self.people, person)
        if not role:
            people = tuple(member for member in people if member.id != person.id)
        own = frozenset({person.id})
        return replace(
            self,
            people=people,
            viewers=self.viewers - own | (own if role == Role.VIEWER.word else frozenset()),
            members=self.members - own | (own if role == Role.MEMBER.word else frozenset()),
            managers=self.managers - own | (own if role == Role.MANAGER.word else frozenset()),
        )

    def role_of(self, me: Account) -> Role:
        """The role of an account; `MANAGER` if it is not known, so that the service decides."""
        own = me.among(self.people)
        if me.is_administrator or (own is not None and own.id in self.administrators):
            return Role.MANAGER
        if self.is_view_only or (own is not None and own.id in self.viewers):
            return Role.VIEWER
        # Once the managers are reported, everybody else on the board is known not to be one.
        if own is not None and (own.id in self.members or self.managers):
            return Role.MANAGER if own.id in self.managers else Role.MEMBER
        # An administrator may do more than their role on the board says.
        is_own_role_all = me.is_administrator is False
        return self.own_role if self.own_role and is_own_role_all else Role.MANAGER


@record
class Place:
    """A place in a row, given by the ids of the things above and below; None at an end."""

    above: int | None = None
    below: int | None = None

    @classmethod
    def of(cls, own_id: int, ids: Sequence[int]) -> "Place | None":
        """The place of one of `ids`, given by its neighbours; None if it is not there."""
        if own_id not in ids:
            return None
        index = ids.index(own_id)
        return cls(
            above=ids[index - 1] if index else None,
            below=ids[index + 1] if index + 1 < len(ids) else None,
        )

    def index_in(self, ids: Sequence[int]) -> int:
        """The index of this place in `ids`; the neighbour above takes precedence."""
        if self.above in ids:
            return ids.index(self.above) + 1
        if self.below in ids:
            return ids.index(self.below)
        # Both neighbours are gone: the top stays the top, any other place becomes the end.
        return 0 if self.above is None else len(ids)

    def holds(self, own_id: int, ids: list[int]) -> bool:
        """Whether one of `ids` is at this place among the others."""
        remaining = [other_id for other_id in ids if other_id != own_id]
        return own_id in ids and ids.index(own_id) == self.index_in(remaining)


TaskPlace: TypeAlias = Annotated[Place, IdOf("task")]
StagePlace: TypeAlias = Annotated[Place, IdOf("stage")]
FieldPlace: TypeAlias = Annotated[Place, IdOf("field")]
_Row = TypeVar("_Row", Stage, CustomField)


@record
class BoardView:
    """A board as drawn: stages in order, and for each the active tasks in order.

    `pending` are the ids of tasks with pending changes. A view that is not `complete` has only the
    first tasks of each stage, for the first paint, with their number in `totals`.
    """

    board: Board
    stages: tuple[Stage, ...] = ()
    tasks: Mapping[int, Sequence[Task]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    people: tuple[Person, ...] = ()
    pending: frozenset[int] = frozenset()
    complete: bool = True
    totals: Mapping[int, int] = field(default_factory=dict)
    fields: tuple[CustomField, ...] = ()

    def __post_init__(self) -> None:
        # Most views are made from others and have lanes already.
        if set(map(type, self.tasks.values())) - {Lane}:
            lanes = {stage_id: lane_of(tasks) for stage_id, tasks in self.tasks.items()}
            object.__setattr__(self, "tasks", lanes)

    @property
    def is_empty(self) -> bool:
        """Whether the board is known to have stages and no active tasks."""
        return self.complete and bool(self.stages) and not any(self.tasks.values())

    @property
    def lacks_stages(self) -> bool:
        """Whether the board is known to have no stages; one made here gets them by the service."""
        return self.complete and not self.stages and self.board.id > 0

    def in_stage(self, stage_id: int) -> Lane:
        """The active tasks of a stage, in order."""
        return lane_of(self.tasks.get(stage_id, ()))

    def count(self, stage_id: int) -> int:
        """The number of active tasks in a stage, also if the view is not complete."""
        if self.complete:
            return len(self.in_stage(stage_id))
        return self.totals.get(stage_id, len(self.in_stage(stage_id)))

    def tally(self) -> Tally:
        """The numbers of the open cards and of the blocked ones, and the due dates."""
        return Tally.sum_of(self.in_stage(stage.id).tally for stage in self.stages)

    def all_tasks(self) -> Iterator[Task]:
        """Every active task, stage by stage."""
        for stage in self.stages:
            yield from self.in_stage(stage.id)

    def stage(self, stage_id: int | None) -> Stage | None:
        """The stage with this id, if the board has it."""
        return next((stage for stage in self.stages if stage.id == stage_id), None)

    def task(self, task_id: int) -> Task | None:
        """The active task with this id, if the board has it."""
        lanes = (self.in_stage(stage.id) for stage in self.stages)
        return next((task for lane in lanes if (task := lane.task(task_id)) is not None), None)

    def among(self, task_ids: Collection[int]) -> tuple[Task, ...]:
        """The active tasks with these ids, stage by stage."""
        ids, lanes = frozenset(task_ids), (self.in_stage(stage.id) for stage in self.stages)
        return tuple(task for lane in lanes for task in lane.among(ids))

    def blocked_by(self, card_ids: Collection[int]) -> tuple[Task, ...]:
        """The active tasks that name one of these as their blocker, stage by stage."""
        return tuple(
            task
            for stage in self.stages
            for chunk in self.in_stage(stage.id).chunks
            if any(map(chunk.may_name, card_ids))
            for task in chunk.tasks
            if any(blocker.id in card_ids for blocker in task.blockers)
        )

    def spot_of(self, task_id: int) -> tuple[int, int] | None:
        """The index of the stage of a task, and its index there."""
        for index, stage in enumerate(self.stages):
            row = self.in_stage(stage.id).row_of(task_id)
            if row is not None:
                return index, row
        return None

    def place_of(self, task_id: int) -> tuple[int, Place] | None:
        """The stage of a task and its place there, given by its neighbours."""
        for stage in self.stages:
            place = Place.of(task_id, self.in_stage(stage.id).ids)
            if place is not None:
                return stage.id, place
        return None

    def end_of(self, stage_id: int) -> Place:
        """The place below the last task of a stage."""
        lane = self.in_stage(stage_id)
        return Place(above=lane[-1].id if lane else None)

    def holding(self, tasks: Mapping[int, Sequence[Task]]) -> "BoardView":
        """The view with these tasks alone, by stage."""
        return replace(self, tasks={stage.id: tasks.get(stage.id, ()) for stage in self.stages})

    def with_task(self, task: Task) -> "BoardView":
        """The view with a task's new values, where it is; unchanged if it is not there."""
        if task.stage_id is None or task.stage_id not in self.tasks:
            return self
        lane = self.in_stage(task.stage_id).replaced(task)
        return replace(self, tasks={**self.tasks, task.stage_id: lane})

    def without_task(self, task_id: int) -> "BoardView":
        """The view without a task."""
        task = self.task(task_id)
        if task is None or task.stage_id is None:
            return self
        lane = self.in_stage(task.stage_id).without({task_id})
        return replace(self, tasks={**self.tasks, task.stage_id: lane})

    def with_task_at(self, task: Task, stage_id: int, place: Place) -> "BoardView":
        """The view with a task moved to a place in a stage.

        A stage whose default status is closed closes the task, as the service does.
        """
        stage = self.stage(stage_id)
        if stage is None:
            return self
        view = self.without_task(task.id)
        lane = view.in_stage(stage_id)
        # As at the service, moving the task out again does not reopen it.
        closes = stage.default_status is Status.CLOSED and task.stage_id != stage_id
        status = Status.CLOSED if closes else task.status
        moved = replace(task, stage_id=stage_id, status=status)
        lane = lane.inserted(place.index_in(lane.ids), moved)
        return replace(view, tasks={**view.tasks, stage_id: lane})

    def label(self, label_id: int) -> Label | None:
        """The label with this id, if the board has it."""
        return next((label for label in self.labels if label.id == label_id), None)

    def stage_place_of(self, stage_id: int) -> Place | None:
        """The place of a stage among the stages, given by its neighbours."""
        return Place.of(stage_id, [stage.id for stage in self.stages])

    def with_stage(self, stage: Stage, place: Place | None = None) -> "BoardView":
        """The view with a stage's new values, at a place among the stages.

        Without a place a known stage stays where it is, and a new one becomes the last.
        """
        tasks = {**self.tasks, stage.id: self.in_stage(stage.id)}
        return replace(self, stages=_with_one(self.stages, stage, place), tasks=tasks)

    def with_own(self, limits: Mapping[int, int], kinds: Mapping[int, StageKind]) -> "BoardView":
        """The view with the user's card limits and kinds of stages, by id; itself without any."""
        if not limits and not kinds:
            return self
        stages = tuple(
            replace(stage, limit=limits.get(stage.id), kind=kinds.get(stage.id))
            for stage in self.stages
        )
        return replace(self, stages=stages)

    def over_limit(self, limits: Mapping[int, int]) -> dict[int, int]:
        """The stages with more cards than their limit, by id with their numbers of cards."""
        counts = {stage.id: self.count(stage.id) for stage in self.stages if stage.id in limits}
        return {stage_id: count for stage_id, count in counts.items() if count > limits[stage_id]}

    def without_stage(self, stage_id: int) -> "BoardView":
        """The view without a stage and its tasks."""
        stages = tuple(stage for stage in self.stages if stage.id != stage_id)
        tasks = {key: lane for key, lane in self.tasks.items() if key != stage_id}
        return replace(self, stages=stages, tasks=tasks)

    def with_label(self, label: Label) -> "BoardView":
        """The view with a label's new values, also on tasks."""
        if self.label(label.id) is None:
            return replace(self, labels=(*self.labels, label))
        return self._with_labels(label.id, (label,))

    def without_label(self, label_id: int) -> "BoardView":
        """The view without a label, also on tasks."""
        return self._with_labels(label_id, ())

    def _with_labels(self, label_id: int, new: tuple[Label, ...]) -> "BoardView":
        """The view with one label replaced everywhere."""

        def changed(labels: tuple[Label, ...]) -> tuple[Label, ...]:
            rows = (new if label.id == label_id else (label,) for label in labels)
            return tuple(chain.from_iterable(rows))

        tasks = {
            stage_id: tuple(
                replace(task, labels=changed(task.labels))
                if any(label.id == label_id for label in task.labels)
                else task
                for task in lane
            )
            for stage_id, lane in self.tasks.items()
        }
        return replace(self, labels=changed(self.labels), tasks=tasks)

    def field(self, field_id: int) -> CustomField | None:
        """The custom field with this id, if the board has it."""
        return next((field for field in self.fields if field.id == field_id), None)

    def with_field(self, field: CustomField, place: Place | None = None) -> "BoardView":
        """The view with a custom field's new values, at a place among the fields.

        Without a place a known field stays where it is, and a new one becomes the last.
        """
        return replace(self, fields=_with_one(self.fields, field, place))

    def without_field(self, field_id: int) -> "BoardView":
        """The view without a custom field."""
        return replace(self, fields=tuple(field for field in self.fields if field.id != field_id))

    def with_pending(self, task_ids: Iterable[int]) -> "BoardView":
        """The view with these tasks marked as pending."""
        return replace(self, pending=frozenset(task_ids))


def _with_one(row: tuple[_Row, ...], thing: _Row, place: Place | None) -> tuple[_Row, ...]:
    """A row with a thing at a place; without a place, where it already is or at the end."""
    remaining = [item for item in row if item.id != thing.id]
    ids = [item.id for item in remaining]
    present = Place.of(thing.id, [item.id for item in row])
    place = place or present or Place(above=ids[-1] if ids else None)
    remaining.insert(place.index_in(ids), thing)
    return tuple(remaining)
