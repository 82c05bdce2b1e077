"""Insight of a view: what is shown of each of its boards, added up by the titles of stages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from operator import attrgetter

from tui.model.events.history import LONG, BoardHistory, thresholds
from tui.model.standup.insight import (
    ELSEWHERE,
    Insight,
    OnlyCards,
    StageAges,
    StageFlow,
    Week,
    insight,
)
from tui.model.standup.report import BoardSource
from tui.model.task import Task
from tui.text.fuzzy import fold

Check = Callable[[Task], bool]


def view_insight(
    name: str,
    sources: Sequence[BoardSource],
    now: datetime,
    weeks: int,
    *,
    matches: Check | None,
    matches_past: Check | None,
    past_filter: str | None = None,
) -> Insight:
    """What is to be shown of the view with this name; there is at least one board.

    Open cards count that match `matches`, and of the past those that match `matches_past`; all
    without these.
    """
    parts = [
        insight(source.view, source.history, now, weeks, _only(source, matches, matches_past))
        for source in sources
    ]
    # How long cards stay in a stage is learnt from all cards of the boards.
    events = sorted(
        chain.from_iterable(source.history.events for source in sources), key=attrgetter("at")
    )
    first, known = parts[0], [part.known_since for part in parts]
    begun = [part.begun_at for part in parts]
    flow = _flow(parts)
    # Boards may have many stages in which no card of the view ever was.
    used = {stage.title for stage in flow if any(stage.counts)} or {stage.title for stage in flow}
    return Insight(
        0,
        name,
        now,
        first.days,
        tuple(stage for stage in flow if stage.title in used),
        tuple(
            stage
            for stage in _ages(parts, thresholds(BoardHistory(0, tuple(events))))
            if stage.title in used
        ),
        _weeks([part.weeks for part in parts]),
        _weeks([part.earlier for part in parts]),
        tuple(sorted(chain.from_iterable(part.work for part in parts))),
        # What is not known of one board is not known of the view.
        None if None in known else max(at for at in known if at is not None),
        min((part.read_at for part in parts if part.read_at is not None), default=None),
        None if None in begun else min(at for at in begun if at is not None),
        tuple(source.view.board for source in sources),
        past_filter,
    )


def _only(
    source: BoardSource, matches: Check | None, matches_past: Check | None
) -> OnlyCards | None:
    if matches is None:
        return None
    ids = None
    if matches_past is not None:
        cards = (*source.view.all_tasks(), *source.archived)
        ids = {task.id for task in cards if matches_past(task)}
    return OnlyCards(ids, matches)


def _in_order(titles_of_boards: Iterable[Sequence[str]]) -> list[str]:
    """The titles of the stages of several boards, the last stages of each last."""
    places: dict[str, int] = {}
    for titles in titles_of_boards:
        for place, title in enumerate(titles):
            places[title] = max(place, places.get(title, 0))
    return sorted(places, key=lambda title: (title == ELSEWHERE, places[title], fold(title), title))


def _flow(parts: Sequence[Insight]) -> list[StageFlow]:
    of_boards = [{stage.title: stage.counts for stage in part.flow} for part in parts]
    unknown = [
        any(None in on_day for on_day in days)
        for days in zip(
            *(zip(*counts.values(), strict=True) for counts in of_boards if counts), strict=True
        )
    ]
    flow = []
    for title in _in_order([*counts] for counts in of_boards):
        layers = [counts[title] for counts in of_boards if title in counts]
        sums = [sum(count or 0 for count in on_day) for on_day in zip(*layers, strict=True)]
        counts = (
            None if is_unknown else count for count, is_unknown in zip(sums, unknown, strict=True)
        )
        flow.append(StageFlow(title, tuple(counts)))
    return flow


def _ages(parts: Sequence[Insight], long: Mapping[str, timedelta]) -> Iterable[StageAges]:
    for title in _in_order([stage.title for stage in part.ages] for part in parts):
        stages = [stage for part in parts for stage in part.ages if stage.title == title]
        rows = sorted(
            (pair for stage in stages for pair in zip(stage.ages, stage.tasks, strict=True)),
            reverse=True,
        )
        yield StageAges(
            title,
            sum(stage.cards for stage in stages),
            tuple(age for age, _ in rows),
            tuple(task_id for _, task_id in rows),
            long.get(title, LONG),
        )


def _weeks(of_boards: Iterable[Sequence[Week]]) -> tuple[Week, ...]:
    return tuple(
        Week(
            same[0].begins,
            sum(week.closed for week in same),
            all(week.is_known for week in same),
        )
        for same in zip(*of_boards, strict=True)
    )
