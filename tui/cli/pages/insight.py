"""Insight as a page: the figures of each board, an area of its stages, and tables."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from tui.cli.pages.document import document, section, swatch, table
from tui.cli.pages.markup import Markup, element, joined
from tui.model.standup.insight import AGE_LIMITS, Insight, StageAges, Week
from tui.screens.lists.insight_rows import (
    AGES,
    FLOW,
    Tile,
    age_of_card,
    color_of,
    day_of,
    known_words,
    tiles,
    title_of,
    weeks_title,
)
from tui.text.clean import counted
from tui.text.dates import in_words

_WIDTH, _HEIGHT = 640, 160
"""The size of the area, in units of its drawing."""


def insight_page(boards: Sequence[Insight]) -> str:
    """The page of boards, of which there is at least one."""
    weeks, now = counted(len(boards[0].weeks), "week"), boards[0].now
    return document("Insight", [f"{weeks} · as of {in_words(now)}"], *map(_board, boards))


def _board(shown: Insight) -> Markup:
    figures = element("div", *map(_figure, tiles(shown)), class_="figures")
    return section(
        2,
        shown.title,
        element("p", known_words(shown) or "all is known", class_="quiet"),
        figures,
        section(3, FLOW, _area(shown), _flow_table(shown)) if shown.flow else "",
        section(3, AGES, _ages_table(shown.ages)),
        section(3, weeks_title(shown), _weeks_table(shown.weeks)),
    )


def _figure(tile: Tile) -> Markup:
    note = element("p", tile.note, class_="quiet") if tile.note else ""
    return element("div", element("strong", tile.figure), tile.words, note)


def _area(shown: Insight) -> Markup:
    """The cards in each stage, day by day, the last stage at the bottom; the table says the same.

    Days that are not known are left out at the left.
    """
    days = [
        [count for count in counts if count is not None]
        for counts in zip(*(stage.counts for stage in shown.flow), strict=True)
    ]
    heights = [[0, *accumulate(reversed(counts))] for counts in days]
    most = max(1, *(tops[-1] for tops in heights))
    step = _WIDTH / len(days)

    def edge(layer: int) -> list[tuple[float, float]]:
        at = [(day, tops[layer] if layer < len(tops) else 0) for day, tops in enumerate(heights)]
        # A day is as wide as any other, so each has two corners.
        return [(x * step, _HEIGHT * (1 - top / most)) for day, top in at for x in (day, day + 1)]

    last = len(shown.flow) - 1
    layers = [
        element(
            "polygon",
            points=_points([*edge(last - index), *reversed(edge(last - index + 1))]),
            fill=color_of(shown.flow, index),
        )
        for index in range(len(shown.flow))
    ]
    return element("svg", *layers, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", aria_hidden="true")


def _points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _flow_table(shown: Insight) -> Markup:
    # The days on which weeks begin, and today.
    wanted = [*(week.begins for week in shown.weeks), shown.days[-1]]
    days = [day for day in dict.fromkeys(wanted) if day in shown.days]
    at = [shown.days.index(day) for day in days]
    rows = [
        (
            joined(swatch(color_of(shown.flow, index)), " ", title_of(stage)),
            *("–" if stage.counts[day] is None else str(stage.counts[day]) for day in at),
        )
        for index, stage in enumerate(shown.flow)
    ]
    return table(("Stage", *(day_of(day) for day in days)), rows)


def _ages_table(stages: Iterable[StageAges]) -> Markup:
    limits = [counted(limit.days, "day") for limit in AGE_LIMITS]
    heads = ("Stage", *(f"under {limit}" for limit in limits), f"{limits[-1]} or more", "oldest")
    return table(heads, [_ages_row(stage) for stage in stages])


def _ages_row(stage: StageAges) -> Iterator[str]:
    yield title_of(stage)
    yield from map(str, stage.groups)
    if not stage.ages:
        yield "–"
        return
    oldest = f"#{stage.tasks[0]} {age_of_card(stage.ages[0])}"
    yield element("span", f"{oldest}, stale", class_="warn") if stage.stale else Markup(oldest)


def _weeks_table(weeks: Sequence[Week]) -> Markup:
    most = max(1, *(week.closed for week in weeks))
    rows = [
        (
            day_of(week.begins),
            f"{'' if week.is_known else '≥'}{week.closed}",
            _bar(week.closed / most),
        )
        for week in reversed(weeks)
    ]
    return table(("Week from", "Closed cards", ""), rows)


def _bar(share: float) -> Markup:
    drawn = element("rect", width=f"{100 * share:.1f}", height="10", fill="currentColor")
    return element(
        "svg", drawn, viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true",
        class_="bar",
    )  # fmt: skip
