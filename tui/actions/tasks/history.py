"""Undo and redo of the steps on a board, or in a list of several boards on any of them.

The cursor moves to what was changed, if the screen shows it, and the message says where that is.
"""

from collections.abc import Callable

from tui.actions.action import action, board_action
from tui.actions.host import Host
from tui.context import Context
from tui.model.board import BoardView, Stage
from tui.store import operations as change
from tui.store.events import Undone, UndoNeedsConfirmation
from tui.store.operations.base import Operation
from tui.store.protocol import Store
from tui.text.clean import quoted
from tui.widgets import glyphs
from tui.widgets.bars import key_name


class HistoryActions:
    """Undo and redo of the steps on the board of a screen."""

    def __init__(
        self,
        host: Host,
        board_id: Callable[[], int],
        go_to: Callable[[Operation], str | None] = lambda _: None,
    ) -> None:
        self._host = host
        self._store = host.context.store
        self._board_id = board_id
        self._go_to = go_to

    @board_action("board.undo", "u", "Undo", hint="undo", arguments=(True,))
    @board_action("board.redo", "U", "Redo", arguments=(False,))
    async def undo_or_redo(self, back: bool, *, force: bool = False) -> None:
        # Asks first if others changed the same thing since, unless `force`.
        host, store, shown_id = self._host, self._store, self._board_id()
        call = store.undo if back else store.redo
        board_id = shown_id or await store.board_of_last("undo" if back else "redo")
        # Read before undoing, to say whether the card changed its stage.
        previous = store.board(board_id or 0)
        try:
            undone = None if board_id is None else await call(board_id, force=force)
        except UndoNeedsConfirmation as asked:
            await self._confirm(asked, back=back)
            return
        if undone is None or board_id is None:
            host.say("nothing to undo" if back else "nothing to redo")
            return
        where = self._follow(undone, shown_id, previous, store.board(board_id))
        outcome = f"{'Undone' if back else 'Redone'}: {_changed(undone)}"
        message = ". ".join(filter(None, (" · ".join(filter(None, (outcome, where))), undone.lost)))
        host.say(message, hint=undo_hint(host.context, redoes=back), sign=glyphs.DONE)

    async def _confirm(self, asked: UndoNeedsConfirmation, *, back: bool) -> None:
        from tui.dialogs.conflict import EvenSoDialog

        if await self._host.ask(EvenSoDialog(asked, self._host.context.now(), back=back)):
            await self.undo_or_redo(back, force=True)
        else:
            self._host.say("left unchanged")

    def _follow(
        self, undone: Undone, shown_id: int, previous: BoardView | None, current: BoardView | None
    ) -> str:
        is_on_several = len({operation.board_id for operation in undone.operations}) > 1
        for operation in undone.operations:
            note = self._go_to(operation)
            if note is not None and is_on_several:
                return note
            if note is not None:
                place = _where_is(self._store, operation, previous, current)
                return ", ".join(filter(None, (place, note)))
        if is_on_several:
            return ""
        places = (
            _where_is(self._store, operation, previous, current) for operation in undone.operations
        )
        where = next(filter(None, places), "")
        is_elsewhere = not shown_id and any(
            operation.subject.kind != "board" for operation in undone.operations
        )
        if current is None or not is_elsewhere:
            return where
        return f"{where} on {quoted(current.board.title)}".strip()


class HistoryOfAllBoards(HistoryActions):
    """Undo and redo on a screen of several boards: of the newest step of any of them.

    The role on the board at the cursor says nothing about that step.
    """

    def __init__(
        self, host: Host, go_to: Callable[[Operation], str | None] = lambda _: None
    ) -> None:
        super().__init__(host, lambda: 0, go_to)

    @action("board.undo", "u", "Undo", hint="undo", changes_more=True, arguments=(True,))
    @action("board.redo", "U", "Redo", changes_more=True, arguments=(False,))
    async def undo_or_redo(self, back: bool, *, force: bool = False) -> None:
        await super().undo_or_redo(back, force=force)


def undo_hint(context: Context, *, redoes: bool = False) -> str:
    """The key that undoes or redoes a step, as the user has set it; empty if there is none."""
    action_id, usual = ("board.redo", "U") if redoes else ("board.undo", "u")
    key = context.settings.keys.get(action_id, usual).partition(",")[0]
    word = "redo" if redoes else "undo"
    return f"{{{action_id}:{key_name(key)}}} {word}" if key else ""


def _changed(undone: Undone) -> str:
    """A step that was undone or redone: a field by its name, anything else as it is described."""
    first = undone.operations[0]
    noun = first.noun if isinstance(first, change.Edit) else ""
    described = first.describe()
    if noun and undone.step.startswith(described):
        return f"{noun}{undone.step.removeprefix(described)}"
    from tui.text.past import in_the_past

    return in_the_past(undone.step)


def _where_is(
    store: Store, operation: Operation, previous: BoardView | None, current: BoardView | None
) -> str:
    (kind, own_id), parent_id = operation.subject, operation.task_id
    task_id = own_id if kind == "task" else parent_id
    stage, was_in = _stage_of(current, task_id), _stage_of(previous, task_id)
    if stage is not None:
        is_there_still = was_in is not None and was_in.id == stage.id
        return f"{'' if is_there_still else 'now '}in {quoted(stage.title)}"
    around = store.detail(parent_id) if parent_id is not None else None
    lane = around.place_of(own_id) if around is not None and kind == "task" else None
    group = around.group(lane[0]) if around is not None and lane is not None else None
    if around is not None and group is not None:
        name = f"the group {quoted(group.in_words)} of " if group.title else ""
        return f"in {name}{quoted(around.task.title)}"
    if isinstance(operation, change.MoveTaskToBoard):
        return f"now on the board {quoted(operation.board_title)}"
    if isinstance(operation, change.ConvertToSubtask | change.ConvertToTask):
        return f"now a subtask of {quoted(operation.parent_name)}"
    if isinstance(operation, change.ArchiveTask | change.RestoreTask):
        return "now in the archive"
    is_archived = around is not None and around.task.archived_at is not None
    return "in the archive" if is_archived else ""


def _stage_of(view: BoardView | None, task_id: int | None) -> Stage | None:
    task = view.task(task_id) if view is not None and task_id is not None else None
    if view is None or task is None or task.stage_id is None:
        return None
    return view.stage(task.stage_id)
