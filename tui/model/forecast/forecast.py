"""The forecast of a board, of some of its cards or of a view, with what it stands on."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from tui.model.board import Board, BoardView, StageKind
from tui.model.forecast.outlook import LIKELY, Outlook, closed_by, outlook
from tui.model.forecast.simulation import TRIALS
from tui.model.forecast.throughput import Throughput, closings_known_from, throughput
from tui.model.stage_kinds import kinds_of
from tui.model.standup.insight import CycleTime, closings, cycle_times
from tui.model.standup.report import BoardSource
from tui.model.standup.window import WorkingDays, midnight
from tui.model.task import Task
from tui.record import record
from tui.text.dates import stamp, week_of

WEEKS = 12
"""How many weeks are looked back on unless others are asked for."""


class ForecastQuestion(NamedTuple):
    """What is asked: about the cards that match, all without `matches`, which `filter` describes.

    Of closed cards those count that match `matches_closed`, which `closed_filter` describes.
    `cards` is how many are to be closed, 0 for those that are open; `day` is one by which it is
    asked how many will be closed. So many `weeks` are looked back on.
    """

    weeks: int = WEEKS
    filter: str = ""
    matches: Callable[[Task], bool] | None = None
    closed_filter: str = ""
    matches_closed: Callable[[Task], bool] | None = None
    cards: int = 0
    day: date | None = None

    @property
    def past_filter(self) -> str | None:
        """What cards of the past match, if that is not the filter; empty if all count."""
        is_other = self.matches is not None and self.closed_filter != self.filter
        return self.closed_filter if is_other else None


@record
class Forecast:
    """The answer. Without enough history, or without cards to be closed, there is no `outlook`.

    `closed_by_day` is how many cards will be closed at least by the day that was asked about, by
    percentage. `cycles` are those of the weeks that count and of this one.
    """

    boards: tuple[Board, ...]
    title: str
    """The title of the board, or the name of the view."""
    is_of_view: bool
    now: datetime
    question: ForecastQuestion
    calendar: WorkingDays
    open: int
    throughput: Throughput
    cycles: tuple[CycleTime, ...]
    outlook: Outlook | None
    closed_by_day: dict[int, int]

    @property
    def today(self) -> date:
        """The day on which it was made."""
        return self.now.date()

    @property
    def cards(self) -> int:
        """How many cards are to be closed."""
        return self.question.cards or self.open

    def cycle_within(self, percent: int) -> timedelta | None:
        """Within what so many percent of the cards were closed (nearest rank)."""
        lengths = sorted(cycle.length for cycle in self.cycles)
        return lengths[-(-percent * len(lengths) // 100) - 1] if lengths else None

    def closed_on(self, day: date) -> dict[int, int]:
        """How many cards will be closed at least by a day, by percentage."""
        return closed_by(day, self.throughput.weeks, self.today, self.calendar)


def forecast(
    sources: Sequence[BoardSource],
    now: datetime,
    calendar: WorkingDays,
    question: ForecastQuestion,
    view_name: str = "",
) -> Forecast:
    """The forecast from what was closed on a board, or on those of a view with this name.

    `now` is aware, in the user's zone.
    """
    today = now.date()
    closed_on: list[date] = []
    cycles: list[CycleTime] = []
    for source in sources:
        closed = closings(source.history.events, {task.id for task in source.view.all_tasks()})
        wanted = _wanted(source, question)
        closed_on += (
            at.astimezone(now.tzinfo).date()
            for task_id, at in closed.items()
            if wanted is None or task_id in wanted
        )
        cycles += (
            cycle
            for cycle in cycle_times(source.view, source.history.events)
            if wanted is None or cycle.task_id in wanted
        )
    cycles.sort(key=attrgetter("closed_at"))
    since = closings_known_from([source.history for source in sources], now)
    stands_on = throughput(closed_on, since, today, calendar, question.weeks)
    first = midnight(min((week.begins for week in stands_on.weeks), default=week_of(today)), now)
    still_open = sum(_open(source.view, question) for source in sources)
    cards = question.cards or still_open
    has_outlook = bool(cards) and stands_on.is_enough
    return Forecast(
        tuple(source.view.board for source in sources),
        view_name or sources[0].view.board.title,
        bool(view_name),
        now,
        question,
        calendar,
        still_open,
        stands_on,
        tuple(cycle for cycle in cycles if cycle.closed_at >= first),
        outlook(cards, stands_on.weeks, today, calendar) if has_outlook else None,
        closed_by(question.day, stands_on.weeks, today, calendar)
        if question.day is not None and stands_on.is_enough
        else {},
    )


def _wanted(source: BoardSource, question: ForecastQuestion) -> set[int] | None:
    # The ids of the cards that count, None for all.
    matches = question.matches_closed
    if matches is None:
        return None
    return {task.id for task in (*source.view.all_tasks(), *source.archived) if matches(task)}


def _open(view: BoardView, question: ForecastQuestion) -> int:
    kinds = kinds_of(view.stages)
    return sum(
        task.is_open and (question.matches is None or question.matches(task))
        for stage in view.stages
        if kinds[stage.id] is not StageKind.DONE
        for task in view.in_stage(stage.id)
    )


def _subject(shown: Forecast) -> dict[str, object]:
    """The board that the forecast is about, or the view with its boards."""
    boards = [{"id": board.id, "title": board.title} for board in shown.boards]
    return {"view": shown.title, "boards": boards} if shown.is_of_view else {"board": boards[0]}


def document(shown: Forecast, why_not: str) -> dict[str, object]:
    """The forecast as a JSON document; `why_not` is why there is none, if so."""
    zone, ahead = shown.now.tzinfo, shown.outlook
    days = {} if ahead is None else {percent: ahead.day_for(percent) for percent in LIKELY}
    return {
        **_subject(shown),
        "now": stamp(shown.now, zone),
        "filter": shown.question.filter,
        "closed_filter": shown.question.closed_filter,
        "open": shown.open,
        "cards": shown.cards,
        "from": {
            "weeks": len(shown.throughput.weeks),
            "cards": shown.throughput.cards,
            "closed": [
                {
                    "week": week.begins.isoformat(),
                    "cards": week.closed,
                    "working_days": week.working_days,
                }
                for week in shown.throughput.weeks
            ],
        },
        "trials": TRIALS,
        "why_not": why_not,
        "closed_by": {str(percent): day and day.isoformat() for percent, day in days.items()},
        "chances": [
            {"day": day.isoformat(), "percent": 100 * trials / TRIALS}
            for day, trials in (ahead.week_ends() if ahead is not None else ())
        ],
        "by_day": _by_day(shown),
        "cycle_hours": {
            str(percent): None if length is None else round(length.total_seconds() / 3600, 1)
            for percent in LIKELY
            for length in [shown.cycle_within(percent)]
        },
        "cycles": [
            {
                "card": cycle.task_id,
                "closed": stamp(cycle.closed_at, zone),
                "hours": round(cycle.length.total_seconds() / 3600, 1),
            }
            for cycle in shown.cycles
        ],
    }


def _by_day(shown: Forecast) -> dict[str, object] | None:
    day, ahead = shown.question.day, shown.outlook
    if day is None or not shown.closed_by_day:
        return None
    return {
        "day": day.isoformat(),
        "at_least": {str(percent): cards for percent, cards in shown.closed_by_day.items()},
        "all_percent": None if ahead is None else 100 * ahead.trials_by(day) / TRIALS,
    }
