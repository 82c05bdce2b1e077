"""The rows of the insight into a board: figures of stages and weeks, as text with small charts."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from tui.model.history import BEGINNING, LONG
from tui.model.standup.insight import AGE_LIMITS, ELSEWHERE, Insight, StageAges, StageFlow, Week
from tui.text.cells import fit
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.painted import Line

_WIDE = 60
_FLOW, _AGES, _WEEKS, _CHART = "flow", "ages", "weeks", "chart"
_OTHERS = "other stages"
_CHART_HEIGHT = 8
_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
_CHART_ROLES = ("quiet", "accent", "warn", "news")
_DAY = timedelta(days=1)


class ChartLine(NamedTuple):
    """A line of the chart of all stages, counted from the top."""

    number: int


class Row(NamedTuple):
    """A line of a section."""

    section: str
    value: StageFlow | StageAges | Week | ChartLine

    @property
    def title(self) -> str:
        """The title of the stage, or the day on which the week begins."""
        value = self.value
        if isinstance(value, Week):
            return day_of(value.begins)
        if isinstance(value, ChartLine):
            return f"{value.number}"
        return _OTHERS if value.title == ELSEWHERE else value.title


def rows_of(shown: Insight) -> Iterator[Row]:
    """The rows of all sections; the newest week is first."""
    yield from (Row(_FLOW, stage) for stage in shown.flow)
    yield from (Row(_AGES, stage) for stage in shown.ages)
    yield from (Row(_WEEKS, week) for week in reversed(shown.weeks))
    lines = range(_CHART_HEIGHT if shown.flow else 0)
    yield from (Row(_CHART, ChartLine(number)) for number in lines)


def heading_of(shown: Insight, row: Row, width: int) -> str:
    """The heading of the section of a row."""
    is_wide = width >= _WIDE
    if row.section == _FLOW:
        return f"Cards in each stage, {day_of(shown.days[0])} to {day_of(shown.days[-1])}"
    if row.section == _AGES:
        limits = ", ".join(f"{limit.days}" for limit in AGE_LIMITS)
        more = f", in groups under {limits} days, and older" if is_wide else ""
        return f"Ages of open cards{more}"
    if row.section == _WEEKS:
        return f"Closed each week, from {shown.days[0]:%A}" if is_wide else "Closed each week"
    pairs = zip(_SIGNS, shown.flow, strict=False)
    legend = [f"{sign} {stage.title or _OTHERS}" for sign, stage in pairs]
    return f"Cumulative flow: {', '.join(legend)}"


def line_of(shown: Insight, row: Row, width: int) -> Line:
    """A row, at most `width` cells wide."""
    is_wide = width >= _WIDE
    value = row.value
    if isinstance(value, ChartLine):
        return tuple(_chart_spans(shown, value, width))
    title = (f" {fit(row.title, 17 if is_wide else 9)} ", "text")
    if isinstance(value, Week):
        largest = max(week.closed for week in shown.weeks)
        least = " " if value.is_known else "≥"
        count = f"{least}{value.closed:<4}"
        room = min(40, width - len(count) - len(title[0]))
        return (title, (count, "strong"), (bar(value.closed, largest, room), "accent"))
    if isinstance(value, StageFlow):
        counts = [count for count in value.counts if count is not None]
        change = f"{counts[0]:>4} {glyphs.ARROW} {counts[-1]:<4} "
        room = width - len(change) - len(title[0])
        return (title, (change, "strong"), (spark(_widened(value.counts, room), room), "accent"))
    oldest = _oldest(value)
    stale = f"{value.stale} over {_span(value.long)}" if value.stale else ""
    groups = spark(_widened(value.groups, 12 if is_wide else 6), 12)
    if is_wide:
        cards = counted(value.cards, "card")
        parts = (f"{cards:<10}", f"{stale:<14}", f"{oldest and f'oldest {oldest}':<14}")
    else:
        parts = (f"{value.cards:>3} ", f"{stale:<11}", f"{oldest:<6}")
    roles = ("strong", "bad", "quiet")
    return (title, *zip(parts, roles, strict=True), (groups if value.ages else "", "accent"))


def _chart_spans(shown: Insight, line: ChartLine, width: int) -> Iterator[tuple[str, str]]:
    layers, room = [stage.counts for stage in shown.flow], width - 6
    totals = [sum(count or 0 for count in column) for column in zip(*layers, strict=True)]
    yield f" {max(totals) if not line.number else '':>4} ", "quiet"
    wide = [_widened(layer, room) for layer in layers]
    for index, run in groupby(stacked(wide, room, line=line.number, height=_CHART_HEIGHT)):
        sign = _SIGNS[index % len(_SIGNS)] if index >= 0 else " "
        yield sign * len(list(run)), _CHART_ROLES[index % len(_CHART_ROLES)]


def _widened(values: Sequence[int | None], room: int) -> list[int | None]:
    return [value for value in values for _ in range(max(1, room // len(values)))]


def _oldest(value: StageAges) -> str:
    if not value.ages:
        return ""
    age, is_exact = value.ages[0]
    return f"{'' if is_exact else '≥'}{_span(age)}"


def _span(length: timedelta) -> str:
    if length >= _DAY:
        return f"{length.days}d"
    minutes = length // timedelta(minutes=1)
    return f"{minutes // 60}h" if minutes >= 60 else f"{max(1, minutes)}m"  # noqa: PLR2004


def day_of(day: date) -> str:
    """A day and its month, such as 2 Nov."""
    return f"{day.day} {day:%b}"


def known_words(shown: Insight | None) -> str:
    """Since when the history is known; empty if always."""
    since = shown.known_since if shown else None
    if shown is None or since is None:
        return "nothing is known of the past"
    return "" if since == BEGINNING else f"known since {day_of(since.astimezone(shown.now.tzinfo))}"


def explained(shown: Insight, row: Row) -> str:
    """What the numbers of a row mean, in a sentence."""
    value = row.value
    if isinstance(value, ChartLine):
        return "cards are drawn with the number of their stage, the last stage at the bottom"
    if isinstance(value, StageFlow):
        pairs = zip(value.counts, shown.days, strict=True)
        counts = [pair for pair in pairs if pair[0] is not None]
        most, least = max(counts, key=itemgetter(0)), min(counts, key=itemgetter(0))
        return (
            f"{row.title}: {counted(counts[-1][0] or 0, 'card')} now, at most {most[0]} on"
            f" {day_of(most[1])}, at least {least[0]} on {day_of(least[1])}"
        )
    if isinstance(value, Week):
        end = day_of(value.begins + 6 * _DAY)
        least_words = "" if value.is_known else "at least "
        closed = counted(value.closed, "card")
        return f"{row.title} to {end}: {least_words}{closed} closed that are not open again"
    few = "the limit until ten cards have left it"
    why = few if value.long == LONG else "85 of 100 cards stayed no longer"
    cards = counted(value.cards, "open card")
    return f"{row.title}: {value.stale} of {cards} older than {_span(value.long)}, {why}"


def spark(values: Sequence[int | None], width: int) -> str:
    """A chart of at most `width` cells, from 0 to the largest value; blank where not known.

    If there are more values than cells, each cell has the last one of its share.
    """
    count = len(values)
    cells = min(width, count)
    shown = [values[(at + 1) * count // cells - 1] for at in range(cells)]
    largest = max((value for value in shown if value is not None), default=0)
    return "".join(" " if value is None else _block(value, largest) for value in shown)


def _block(value: int, largest: int) -> str:
    if not value:
        return glyphs.BLOCKS[0]
    return glyphs.BLOCKS[-(-value * (len(glyphs.BLOCKS) - 1) // largest)]


def bar(value: int, largest: int, width: int) -> str:
    """A bar of at most `width` cells; empty for nothing, else at least one cell."""
    return glyphs.FULL * -(-value * width // max(1, largest))


def stacked(
    layers: Sequence[Sequence[int | None]], width: int, *, line: int, height: int
) -> list[int]:
    """Which of the layers is at each cell of a line, from the top, of a chart; -1 for none.

    The first layer is on top, and the largest sum of layers fills the height.
    """
    count = len(layers[0])
    cells = min(width, count)
    columns = [
        [layer[(at + 1) * count // cells - 1] or 0 for layer in layers] for at in range(cells)
    ]
    level = (height - line - 0.5) * max(map(sum, columns)) / height
    return [_layer(column, level) for column in columns]


def _layer(column: Sequence[int], level: float) -> int:
    top = 0
    for index in reversed(range(len(column))):
        top += column[index]
        if level < top:
            return index
    return -1
