"""The forecast of a saved view: when its open cards on all its boards will be closed."""

from collections.abc import Sequence
from typing import ClassVar

from tui.context import Context
from tui.model.work.saved_view import SavedView
from tui.screens.board_lines import status_of
from tui.screens.lists.forecast import ForecastScreen
from tui.store.events import SyncStatus
from tui.text.clean import line


class ViewForecastScreen(ForecastScreen):
    """The forecast of the cards of a view, from those that were closed on its boards."""

    is_of_board: ClassVar[bool] = False
    nothing = ("no boards are loaded yet", "{list.refresh:R} to fetch them")

    def __init__(self, context: Context, view: SavedView) -> None:
        super().__init__(context, None)
        self._view = view

    @property
    def view_here(self) -> SavedView:
        return self._view

    @property
    def view_name(self) -> str:
        return line(self._view.name)

    @property
    def origin(self) -> str:
        return self.view_name

    @property
    def sync_status(self) -> SyncStatus:
        return status_of(self.store, self.board_ids)

    @property
    def board_ids(self) -> Sequence[int]:
        wanted = self._view.boards
        return [board.id for board in self.active_boards if not wanted or board.id in wanted]

    @property
    def words_of_filter(self) -> str:
        return f"{self._view.query} {super().words_of_filter}".strip()


SCREEN = ViewForecastScreen
"""The screen of this list."""
