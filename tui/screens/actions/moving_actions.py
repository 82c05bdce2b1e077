"""Moving tasks to a stage found by name, or to another board.

Several tasks keep their order, and a move to where they are sends nothing.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature
from tui.model import lift
from tui.model.board import BoardView
from tui.model.task import Status, Task
from tui.screens.actions.cloning_actions import CloningActions
from tui.screens.actions.task_actions import named
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted

_NO_OTHER_BOARDS = "other boards are not offered by this service's edition"


class MovingActions(CloningActions):
    """A screen from which tasks are moved by the name of where they go."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "m", "move_to", "move", id="task.move-to", show=False,
            tooltip="Move to a stage or another board, found by name",
        ),
    ]  # fmt: skip

    @work(exclusive=True, group="dialog")
    async def action_move_to(self) -> None:
        """Ask where the chosen tasks go, and move them there."""
        from tui.dialogs.move_to import MoveToDialog

        tasks, view = self.need_tasks(), self.view
        if not tasks or view is None or not self.are_on_board(tasks, "moved"):
            return
        goes_elsewhere = self.store.offers(Feature.BOARD_MOVES) is not False
        boards = [
            board
            for board in self.store.boards()
            if goes_elsewhere and board.archived_at is None and board.id != view.board.id
        ]
        here = {task.stage_id for task in tasks if task.stage_id is not None}
        destination = await self.app.push_screen_wait(
            MoveToDialog(
                f"Move {named(tasks)} to …",
                view,
                here=here,
                boards=boards,
                note="" if goes_elsewhere else _NO_OTHER_BOARDS,
            )
        )
        if destination is None:
            return
        if destination.board_id is not None:
            await self._move_to_board(tasks, destination.board_id)
        elif destination.stage_id is not None:
            await self._move_within(tasks, destination.stage_id, is_top=destination.is_top)

    async def _move_within(self, tasks: Sequence[Task], stage_id: int, *, is_top: bool) -> None:
        """Move tasks to an end of a stage of this board."""
        view, stage_id, tasks = self.view, self.called(stage_id), self.as_now(tasks)
        if not tasks:
            return
        stage = view.stage(stage_id) if view is not None else None
        if view is None or stage is None:
            self.say("that stage is gone: nothing was moved", error=True)
            return
        if not is_top and len(view.in_stage(stage_id)) < view.count(stage_id):
            self.say("the board is still being read: try again in a moment")
            return
        moves = moves_to_end(view, tasks, stage_id, is_top=is_top)
        end = "top" if is_top else "bottom"
        if not moves:
            self.say(f"{named(tasks)} is at the {end} of {quoted(stage.title)} already")
        elif await self.submit(
            moves, f"moved {named(tasks)} to the {end} of {quoted(stage.title)}"
        ):
            self.tasks_changed()

    async def _move_to_board(self, tasks: Sequence[Task], board_id: int) -> None:
        """Ask for a stage of another board, and take tasks there."""
        board_id = self.called(board_id)
        target = self.store.board(board_id)
        board = next((one for one in self.store.boards() if one.id == board_id), None)
        if board is None:
            self.say("that board is gone: nothing was moved", error=True)
            return
        if target is None or not target.stages:
            self.say(
                f"the stages of {quoted(board.title)} are not known here yet",
                hint="open it once, then m moves there",
            )
            return
        stage_id = await self._stage_of(target, tasks)
        tasks = self.as_now(tasks) if stage_id is not None else ()
        if stage_id is None or not tasks:
            return
        stage = target.stage(stage_id)
        closes = stage is not None and stage.default_status is Status.CLOSED
        moves = [
            change.MoveTaskToBoard(task, board_id, stage_id, board.title, closes=closes)
            for task in tasks
        ]
        lost = ", without labels" if any(task.labels for task in tasks) else ""
        if await self.submit(moves, f"moved {named(tasks)} to {quoted(board.title)}{lost}"):
            self.tasks_changed()

    async def _stage_of(self, target: BoardView, tasks: Sequence[Task]) -> int | None:
        """The stage of another board to go to: asked for, if there is more than one."""
        from tui.dialogs.move_to import MoveToDialog

        if len(target.stages) == 1:
            return target.stages[0].id
        title = f"Move {named(tasks)} to {quoted(target.board.title)}, stage …"
        found = await self.app.push_screen_wait(MoveToDialog(title, target, both_ends=False))
        return None if found is None else found.stage_id


def moves_to_end(
    view: BoardView, tasks: Sequence[Task], stage_id: int, *, is_top: bool
) -> list[Operation]:
    """What moves tasks to an end of a stage in the order of the board; none if they are there."""
    stage = view.stage(stage_id)
    lifted = lift.lift(view, [task.id for task in tasks], tasks[0].id) if tasks else None
    if stage is None or lifted is None:
        return []
    row = 0 if is_top else len(view.in_stage(stage_id))
    lifted = lift.to_stage(lifted, view, view.stages.index(stage), row)
    if lift.is_at_home(lifted, view, view):
        return []
    return [
        change.MoveTask.on(task, stage_id, place, stage_title=stage.title)
        for task, place in lift.places(lifted, view)
    ]
