"""What the history of a board shows: cards in each stage over time, ages, and cards closed a week.

The past is found from the present by taking events back, newest first, so that a history that does
not begin with the board is enough. What is before `known_since` is not known.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from tui.model.board import Board, BoardView, StageKind
from tui.model.events.history import (
    BEGINNING,
    LONG,
    BoardHistory,
    Event,
    EventKind,
    ages,
    thresholds,
)
from tui.model.stage_kinds import kinds_of
from tui.model.standup.window import midnight
from tui.model.task import Task
from tui.record import record
from tui.text.dates import stamp, week_of

ELSEWHERE = ""
"""The title of the stages that are not on the board any more, or not known."""
AGE_LIMITS = tuple(timedelta(days=days) for days in (1, 3, 7, 14, 28))
"""The upper ends of the groups of ages; the last group has none."""
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@record
class StageFlow:
    """How many cards a stage had at the end of each day; None while that is not known."""

    title: str
    counts: tuple[int | None, ...]


@record
class StageAges:
    """How long the open cards of a stage are there, the oldest first.

    `tasks` are the ids of those in `ages`, in the same order. `long` is the age up to which most
    cards stay, and `groups` are the numbers of cards by `AGE_LIMITS`; cards whose age is not known
    are in none.
    """

    title: str
    cards: int
    ages: tuple[tuple[timedelta, bool], ...]
    tasks: tuple[int, ...]
    long: timedelta

    @property
    def groups(self) -> tuple[int, ...]:
        """The number of cards of each group of ages."""
        sizes = Counter(sum(age >= limit for limit in AGE_LIMITS) for age, _ in self.ages)
        return tuple(sizes[group] for group in range(len(AGE_LIMITS) + 1))

    @property
    def stale(self) -> int:
        """How many cards are there for longer than most."""
        return sum(age > self.long for age, _ in self.ages)


@record
class Week:
    """How many cards were closed in the week from `begins` on; a lower bound unless `is_known`."""

    begins: date
    closed: int
    is_known: bool


class CycleTime(NamedTuple):
    """When a card was closed, and how long after the work on it had begun."""

    task_id: int
    closed_at: datetime
    length: timedelta


class OnlyCards(NamedTuple):
    """Some cards of a board: those of the past by id, None for all, and which open ones."""

    ids: Collection[int] | None
    matches: Callable[[Task], bool]


@record
class Insight:
    """What is shown of a board, or of a view of cards on several.

    `days` are the days at whose ends cards are counted, the last being today; `known_since` is None
    if nothing is known of the past. `earlier` are as many weeks as `weeks`, before them. `work` is,
    shortest first, how long the cards closed in `weeks` took from their first active stage on.
    """

    board_id: int
    title: str
    now: datetime
    days: tuple[date, ...]
    flow: tuple[StageFlow, ...]
    ages: tuple[StageAges, ...]
    weeks: tuple[Week, ...]
    earlier: tuple[Week, ...]
    work: tuple[timedelta, ...]
    known_since: datetime | None
    read_at: datetime | None
    begun_at: datetime | None = None
    """When the first thing happened on the board, if its whole past is known."""
    boards: tuple[Board, ...] = ()
    """Those of a view, whose name is the `title` then."""
    past_filter: str | None = None
    """What cards of the past match of a view, if that is not its filter; empty if all count."""

    @property
    def closed_per_week(self) -> float | None:
        """The mean over `weeks`, of which the last one is not over; None if not known."""
        return self._per_week(self.weeks, self.now)

    @property
    def closed_per_week_earlier(self) -> float | None:
        """The mean over all of `earlier`; None if not known, or if there was no board yet."""
        is_known = all(week.is_known for week in self.earlier)
        end = midnight(self.weeks[0].begins, self.now)
        return self._per_week(self.earlier, end) if is_known else None

    def _per_week(self, weeks: Sequence[Week], end: datetime) -> float | None:
        known = [week for week in weeks if week.is_known]
        if not known:
            return None
        begin = midnight(known[0].begins, self.now)
        if self.begun_at is not None:
            # A board is not slow for the weeks in which there was none.
            begin = max(begin, self.begun_at.astimezone(self.now.tzinfo))
        if begin >= end:
            return None
        # Less than a week is not extrapolated to a whole one.
        return sum(week.closed for week in known) / max(1, (end - begin) / _WEEK)


def begins(now: datetime, weeks: int) -> datetime:
    """When so many weeks begin of which this is the last."""
    return midnight(week_of(now.date()) - _WEEK * (weeks - 1), now)


def insight(
    view: BoardView,
    history: BoardHistory,
    now: datetime,
    weeks: int,
    only: OnlyCards | None = None,
) -> Insight:
    """What is to be shown of so many weeks, of `only` some cards; `now` is in the user's zone."""
    past_view, past = view, history
    if only is not None and only.ids is not None:
        past_view, past = _with_cards(view, history, only.ids)
    first = begins(now, weeks).date()
    days = tuple(first + _DAY * index for index in range((now.date() - first).days + 1))
    since = known_since(history)
    all_weeks = tuple(_weeks(past_view, past, now, first, closings_known_since(history)))
    return Insight(
        view.board.id,
        view.board.title,
        now,
        days,
        _flow(past_view, past, now, days, since),
        tuple(_ages(view, history, now, None if only is None else only.matches)),
        all_weeks[len(all_weeks) // 2 :],
        all_weeks[: len(all_weeks) // 2],
        _work(past_view, past, midnight(first, now)),
        since,
        history.read_at,
        begun_at(history),
    )


def _with_cards(
    view: BoardView, history: BoardHistory, ids: Collection[int]
) -> tuple[BoardView, BoardHistory]:
    tasks = {
        stage.id: [task for task in view.in_stage(stage.id) if task.id in ids]
        for stage in view.stages
    }
    events = tuple(event for event in history.events if event.task_id in ids)
    return view.holding(tasks), replace(history, events=events)


def known_since(history: BoardHistory) -> datetime | None:
    """Since when it is known where the cards of a board were; `BEGINNING` if always.

    If the log has no changes of stages, that is since the cache saw the board first.
    """
    seen = [event.at for event in history.events if event.is_observed]
    looks = [*seen, *history.seen_since.values()]
    if history.records_moves and history.complete_since is not None:
        looks.append(history.complete_since)
    return min(looks, default=None)


def closings_known_since(history: BoardHistory) -> datetime | None:
    """Since when it is known which cards were closed; `BEGINNING` if always, None if never."""
    moments = (known_since(history), history.complete_since)
    return min((moment for moment in moments if moment is not None), default=None)


def begun_at(history: BoardHistory) -> datetime | None:
    """When the first thing happened on a board, if its whole past is known."""
    is_whole = history.complete_since == BEGINNING
    return history.events[0].at if is_whole and history.events else None


def _flow(
    view: BoardView,
    history: BoardHistory,
    now: datetime,
    days: tuple[date, ...],
    since: datetime | None,
) -> tuple[StageFlow, ...]:
    titles = [stage.title for stage in view.stages]
    # Today has not ended: the present counts stand for it.
    ends = [midnight(day + _DAY, now).astimezone(UTC) for day in days[:-1]]
    past = counts_before(_places(view), history.events, ends)
    counts = [*past, Counter(_places(view).values())]
    is_known = [*(since is not None and end > since for end in ends), True]
    shown = [
        on_day if is_past_known else None
        for on_day, is_past_known in zip(counts, is_known, strict=True)
    ]
    flow = [
        StageFlow(title, tuple(None if on_day is None else on_day[title] for on_day in shown))
        for title in dict.fromkeys(titles)
    ]
    elsewhere = [
        None if on_day is None else sum(on_day[title] for title in on_day.keys() - {*titles})
        for on_day in shown
    ]
    return (*flow, StageFlow(ELSEWHERE, tuple(elsewhere))) if any(elsewhere) else tuple(flow)


def _places(view: BoardView) -> dict[int, str]:
    """The titles of the stages of all cards, by id."""
    return {
        task.id: stage.title
        for stage in view.stages
        for task in view.in_stage(stage.id)
        if not task.is_template
    }


def counts_before(
    places: Mapping[int, str], events: Iterable[Event], moments: Iterable[datetime]
) -> list[Counter[str]]:
    """How many cards were in each stage before each of the moments, which are in order.

    `places` has the stages of the cards after all the events, which are in order too.
    """
    where = dict(places)
    counts = Counter(where.values())
    events = list(events)
    removed_from = _left(events)
    results = []
    for moment in reversed(list(moments)):
        while events and events[-1].at >= moment:
            event = events.pop()
            previous = _stage_before(where.get(event.task_id), event, removed_from)
            _put(event.task_id, previous, where, counts)
        # The unary plus copies the counter without stages that have no cards left.
        results.append(+counts)
    return results[::-1]


def _put(task_id: int, stage: str | None, where: dict[int, str], counts: Counter[str]) -> None:
    """Put a card in a stage, or on no stage."""
    if task_id in where:
        counts[where.pop(task_id)] -= 1
    if stage is not None:
        where[task_id] = stage
        counts[stage] += 1


def _stage_before(stage: str | None, event: Event, left: dict[int, list[str]]) -> str | None:
    """The stage in which a card was before an event, after which it is in `stage`."""
    if event.kind in (EventKind.CREATED, EventKind.RESTORED):
        return None
    if event.kind is EventKind.REMOVED:
        # Events are taken back newest first, and so are the removals of a card.
        return left[event.task_id].pop()
    return event.old if event.kind is EventKind.MOVED and stage is not None else stage


def _left(events: Iterable[Event]) -> dict[int, list[str]]:
    """The stages in which cards were when they were removed, by card and in order."""
    where: dict[int, str] = {}
    removed_from: dict[int, list[str]] = {}
    for event in events:
        if event.kind is EventKind.REMOVED:
            stage = event.old or where.get(event.task_id, ELSEWHERE)
            removed_from.setdefault(event.task_id, []).append(stage)
        elif event.kind is not EventKind.COMMENTED and event.new:
            where[event.task_id] = event.new
    return removed_from


def _ages(
    view: BoardView,
    history: BoardHistory,
    now: datetime,
    matches: Callable[[Task], bool] | None,
) -> Iterator[StageAges]:
    """The ages of open cards in the stages that are not done."""
    long, kinds = thresholds(history), kinds_of(view.stages)
    active = [stage for stage in view.stages if kinds[stage.id] is not StageKind.DONE]
    open_in = {
        stage: [
            task
            for task in view.in_stage(stage.id)
            if task.is_open and (matches is None or matches(task))
        ]
        for stage in active
    }
    by_id = ages(((task, stage.title) for stage in active for task in open_in[stage]), history)
    for stage, cards in open_in.items():
        ages_of = {task.id: by_id[task.id] for task in cards if task.id in by_id}
        rows = [
            # The clock of the service may be ahead of this machine's.
            ((max(now - age.since, timedelta()), age.is_exact), task_id)
            for task_id, age in ages_of.items()
        ]
        rows.sort(reverse=True)
        stage_ages, tasks = tuple(age for age, _ in rows), tuple(task_id for _, task_id in rows)
        limit = long.get(stage.title, LONG)
        yield StageAges(stage.title, len(cards), stage_ages, tasks, limit)


def _weeks(
    view: BoardView,
    history: BoardHistory,
    now: datetime,
    first: date,
    closings_since: datetime | None,
) -> Iterator[Week]:
    # the weeks from `first` on, and as many before
    weeks = (now.date() - first).days // 7 + 1
    first -= weeks * _WEEK
    edges = [midnight(first + _WEEK * index, now).astimezone(UTC) for index in range(2 * weeks + 1)]
    moments = closings(history.events, {task.id for task in view.all_tasks()}).values()
    for index, (begin, end) in enumerate(pairwise(edges)):
        closed = sum(begin <= at < end for at in moments)
        is_known = closings_since is not None and closings_since <= begin
        yield Week(first + _WEEK * index, closed, is_known)


def _work(view: BoardView, history: BoardHistory, since: datetime) -> tuple[timedelta, ...]:
    cycles = cycle_times(view, history.events)
    return tuple(sorted(cycle.length for cycle in cycles if cycle.closed_at >= since))


def cycle_times(view: BoardView, events: Iterable[Event]) -> list[CycleTime]:
    """How long cards took from their first active stage on, in the order in which they were closed.

    A card whose start was not recorded is left out, and one that was reopened since.
    """
    kinds = kinds_of(view.stages)
    active = {stage.title for stage in view.stages if kinds[stage.id] is StageKind.ACTIVE}
    started: dict[int, datetime] = {}
    cycles: dict[int, CycleTime] = {}
    for event in events:
        if event.is_observed:
            continue
        if event.kind in (EventKind.CREATED, EventKind.MOVED) and event.new in active:
            # The first active stage counts, also if the card was moved back in between.
            started.setdefault(event.task_id, event.at)
        elif event.kind is EventKind.REOPENED:
            cycles.pop(event.task_id, None)
        elif event.kind is EventKind.CLOSED and event.task_id in started:
            length = event.at - started[event.task_id]
            cycles[event.task_id] = CycleTime(event.task_id, event.at, length)
    return sorted(cycles.values(), key=lambda cycle: cycle.closed_at)


def closings(events: Iterable[Event], cards: Iterable[int]) -> dict[int, datetime]:
    """When cards were closed that are closed still; those in `cards`, and others on the board once.

    A subtask that was closed is not counted.
    """
    on_board = set(cards)
    closed: dict[int, datetime] = {}
    for event in events:
        if event.kind is EventKind.CLOSED:
            closed[event.task_id] = event.at
        elif event.kind is EventKind.REOPENED:
            closed.pop(event.task_id, None)
        elif event.kind is not EventKind.COMMENTED:
            on_board.add(event.task_id)
    return {task_id: at for task_id, at in closed.items() if task_id in on_board}


def document(shown: Insight) -> dict[str, object]:
    """The insight as a JSON document; times are in the user's zone."""
    zone, since, read_at = shown.now.tzinfo, shown.known_since, shown.read_at
    boards = [{"id": board.id, "title": board.title} for board in shown.boards]
    own = {"id": shown.board_id, "title": shown.title}
    return {
        **({"view": shown.title, "boards": boards} if boards else {"board": own}),
        **({} if shown.past_filter is None else {"past_filter": shown.past_filter}),
        "now": stamp(shown.now, zone),
        "known_since": since and stamp(since, zone),
        "is_complete": since == BEGINNING,
        "read_at": read_at and stamp(read_at, zone),
        "days": [day.isoformat() for day in shown.days],
        "stages": [{"title": stage.title, "cards": list(stage.counts)} for stage in shown.flow],
        "ages": [
            {
                "stage": stage.title,
                "cards": stage.cards,
                "long_hours": round(stage.long.total_seconds() / 3600, 1),
                "stale": stage.stale,
                "hours": [
                    {"at_least": round(age.total_seconds() / 3600, 1), "is_exact": is_exact}
                    for age, is_exact in stage.ages
                ],
            }
            for stage in shown.ages
        ],
        "closed": [
            {"week": week.begins.isoformat(), "cards": week.closed, "is_known": week.is_known}
            for week in shown.weeks
        ],
    }
