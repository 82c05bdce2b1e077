"""A forecast as lines: its sentence, chances by week, cards closed per week, and cycle times."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from tui.model.forecast.forecast import Forecast
from tui.model.forecast.outlook import LIKELY, WeekEnd, is_hardly, is_nearly_all
from tui.model.forecast.simulation import TRIALS
from tui.model.forecast.words import (
    basis,
    by_day,
    chance_words,
    dates_said,
    day_words,
    headline,
    subject,
)
from tui.screens.lists.insight_rows import bar_line, day_of, length_words
from tui.text.cells import width as cell_width
from tui.text.clean import counted
from tui.text.dates import week_of
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, cut_line, fitted, line_width

WIDE = 100
"""From this width on, the weeks of the past stand beside those to come."""
WEEKS_WIDTH = 32
_AIRY = 30
"""From this height on, there are blank lines."""
_LEAST_CHART, _LEAST_ROWS = 4, 4
_TEXT_CHART = 9
"""The height of the chart in a text."""
_SCALE = 5
"""The width of the numbers at the left of the chart."""
_ROOMY = 60
"""From this width on, the lines of the chart have whole words."""
_MARKED = 84
"""From this width of the list on, the marks have their days."""
_BAR, _LEAST_BAR = 50, 8
"""The longest bar, and how long it must be beside the marks."""
WIDEST = 140
"""As far as the figures go; `styles/` has it for the list."""
_ALL, _CLOSED, _CYCLES = "All closed by", "Closed per week", "Cycle time"
_DAY = timedelta(days=1)
_DRAWN = (50, 85)
_MOST_DIGITS = 9


class ForecastLayout(NamedTuple):
    """What there is room for; `chart` is the height of the cycle times, 0 if there is none."""

    is_airy: bool
    chart: int

    @classmethod
    def of(cls, shown: Forecast, width: int, height: int) -> "ForecastLayout":
        is_airy = height >= _AIRY
        above = len(list(top_lines(shown, width, "", is_airy=is_airy)))
        room = height - 3 - above - is_airy - 2
        rows = len(shown.outlook.week_ends()) if shown.outlook is not None else _LEAST_ROWS
        if width >= WIDE:
            rows = max(rows, len(shown.throughput.weeks))
        chart = room - min(rows, max(_LEAST_ROWS, room // 2))
        return cls(is_airy, chart if chart >= _LEAST_CHART else 0)


def top_lines(shown: Forecast, width: int, note: str, *, is_airy: bool) -> Iterator[Line]:
    """The forecast in a sentence, what it stands on, what else was asked, and the headings."""
    width = min(width, WIDEST)
    if is_airy:
        yield ()
    yield from _headline(shown, width)
    stands_on = basis(shown, is_short=width < WIDE)
    yield ((f" {stands_on}{f' · {note}' if note else ''}", "quiet"),)
    if shown.question.day is not None and (words := by_day(shown, shown.question.day)):
        yield ((f" {words}", "text"),)
    if is_airy:
        yield ()
    heading: Line = ((f" {_ALL}" if shown.outlook is not None else "", "strong"),)
    if width >= WIDE:
        heading = (*fitted(heading, width - WEEKS_WIDTH, "text"), (f" {_CLOSED}", "strong"))
    yield heading


def _headline(shown: Forecast, width: int) -> Iterator[Line]:
    # Broken between its parts where it is too long.
    if shown.outlook is None:
        yield ((f" {headline(shown)}", "strong"),)
        return
    line: list[Span] = [(f" {subject(shown)}", "strong"), (":", "text")]
    dates = list(dates_said(shown))
    for index, (percent, words) in enumerate(dates, 1):
        part: list[Span] = [(f" {percent}", "strong")]
        part.append((f" {words}{',' * (index < len(dates))}", "text"))
        if line_width(line) + line_width(part) > width:
            yield tuple(line)
            line = []
        line += part
    yield tuple(line)


def chance_lines(shown: Forecast, width: int) -> dict[date, Line]:
    """For each week its chance that all cards are closed by its end, as a bar and a number."""
    ends = shown.outlook.week_ends() if shown.outlook is not None else []
    labels = [day_words(end.day, shown.today) for end in ends]
    marks = [_mark(shown, end, has_day=width >= _MARKED) for end in ends]
    longest = max(map(cell_width, labels), default=0)
    room = min(_BAR, width - longest - 9 - max(map(cell_width, marks), default=0))
    if room < _LEAST_BAR:
        room, marks = max(0, width - longest - 9), [""] * len(ends)
    return {
        end.day: (
            (f" {label:>{longest}}  ", "text"),
            *_chance_bar(end.trials, room),
            (f" {chance_words(end.trials):>4}", "strong"),
            (mark, "accent" if "50%" in mark else "text"),
        )
        for end, label, mark in zip(ends, labels, marks, strict=True)
    }


def _chance_bar(trials: int, room: int) -> Line:
    # Empty and full only where the words are `<1%` and `>99%`.
    filled = room if is_nearly_all(trials) else max(not is_hardly(trials), trials * room // TRIALS)
    return (
        (glyphs.BLOCKS[-1] * filled, "accent"),
        (glyphs.FRAME.across * (room - filled), "line"),
    )


def _mark(shown: Forecast, end: WeekEnd, *, has_day: bool) -> str:
    # The percentages whose days are in the week.
    days = [
        (percent, day)
        for percent in LIKELY
        if shown.outlook is not None and (day := shown.outlook.day_for(percent)) is not None
        if week_of(day) == week_of(end.day)
    ]
    if has_day and len(days) == 1:
        return f"  {glyphs.LEFT} {days[0][0]}% {day_words(days[0][1], shown.today)}"
    return f"  {glyphs.LEFT} {', '.join(f'{percent}%' for percent, _ in days)}" if days else ""


def past_lines(shown: Forecast, width: int, height: int) -> list[Line]:
    """How many cards were closed in each of the weeks that count, as far as there is room."""
    weeks = shown.throughput.weeks[-height:] if height else ()
    most = max((week.closed for week in weeks), default=0) or 1
    return [bar_line(week.begins, week.closed, most, width) for week in weeks]


def cycle_lines(shown: Forecast, width: int, height: int) -> Iterator[Line]:
    """How long each card took, one dot a card by the day on which it was closed; a heading."""
    width = min(width, WIDEST)
    about = "days from start to close, one dot a card" if width >= _ROOMY else "days, a dot a card"
    if not shown.cycles:
        yield ((f" {_CYCLES}", "strong"), ("  no card with a known start was closed", "quiet"))
        return
    yield ((f" {_CYCLES}", "strong"), (f"  {about}", "quiet"))
    first, days = _extent(shown)
    top = _top(shown)
    lines: dict[int, Line] = {}
    for length, label in _labels(shown, has_words=width >= _ROOMY).items():
        level = _level(length, top, height)
        lines[level] = (*lines.get(level, ()), *label)
    room = max(1, width - _SCALE - 2 - max(map(line_width, lines.values())))
    dots = Counter(
        (_level(cycle.length, top, height), (day - first).days * room // days)
        for cycle in shown.cycles
        for day in [cycle.closed_at.astimezone(shown.now.tzinfo).date()]
    )
    scale = {0: 0, (height - 1) // 2: top // 2 if height % 2 else "", height - 1: top}
    for level in reversed(range(height)):
        blank = glyphs.OUTLINE.across if level in lines else " "
        cells = [_dot(dots[level, column]) or blank for column in range(room)]
        spans: list[Span] = [
            (f"{scale.get(level, ''):>{_SCALE - 1}} ", "quiet"),
            (glyphs.FRAME.down, "line"),
        ]
        for is_dot, run in groupby(cells, key=lambda cell: cell != blank):
            spans.append(("".join(run), "accent" if is_dot else "line"))
        yield (*spans, *lines.get(level, ()))
    yield (
        (" " * _SCALE, "quiet"),
        (glyphs.OUTLINE.bottom_left, "line"),
        *_axis(shown, first, days, room),
    )


def _dot(count: int) -> str:
    if count > _MOST_DIGITS:
        return "+"
    return str(count) if count > 1 else glyphs.DOT * count


def _extent(shown: Forecast) -> tuple[date, int]:
    # The first day of the chart, and how many days it has.
    begins = [week.begins for week in shown.throughput.weeks]
    first = min(begins, default=week_of(shown.today))
    return first, (shown.today - first).days + 1


def _top(shown: Forecast) -> int:
    # Whole days, of which there is a half.
    longest = max(cycle.length for cycle in shown.cycles)
    days = max(1, -(-longest // _DAY))
    return days + days % 2


def _level(length: timedelta, top: int, height: int) -> int:
    return min(height - 1, round(length / _DAY * (height - 1) / top))


def _labels(shown: Forecast, *, has_words: bool) -> dict[timedelta, Line]:
    # The words of the lines, of which two may be one.
    percents: dict[timedelta, list[str]] = {}
    for percent in _DRAWN:
        if (length := shown.cycle_within(percent)) is not None:
            percents.setdefault(length, []).append(f"{percent}%")
    labels: dict[timedelta, Line] = {}
    for length, names in percents.items():
        within = f"{' within' if has_words else ''} {length_words(length, has_tenths=True)}"
        role = "warn" if "85%" in names else "text"
        labels[length] = ((f" {', '.join(names)}{within}", role),)
    return labels


def _axis(shown: Forecast, first: date, days: int, room: int) -> list[Span]:
    spans: list[Span] = []
    used = 0
    for week in shown.throughput.weeks:
        at, name = (week.begins - first).days * room // days, f" {day_of(week.begins)} "
        if at >= used + 2 * bool(spans) and at + cell_width(name) <= room:
            spans += [(glyphs.FRAME.across * (at - used), "line"), (name, "quiet")]
            used = at + cell_width(name)
    return [*spans, (glyphs.FRAME.across * (room - used), "line")]


def cycle_words(shown: Forecast) -> str:
    """The cycle times in a sentence."""
    within = ", ".join(
        f"{percent}% within {length_words(length, has_tenths=True)}"
        for percent in LIKELY
        if (length := shown.cycle_within(percent)) is not None
    )
    return f"{within}, of {counted(len(shown.cycles), 'card')}" if within else ""


def explained(shown: Forecast, end: WeekEnd) -> tuple[str, str]:
    """What a row says, in words, and what it is counted from."""
    days = sum(day <= end.day for day in shown.outlook.days) if shown.outlook is not None else 0
    return by_day(shown, end.day), f"{counted(days, 'working day')}, {TRIALS:,} trials"


def forecast_text(shown: Forecast, width: int) -> Iterator[str]:
    """All of it in lines of text."""
    lines: list[Line] = [*_headline(shown, width), ((basis(shown), "quiet"),)]
    if shown.question.day is not None and (words := by_day(shown, shown.question.day)):
        lines.append(((words, "text"),))
    if shown.outlook is not None:
        lines += [(), ((_ALL, "strong"),)]
        lines += chance_lines(shown, width).values()
    if shown.throughput.weeks:
        lines += [
            (),
            ((_CLOSED, "strong"),),
            *past_lines(shown, width, len(shown.throughput.weeks)),
        ]
    lines += [(), *cycle_lines(shown, width, _TEXT_CHART)]
    if words := cycle_words(shown):
        lines.append(((words, "text"),))
    for line in lines:
        # On the screen a blank stands before each line.
        yield "".join(text for text, _ in cut_line(line, width)).rstrip().removeprefix(" ")
