"""Making and changing stages.

The rule it keeps: a new stage is told among those that a service answers with by being newer than
every stage known before.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.client.errors import Nonsense
from tui.model.board import BoardView, Stage
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, StageId
from tui.model.task import Status
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Finding,
    Footing,
    News,
    Nothing,
    Operation,
    Reply,
    Verdict,
)
from tui.store.operations.comparing import found_new, made, said, same_words, settled, verdict
from tui.store.operations.ids import About, Creates, new_local_id
from tui.store.operations.looking import stage_as_it_is
from tui.store.operations.stage_keeping import ArchiveStage
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line


@dataclass(frozen=True, slots=True)
class CreateStage(Operation):
    """Add a stage at the end of a board; `status` is what tasks become that are moved into it."""

    board_id: BoardId
    stage_id: Creates[StageId]
    title: str
    status: Status = Status.OPEN

    @classmethod
    def new(cls, board_id: int, title: str, status: Status = Status.OPEN) -> Self:
        """A stage that does not exist yet, under a local id of its own."""
        return cls(board_id, new_local_id(), title, status)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the stage as its last."""
        if view.stage(self.stage_id) is not None:
            return view
        last = view.stages[-1].position if view.stages else 0.0
        return view.with_stage(
            Stage(self.stage_id, self.board_id, line(self.title), last + 1.0, self.status)
        )

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and tell the new one among the stages that come back."""
        known = {stage.id for stage in truth.stages}
        changed = await remote.create_stage(self.board_id, self.title, self.status)
        new = [stage for stage in changed if self._looks_like_ours(stage)]
        if not new:
            raise Nonsense("The service did not say which stage it made.", may_have_happened=True)
        stage = max(new, key=lambda one: (one["id"] not in known, one["id"]))
        return made("stage", {**stage, "board_id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the board for exactly one new stage with our title."""
        board = await remote.board(self.board_id)
        stages = [{**stage, "board_id": self.board_id} for stage in board.get("stages") or ()]
        return found_new("stage", stages, self._looks_like_ours, footing.newest_id)

    def _looks_like_ours(self, stage: Document) -> bool:
        return same_words(stage.get("title"), self.title)

    def merged_with(self, later: Operation) -> Operation | None:
        """A stage that was never made need not be archived, nor be made under an old name."""
        if isinstance(later, RenameStage):
            return replace(self, title=later.title)
        if isinstance(later, SetStageStatus):
            return replace(self, status=later.status)
        return Nothing(self.board_id) if isinstance(later, ArchiveStage) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it."""
        del detail
        view = self.apply(before)
        return (ArchiveStage.on(view, self.stage_id),)

    def describe(self) -> str:
        """The new stage's title."""
        return f"Add the stage {quoted(line(self.title))}"


@dataclass(frozen=True, slots=True)
class RenameStage(Operation):
    """Rename a stage."""

    board_id: BoardId
    stage_id: About[StageId]
    title: str
    old_title: str | None = None

    @classmethod
    def on(cls, stage: Stage, title: str) -> Self:
        """Give `stage` a new title."""
        return cls(stage.board_id, stage.id, title, stage.title)

    @property
    def keeps_base(self) -> bool:
        """It knows what the stage was called."""
        return self.old_title is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether it is called so already."""
        return self.title == self.old_title

    def apply(self, view: BoardView) -> BoardView:
        """The board with the stage under its new title."""
        stage = view.stage(self.stage_id)
        return view if stage is None else view.with_stage(replace(stage, title=line(self.title)))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the title."""
        del truth
        stage = await remote.update_stage(self.board_id, self.stage_id, self.title)
        return said("stage", {**stage, "board_id": self.board_id})

    async def look(self, remote: Remote) -> Document | None:
        """The stage as it is now."""
        return await stage_as_it_is(remote, self.board_id, self.stage_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the title read back with ours and with the one known before."""
        now = await self.look(remote)
        title = None if now is None else now.get("title")
        before = self.old_title if footing.before is None else footing.before.get("title")
        return settled(
            now,
            News("stage", self.stage_id, now),
            is_ours=same_words(title, self.title),
            was_known=before is not None and same_words(title, before),
        )

    def check(self, now: Document) -> Verdict:
        """The title, three ways."""
        return verdict(
            "title",
            mine=self.title,
            theirs=str(now.get("title") or ""),
            base=self.old_title,
            reply=said("stage", now),
        )

    def on_top_of(self, now: Document) -> Self:
        """The same title, whatever it is called now."""
        return replace(self, old_title=str(now.get("title") or ""))

    def merged_with(self, later: Operation) -> Operation | None:
        """Only the last title counts."""
        if isinstance(later, RenameStage):
            return replace(self, title=later.title)
        return None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The title it had."""
        del detail
        stage = before.stage(self.stage_id)
        if stage is None:
            return ()
        return (replace(self, title=stage.title, old_title=line(self.title)),)

    def describe(self) -> str:
        """Both titles, the new one last."""
        if self.old_title is None:
            return f"Rename a stage to {quoted(line(self.title))}"
        return f"Rename the stage {quoted(line(self.old_title))} to {quoted(line(self.title))}"


@dataclass(frozen=True, slots=True)
class SetStageStatus(Operation):
    """Say what tasks become that are moved into a stage; `name` is the stage's title."""

    board_id: BoardId
    stage_id: About[StageId]
    name: str
    status: Status

    @classmethod
    def on(cls, stage: Stage, status: Status) -> Self:
        """Have tasks become `status` in `stage`."""
        return cls(stage.board_id, stage.id, stage.title, status)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the stage's new default."""
        stage = view.stage(self.stage_id)
        if stage is None:
            return view
        return view.with_stage(replace(stage, default_status=self.status))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the status with the title the stage has, which services want beside it."""
        stage = truth.stage(self.stage_id)
        title = self.name if stage is None else stage.title
        document = await remote.set_stage_status(self.board_id, self.stage_id, title, self.status)
        return said("stage", {**document, "board_id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """There are two values only: ours is done, the other is not."""
        del footing
        now = await stage_as_it_is(remote, self.board_id, self.stage_id)
        return settled(
            now, News("stage", self.stage_id, now), is_ours=self._is_so(now), was_known=True
        )

    def _is_so(self, now: Document | None) -> bool:
        settings = None if now is None else now.get("settings")
        status = settings.get("default_task_status") if isinstance(settings, dict) else None
        return (status or Status.OPEN) == self.status

    def merged_with(self, later: Operation) -> Operation | None:
        """Only the last one counts."""
        return later if isinstance(later, SetStageStatus) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The default it had."""
        del detail
        stage = before.stage(self.stage_id)
        return () if stage is None else (replace(self, status=stage.default_status),)

    def describe(self) -> str:
        """The stage and what it does."""
        closes = "close" if self.status is Status.CLOSED else "not close"
        return f"Have the stage {quoted(self.name)} {closes} what is moved into it"
