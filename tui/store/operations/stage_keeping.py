"""Archiving stages, bringing them back, and putting them in order.

The rule it keeps: an archived stage takes its tasks off the board with it, and services may forget
their order; so both changes hold the stage with its tasks as they were seen. A place among stages
is told by the neighbours, like that of a task.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place, Stage, StagePlace
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, StageId
from tui.model.task import Task
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Finding,
    Footing,
    News,
    Nothing,
    Operation,
    Reply,
    operation,
)
from tui.store.operations.comparing import gone, said
from tui.store.operations.ids import About, Former
from tui.store.operations.looking import stage_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Remote


@operation("archive-stage")
@dataclass(frozen=True, slots=True)
class ArchiveStage(Operation):
    """Take a stage off the board with its tasks, as they were seen."""

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]]
    place: Former[StagePlace]

    @classmethod
    def on(cls, view: BoardView, stage_id: int) -> Self:
        """Archive a stage of a board. Raises `LookupError` if the board does not have it."""
        stage = view.stage(stage_id)
        if stage is None:
            raise LookupError(stage_id)
        return cls(stage, view.in_stage(stage_id), view.stage_place_of(stage_id) or Place())

    def apply(self, view: BoardView) -> BoardView:
        """The board without the stage and its tasks."""
        return view.without_stage(self.stage.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        await remote.archive_stage(self.board_id, self.stage.id)
        return gone("stage", self.stage.id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the stage is not among the active ones."""
        del footing
        now = await stage_as_it_is(remote, self.board_id, self.stage.id)
        return Finding(True, gone("stage", self.stage.id)) if now is None else Finding(done=False)

    def merged_with(self, later: Operation) -> Operation | None:
        """Bringing it back again puts it last: behind itself, which is nowhere, means the end."""
        if not isinstance(later, RestoreStage):
            return None
        last = Place(above=self.stage.id)
        return MoveStage(self.board_id, self.stage.id, self.stage.title, last)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Bring it back with its tasks in their order, and put it to its place."""
        del detail
        stage, place = before.stage(self.stage.id), before.stage_place_of(self.stage.id)
        if stage is None or place is None:
            return ()
        back = RestoreStage(stage, before.in_stage(stage.id))
        if place.below is None:
            return (back,)
        return (back, MoveStage(stage.board_id, stage.id, stage.title, place))

    def describe(self) -> str:
        """The stage's title and how much goes with it."""
        count = len(self.tasks)
        tasks = f" with {count} task{'' if count == 1 else 's'}" if count else ""
        return f"Archive the stage {quoted(self.stage.title)}{tasks}"


@operation("restore-stage")
@dataclass(frozen=True, slots=True)
class RestoreStage(Operation):
    """Bring an archived stage back, as the last one, with its tasks in the order they had."""

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]] = ()

    @classmethod
    def on(cls, stage: Stage, tasks: tuple[Task, ...] = ()) -> Self:
        """Bring `stage` back; `tasks` are those known to be in it."""
        return cls(stage, tasks)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the stage as its last, and its tasks."""
        if view.stage(self.stage.id) is not None:
            return view
        elsewhere = {task.id for task in view.all_tasks()}
        lane = tuple(task for task in self.tasks if task.id not in elsewhere)
        view = view.with_stage(self.stage)
        return replace(view, tasks={**view.tasks, self.stage.id: lane})

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, with the order its tasks had."""
        del truth
        order = [task.id for task in self.tasks if task.id > 0]
        stage = await remote.restore_stage(self.board_id, self.stage.id, order)
        return said("stage", {**stage, "board_id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the stage is among the active ones."""
        del footing
        now = await stage_as_it_is(remote, self.board_id, self.stage.id)
        if now is None:
            return Finding(done=False)
        return Finding(True, Reply(news=(News("stage", self.stage.id, now),)))

    def merged_with(self, later: Operation) -> Operation | None:
        """Archiving it again leaves nothing to be done."""
        return Nothing(self.board_id) if isinstance(later, ArchiveStage) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it again."""
        del detail
        if before.stage(self.stage.id) is not None:
            return ()
        return (ArchiveStage.on(self.apply(before), self.stage.id),)

    def describe(self) -> str:
        """The stage's title."""
        return f"Bring the stage {quoted(self.stage.title)} back from the archive"


@operation("move-stage")
@dataclass(frozen=True, slots=True)
class MoveStage(Operation):
    """Put a stage to a place among the others; `name` is its title."""

    board_id: BoardId
    stage_id: About[StageId]
    name: str
    place: StagePlace

    @classmethod
    def on(cls, stage: Stage, place: Place) -> Self:
        """Move `stage` between the neighbours of `place`."""
        return cls(stage.board_id, stage.id, stage.title, place)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the stage at its new place."""
        stage = view.stage(self.stage_id)
        return view if stage is None else view.with_stage(stage, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the order of all stages, as it is now with this one at its place."""
        order = [stage.id for stage in self.apply(truth).stages]
        await remote.reposition_stages(self.board_id, order)
        return Reply(news=_positions(self.board_id, order))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Tell by the neighbours; sending it again does no harm."""
        del footing
        board: Document = await remote.board(self.board_id)
        stages = [stage for stage in board.get("stages") or () if not stage.get("archived_at")]
        order = [one["id"] for one in sorted(stages, key=_order)]
        if self.stage_id not in order:
            return Finding(done=False)
        others = [stage_id for stage_id in order if stage_id != self.stage_id]
        is_there = order.index(self.stage_id) == self.place.index_in(others)
        return Finding(is_there, Reply(news=_positions(self.board_id, order)))

    def merged_with(self, later: Operation) -> Operation | None:
        """Only the last place counts."""
        return later if isinstance(later, MoveStage) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Back to where it was."""
        del detail
        place = before.stage_place_of(self.stage_id)
        return () if place is None else (replace(self, place=place),)

    def describe(self) -> str:
        """The stage's title."""
        return f"Move the stage {quoted(self.name)}"


def _order(stage: Document) -> tuple[float, int]:
    return float(stage.get("position") or 0.0), int(stage["id"])


def _positions(board_id: int, order: list[int]) -> tuple[News, ...]:
    return tuple(
        News("stage", stage_id, {"id": stage_id, "board_id": board_id, "position": float(number)})
        for number, stage_id in enumerate(order, start=1)
    )
