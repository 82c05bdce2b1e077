"""The timeline of a saved view: its open cards on all its boards, as bars or as an agenda."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from tui.actions.tasks.history import HistoryOfAllBoards
from tui.context import Context
from tui.model.people import Role
from tui.model.task import Person, Task
from tui.model.timeline.rows import DatedRow, Groups, Places
from tui.model.work.saved_view import SavedView, ViewGroup
from tui.model.work.view_rows import ViewRow, grouped
from tui.screens.lists.timeline import TimelineScreen
from tui.screens.timeline.drawing import WIDE
from tui.screens.views.live import LiveViews
from tui.store.events import BoardChanged, BoardsChanged, StatusChanged, StoreEvent, SyncStatus
from tui.text.clean import line
from tui.widgets import glyphs
from tui.widgets.row_list import ListColumn

_ON_BOARDS = ("task.", "card.", "timeline.lift", "timeline.earlier", "timeline.later")
"""How the ids of actions begin that work on boards in memory."""


class ViewTimelineScreen(TimelineScreen):
    """The open cards of a view by date."""

    is_of_board: ClassVar[bool] = False

    def __init__(self, context: Context, view: SavedView) -> None:
        super().__init__(context)
        self.saved_view = view
        self.group = ViewGroup.PERSON
        self.live = LiveViews(self, "timeline of view")
        self._rows_by_id: dict[int, ViewRow] = {}
        # Of a board in the timeline of one.
        self.actions.offer(HistoryOfAllBoards(self, self.go_to))

    @property
    def origin(self) -> str:
        return line(self.saved_view.name)

    @property
    def view_here(self) -> SavedView:
        return self.saved_view

    @property
    def views_wanted(self) -> Sequence[SavedView]:
        return (self.saved_view,)

    @property
    def boards_in_sight(self) -> Iterable[int]:
        return (row.task.board_id for row in self.known)

    @property
    def own_board(self) -> int | None:
        return next((task.board_id for task in self.chosen_tasks), None)

    @property
    def role(self) -> Role:
        return self.live.role

    @property
    def sync_status(self) -> SyncStatus:
        return self.live.sync_status

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]  # of a view
        heading = f"board {glyphs.RIGHT} stage" if self.size.width >= WIDE else "board"
        return [
            column._replace(name=heading) if column.name == "stage" else column
            for column in super().columns
        ]

    @property
    def groupings(self) -> tuple[ViewGroup, ...]:
        return ViewGroup.PERSON, ViewGroup.STAGE, ViewGroup.BOARD, ViewGroup.LABEL

    async def load_rows(self) -> None:
        await self.live.load()

    def refresh_rows(self) -> None:
        self.live.all_are_stale()
        super().refresh_rows()

    async def on_unmount(self) -> None:
        await self.live.end()

    @property
    def groups(self) -> Groups:
        how = replace(self.saved_view, group=self.group)
        rows = self.live.results.rows(how, self.context.now())
        self._rows_by_id = {row.task.id: row for row in rows}
        return grouped(rows)

    @property
    def places(self) -> Places:
        if self.size.width < WIDE:
            return lambda task: self._rows_by_id[task.id].board

        def place(task: Task) -> str:
            row = self._rows_by_id[task.id]
            return f"{row.board} {glyphs.RIGHT} {row.stage}"

        return place

    def beside_title(self, row: DatedRow) -> str:
        # Grouped by board, its name is above.
        return "" if self.group is ViewGroup.BOARD else self._rows_by_id[row.task.id].board

    @property
    def people(self) -> tuple[Person, ...]:
        about = self.live.results.about(self.saved_view)
        return () if about is None else tuple(about.people)

    def empty(self) -> tuple[str, str]:
        results = self.live.results
        boards = results.boards_of(self.saved_view)
        if boards and len(results.missing(self.saved_view)) == len(boards):
            return "no boards are loaded yet", "{list.refresh:R} try now"
        return super().empty()

    def follow_store(self, event: StoreEvent) -> None:
        if isinstance(event, BoardChanged | BoardsChanged) and event.renamed:
            boards = (event.renamed.get(board_id, board_id) for board_id in self.saved_view.boards)
            self.saved_view = replace(self.saved_view, boards=tuple(boards))
            self.show_rows(renamed=event.renamed)
        self.live.hear(event)
        if isinstance(event, StatusChanged):
            super().follow_store(event)

    def action_run(self, action_id: str) -> None:
        if action_id.startswith(_ON_BOARDS):
            self.live.run_with_boards(lambda: self.actions.run(action_id))
        else:
            super().action_run(action_id)


SCREEN = ViewTimelineScreen
"""The screen of this list."""
