"""Which days of a timeline are in sight, and what draws them."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Protocol

from textual.geometry import Size

from tui.actions.action import action
from tui.actions.host import Host
from tui.model.task import Task
from tui.model.timeline.bars import bar_of
from tui.model.timeline.scale import Scale, Zoom, first_day, scrolled
from tui.screens.timeline.drawing import WIDE, TimelineDrawing, left_width


class DaysHost(Host, Protocol):
    """The screen of a timeline."""

    @property
    def size(self) -> Size:
        """The size of the screen."""

    @property
    def is_agenda(self) -> bool:
        """Whether days are listed instead."""


class TimelineDays:
    """The zoom and the first day in sight; `redraw` is called when they change."""

    def __init__(self, host: DaysHost, redraw: Callable[[], None]) -> None:
        self._host = host
        self._redraw = redraw
        self._zoom = Zoom.WEEKS
        self._first: date | None = None
        """The first day in sight, if the user has scrolled."""
        self._drawn: tuple[object, TimelineDrawing] | None = None

    @property
    def scale(self) -> Scale:
        width = self._host.size.width
        today = self._host.context.now().date()
        scale = Scale(today, self._zoom, max(0, width - left_width(width)), width < WIDE)
        first = self._first or first_day(today, scale)
        return Scale(first, scale.zoom, scale.width, scale.is_narrow)

    @property
    def drawing(self) -> TimelineDrawing | None:
        """What draws the timeline, the same while nothing differs; None for an agenda."""
        host = self._host
        if host.is_agenda or not host.size.width:
            return None
        now = host.context.now().replace(second=0, microsecond=0)
        width, settings = host.size.width, host.context.settings
        relations = host.context.store.relations()
        looks = width, self._zoom, self._first, now, settings, relations
        if self._drawn is None or self._drawn[0] != looks:
            is_working_day = settings.calendar.include
            drawing = TimelineDrawing(
                self.scale,
                now,
                width,
                is_free=lambda day: not is_working_day(day),
                relations=relations,
            )
            self._drawn = looks, drawing
        return self._drawn[1]

    @action("timeline.zoom-in", "plus,equals_sign", "Zoom in", arguments=(1,))
    @action("timeline.zoom-out", "minus", "Zoom out", arguments=(-1,))
    def zoom(self, by: int) -> None:
        if self._host.is_agenda:
            hint = "{timeline.agenda:tab} to show the timeline"
            self._host.say("an agenda has no zoom", hint=hint)
            return
        zoom = self._zoom.step(by)
        if zoom is self._zoom:
            self._host.say(f"{zoom} are the {'closest' if by > 0 else 'farthest'} view")
        else:
            self.zoom_to(zoom)

    def zoom_to(self, zoom: Zoom) -> None:
        """Show days in another zoom."""
        scale, self._zoom = self.scale, zoom
        if self._first is not None:
            # The day in the middle stays there.
            middle = scale.day_at(scale.width // 2)
            self._first = middle - timedelta(days=self.scale.day_count // 2)
        self._redraw()

    def go_to_today(self) -> None:
        """Show the days around today."""
        self._first = None
        self._redraw()

    def scroll(self, weeks: int) -> None:
        """Show earlier or later days."""
        self._first = scrolled(self.scale.first, weeks)
        self._redraw()

    def bring_into_sight(self, task: Task, direction: int) -> None:
        """Scroll by weeks to the end of a bar that moves ahead, without drawing."""
        scale = self.scale
        bar = bar_of(task, scale, self._host.context.now())
        if bar is None or self._host.is_agenda or scale.width <= 0:
            return
        cell = bar.end if direction > 0 else bar.begin
        edge = 0 if cell < 0 else min(cell, scale.width - 1)
        days = (scale.day_at(cell) - scale.day_at(edge)).days
        if days:
            self._first = scrolled(scale.first, days // 7 + (days > 0))
