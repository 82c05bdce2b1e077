"""Operations on stages: create, set up, move, archive and restore one.

An archived stage takes its tasks off the board, and services may lose their order; so archiving and
restoring keep the stage with its tasks.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import ClassVar, Self

from tui.client.errors import NotStored
from tui.model.board import BoardView, Place, Stage, StagePlace
from tui.model.detail import TaskDetail
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.ids import BoardId, StageId
from tui.model.task import Status, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Baseline,
    Finding,
    Nothing,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    operation,
)
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.reading import first_newer, ids_in_order, is_archived, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line, quoted


@operation("create-stage")
@record
class CreateStage(Creation):
    """Add a stage at the end of a board; `status` is what tasks moved into it become.

    With `unless_there` it stands for the stage of this title, as a service may have made it with a
    new board; that gets the `status`, and one is added only if there is none.
    """

    absorbs: ClassVar[Absorbed] = {"title": {"title": str}, "status": {"status": Status}}

    board_id: BoardId
    stage_id: About[StageId]
    title: str
    status: Status = Status.OPEN
    unless_there: bool = False

    @classmethod
    def new(
        cls, board_id: int, title: str, status: Status = Status.OPEN, *, unless_there: bool = False
    ) -> Self:
        return cls(board_id, new_local_id(), title, status, unless_there)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        if view.stage(self.stage_id) is not None:
            return view
        for stage in view.stages if self.unless_there else ():
            if same_text(stage.title, self.title) and not view.in_stage(stage.id):
                view = view.without_stage(stage.id)
        last = view.stages[-1].position if view.stages else 0.0
        ids = (self.stage_id, self.board_id)
        return view.with_stage(Stage(*ids, line(self.title), last + 1.0, self.status))

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        present = ((stage.id, stage.title) for stage in view.stages)
        stage_id = first_newer(present, self.title, newest_id)
        return view if stage_id is None else view.without_stage(stage_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        if self.unless_there and (stage := await self._present(remote)):
            setting = STAGE_SETTINGS["status"]
            if setting.read(stage) != self.status:
                await remote.set_stage_setting(
                    self.board_id, stage["id"], self.title, setting.member, self.status
                )
                stage = await self._present(remote) or stage
            return self.reply_created(stage)
        known_ids = {stage.id for stage in truth.stages}
        stages = await remote.create_stage(self.board_id, self.title, self.status)
        # The reply lists stages that existed before, so the new one has to be picked out.
        created = self._created(stages, known_ids)
        if created is None:
            # A success is not repeated, so what it made has to be found now.
            board = await remote.board(self.board_id)
            created = self._created(board.get("stages") or (), known_ids)
        if created is None:
            raise NotStored("The service reported a new stage, but the board does not have it.")
        return self.reply_created(created)

    def _created(self, stages: Iterable[Document], known: Collection[int]) -> Document | None:
        """The stage that was not there before; the title, which services change, may differ."""
        new = [
            stage
            for stage in stages
            if self.is_mine(stage) or not (stage["id"] in known or is_archived(stage))
        ]
        return max(
            new,
            key=lambda stage: (stage["id"] not in known, self.is_mine(stage), stage["id"]),
            default=None,
        )

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        if self.unless_there:  # sending it again is harmless
            return Finding(done=False)
        return await Creation.already_done(self, remote, baseline)

    async def _present(self, remote: Remote) -> Document | None:
        stages = (await remote.board(self.board_id)).get("stages") or ()
        matches = (stage for stage in stages if self.is_mine(stage) and not is_archived(stage))
        return next(matches, None)

    def is_mine(self, stage: Document) -> bool:
        return same_text(stage.get("title"), self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (ArchiveStage.on(self.apply(view), self.stage_id),)

    def describe(self) -> str:
        return f"Add the stage {quoted(line(self.title))}"


@operation("archive-stage")
@record
class ArchiveStage(Operation):
    """Archive a stage with its tasks."""

    removes_subject: ClassVar[bool] = True

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]]
    place: Former[StagePlace]

    @classmethod
    def on(cls, view: BoardView, stage_id: int) -> Self:
        """Archive a stage of a board. Raises `LookupError` if the board does not have it."""
        stage = view.stage(stage_id)
        if stage is None:
            raise LookupError(stage_id)
        return cls(stage, tuple(view.in_stage(stage_id)), view.stage_place_of(stage_id) or Place())

    def apply(self, view: BoardView) -> BoardView:
        return view.without_stage(self.stage.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.archive_stage(self.board_id, self.stage.id)
        return self.reply_about(None)

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is None or is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        # Archiving and restoring moves it to the end: a place without neighbours.
        if not isinstance(later, RestoreStage):
            return None
        last = Place(above=self.stage.id)
        return MoveStage(self.board_id, self.stage.id, self.stage.title, last)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        stage, place = view.stage(self.stage.id), view.stage_place_of(self.stage.id)
        if stage is None or place is None:
            return ()
        back = RestoreStage(stage, tuple(view.in_stage(stage.id)))
        if place.below is None:
            return (back,)
        return (back, MoveStage(stage.board_id, stage.id, stage.title, place))

    def describe(self) -> str:
        count = len(self.tasks)
        tasks = f" with {counted(count, 'card')}" if count else ""
        return f"Archive the stage {quoted(self.stage.title)}{tasks}"


@operation("restore-stage")
@record
class RestoreStage(Operation):
    """Restore an archived stage, as the last one, with its tasks in their order."""

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]] = ()

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        if view.stage(self.stage.id) is not None:
            return view
        elsewhere = {task.id for task in view.all_tasks()}
        lane = tuple(task for task in self.tasks if task.id not in elsewhere)
        view = view.with_stage(self.stage)
        return replace(view, tasks={**view.tasks, self.stage.id: lane})

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # Some services restore all tasks with one position: the client puts the order back then.
        order = [task.id for task in self.tasks if task.id > 0]
        return self.reply_about(await remote.restore_stage(self.board_id, self.stage.id, order))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and not is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        return Nothing(self.board_id) if isinstance(later, ArchiveStage) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        if view.stage(self.stage.id) is not None:
            return ()
        return (ArchiveStage.on(self.apply(view), self.stage.id),)

    def describe(self) -> str:
        return f"Restore the stage {quoted(self.stage.title)}"


@operation("move-stage")
@record
class MoveStage(Operation):
    """Move a stage to a place among the others; `name` is its title."""

    board_id: BoardId
    stage_id: About[StageId]
    name: str
    place: StagePlace

    @classmethod
    def on(cls, stage: Stage, place: Place) -> Self:
        return cls(stage.board_id, stage.id, stage.title, place)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        stage = view.stage(self.stage_id)
        return view if stage is None else view.with_stage(stage, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # The whole order is sent, applied to the stages as the service has them now.
        order = [stage.id for stage in self.apply(truth).stages]
        await remote.reposition_stages(self.board_id, order)
        return Reply(parts=_positions(self.board_id, order))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Sending it again is harmless.
        board: Document = await remote.board(self.board_id)
        order = ids_in_order(board.get("stages") or ())
        if self.stage_id not in order:
            return Finding(done=False)
        is_there = self.place.holds(self.stage_id, order)
        return Finding(is_there, Reply(parts=_positions(self.board_id, order)))

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, MoveStage) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        place = view.stage_place_of(self.stage_id)
        return () if place is None else (replace(self, place=place),)

    def describe(self) -> str:
        return f"Move the stage {quoted(self.name)}"


def _positions(board_id: int, order: list[int]) -> tuple[ReplyPart, ...]:
    return tuple(
        ReplyPart("stage", id_, {"id": id_, "board_id": board_id, "position": float(number)})
        for number, id_ in enumerate(order, start=1)
    )


def new_stage_at(
    board_id: int, title: str, place: Place, status: Status = Status.OPEN
) -> tuple[Operation, ...]:
    """Add a stage at a place among the others."""
    created = CreateStage.new(board_id, title, status)
    if place.below is None:
        return (created,)
    return (created, MoveStage(board_id, created.stage_id, line(title), place))
