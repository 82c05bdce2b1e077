"""Insight: cards in each stage over time, how old open cards are, and cards closed each week."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.context import Context
from tui.model.standup.insight import Insight, begins, insight
from tui.screens.lists.content import ListContext
from tui.screens.lists.insight_rows import (
    Row,
    day_of,
    explained,
    heading_of,
    known_words,
    line_of,
    rows_of,
)
from tui.screens.lists.screen import ListScreen
from tui.store.events import BoardChanged, StoreEvent
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.painted import Line

RANGES = (2, 4, 12, 26)
"""The numbers of weeks that can be shown."""


class InsightContent:
    """The insight into a board over some weeks; `progress` says what is being read."""

    row, opens, title = "figure", "insight.explain", "Insight"
    move = None

    def __init__(self, context: Context, board_id: int) -> None:
        self.weeks = RANGES[1]
        self.progress = ""
        self.changed: Callable[[], None] = lambda: None
        self.shown: Insight | None = None
        self._context = context
        self._store = context.store
        self._board_id = board_id
        self._one_at_a_time = asyncio.Lock()

    async def load(self) -> None:
        """Show what is cached, then read the log back as far as it is shown."""
        now = self._now()
        since = begins(now, self.weeks)
        self.progress = f"reading back to {day_of(since)} …"
        reached = await self.read_cached()
        try:
            while True:
                self.changed()
                before = reached
                await self._store.read_history(self._board_id, since)
                reached = await self.read_cached()
                if reached is None or reached <= since or reached == before:
                    return
                self.progress = f"read back to {day_of(reached.astimezone(now.tzinfo))} …"
        finally:
            self.progress = ""

    async def read_cached(self) -> datetime | None:
        """Take over what is cached; returns how far back the log is."""
        async with self._one_at_a_time:  # or what was read earlier might be counted last
            view = await self._store.load_board(self._board_id)
            history = await self._store.history(self._board_id)
            if view is None:
                self.shown = None
            else:
                given = (view, history, self._now(), self.weeks)
                self.shown = await asyncio.to_thread(insight, *given)
        return history.complete_since

    def _now(self) -> datetime:
        return self._context.now().replace(tzinfo=LocalZone())

    def rows(self) -> Sequence[Row]:
        return () if self.shown is None else tuple(rows_of(self.shown))

    def key(self, row: Row) -> tuple[str, str]:
        return row.section, row.title

    def words(self, row: Row) -> str:
        return row.title

    def line(self, row: Row, width: int) -> Line:
        return () if self.shown is None else line_of(self.shown, row, width)

    def empty(self) -> tuple[str, str]:
        return "this board is not cached", "{list.refresh:R} fetches it"


class InsightContext(ListContext[Row]):
    """The figures that the actions run on."""

    content: InsightContent


class Explain(Action[InsightContext]):
    """Says in words what a row shows."""

    id, keys, label = "insight.explain", "o", "Explain figures"

    async def run(self, on: InsightContext) -> None:
        row = on.need_row()
        if row is not None and on.content.shown is not None:
            on.say(explained(on.content.shown, row))


class ChangeRange(Action["InsightScreen"]):
    """Shows more or fewer weeks."""

    def __init__(self, name: str, keys: str, by: int) -> None:
        self.id, self.keys, self.label = f"insight.{name}", keys, f"Show {name} weeks"
        self.hint = f"{name} weeks"
        self._by = by

    async def run(self, on: "InsightScreen") -> None:
        at = RANGES.index(on.content.weeks) + self._by
        if not 0 <= at < len(RANGES):
            limit = "most" if self._by > 0 else "least"
            on.say(f"{on.content.weeks} weeks are the {limit} that can be shown")
            return
        on.content.weeks = RANGES[at]
        on.load()


ACTIONS: tuple[Action[InsightContext], ...] = (Explain(),)
SCREEN_ACTIONS: tuple[Action["InsightScreen"], ...] = (
    ChangeRange("more", "+", 1),
    ChangeRange("fewer", "-", -1),
)


class InsightScreen(ListScreen):
    """The figures of a board, of which the history is read in the background."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS, SCREEN_ACTIONS)
    content: InsightContent

    def __init__(self, context: Context, board_id: int | None) -> None:
        content = InsightContent(context, board_id or 0)
        super().__init__(context, board_id, content, ACTIONS, heading=self._heading)
        self.actions.add(SCREEN_ACTIONS, self)
        content.changed = self.show_again

    def _heading(self, row: Row) -> str:
        shown = self.content.shown
        return "" if shown is None else heading_of(shown, row, self.size.width)

    def draw_bar(self) -> None:
        """Draw the bar: the range, since when it is known, and the board."""
        known = self.content.progress or known_words(self.content.shown)
        self.bar.say(
            (
                (" Insight", "name"),
                (f"   {counted(self.content.weeks, 'week')}", "quiet"),
                (f"   {known}" if known else "", "quiet"),
                (f"   {self.board.title}" if self.board else "", "quiet"),
            ),
            self.bar_end(),
        )

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.run_worker(self._count_again(), group="count", exclusive=True)

    async def _count_again(self) -> None:
        await self.content.read_cached()
        self.show_again()


SCREEN = InsightScreen
