"""Moving tasks to a stage found by name, or to another board, and copying them.

Several tasks keep their order, and a move to the same position sends nothing.
"""

from collections.abc import Sequence

from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.client.capabilities import Feature
from tui.model.board import BoardView
from tui.model.detail import Part
from tui.model.moving import lift
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted

_RECENT = "destinations"
_NO_OTHER_BOARDS = "other boards are not offered by this service's edition"


class MoveTo(Action[TaskContext]):
    """Asks for a stage or a board, and moves the selected tasks there."""

    id, keys, label = "task.move-to", "m", "Move to stage or board"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.pick.find import MoveToDialog

        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None or not are_on_board(on, tasks, "moved"):
            return
        goes_elsewhere = on.store.offers(Feature.BOARD_MOVES) is not False
        boards = [
            board
            for board in on.store.boards()
            if goes_elsewhere and board.archived_at is None and board.id != view.board.id
        ]
        here = {task.stage_id for task in tasks if task.stage_id is not None}
        destination = await on.ask(
            MoveToDialog(
                f"Move {named(tasks)} to …",
                view,
                here=here,
                boards=boards,
                note="" if goes_elsewhere else _NO_OTHER_BOARDS,
                recent=on.context.preferences.recent(on.board_id, _RECENT),
            )
        )
        if destination is None:
            return
        is_moved = False
        if destination.board_id is not None:
            is_moved = await _move_to_board(on, tasks, destination.board_id)
        elif destination.stage_id is not None:
            is_moved = await _move_within(
                on, tasks, destination.stage_id, is_top=destination.is_top
            )
        if is_moved:
            on.context.preferences.used(on.board_id, _RECENT, [destination.key])


async def _move_within(
    on: TaskContext, tasks: Sequence[Task], stage_id: int, *, is_top: bool
) -> bool:
    """Move tasks to the top or bottom of a stage of this board; whether they were moved."""
    view, stage_id, tasks = on.view, on.called(stage_id), on.as_now(tasks)
    if not tasks:
        return False
    stage = view.stage(stage_id) if view is not None else None
    if view is None or stage is None:
        on.say("that stage no longer exists: nothing was moved", error=True)
        return False
    if not is_top and len(view.in_stage(stage_id)) < view.count(stage_id):
        on.say("the board is still loading: try again in a moment")
        return False
    moves = moves_to_end(view, tasks, stage_id, is_top=is_top)
    end = "top" if is_top else "bottom"
    if not moves:
        on.say(f"{named(tasks)} is at the {end} of {quoted(stage.title)} already")
        return False
    return await on.change(moves, f"moved {named(tasks)} to the {end} of {quoted(stage.title)}")


async def _move_to_board(on: TaskContext, tasks: Sequence[Task], board_id: int) -> bool:
    """Ask for a stage of another board and move tasks there; whether they were moved."""
    board_id = on.called(board_id)
    target = on.store.board(board_id)
    board = next((one for one in on.store.boards() if one.id == board_id), None)
    if board is None:
        on.say("that board no longer exists: nothing was moved", error=True)
        return False
    if target is None or not target.stages:
        on.say(
            f"the stages of {quoted(board.title)} are not loaded yet",
            hint="open it once, then {task.move-to:m} moves there",
        )
        return False
    stage_id = await _target_stage(on, target, tasks)
    tasks = on.as_now(tasks) if stage_id is not None else ()
    if stage_id is None or not tasks:
        return False
    stage = target.stage(stage_id)
    closes = stage is not None and stage.default_status is Status.CLOSED
    moves = [
        change.MoveTaskToBoard(task, board_id, stage_id, board.title, closes=closes)
        for task in tasks
    ]
    lost = ", without labels" if any(task.labels for task in tasks) else ""
    return await on.change(moves, f"moved {named(tasks)} to {quoted(board.title)}{lost}")


async def _target_stage(on: TaskContext, target: BoardView, tasks: Sequence[Task]) -> int | None:
    """The target stage on another board; ask if there is more than one. None if cancelled."""
    from tui.dialogs.pick.find import MoveToDialog

    if len(target.stages) == 1:
        return target.stages[0].id
    title = f"Move {named(tasks)} to {quoted(target.board.title)}, stage …"
    found = await on.ask(MoveToDialog(title, target, both_ends=False))
    return None if found is None else found.stage_id


def are_on_board(on: TaskContext, tasks: Sequence[Task], done: str) -> bool:
    """Whether all tasks are cards on the board; if not, say why they cannot be `done` (“moved”)."""
    if any(task.parent_id is not None for task in tasks):
        on.say(
            f"a subtask is {done} in its list of subtasks",
            hint="{subtask.lift:space} lifts, {subtask.clone:C} copies",
        )
    elif any(task.archived_at is not None for task in tasks):
        on.say(f"an archived task is not {done}", hint="{task.archive:A} restores it")
    else:
        return True
    return False


def moves_to_end(
    view: BoardView, tasks: Sequence[Task], stage_id: int, *, is_top: bool
) -> list[Operation]:
    """Operations that move tasks, in board order, to an end of a stage; none if already there."""
    stage = view.stage(stage_id)
    lifted = lift.lift(view, [task.id for task in tasks], tasks[0].id) if tasks else None
    if stage is None or lifted is None:
        return []
    row = 0 if is_top else len(view.in_stage(stage_id))
    lifted = lift.to_stage(lifted, view, view.stages.index(stage), row)
    if lift.is_at_home(lifted, view, view.in_stage(stage_id)):
        return []
    return [
        change.MoveTask.on(task, stage_id, place, stage_title=stage.title)
        for task, place in lift.places(lifted, view)
    ]


class Copy(Action[TaskContext]):
    """Asks for the parts to copy and the stage, and clones the selected tasks."""

    id, keys, label = "task.clone", "C", "Clone task"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.clone import CloneDialog

        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None or not are_on_board(on, tasks, "copied"):
            return
        wanted = await on.ask(
            CloneDialog(
                f"Copy {named(tasks)}",
                tasks,
                view.stages,
                no_subtasks=on.why_lacking(tasks, Part.SUBTASKS),
            )
        )
        tasks = on.as_now(tasks) if wanted is not None else ()
        if wanted is None or not tasks:
            return
        stage = view.stage(wanted.stage_id)
        stage_id = None if stage is None else on.called(stage.id)
        parts = change.CloneParts(
            people="people" in wanted.parts,
            labels="labels" in wanted.parts,
            subtasks="subtasks" in wanted.parts,
            comments="comments" in wanted.parts,
        )
        copies = [
            change.CloneTask.of(task, stage_id=stage_id, title=wanted.title, parts=parts)
            for task in tasks
        ]
        where = "" if stage is None else f" to {quoted(stage.title)}"
        await on.change(copies, f"copied {named(tasks)}{where}")
