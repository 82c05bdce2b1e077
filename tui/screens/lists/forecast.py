"""The forecast of a board: when its open cards will be closed, cycle times, and closed cards."""

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
from tui.model.board import BoardView
from tui.model.forecast.forecast import WEEKS, Forecast, ForecastQuestion, forecast
from tui.model.forecast.outlook import WeekEnd
from tui.model.forecast.question import about_cards, asked, what_is_asked
from tui.model.forecast.words import day_words, why_not
from tui.model.query.language import QueryContext, check
from tui.model.query.matching import matcher
from tui.model.standup.insight import begins
from tui.model.standup.report import BoardSource
from tui.model.task import Task
from tui.screens.keys import Hints
from tui.screens.lists import forecast_rows as drawing
from tui.screens.lists.insight_rows import day_of
from tui.screens.lists.table import TableScreen
from tui.screens.week_range import WeekRange
from tui.store.clock import few_at_once
from tui.store.events import BoardChanged, StoreEvent
from tui.store.online.activity import read_back
from tui.text.clean import counted, line
from tui.text.dates import LocalZone
from tui.widgets import glyphs
from tui.widgets.figures import Figures
from tui.widgets.painted import Line

RANGES = (6, WEEKS, 26, 52)
"""The numbers of weeks that can be looked back on."""


