"""The lines of a timeline: its head, the bars of cards, and the line of today through all of them.

Every line has the same grounds, those of free days, and today in the same cell.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import groupby

from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Task
from tui.model.timeline.bars import TimelineBar, bar_of
from tui.model.timeline.scale import Scale, Zoom
from tui.model.urgency import is_overdue, is_upcoming
from tui.text.cells import width as cell_width
from tui.text.dates import customs, overdue, week_of
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, cut_line, fitted, line_width
from tui.widgets.row_list import Heading, group_heading

WIDE = 100
"""In a narrower terminal a week has one cell for a day."""
_VERY_WIDE = 180
"""From this width on the due dates are beside the titles."""
_NUMBER, _DUE = 5, 13
_ACROSS = glyphs.FRAME.across

Cells = dict[int, Span]
"""Characters and their roles by cell."""


def left_width(width: int) -> int:
    """The width of what is at the left of the days, with the edge."""
    return 64 if width >= _VERY_WIDE else 42 if width >= WIDE else 30


class TimelineDrawing:
    """Draws the lines of a timeline at a time; `width` is that of the whole line."""

    def __init__(
        self,
        scale: Scale,
        now: datetime,
        width: int,
        *,
        is_free: Callable[[date], bool],
        relations: Relations = NO_RELATIONS,
    ) -> None:
        self._scale = scale
        self._now = now
        self._width = width
        self._left = width - scale.width
        self._is_free = is_free
        self._relations = relations
        self._today = scale.cell_of(now.date())

    @property
    def today(self) -> int | None:
        """The cell of the line in which today is; None if it is out of sight."""
        is_in_sight = self._scale.is_in_sight(self._now.date())
        return self._left + self._today if is_in_sight else None

    @cached_property
    def _grounds(self) -> list[str]:
        # Where several days share a cell, a free day is not seen.
        scale = self._scale
        if scale.zoom is Zoom.MONTHS:
            return ["ground"] * scale.width
        return [
            "card" if self._is_free(scale.day_at(cell)) else "ground" for cell in range(scale.width)
        ]

    @cached_property
    def _line_of_today(self) -> Cells:
        return {self._today: (glyphs.TODAY, "accent")}

    @cached_property
    def blank(self) -> Line:
        """A line without a card."""
        return ((" " * self._left, "text"), *self._area(self._line_of_today))

    def heading(self, heading: Heading) -> Line:
        """The heading of a group."""
        left = group_heading(heading, self._left)
        return (*fitted(left, self._left, "text"), *self._area(self._line_of_today))

    def row(self, task: Task, place: str = "") -> Line:
        """A card: its number, its title and its bar, without the edge at the left.

        The place, such as its board, follows the title as far as there is room.
        """
        number = "new" if task.is_local else f"#{task.id}"
        left: list[Span] = [(f"{number:>{_NUMBER}}  ", "quiet")]
        room = self._left - 3 - line_width(left)
        due: list[Span] = []
        if self._width >= _VERY_WIDE:
            due = [_due(task, self._now)]
            room -= _DUE
        words = [(task.title, "text"), (f"  {place}" if place else "", "quiet")]
        left += fitted(words, max(1, room), "text")
        left += [("  ", "text"), *(fitted(due, _DUE, "text") if due else ())]
        return (*fitted(left, self._left - 1, "text"), *self._area(self._cells(task)))

    def _cells(self, task: Task) -> Cells:
        cells = dict(self._line_of_today)
        bar = bar_of(task, self._scale, self._now)
        if bar is None:
            return cells
        role = "bad" if bar.late_until is not None else "text" if bar.is_started else "quiet"
        end = bar.end + bar.is_open_ended
        chips: list[Span] = []
        if what_blocks := self._relations.what_blocks(task):
            chips.append((f" {glyphs.BLOCKED} {what_blocks} ", "blocked"))
        if bar.late_until is not None and task.due_at is not None:
            cells |= dict.fromkeys(
                self._in_sight(range(bar.end + 1, bar.late_until)), (glyphs.LATE, role)
            )
            end = max(end, bar.late_until)
            chips.append((overdue(task.due_at, self._now), "bad"))
        # Over the dashes, which would hide the sign of a bar beyond the left edge.
        cells |= self._bar(bar, role)
        self._put(cells, max(end, 0) + 2, chips)
        return cells

    def _bar(self, bar: TimelineBar, role: str) -> Cells:
        begin, end, today = bar.begin, bar.end, self._today
        if bar.is_point:
            cells: Cells = {end: (glyphs.MARK, role)}
        else:
            crossed = (glyphs.CROSSING, role)
            cells = dict.fromkeys(self._in_sight(range(begin, end + 1)), (_ACROSS, role))
            if today in cells:
                cells[today] = crossed
            cells[begin] = (glyphs.START, role)
            if bar.is_open_ended:
                cells[end + 1] = (glyphs.RIGHT, role)
            else:
                cells[end] = (glyphs.END, role)
        last = self._scale.width - 1
        if begin < 0:
            cells[0] = (glyphs.LEFT, role)
        if max(begin, end + bar.is_open_ended) > last:
            cells[last] = (glyphs.RIGHT, role)
        return cells

    def _in_sight(self, cells: range) -> range:
        return range(max(0, cells.start), min(self._scale.width, cells.stop))

    def _put(self, cells: Cells, start: int, texts: Sequence[Span]) -> None:
        # What does not fit is left out.
        for text, role in texts:
            if start + cell_width(text) <= self._scale.width:
                cells |= {start + at: (letter, role) for at, letter in enumerate(text)}
            start += cell_width(text) + 1

    def _area(self, cells: Cells, grounds: Sequence[str] = ()) -> Line:
        drawn = (
            (character, role if role in ("blocked", "place") else f"{role}/{ground}")
            for ground, (character, role) in (
                (ground, cells.get(cell, (" ", "text")))
                for cell, ground in enumerate(grounds or self._grounds)
            )
        )
        return tuple(
            ("".join(character for character, _ in group), role)
            for role, group in groupby(drawn, lambda span: span[1])
        )

    @cached_property
    def head(self) -> tuple[Line, Line]:
        """The two lines above the rows: zooms and weeks, names of columns and days."""
        zooms: list[Span] = [(" ", "text")]
        zooms += [(f" {zoom} ", "place" if zoom is self._scale.zoom else "quiet") for zoom in Zoom]
        names: list[Span] = [(f" {'#':>{_NUMBER}}  title", "quiet")]
        if self._width >= _VERY_WIDE:
            names = [*fitted(names, self._left - _DUE, "quiet"), ("due", "quiet")]
        above = self._area(self._periods(), ["ground"] * self._scale.width)
        return (
            (*fitted(zooms, self._left, "text"), *above),
            (*fitted(names, self._left, "quiet"), *self._area(self._days())),
        )

    def zoom_at(self, x: int) -> Zoom | None:
        """The zoom whose name is drawn in a cell of the first line, if any."""
        start = 1
        for zoom in Zoom:
            end = start + cell_width(zoom) + 2
            if start <= x < end:
                return zoom
            start = end
        return None

    def _periods(self) -> Cells:
        """The names of the months, or the first days of weeks, as far as they fit."""
        scale, cells, free = self._scale, dict[int, Span](), 0
        name = _month if scale.zoom is Zoom.MONTHS else _week
        for day in scale.days():
            cell, label = scale.cell_of(day), name(day)
            if label and free <= cell <= scale.width - cell_width(label):
                cells |= {cell + at: (letter, "text") for at, letter in enumerate(label)}
                free = cell + cell_width(label) + 1
        return cells

    def _days(self) -> Cells:
        """The letters of days or their numbers, that of today filled."""
        scale, today, cells = self._scale, self._now.date(), dict[int, Span]()
        # Today comes first, as nothing may cover it.
        for day in sorted(scale.days(), key=lambda other: other != today):
            cell, label = scale.cell_of(day), f"{day:%a}"[0]
            if scale.zoom is Zoom.DAYS:
                label = f"{label} {day.day}"
            elif scale.zoom is Zoom.MONTHS:
                label = str(day.day) if day in (today, week_of(day)) else ""
            around = 1 if scale.zoom is Zoom.MONTHS else 0
            places = range(cell - around, cell + len(label) + around)
            if label and cells.keys().isdisjoint(places) and cell + len(label) <= scale.width:
                role = "place" if day == today else "quiet"
                cells |= {cell + at: (letter, role) for at, letter in enumerate(label)}
        return cells


def _week(day: date) -> str:
    if week_of(day) != day:
        return ""
    return f"{day:%m-%d}" if customs.get().is_iso else f"{day.day} {day:%b}"


def _month(day: date) -> str:
    if day.day != 1:
        return ""
    if customs.get().is_iso:
        return f"{day:%Y-%m}"
    return f"{day:%b %Y}" if day.month == 1 else f"{day:%b}"


def _due(task: Task, now: datetime) -> Span:
    due = task.due_at
    if due is None:
        return "–", "quiet"
    if is_overdue(task, now):
        return overdue(due, now), "bad"
    role = "warn" if is_upcoming(task, now) else "quiet"
    return "today" if due.date() == now.date() else short_day(due.date()), role


def short_day(day: date) -> str:
    """A day without its year, or as the user writes all dates."""
    return f"{day:%Y-%m-%d}" if customs.get().is_iso else f"{day:%a} {day.day} {day:%b}"


def spot_of_today(drawing: TimelineDrawing, left: Line, now: datetime, width: int) -> Line:
    """A line below a timeline that names today below its line, if there is room."""
    if drawing.today is None:
        return left
    words = f"today {now:%a} {now.day}"
    start = min(drawing.today - cell_width(words) // 2 + 1, width - cell_width(words) - 1)
    room = start - line_width(left)
    if room < 1:
        return left
    return (*cut_line(left, start), (" " * room, "text"), (words, "accent"))
