"""The archived cards of a board, last archived first: search, restore, delete.

A service that has no list of them is asked for what its activities and the cache name.
"""

from collections.abc import Sequence

from tui.actions.action import action, board_action
from tui.actions.card_actions import what_goes
from tui.actions.tasks.cards import named
from tui.actions.tasks.history import HistoryActions
from tui.client.capabilities import Feature
from tui.model.board import Place
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.list_order import ListOrder
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.events import PendingState
from tui.store.online import archive
from tui.store.online.archive import ArchivedTasks
from tui.text.clean import counted
from tui.text.dates import age
from tui.text.fuzzy import fold
from tui.widgets.painted import Line
from tui.widgets.row_list import ListColumn

_WIDE = 60


class ArchivedCardsScreen(TableScreen[Task]):
    """The archived cards of a board."""

    row_name, opens = "archived card", "archived.open"
    actions_of = (HistoryActions, ListOrder)
    columns = (
        ListColumn("card", gap=1),
        ListColumn("stage", width=18, role="quiet", least=_WIDE, wide=57),
        ListColumn("archived", width=16, role="quiet", align="right", gap=1, least=_WIDE),
        ListColumn("", width=6, role="quiet", align="right", gap=1, most=_WIDE - 1),
    )
    sortable = ("card", "stage", "archived")
    _archived = ArchivedTasks()
    _deleted: frozenset[int] = frozenset()

    @property
    def heading(self) -> str:
        return "Archived cards" + ("" if self._archived.is_complete else ", as far as loaded")

    def empty(self) -> tuple[str, str]:
        if self._archived.is_complete:
            return "no archived cards", "{task.archive:A} on a card archives it"
        return "this service cannot list archived cards", "none in its recent activity"

    async def load_rows(self) -> None:
        cached = await self.store.archived_tasks(self.board_id)
        if not self._archived.tasks:
            self._archived = ArchivedTasks(archive.in_order(cached), is_complete=False)
        service, view = await self.store.service(), self.view
        active = set() if view is None else {task.id for task in view.all_tasks()}
        self._archived = await archive.archived_tasks(
            service, self.board_id, known=cached, active=active, previous=self._archived
        )

    def rows(self) -> Sequence[Task]:
        for pending in self.store.pending(self.board_id):
            # A delivered deletion is pending no more, but the fetched list still has the card. A
            # refused one comes back.
            if isinstance(pending.operation, change.DeleteTask):
                deleted = {pending.operation.task.id}
                is_refused = pending.state is PendingState.REFUSED
                self._deleted = self._deleted - deleted if is_refused else self._deleted | deleted
        active = () if self.view is None else self.view.all_tasks()
        hidden = self._deleted.union(task.id for task in active)
        return [task for task in self._archived.tasks if task.id not in hidden]

    def sort_value(self, column: str, row: Task) -> object:
        if column == "archived":
            return row.archived_at
        stage = None if self.view is None else self.view.stage(row.stage_id)
        return fold(row.title if column == "card" else stage.title if stage is not None else "")

    def words(self, row: Task) -> str:
        return row.title

    def cells(self, row: Task) -> Sequence[str | Line]:
        stage = None if self.view is None else self.view.stage(row.stage_id)
        when = short = ""
        if row.archived_at is not None:
            now = self.context.now()
            count, unit = age(min(row.archived_at, now), now)
            when, short = f"{counted(count, unit)} ago", f"{count}{unit[0]}"
        return (
            (
                (" ", "text"),
                (row.title or "(no title)", "quiet" if row.is_closed else "text"),
            ),
            "(archived stage)" if stage is None else stage.title,
            when,
            short,
        )

    @action("archived.open", "o", "Open card")
    def open_card(self) -> None:
        row = self.need_row()
        if row is not None:
            self.post_message(TaskRequested(self.board_id, row.id))

    @board_action("archived.restore", "A", "Restore card", hint="restore")
    async def restore(self) -> None:
        rows, view = self.need_rows(), self.view
        if not rows:
            return
        back = [row for row in rows if view is not None and view.stage(row.stage_id) is not None]
        if not back:
            self.say(
                f"its stage is archived: {named(rows)}",
                hint="restore the stage first: {stage.archived:S R} on the board",
            )
            return
        left = len(rows) - len(back)
        more = f"; {counted(left, 'card')} not restored: the stage is archived" if left else ""
        operations = [change.RestoreTask.on(row) for row in reversed(back)]
        await self.submit(f"restored {named(back)}{more}", *operations)

    @board_action("archived.delete", "D", "Delete card", hint="delete", asks=True,
            needs=Feature.TASK_DELETION)  # fmt: skip
    async def delete(self) -> None:
        rows = self.need_rows()
        if rows and await self.confirm(f"Delete {named(rows)}?", what_goes(rows)):
            deletions = [change.DeleteTask(row, Place()) for row in rows]
            await self.submit(f"deleted {named(rows)}", *deletions)


SCREEN = ArchivedCardsScreen