class ForecastScreen(TableScreen[WeekEnd]):
    """The forecast of a board, of which the history is read in the background."""

    heading, row_name, opens = "Forecast", "week", "forecast.explain"
    nothing = ("this board is not loaded", "{list.refresh:R} to fetch it")
    keeps_order = True
    empty_hints: ClassVar[Hints] = {
        "forecast.figures": "",
        "forecast.what-if": "",
        "forecast.filter": "",
        "forecast.more forecast.fewer": "weeks",
        "list.back": "",
    }
    first_hints: ClassVar[Hints] = {"forecast.explain": "", **empty_hints}

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context, board_id)
        self._forecast: Forecast | None = None
        self._question = ForecastQuestion()
        self._range = WeekRange(self, RANGES, self._question.weeks, self._ask_about_weeks)
        self._chances: dict[int, dict[date, Line]] = {}
        """The rows as lines, by width, until they are shown anew."""
        self._progress = ""
        self._one_at_a_time = asyncio.Lock()
        self._top = Figures(self._draw_top, "above")
        self._past = Figures(self._draw_past, "weeks")
        self._cycles = Figures(self._draw_cycles, "below")

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self._top
        yield Horizontal(self.row_list, self._past)
        yield self._cycles
        yield self.status
        yield self.status.footer

    @property
    def board_ids(self) -> Sequence[int]:
        """The boards whose closed cards it stands on."""
        return [self.board_id]

    @property
    def view_name(self) -> str:
        """The name of the view that it is about; empty for a board."""
        return ""

    @property
    def words_of_filter(self) -> str:
        """Which cards it is about."""
        return self._question.filter

    async def load_rows(self) -> None:
        # A week more: this one does not count before it is over.
        since = begins(self._now(), self._question.weeks + 1)
        self._progress = f"loading back to {day_of(since)} …"

        async def read(board_id: int) -> None:
            await read_back(self.store, board_id, since)
            if self.words_of_filter:
                await self.store.read_archived(board_id, since)

        try:
            await self._read_cached()
            self.show_again()
            await few_at_once(read, self.board_ids)
        finally:
            self._progress = ""
            await self._read_cached()

    async def _read_cached(self) -> None:
        # One reading at a time: an earlier, slower one could replace a later one.
        async with self._one_at_a_time:
            views = await self._views()
            if not views:
                self._forecast = None
                return
            question, sources = self._asked(views), list[BoardSource]()
            for view in views:
                history = await self.store.history(view.board.id)
                archived: tuple[Task, ...] = ()
                if question.filter:
                    archived = await self.store.archived_tasks(view.board.id)
                sources.append(BoardSource(view, history, archived))
            calendar = self.context.settings.calendar
            # On a thread: ten thousand trials would hold the event loop.
            self._forecast = await asyncio.to_thread(
                forecast, sources, self._now(), calendar, question, self.view_name
            )

    async def _views(self) -> list[BoardView]:
        views = [await self.store.load_board(board_id) for board_id in self.board_ids]
        preferences = self.context.preferences
        return [with_own_settings(view, preferences) for view in views if view is not None]

    def _asked(self, views: Sequence[BoardView]) -> ForecastQuestion:
        about, words = self._about(views), self.words_of_filter
        return about_cards(self._question._replace(filter=words), check(words, about), about)

    def _about(self, views: Sequence[BoardView]) -> QueryContext:
        store = self.store
        changed = {card for view in views for card in store.changed_by_others(view.board.id)}
        return QueryContext.of(
            views, store.me, self.context.now(), changed, relations=store.relations()
        )

    def _now(self) -> datetime:
        return self.context.now().replace(tzinfo=LocalZone())

    def rows(self) -> Sequence[WeekEnd]:
        self._chances.clear()
        ahead = self._forecast and self._forecast.outlook
        return ahead.week_ends() if ahead else ()

    def key(self, row: WeekEnd) -> date:
        return row.day

    def words(self, row: WeekEnd) -> str:
        return day_words(row.day, self.context.now().date())

    def line(self, row: WeekEnd, width: int) -> Line:
        if width not in self._chances and self._forecast is not None:
            self._chances = {width: drawing.chance_lines(self._forecast, width)}
        return self._chances[width].get(row.day, ()) if width in self._chances else ()

    def empty(self) -> tuple[str, str]:
        if self._forecast is None:
            return self.nothing
        return why_not(self._forecast) or "no working day within two years", ""

    def _draw_top(self, size: Size) -> Iterable[Line]:
        if self._forecast is None:
            return ()
        is_airy = self._layout(self._forecast).is_airy
        return drawing.top_lines(self._forecast, size.width, self._progress, is_airy=is_airy)

    def _draw_past(self, size: Size) -> Iterable[Line]:
        shown = self._forecast
        return drawing.past_lines(shown, size.width, size.height) if shown else ()

    def _draw_cycles(self, size: Size) -> Iterable[Line]:
        shown = self._forecast
        if shown is None or not (chart := self._layout(shown).chart):
            return ()
        lines = drawing.cycle_lines(shown, size.width, chart)
        return ((), *lines) if self._layout(shown).is_airy else lines

    def _layout(self, shown: Forecast) -> drawing.ForecastLayout:
        return drawing.ForecastLayout.of(shown, *self.app.size)

    def draw_bar(self) -> None:
        weeks = counted(self._question.weeks, "week")
        self.bar.say(
            (
                (" Insight ", "place"),
                (f" {self.origin}", "text"),
                (f" {glyphs.RIGHT} ", "quiet"),
                ("Forecast", "strong"),
                (f" · {weeks}", "quiet"),
            ),
            self.bar_end(line(self._question.filter)),
        )
        shown = self._forecast
        self._past.display = self.app.size.width >= drawing.WIDE
        self._cycles.display = shown is not None and self._layout(shown).chart > 0
        for figures in (self._top, self._past, self._cycles):
            figures.redraw()

    def on_resize(self) -> None:
        for figures in (self._top, self._past, self._cycles):
            figures.draw_anew()
        self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id in self.board_ids:
            self.run_worker(self._count_again(), group="count", exclusive=True)

    async def _count_again(self) -> None:
        await self._read_cached()
        self.show_again()

    def clear_search(self) -> bool:
        if super().clear_search():
            return True
        had_question = bool(self._question.filter or self._question.cards or self._question.day)
        if had_question:
            self._ask(ForecastQuestion(self._question.weeks))
        return had_question

    def _ask_about_weeks(self) -> None:
        self._ask(self._question._replace(weeks=self._range.weeks))

    def _ask(self, question: ForecastQuestion) -> None:
        self._question = question
        self.load()

    @action("forecast.explain", "o", "Explain figures")
    def explain(self) -> None:
        row = self.need_row()
        if row is not None and self._forecast is not None:
            text, more = drawing.explained(self._forecast, row)
            self.say(text, hint=more)

    @action("forecast.figures", "tab", "Show figures", hint="figures")
    def show_figures(self) -> None:
        self.dismiss()

    @action("forecast.more", "+", "Look back on more weeks", arguments=(1,))
    @action("forecast.fewer", "-", "Look back on fewer weeks", arguments=(-1,))
    def change_range(self, by: int) -> None:
        self._range.step(by)

    @action("forecast.what-if", "w", "Ask about a number of cards or a date", hint="what if",
            words="how many by when", asks=True)  # fmt: skip
    async def ask_what_if(self) -> None:
        from tui.dialogs.questions import AskDialog

        now = self.context.now()
        typed = await self.ask(
            AskDialog(
                "How many cards, or by which date",
                placeholder="30 · 18 dec · 30, 18 dec",
                reading=lambda words: what_is_asked(*asked(words, now), now.date()),
            )
        )
        if typed is not None:
            cards, day = asked(typed, now)
            self._ask(self._question._replace(cards=cards, day=day))

    @action("forecast.filter", "f", "Filter cards", hint="filter", words="label", asks=True)
    async def ask_filter(self) -> None:
        from tui.dialogs.questions import AskDialog

        views = await self._views()
        if not views:
            return
        where = self.origin if len(views) == 1 else counted(len(views), "board")

        def reading(words: str) -> str:
            about = self._about(views)
            matches = matcher(check(words, about), about)
            count = sum(matches(task) for view in views for task in view.all_tasks())
            return f"{counted(count, 'card')} of {where}"

        filter_words = self._question.filter
        typed = await self.ask(
            AskDialog("Filter", filter_words, placeholder="label:bug @me", reading=reading)
        )
        if typed is not None:
            self._ask(self._question._replace(filter=typed.strip()))


SCREEN = ForecastScreen
