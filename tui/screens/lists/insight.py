"""Insight: cards in each stage over time, how old open cards are, and cards closed each week."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from tui.actions.action import action
from tui.context import Context
from tui.model.standup.insight import Insight, begins, insight
from tui.screens.lists.insight_rows import (
    Row,
    day_of,
    explained,
    heading_of,
    known_words,
    line_of,
    rows_of,
)
from tui.screens.lists.table import TableScreen
from tui.store.events import BoardChanged, StoreEvent
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading

RANGES = (2, 4, 12, 26)
"""The numbers of weeks that can be shown."""


class InsightScreen(TableScreen[Row]):
    """The figures of a board, of which the history is read in the background."""

    heading, row_name, opens = "Insight", "figure", "insight.explain"
    nothing = ("this board is not cached", "{list.refresh:R} fetches it")
    keeps_order = True

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context, board_id)
        self._weeks = RANGES[1]
        self._progress = ""
        self._insight: Insight | None = None
        self._one_at_a_time = asyncio.Lock()

    async def load_rows(self) -> None:
        now = self._now()
        since = begins(now, self._weeks)
        self._progress = f"reading back to {day_of(since)} …"
        reached = await self._read_cached()
        try:
            while True:
                self.show_again()
                before = reached
                await self.store.read_history(self.board_id, since)
                reached = await self._read_cached()
                if reached is None or reached <= since or reached == before:
                    return
                self._progress = f"read back to {day_of(reached.astimezone(now.tzinfo))} …"
        finally:
            self._progress = ""

    async def _read_cached(self) -> datetime | None:
        async with self._one_at_a_time:  # or what was read earlier might be counted last
            view = await self.store.load_board(self.board_id)
            history = await self.store.history(self.board_id)
            if view is None:
                self._insight = None
            else:
                figures = (view, history, self._now(), self._weeks)
                self._insight = await asyncio.to_thread(insight, *figures)
        return history.complete_since

    def _now(self) -> datetime:
        return self.context.now().replace(tzinfo=LocalZone())

    def rows(self) -> Sequence[Row]:
        return () if self._insight is None else tuple(rows_of(self._insight))

    def key(self, row: Row) -> tuple[str, str]:
        return row.section, row.title

    def words(self, row: Row) -> str:
        return row.title

    def line(self, row: Row, width: int) -> Line:
        return () if self._insight is None else line_of(self._insight, row, width)

    def sections(self, row: Row) -> tuple[Heading, ...]:
        if self._insight is None:
            return ()
        return (Heading(heading_of(self._insight, row, self.size.width)),)

    def draw_bar(self) -> None:
        note = self._progress or known_words(self._insight)
        self.bar.say(
            (
                (f" {self.heading} ", "place"),
                (f"  {counted(self._weeks, 'week')}", "quiet"),
                (f"   {note}" if note else "", "quiet"),
                (f"   {self.board.title}" if self.board else "", "quiet"),
            ),
            self.bar_end(),
        )

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.run_worker(self._count_again(), group="count", exclusive=True)

    async def _count_again(self) -> None:
        await self._read_cached()
        self.show_again()

    @action("insight.explain", "o", "Explain figures")
    def explain(self) -> None:
        row = self.need_row()
        if row is not None and self._insight is not None:
            self.say(explained(self._insight, row))

    @action("insight.more", "+", "Show more weeks", hint="more weeks", arguments=(1,))
    @action("insight.fewer", "-", "Show fewer weeks", hint="fewer weeks", arguments=(-1,))
    def change_range(self, by: int) -> None:
        index = RANGES.index(self._weeks) + by
        if 0 <= index < len(RANGES):
            self._weeks = RANGES[index]
            self.load()
        else:
            limit = "most" if by > 0 else "least"
            self.say(f"{self._weeks} weeks are the {limit} that can be shown")


SCREEN = InsightScreen
