"""Insight of a saved view: the figures of its cards on all its boards."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from tui.config.stage_settings import with_own_settings
from tui.context import Context
from tui.model.forecast.forecast import ForecastQuestion
from tui.model.forecast.question import about_cards
from tui.model.query.language import QueryContext, check
from tui.model.standup.insight import Insight, begins
from tui.model.standup.report import BoardSource
from tui.model.standup.view_insight import view_insight
from tui.model.task import Task
from tui.model.work.saved_view import SavedView
from tui.navigation import ViewListRequested
from tui.screens.board_lines import status_of
from tui.screens.lists.insight import InsightScreen
from tui.screens.lists.insight_rows import day_of
from tui.store.clock import few_at_once
from tui.store.events import SyncStatus
from tui.store.online.activity import read_back
from tui.text.clean import line


class ViewInsightScreen(InsightScreen):
    """The figures of the cards of a view."""

    is_of_board: ClassVar[bool] = False
    nothing = ("no boards are loaded yet", "{list.refresh:R} to fetch them")

    def __init__(self, context: Context, view: SavedView) -> None:
        super().__init__(context, None)
        self._view = view

    @property
    def view_here(self) -> SavedView:
        return self._view

    @property
    def subject(self) -> str:
        return line(self._view.name)

    @property
    def origin(self) -> str:
        return self.subject

    @property
    def sync_status(self) -> SyncStatus:
        return status_of(self.store, self.board_ids)

    @property
    def board_ids(self) -> Sequence[int]:
        wanted = self._view.boards
        return [board.id for board in self.active_boards if not wanted or board.id in wanted]

    async def load_rows(self) -> None:
        since = begins(self._now(), self._range.weeks)
        self._progress = f"loading back to {day_of(since)} …"

        async def read(board_id: int) -> None:
            await read_back(self.store, board_id, since)
            if self._view.query:
                await self.store.read_archived(board_id, since)

        try:
            await self._read_cached()
            self.show_again()
            await few_at_once(read, self.board_ids)
        finally:
            self._progress = ""
            await self._read_cached()

    async def _counted(self) -> Insight | None:
        views = [await self.store.load_board(board_id) for board_id in self.board_ids]
        preferences = self.context.preferences
        known = [with_own_settings(view, preferences) for view in views if view is not None]
        if not known:
            return None
        store, query = self.store, self._view.query
        changed = {card for view in known for card in store.changed_by_others(view.board.id)}
        about = QueryContext.of(known, store.me, self.context.now(), changed)
        asked = about_cards(ForecastQuestion(filter=query), check(query, about), about)
        sources = []
        for view in known:
            history, archived = await store.history(view.board.id), tuple[Task, ...]()
            if query:
                archived = await store.archived_tasks(view.board.id)
            sources.append(BoardSource(view, history, archived))
        # On a thread: counting long histories would hold the event loop.
        return await asyncio.to_thread(
            view_insight,
            self.subject,
            sources,
            self._now(),
            self._range.weeks,
            matches=asked.matches,
            matches_past=asked.matches_closed,
            past_filter=asked.past_filter,
        )

    def show_forecast(self) -> None:
        self.post_message(ViewListRequested("forecast", self._view))


SCREEN = ViewInsightScreen
"""The screen of this list."""
