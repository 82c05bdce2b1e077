"""The figures of a board as lines: tiles, the cards in each stage as an area, ages, and weeks."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from tui.model.colors import COLORS
from tui.model.events.history import BEGINNING, LONG
from tui.model.standup.insight import AGE_LIMITS, ELSEWHERE, Insight, StageAges, StageFlow, Week
from tui.model.standup.words import SEPARATOR
from tui.text import clean
from tui.text.cells import fit, width as cell_width
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, cut_line, fitted, line_width, on_ground
from tui.widgets.row_list import TABLE_WIDTH, ListColumn, columns_line, number

Row = StageAges | Week
"""A row of the list: the ages of the cards of a stage, or a week."""

_WIDE = 100
"""From this width on there are tiles, and the weeks stand beside the ages."""
AGES = "Age of open cards"
WEEKS = "Closed each week"
FLOW = "Cards in each stage"
_TALL, _ROOMY = 31, 64
_LEAST_CHART, _MOST_CHART = 4, 15
_SCALE, _WEEKS_WIDTH = 6, 32
"""The widths of the numbers at the left of the area, and of the weeks beside the ages."""
_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
_SIGN_ROLES = ("quiet", "accent", "warn", "news")
_LAYERS = tuple(COLORS[name] for name in ("blue", "purple", "yellow", "sky", "orange", "pink"))
_FIRST, _LAST = COLORS["grey"], COLORS["green"]
_FEWEST = 5
"""How many cards must have been closed for a median."""
_PERCENTILE = 85
_LEAST = 0.05
"""The least number that is not rounded to 0.0."""
_DAY = timedelta(days=1)


class Layout(NamedTuple):
    """What there is room for; `chart` is the height of the area, 0 if there is none."""

    has_tiles: bool
    is_airy: bool
    chart: int
    is_beside: bool

    @classmethod
    def of(cls, shown: Insight, width: int, height: int) -> "Layout":
        has_tiles, is_airy = width >= _WIDE, height >= _TALL
        room = height - 3 - (4 if has_tiles else 1) - 2 * is_airy - 4
        ages, weeks = len(shown.ages), len(shown.weeks)
        wanted = 1 + max(ages, weeks) if has_tiles else 2 + ages + weeks
        chart = min(max(room // 2, room - wanted), max(_MOST_CHART, height // 3))
        if chart < _LEAST_CHART or not shown.ages:
            return cls(has_tiles, is_airy, 0, is_beside=False)
        return cls(has_tiles, is_airy, chart, has_tiles and weeks <= room - chart)


class Tile(NamedTuple):
    """A figure with its words, and in the same unit what it is compared with."""

    figure: str
    words: str
    short: str
    note: str
    role: str = "strong"


def tiles(shown: Insight) -> list[Tile]:
    """The four figures of a board."""
    closed, earlier = _tenths(shown.closed_per_week), shown.closed_per_week_earlier
    earlier_note = "earlier weeks unknown"
    if earlier is not None:
        weeks = counted(len(shown.earlier), "week")
        earlier_note = f"previous {weeks}: {_tenths(earlier)}"
    elif shown.begun_at is not None:
        earlier_note = f"since {day_of(shown.begun_at.astimezone(shown.now.tzinfo))}"
    median, within = "–", f"fewer than {_FEWEST} closed cards"
    if len(shown.work) >= _FEWEST:
        most = shown.work[-(-_PERCENTILE * len(shown.work) // 100) - 1]
        median = length_words(shown.work[(len(shown.work) - 1) // 2], has_tenths=True)
        within = f"{_PERCENTILE}% within {length_words(most, has_tenths=True)}"
    fullest = max(shown.ages, key=lambda stage: stage.cards, default=None)
    where = f"{fullest.cards} of them in {fullest.title}" if fullest and fullest.cards else ""
    stale = [
        pair
        for stage in shown.ages
        for pair in list(zip(stage.ages, stage.tasks, strict=True))[: stage.stale]
    ]
    oldest = sorted(stale, reverse=True)[:2]
    names = ", ".join(f"#{task_id} {age_of_card(age)}" for age, task_id in oldest)
    return [
        Tile(closed, "closed per week", "closed per week", earlier_note, "good"),
        Tile(median, "median cycle time", "median", within),
        Tile(str(sum(stage.cards for stage in shown.ages)), "open", "open", where),
        Tile(str(len(stale)), "aging", "old", names, "warn" if stale else "strong"),
    ]


def figure_lines(
    shown: Insight, size: tuple[int, int], note: str, *, is_plain: bool
) -> Iterator[Line]:
    """All above the table of ages; `is_plain` draws the area without colours and blocks."""
    width, layout, figures = min(size[0], TABLE_WIDTH), Layout.of(shown, *size), tiles(shown)
    if layout.is_airy:
        yield ()
    if layout.has_tiles:
        yield from _tile_lines(figures, width)
    else:
        pairs = [((f" {tile.figure}", tile.role), (f" {tile.short}  ", "text")) for tile in figures]
        yield tuple(span for pair in pairs for span in pair)
    if layout.is_airy:
        yield ()
    if layout.chart:
        yield ((f" {FLOW}", "strong"), (f"  {note}", "quiet"))
        yield from _chart(shown, width - 1, layout.chart, is_plain=is_plain)
        yield ()
        note = "days in the stage"
    ages: Line = ((f" {AGES}", "strong"), (f"  {note}", "quiet"))
    if layout.is_beside:
        ages = (*fitted(ages, width - _WEEKS_WIDTH, "text"), (f" {WEEKS}", "strong"))
    yield ages


def _tile_lines(figures: Sequence[Tile], width: int) -> Iterator[Line]:
    room, blank = width // len(figures) - 2, [()] * len(figures)
    words = [((f"  {tile.figure}", tile.role), (f" {tile.words}", "text")) for tile in figures]
    notes = [((f"  {tile.note}", "quiet"),) for tile in figures]
    for parts in (blank, words, notes, blank):
        line: list[Span] = []
        for part in parts:
            inside = on_ground(fitted(part, room, "text"), "card")
            line += ((" ", "text"), *inside, (" ", "text"))
        yield tuple(line)


def _chart(shown: Insight, width: int, height: int, *, is_plain: bool) -> list[Line]:
    # The last stage is at the bottom. A cell has two halves, or in plain form the sign of a stage.
    legend = _legend(shown.flow, width, height, is_plain=is_plain)
    room = max(1, width - _SCALE - 2 - max(map(line_width, legend)))
    columns = spread([stage.counts for stage in shown.flow], room)
    most = max(1, *map(sum, columns))
    scale = {height // 2: -(-most // 2), height - 1: 0, 0: most}
    lines: list[Line] = []
    for line in range(height):
        levels = [(height - line - part) * most / height for part in (0.25, 0.75)]
        ups, downs = ([layer_at(column, level) for column in columns] for level in levels)
        spans: list[Span] = [(f" {scale.get(line, ''):>4} ", "quiet")]
        for (up, down), run in groupby(zip(ups, downs, strict=True)):
            sign, role = _cell(shown.flow, up, down, is_plain=is_plain)
            spans.append((sign * len(list(run)), role))
        lines.append((*spans, ("  ", "text"), *(legend[line] if line < len(legend) else ())))
    return [*lines, ((f"{' ' * _SCALE}{_axis(shown, room)}", "quiet"),)]


def _cell(flow: Sequence[StageFlow], up: int, down: int, *, is_plain: bool) -> Span:
    if down < 0:
        return " ", "text"
    if is_plain:
        return _SIGNS[down % len(_SIGNS)], _SIGN_ROLES[down % len(_SIGN_ROLES)]
    below = color_of(flow, down)
    return (glyphs.HALF_BELOW, below) if up < 0 else (glyphs.HALF, f"{color_of(flow, up)}/{below}")


def color_of(flow: Sequence[StageFlow], index: int) -> str:
    """The colour of a stage in the area."""
    if index == 0:
        return _FIRST
    return _LAST if index == len(flow) - 1 else _LAYERS[(index - 1) % len(_LAYERS)]


def _legend(flow: Sequence[StageFlow], width: int, height: int, *, is_plain: bool) -> list[Line]:
    longest = max(cell_width(title_of(stage)) for stage in flow)
    room = min(longest, 16 if width >= _WIDE - 1 else 11)  # without the margin
    lines: list[Line] = []
    for index, stage in enumerate(flow):
        counts = [count for count in stage.counts if count is not None]
        change = counts[-1] - counts[0]
        sign = _cell(flow, index, index, is_plain=True)
        lines.append(
            (
                sign if is_plain else (glyphs.CHIP, color_of(flow, index)),
                (f" {fit(title_of(stage), room)}", "text"),
                (f" {counts[-1]:>4}", "strong"),
                (f" {f'{change:+}' if change else '·':>5}" if width >= _WIDE // 2 else "", "quiet"),
            )
        )
    if len(lines) > height:
        more = len(lines) - height + 1
        lines[height - 1 :] = [((f"  and {counted(more, 'stage')}", "quiet"),)]
    return lines


def _axis(shown: Insight, room: int) -> str:
    days, text = shown.days, ""
    last = day_of(days[-1])
    for week in shown.weeks:
        at, name = (week.begins - days[0]).days * room // len(days), day_of(week.begins)
        if (at >= len(text) + 2 or not text) and at + len(name) + 2 <= room - len(last):
            text = f"{text:<{at}}{name}"
    return f"{text:<{room - len(last)}}{last}" if room > len(last) else ""


def spread(layers: Sequence[Sequence[int | None]], width: int) -> list[tuple[int, ...]]:
    """The values of all layers in each of so many cells; a cell has the last of its share."""
    days = list(zip(*layers, strict=True))
    return [
        # Rounded up: the last cell shows the last day.
        tuple(value or 0 for value in days[-(-(at + 1) * len(days) // width) - 1])
        for at in range(width)
    ]


def layer_at(column: Sequence[int], level: float) -> int:
    """Which of the layers, of which the last is at the bottom, is at a height; -1 for none."""
    top = 0
    for index in reversed(range(len(column))):
        top += column[index]
        if level < top:
            return index
    return -1


def age_columns(width: int) -> tuple[ListColumn, ...]:
    """The columns of the ages in a list of this width: a stage, its groups, its oldest card."""
    room = 6 if width >= _ROOMY else 4
    names = [f"<{limit.days}" for limit in AGE_LIMITS] + [f"{AGE_LIMITS[-1].days}+"]
    return (
        ListColumn("", gap=1),
        *(ListColumn(name, width=room, align="right") for name in names),
        ListColumn("   oldest", width=15, least=_WIDE // 2),
    )


def age_cells(stage: StageAges) -> list[str | Line]:
    """The cells of the ages of a stage."""
    oldest: Line = (("", "quiet"),)
    if stage.ages:
        role, sign = ("warn", f" {glyphs.STALE}") if stage.stale else ("quiet", "")
        oldest = ((f"   #{stage.tasks[0]} {age_of_card(stage.ages[0])}{sign}", role),)
    return [f" {title_of(stage)}", *map(number, stage.groups), oldest]


def week_line(shown: Insight, week: Week, width: int) -> Line:
    """A week, its bar and its number, at most `width` cells wide."""
    most = max(1, *(shown_week.closed for shown_week in shown.weeks))
    return bar_line(week.begins, week.closed, most, width, "" if week.is_known else "≥")


def bar_line(begins: date, closed: int, most: int, width: int, sign: str = "") -> Line:
    """A bar for the cards closed in a week, of which `most` has the longest; a `sign` before it."""
    room = max(1, min(40, width - 8 - len(f"{sign}{closed}") - 2))
    return (
        (f" {day_of(begins):<7}", "quiet"),
        (glyphs.BLOCKS[-1] * -(-closed * room // most), "good"),
        (f"{' ' * bool(closed)}{sign}{closed}", "strong"),
    )


def text_lines(shown: Insight, width: int) -> Iterator[str]:
    """All figures in lines of text."""
    lines: list[Line] = [
        ((f"{tile.figure} {tile.words}", "strong"), (f"  {tile.note}", "quiet"))
        for tile in tiles(shown)
    ]
    if shown.flow:
        lines += [(), ((FLOW, "strong"),), *_chart(shown, width, 8, is_plain=True)]
    columns = age_columns(width)
    heads: list[Line] = [((column.name, "quiet"),) for column in columns]
    lines += [(), ((AGES, "strong"),), columns_line(columns, heads, width)]
    lines += [columns_line(columns, age_cells(stage), width) for stage in shown.ages]
    lines += [(), ((weeks_title(shown), "strong"),)]
    lines += [week_line(shown, week, width) for week in reversed(shown.weeks)]
    for line in lines:
        yield "".join(text for text, _ in cut_line(line, width)).rstrip()


def weeks_title(shown: Insight) -> str:
    """The heading of the weeks, with the day on which they begin."""
    return f"{WEEKS}, from {shown.days[0]:%A}"


def title_of(stage: StageFlow | StageAges) -> str:
    """The title of a stage in words."""
    return "other stages" if stage.title == ELSEWHERE else stage.title


def _tenths(number: float | None) -> str:
    if number is None:
        return "–"
    # Little is not nothing.
    return "<0.1" if 0 < number < _LEAST else f"{number:.1f}".removesuffix(".0")


def age_of_card(age: tuple[timedelta, bool]) -> str:
    """An age in the fewest cells; `≥` if it is a lower bound."""
    length, is_exact = age
    return f"{'' if is_exact else '≥'}{length_words(length)}"


def length_words(length: timedelta, *, has_tenths: bool = False) -> str:
    """A time in one unit, such as 3d or 5h."""
    if has_tenths and _DAY <= length < 10 * _DAY:
        return f"{length / _DAY:.1f}".removesuffix(".0") + "d"
    if length >= _DAY:
        return f"{length.days}d"
    minutes = length // timedelta(minutes=1)
    return f"{minutes // 60}h" if minutes >= 60 else f"{max(1, minutes)}m"  # noqa: PLR2004


def day_of(day: date) -> str:
    """A day and its month, such as 2 Nov."""
    return f"{day.day} {day:%b}"


def known_words(shown: Insight | None) -> str:
    """Since when the history is known, and of which cards; empty if of all and always."""
    since = shown.known_since if shown else None
    if shown is None or since is None:
        return "no history yet"
    known = ""
    if since != BEGINNING:
        known = f"known since {day_of(since.astimezone(shown.now.tzinfo))}"
    cards = ""
    if shown.past_filter is not None:
        which = (
            f"cards matching {clean.line(shown.past_filter)}" if shown.past_filter else "all cards"
        )
        cards = f"history of {which}"
    return SEPARATOR.join(filter(None, (known, cards)))


def explained(shown: Insight, row: Row) -> tuple[str, str]:
    """What the numbers of a row mean, in a sentence, and what else is known."""
    if isinstance(row, Week):
        extent = f"{day_of(row.begins)} to {day_of(row.begins + 6 * _DAY)}"
        if not (row.closed or row.is_known):
            return f"{extent}: closed cards unknown", ""
        least = "" if row.is_known else "at least "
        return f"{extent}: {least}{counted(row.closed, 'card')} closed and not reopened", ""
    few = "the default until ten cards have left the stage"
    why = few if row.long == LONG else "85% of cards leave sooner"
    cards = counted(row.cards, "open card")
    text = f"{title_of(row)}: {row.stale} of {cards} older than {length_words(row.long)}, {why}"
    flow = next((stage for stage in shown.flow if stage.title == row.title), None)
    if flow is None:
        return text, ""
    counts = [
        (count, day)
        for count, day in zip(flow.counts, shown.days, strict=True)
        if count is not None
    ]
    (most, top), (fewest, low) = max(counts, key=itemgetter(0)), min(counts, key=itemgetter(0))
    return text, f"most {most} on {day_of(top)}, least {fewest} on {day_of(low)}"
