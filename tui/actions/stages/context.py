"""The context of actions on stages: the stage at the cursor."""

from collections.abc import Callable
from typing import Protocol

from textual.screen import Screen

from tui.actions.host import Answer
from tui.actions.tasks.context import TaskContext
from tui.config.preferences import LIMITS
from tui.model.board import BoardView, Stage
from tui.model.moving import stage_lift
from tui.model.moving.stage_lift import StageLift
from tui.store import operations as change
from tui.text.clean import quoted


class Columns(Protocol):
    """The columns of a board, one of which has the cursor."""

    @property
    def stage_id(self) -> int | None:
        """The stage at the cursor; None on a board without stages."""

    def lift_column(self) -> None:
        """Lift the column at the cursor."""

    def go_to_stage(self, stage_id: int) -> bool:
        """Move the cursor to the title of a stage; whether the board has it."""


class StageContext:
    """The stage at the cursor; `tasks` is the context of its board, `redraw` draws it again."""

    def __init__(self, tasks: TaskContext, columns: Columns, redraw: Callable[[], None]) -> None:
        self.tasks = tasks
        self.columns = columns
        self.redraw = redraw
        self.say = tasks.say
        self.ask = tasks.ask
        self.submit = tasks.submit

    @property
    def view(self) -> BoardView | None:
        """The board as it is in the store now."""
        return self.tasks.view

    def need_stage(self) -> Stage | None:
        """The stage at the cursor; say so if the board has none."""
        stage = self.view.stage(self.columns.stage_id) if self.view is not None else None
        if stage is None:
            self.say("this board has no stages yet", hint="{stage.new-right:S n} makes one")
        return stage

    def need_loaded(self) -> tuple[BoardView, Stage] | None:
        """The board with the stage at the cursor; say so while not all of its cards are loaded."""
        stage, view = self.need_stage(), self.view
        if stage is None or view is None:
            return None
        if not view.complete:
            self.say("the board is still loading: try again in a moment")
            return None
        return view, stage

    async def ask_about(
        self, stage: Stage, dialog: Screen[Answer | None]
    ) -> tuple[Answer, BoardView, Stage] | None:
        """The answer of a dialog about a stage, with the board and the stage as they are then.

        None if it was cancelled or not confirmed, or if the stage is gone, which is said.
        """
        answer = await self.ask(dialog)
        now = self.as_now(stage) if answer else None
        return None if answer is None or now is None else (answer, *now)

    def as_now(self, stage: Stage) -> tuple[BoardView, Stage] | None:
        """The board with a stage as they are now, after a dialog; say so if the stage is gone."""
        view = self.view
        now = view.stage(self.tasks.called(stage.id)) if view is not None else None
        if view is None or now is None:
            self.say(f"the stage {quoted(stage.title)} is gone: nothing was changed", error=True)
            return None
        return view, now

    def keep_limit(self, stage_id: int, limit: int | None) -> None:
        """Store the user's card limit of a stage, and draw it."""
        limits = {**self.tasks.limits, stage_id: limit}
        kept = {one: most for one, most in limits.items() if most is not None}
        self.tasks.context.preferences.keep(self.tasks.board_id, **{LIMITS: kept})
        self.redraw()

    async def move(self, lifted: StageLift) -> None:
        """Move a stage to where it was dropped; nothing if that is where it was."""
        view = self.view
        stage = view.stage(lifted.stage_id) if view is not None else None
        if view is None or stage is None:
            return
        place = stage_lift.place(lifted, view)
        if place is None:
            self.say(f"the stage {quoted(stage.title)} stays where it is")
        else:
            moved = change.MoveStage.on(stage, place)
            await self.submit([moved], f"moved the stage {quoted(stage.title)}")
