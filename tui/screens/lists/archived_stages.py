"""The archived stages of a board, to be restored with their cards."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.client.capabilities import Feature
from tui.context import Context
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.online import archive
from tui.store.online.archive import ArchivedStage
from tui.store.protocol import Store
from tui.text.cells import fit
from tui.text.clean import counted, quoted
from tui.text.dates import age
from tui.widgets.painted import Line

_AGE_WIDTH = 16


class ArchivedStages:
    """The archived stages of a board, last archived first; `now` is the wall-clock time."""

    title, row, opens = "Archived stages", "archived stage", "archived_stages.restore"
    move = None

    def __init__(self, store: Store, board_id: int, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self.board_id = board_id
        self._found: tuple[ArchivedStage, ...] = ()

    async def load(self) -> None:
        remote = await self._store.service()
        self._found = await archive.archived_stages(remote, self.board_id)

    def rows(self) -> Sequence[ArchivedStage]:
        """Those that are not restored meanwhile."""
        view = self._store.board(self.board_id)
        active = set() if view is None else {stage.id for stage in view.stages}
        return [row for row in self._found if row.stage.id not in active]

    def key(self, row: ArchivedStage) -> int:
        return row.stage.id

    def words(self, row: ArchivedStage) -> str:
        return row.stage.title

    def line(self, row: ArchivedStage, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        when = ""
        if row.archived_at is not None:
            when = f"{counted(*age(min(row.archived_at, self._now()), self._now()))} ago "
        title = fit(row.stage.title or "(no title)", max(1, width - 2 - _AGE_WIDTH))
        return ((" ", "title"), (f"{title} ", "title"), (when.rjust(_AGE_WIDTH), "count"))

    def empty(self) -> tuple[str, str]:
        return "no archived stages", "{stage.archive:S A} on the board archives one"


class RestoreStages(Action[ListContext[ArchivedStage]]):
    """Brings the stages back as the last ones, with their cards."""

    id, keys, label, hint = "archived_stages.restore", "A", "Restore stage", "restore"
    changes_board = True

    async def run(self, on: ListContext[ArchivedStage]) -> None:
        rows = on.need_rows()
        if not rows:
            return
        restored = [
            change.RestoreStage(
                row.stage, await on.store.tasks_of_archived_stage(on.board_id, row.stage.id)
            )
            for row in rows
        ]
        names = ", ".join(quoted(row.stage.title) for row in rows)
        keeps_order = on.store.offers(Feature.ARCHIVED_TASKS) or all(
            operation.tasks for operation in restored
        )
        said = "" if keeps_order else "; services may lose the order of its cards"
        await on.submit(f"restored the stage {names}{said}", *restored)


ACTIONS: tuple[Action[ListContext[ArchivedStage]], ...] = (RestoreStages(), *HISTORY_ACTIONS)


class ArchivedStagesScreen(ListScreen):
    """The archived stages of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        content = ArchivedStages(context.store, board_id, context.now)
        super().__init__(context, board_id, content, ACTIONS)


SCREEN = ArchivedStagesScreen
