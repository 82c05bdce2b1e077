"""Actions on the stage at the cursor of a board."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext
from tui.model import stage_lift
from tui.model.board import BoardView, Place, Stage
from tui.model.stage_lift import StageLift
from tui.model.task import Status
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

if TYPE_CHECKING:
    from tui.dialogs.form import Field


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
    """The stage at the cursor; `tasks` is the context of its board."""

    def __init__(self, tasks: TaskContext, columns: Columns) -> None:
        self.tasks = tasks
        self.columns = columns
        self.say = tasks.say
        self.ask = tasks.ask

    @property
    def view(self) -> BoardView | None:
        """The board as it is in the store now."""
        return self.tasks.view

    def need_stage(self) -> Stage | None:
        """The stage at the cursor; say so if the board has none."""
        stage = self.view.stage(self.columns.stage_id) if self.view is not None else None
        if stage is None:
            self.say("this board has no stages yet", hint="S n makes one")
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

    def as_now(self, stage: Stage) -> tuple[BoardView, Stage] | None:
        """The board with a stage as they are now, after a dialog; say so if the stage is gone."""
        view = self.view
        now = view.stage(self.tasks.called(stage.id)) if view is not None else None
        if view is None or now is None:
            self.say(f"the stage {quoted(stage.title)} is gone: nothing was changed", error=True)
            return None
        return view, now

    async def submit(self, operations: Sequence[Operation], message: str) -> bool:
        """Submit operations as one undo step and show `message`; whether that worked."""
        return await self.tasks.submit(operations, message)

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


class NewStage(Action[StageContext]):
    """Asks for title and default status of a stage, and creates it beside the one at the cursor."""

    changes_board = asks = True

    def __init__(self, side: str, key: str) -> None:
        self.id, self.keys, self.label = f"stage.new-{side}", f"S {key}", f"New stage {side}"
        self._side = side

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog, required

        stage = on.view.stage(on.columns.stage_id) if on.view is not None else None
        beside = "" if stage is None else f" {self._side} of {quoted(stage.title)}"
        form = FormDialog(
            f"New stage{beside}",
            (_title_field(""), _status_field(Status.OPEN)),
            verb="make it",
            check=required("title", "The title"),
        )
        answer = await on.ask(form)
        if answer is None or on.view is None:
            return
        title = " ".join(answer["title"].split())
        made = change.CreateStage.new(on.tasks.board_id, title, Status(answer["status"]))
        operations: list[Operation] = [made]
        ids = [each.id for each in on.view.stages]
        here = on.tasks.called(stage.id) if stage is not None else None
        index = ids.index(here) + (self._side == "right") if here in ids else len(ids)
        if index < len(ids):
            place = Place(ids[index - 1] if index else None, ids[index])
            operations.append(change.MoveStage(made.board_id, made.stage_id, title, place))
        if await on.submit(operations, f"added the stage {quoted(title)}"):
            on.columns.go_to_stage(on.tasks.called(made.stage_id))


class RenameStage(Action[StageContext]):
    """Asks for a new title of the stage."""

    id, keys, label = "stage.rename", "S r", "Rename stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog, required

        stage = on.need_stage()
        if stage is None:
            return
        form = FormDialog(
            f"Stage {quoted(stage.title)}",
            [_title_field(stage.title)],
            check=required("title", "The title"),
        )
        answer = await on.ask(form)
        now = on.as_now(stage) if answer is not None else None
        if answer is None or now is None:
            return
        title = " ".join(answer["title"].split())
        if title != now[1].title:
            await on.submit([change.rename_stage(now[1], title)], f"renamed to {quoted(title)}")


class ArchiveStage(Action[StageContext]):
    """Asks for confirmation, then archives the stage with its cards."""

    id, keys, label = "stage.archive", "S A", "Archive stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        loaded = on.need_loaded()
        if loaded is None:
            return
        view, stage = loaded
        text = f"{_goes(view.count(stage.id))}\nu brings it back, S R lists archived stages."
        asked = ConfirmDialog(f"Archive the stage {quoted(stage.title)}?", text)
        now = on.as_now(stage) if await on.ask(asked) else None
        if now is not None:
            archived = change.ArchiveStage.on(now[0], now[1].id)
            await on.submit([archived], f"archived the stage {quoted(stage.title)}")


def _goes(count: int) -> str:
    """What archiving a stage does to its cards."""
    if not count:
        return "It has no cards."
    return f"Its {counted(count, 'card')} {'goes' if count == 1 else 'go'} with it."


def _title_field(title: str) -> "Field":
    from tui.dialogs.form import Field

    return Field("title", "Title", title, placeholder="title")


def _status_field(status: Status) -> "Field":
    from tui.dialogs.form import Choice, Field

    choices = [Choice(Status.OPEN, "keep status"), Choice(Status.CLOSED, "are closed")]
    return Field("status", "Moved cards", status, choices)


class LiftStage(Action[StageContext]):
    """Lifts the column, so that the keys of the cursor move it."""

    id, keys, label = "stage.lift", "S m", "Move stage"
    changes_board = True

    async def run(self, on: StageContext) -> None:
        on.columns.lift_column()


STAGE_ACTIONS: tuple[Action[StageContext], ...] = (
    NewStage("right", "n"), NewStage("left", "N"), RenameStage(), LiftStage(), ArchiveStage(),
)  # fmt: skip
"""The actions on the stage at the cursor of a board."""
