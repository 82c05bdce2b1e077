"""Insight: cards in each stage over time, how old open cards are, and cards closed each week."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size

from tui.actions.action import action
from tui.config.stage_settings import with_own_settings
from tui.context import Context
from tui.model.standup.insight import Insight, StageAges, begins, insight
from tui.navigation import ListRequested
from tui.screens.keys import Hints
from tui.screens.lists import insight_rows as drawing
from tui.screens.lists.insight_rows import Row, day_of
from tui.screens.lists.table import TableScreen
from tui.screens.week_range import WeekRange
from tui.store.events import BoardChanged, StoreEvent
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.figures import Figures
from tui.widgets.line_filters import CleanFilter, ColorlessFilter
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, ListColumn, columns_line

RANGES = (2, 4, 12, 26)
"""The numbers of weeks that can be shown."""


class InsightScreen(TableScreen[Row]):
    """The figures of a board, of which the history is read in the background."""

    heading, row_name, opens = "Insight", "figure", "insight.explain"
    nothing = ("this board is not loaded", "{list.refresh:R} to fetch it")
    keeps_order = True
    first_hints: ClassVar[Hints] = {
        "insight.explain": "",
        "insight.forecast": "",
        "insight.more insight.fewer": "weeks",
        "list.search": "",
        "list.back": "",
    }

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context, board_id)
        self._insight: Insight | None = None
        self._range = WeekRange(self, RANGES, RANGES[1], self.load)
        self._progress = ""
        self._one_at_a_time = asyncio.Lock()
        self._figures = Figures(self._draw_figures, "above")
        self._beside = Figures(self._draw_weeks, "weeks")

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]  # those of the width
        return drawing.age_columns(self.row_list.size.width)

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self._figures
        yield Horizontal(self.row_list, self._beside)
        yield self.status
        yield self.status.footer

    @property
    def board_ids(self) -> Sequence[int]:
        """The boards of the cards that are counted."""
        return [self.board_id]

    @property
    def subject(self) -> str:
        """The board, or the view."""
        return self.board.title if self.board else ""

    async def load_rows(self) -> None:
        now = self._now()
        since = begins(now, self._range.weeks)
        self._progress = f"loading back to {day_of(since)} …"
        reached = await self._read_cached()
        try:
            while True:
                self.show_again()
                previous = reached
                await self.store.read_history(self.board_id, since)
                reached = await self._read_cached()
                # The service may keep no older history: stop when nothing more comes.
                if reached is None or reached <= since or reached == previous:
                    return
                self._progress = f"loaded back to {day_of(reached.astimezone(now.tzinfo))} …"
        finally:
            self._progress = ""

    async def _read_cached(self) -> datetime | None:
        # One reading at a time: an earlier, slower one could replace a later one.
        async with self._one_at_a_time:
            self._insight = await self._counted()
            return (await self.store.history(self.board_id)).complete_since

    async def _counted(self) -> Insight | None:
        view = await self.store.load_board(self.board_id)
        history = await self.store.history(self.board_id)
        if view is None:
            return None
        view = with_own_settings(view, self.context.preferences)
        # On a thread: counting a long history would hold the event loop.
        return await asyncio.to_thread(insight, view, history, self._now(), self._range.weeks)

    def _now(self) -> datetime:
        return self.context.now().replace(tzinfo=LocalZone())

    @property
    def _has_weeks_beside(self) -> bool:
        shown = self._insight
        return shown is not None and drawing.Layout.of(shown, *self.app.size).is_beside

    def rows(self) -> Sequence[Row]:
        if self._insight is None:
            return ()
        weeks = () if self._has_weeks_beside else self._insight.weeks[::-1]
        return (*self._insight.ages, *weeks)

    def key(self, row: Row) -> str | date:
        return row.title if isinstance(row, StageAges) else row.begins

    def words(self, row: Row) -> str:
        return row.title if isinstance(row, StageAges) else day_of(row.begins)

    def line(self, row: Row, width: int) -> Line:
        if isinstance(row, StageAges):
            return columns_line(self.columns, drawing.age_cells(row), width)
        return () if self._insight is None else drawing.week_line(self._insight, row, width)

    def sections(self, row: Row) -> tuple[Heading, ...]:
        if self._insight is None or isinstance(row, StageAges):
            return ()
        return (Heading(drawing.weeks_title(self._insight)),)

    def _draw_figures(self, size: Size) -> Iterable[Line]:
        if self._insight is None:
            return ()
        filters = self.app.get_line_filters()
        is_plain = any(
            isinstance(line_filter, ColorlessFilter)
            or (isinstance(line_filter, CleanFilter) and line_filter.ascii_only)
            for line_filter in filters
        )
        note = self._progress or drawing.known_words(self._insight)
        room = (size.width, self.app.size.height)
        return drawing.figure_lines(self._insight, room, note, is_plain=is_plain)

    def _draw_weeks(self, size: Size) -> Iterable[Line]:
        shown = self._insight
        if shown is None:
            return ()
        return [drawing.week_line(shown, week, size.width) for week in reversed(shown.weeks)]

    def draw_bar(self) -> None:
        extent = f" · {counted(self._range.weeks, 'week')}"
        if self._insight is not None:
            days = self._insight.days
            extent += f", {day_of(days[0])} to {day_of(days[-1])}"
        self.bar.say(
            (
                (f" {self.heading} ", "place"),
                (f" {self.subject}", "text"),
                (extent, "quiet"),
            ),
            self.bar_end(),
        )
        self._beside.display = self._has_weeks_beside
        self._figures.redraw()
        self._beside.redraw()

    def on_resize(self) -> None:
        self._figures.draw_anew()
        self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id in self.board_ids:
            self.run_worker(self._count_again(), group="count", exclusive=True)

    async def _count_again(self) -> None:
        await self._read_cached()
        self.show_again()

    @action("insight.explain", "o", "Explain figures")
    def explain(self) -> None:
        row = self.need_row()
        if row is not None and self._insight is not None:
            text, more = drawing.explained(self._insight, row)
            self.say(text, hint=more)

    @action("insight.forecast", "tab", "Show forecast", hint="forecast", words="when monte carlo")
    def show_forecast(self) -> None:
        self.post_message(ListRequested("forecast", self.board_id))

    @action("insight.more", "+", "Show more weeks", arguments=(1,))
    @action("insight.fewer", "-", "Show fewer weeks", arguments=(-1,))
    def change_range(self, by: int) -> None:
        self._range.step(by)


SCREEN = InsightScreen
