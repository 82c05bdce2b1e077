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
    Nothing,
    Operation,
    Reply,
    operation,
)
from tui.store.operations.comparing import found_new, made, same_words
from tui.store.operations.edit import is_edit
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.stage_keeping import ArchiveStage
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line


@operation("create-stage")
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
        if is_edit(later, "title", "stage"):
            return replace(self, title=later.text)
        if is_edit(later, "status", "stage"):
            return replace(self, status=Status(later.text))
        return Nothing(self.board_id) if isinstance(later, ArchiveStage) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it."""
        del detail
        view = self.apply(before)
        return (ArchiveStage.on(view, self.stage_id),)

    def describe(self) -> str:
        """The new stage's title."""
        return f"Add the stage {quoted(line(self.title))}"
