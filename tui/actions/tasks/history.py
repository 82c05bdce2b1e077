"""Undo and redo of the steps on a board."""

from tui.actions.action import Action
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.context import TaskContext
from tui.store.events import UndoNeedsConfirmation


class Undo(Action[TaskContext]):
    """Undoes the last step on the board."""

    id, keys, label, summary = "board.undo", "u", "undo", "Undo the last change"
    is_hinted = changes_board = True

    async def run(self, on: TaskContext) -> None:
        await _travel(on, back=True)


class Redo(Action[TaskContext]):
    """Redoes what was undone last."""

    id, keys, label, summary = "board.redo", "U", "Redo", "Redo what was undone"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        await _travel(on, back=False)


async def _travel(on: TaskContext, *, back: bool, force: bool = False) -> None:
    """Undo or redo; where others changed the same since, ask first."""
    travel = on.store.undo if back else on.store.redo
    with ErrorsSaid(on.host):
        try:
            what = await travel(on.board_id, force=force)
        except UndoNeedsConfirmation as asked:
            on.host.run_worker(_ask_even_so(on, asked, back=back), group="dialog", exclusive=True)
        else:
            nothing = "nothing to undo" if back else "nothing to redo"
            on.say(nothing if what is None else f"{'undone' if back else 'redone'}: {what}")


async def _ask_even_so(on: TaskContext, asked: UndoNeedsConfirmation, *, back: bool) -> None:
    """Show what would be undone or redone, and go on only where that is wanted."""
    from tui.dialogs.conflict import EvenSoDialog

    if await on.ask(EvenSoDialog(asked, on.now(), back=back)):
        await _travel(on, back=back, force=True)
    else:
        on.say("left as it is now")
