"""The line of tabs above a view: its number, name and how many cards it has."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip

from tui.text.cells import cut
from tui.widgets import glyphs
from tui.widgets.bars import Tab
from tui.widgets.painted import Line, Painted, fitted, line_width

_NEW: Line = (("+", "accent"), (" new", "quiet"))
_GAP: Line = (("  ", "text"),)
_SHORT = 14
"""The width of a name where not all fit."""
_KEYS = 9
"""So many views have a key."""


class ViewTabs(Painted):
    """Shows views as tabs, the open one filled, and posts which was clicked.

    If they do not fit, names are shortened; then only tabs around the open one are there, with a
    sign where there are more.
    """

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """The user clicked a tab, the first is 0, or None for a new one."""

        index: int | None

    def __init__(self) -> None:
        super().__init__()
        self._tabs: tuple[Tab, ...] = ()
        self._current = 0

    def show(self, tabs: Sequence[Tab], current: int) -> None:
        if (tuple(tabs), current) != (self._tabs, self._current):
            self._tabs, self._current = tuple(tabs), current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        line = [span for piece, _ in self._pieces() for span in piece]
        return self.strip(fitted(line, self.size.width, "text"))

    @property
    def words(self) -> str:
        return "".join(text for piece, _ in self._pieces() for text, _ in piece)

    def on_click(self, event: events.Click) -> None:
        offset, end = event.get_content_offset(self), 0
        if offset is None:
            return
        for piece, index in self._pieces():
            end += line_width(piece)
            if offset.x < end:
                if index >= 0:
                    is_new = index == len(self._tabs)
                    self.post_message(self.Chosen(None if is_new else index))
                return

    def _pieces(self) -> list[tuple[Line, int]]:
        """The parts of the line, each with what a click on it opens; -1 for nothing."""
        width, count = self.size.width, len(self._tabs)
        for longest in (width, _SHORT):
            pieces = [(self._tab(index, longest), index) for index in range(count)]
            line = [((" ", "text"),), *(piece for piece, _ in pieces), _GAP, _NEW]
            if sum(map(line_width, line)) <= width:
                return [(((" ", "text"),), -1), *pieces, (_GAP, -1), (_NEW, count)]
        return self._around_current(pieces, width)

    def _around_current(
        self, pieces: Sequence[tuple[Line, int]], width: int
    ) -> list[tuple[Line, int]]:
        first = last = self._current
        room = width - 4 - line_width(pieces[first][0])
        while True:
            following, previous = pieces[last + 1 :][:1], pieces[:first][-1:]
            if following and line_width(following[0][0]) <= room:
                room -= line_width(following[0][0])
                last += 1
            elif previous and line_width(previous[0][0]) <= room:
                room -= line_width(previous[0][0])
                first -= 1
            else:
                break
        left: Line = ((f"{glyphs.LEFT} " if first else "  ", "quiet"),)
        right: Line = ((f" {glyphs.RIGHT}" if last < len(pieces) - 1 else "", "quiet"),)
        return [(left, first - 1), *pieces[first : last + 1], (right, last + 1)]

    def _tab(self, index: int, longest: int) -> Line:
        tab, key = self._tabs[index], f"{index + 1} " if index < _KEYS else ""
        name = cut(tab.name, max(1, longest))
        if index == self._current:
            return ((f" {key}{name}{f' {tab.note}' if tab.note else ''} ", "place"), (" ", "text"))
        note = f" {tab.note}" if tab.note else ""
        return (" ", "text"), (key, "accent"), (name, "text"), (f"{note} ", "quiet"), (" ", "text")
