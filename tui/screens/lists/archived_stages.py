"""The archived stages of a board, last archived first, to be restored with their cards."""

from collections.abc import Sequence

from tui.actions.action import board_action
from tui.actions.tasks.history import HistoryActions
from tui.client.capabilities import Feature
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.online import archive
from tui.store.online.archive import ArchivedStage
from tui.text.clean import counted, quoted
from tui.text.dates import age
from tui.widgets.row_list import ListColumn


class ArchivedStagesScreen(TableScreen[ArchivedStage]):
    """The archived stages of a board."""

    heading, row_name, opens = "Archived stages", "archived stage", "archived_stages.restore"
    nothing = ("no archived stages", "{stage.archive:S A} on the board archives one")
    actions_of = (HistoryActions,)
    columns = (
        ListColumn("stage"),
        ListColumn("archived", width=17, role="quiet", align="right", gap=1),
    )
    _archived: Sequence[ArchivedStage] = ()

    async def load_rows(self) -> None:
        service = await self.store.service()
        self._archived = await archive.archived_stages(service, self.board_id)

    def rows(self) -> Sequence[ArchivedStage]:
        active = set() if self.view is None else {stage.id for stage in self.view.stages}
        return [row for row in self._archived if row.stage.id not in active]

    def key(self, row: ArchivedStage) -> int:
        return row.stage.id

    def words(self, row: ArchivedStage) -> str:
        return row.stage.title

    def cells(self, row: ArchivedStage) -> Sequence[str]:
        when, now = "", self.context.now()
        if row.archived_at is not None:
            when = f"{counted(*age(min(row.archived_at, now), now))} ago"
        return f" {row.stage.title or '(no title)'}", when

    @board_action("archived_stages.restore", "A", "Restore stage", hint="restore")
    async def restore(self) -> None:
        rows = self.need_rows()
        if not rows:
            return
        # The cards are read while the stage is archived: restoring it needs them and their order.
        restored = [
            change.RestoreStage(
                row.stage, await self.store.tasks_of_archived_stage(self.board_id, row.stage.id)
            )
            for row in rows
        ]
        names = ", ".join(quoted(row.stage.title) for row in rows)
        keeps_order = self.store.offers(Feature.ARCHIVED_TASKS) or all(
            operation.tasks for operation in restored
        )
        loss = "" if keeps_order else "; the order of its cards may be lost"
        await self.submit(f"restored the stage {names}{loss}", *restored)


SCREEN = ArchivedStagesScreen
