"""One-line widgets: the bars at the top and bottom of a screen, and section headings.

A line is cut to the width, never wrapped, and redrawn only when its text changed.
"""

from collections.abc import Iterable

from textual.keys import format_key
from textual.strip import Strip

from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted, cut_line, fitted, line_width

HINT_GAP = "  "


class Bar(Painted):
    """One line with left- and right-aligned text; `mark` is always shown, before everything else.

    If both do not fit, the left one is cut.
    """

    def __init__(self, left: Line = (), right: Line = (), mark: Line = ()) -> None:
        super().__init__()
        self._mark = mark
        self._left = left
        self._right = right

    @property
    def words(self) -> str:
        """The text of the line without styles."""
        return "".join(text for text, _ in (*self._mark, *self._left, *self._right))

    def say(self, left: Line, right: Line = ()) -> None:
        """Set the text of the line; redraw if it changed."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        return self.strip(aligned((*self._mark, *self._left), self._right, self.size.width))


class SectionHeading(Painted):
    """The heading of a section: title, note and a horizontal rule.

    The focused section is marked by a sign and bold text, not by colour alone.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self._note: Line = ()
        self._is_current = False

    def say(self, note: Line, *, is_current: bool) -> None:
        if (note, is_current) != (self._note, self._is_current):
            self._note, self._is_current = note, is_current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        sign = f"{glyphs.HERE} " if self._is_current else ""
        role = "active" if self._is_current else "heading"
        gap = ((" ", role),) if self._note else ()
        line = cut_line(((f"{sign}{self.title}", role), *gap, *self._note), self.size.width)
        room = self.size.width - line_width(line)
        rule = f" {glyphs.FRAME.across * (room - 1)}" if room > 1 else " " * room
        return self.strip((*line, (rule, "frame")))


def key_name(key: str) -> str:
    """The key as displayed: `?`, `ctrl+e`, `↵`."""
    signs = {"enter": "↵", "escape": "esc"}
    return " ".join(signs.get(part) or format_key(part) for part in key.split(" "))


def hint_line(hints: Iterable[tuple[str, str]], room: int) -> Line:
    """As many keys with their labels as fit into `room` cells."""
    line: list[tuple[str, str]] = []
    for key, label in hints:
        room -= len(key) + len(label) + len(HINT_GAP) + 2
        if room >= 0:
            line += [(f" {key} ", "key"), (label + HINT_GAP, "quiet")]
    return tuple(line)


def aligned(left: Line, right: Line, width: int) -> Line:
    """Text at the left and at the right of a line; if both do not fit, the left one is cut.

    Where the right one would take more than half of the line, its quiet parts are left out.
    """
    if line_width((*left, *right)) > width and line_width(right) > width // 2:
        right = tuple(span for span in right if span[1] != "quiet")
    right = tuple(cut_line(right, width))
    room = width - line_width(right)
    return (*fitted(cut_line(left, room - bool(right)), room, "said"), *right)
