"""An input for a title, which takes as many lines as its text has.

A title longer than its place would scroll away while it is typed, since Textual's input has one
line. Its text is wrapped at blanks; `up` and `down` move by lines. Where there are more lines than
room, those around the cursor are drawn.
"""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widgets import Input

from tui.text.cells import width as cell_width
from tui.widgets.keys import quiet_keys
from tui.widgets.line_input import LineInput


class TitleInput(LineInput):
    """A wrapped input; its owner puts it into a place of `lines_in` lines.

    With `most_lines` it takes its height itself, at most so many.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "input",
        ("line-above", "up", "line(-1)", "Line above"),
        ("line-below", "down", "line(1)", "Line below"),
    )

    _wrapped: tuple[tuple[str, int], Sequence[int]] = ("", -1), (0,)
    """The text and width of the last wrapping, and the index at which each line begins."""
    _place = Region()
    most_lines = 0

    def on_mount(self) -> None:
        self.cursor_blink = False

    def on_resize(self) -> None:
        self._grow()

    def on_input_changed(self, event: Input.Changed) -> None:
        super().on_input_changed(event)
        # Textual would call the handler of the base class again, after this one.
        event.prevent_default()
        self._grow()

    def _grow(self) -> None:
        if self.most_lines and self.content_size.width:
            x, y, width, _ = self._place
            lines = min(self.most_lines, self.lines_in(self.content_size.width))
            self.put(Region(x, y, width, lines))

    def put(self, region: Region) -> None:
        """Take a region of the parent; without a width, position and width come from the styles."""
        # Setting even the same styles lays out the screen.
        if region == self._place:
            return
        self._place = region
        self.styles.height = region.height
        if region.width:
            self.styles.offset, self.styles.width = region.offset, region.width

    def successor(self) -> "TitleInput":
        """The same input as it is now, to be mounted elsewhere: a widget keeps its parent."""
        copy = TitleInput(
            self.purpose,
            placeholder=self.placeholder,
            draft=self.draft,
            takes_lines=self.takes_lines,
            completions=self.completions,
            enter=self.enter,
            leave=self.leave,
            offers=self.offers,
        )
        copy.value, copy.selection = self.value, self.selection
        return copy

    def lines_in(self, width: int) -> int:
        """How many lines the text takes in so many cells."""
        return len(line_starts(self.value, width - 1))

    @property
    def max_scroll_x(self) -> int:
        # The text is wrapped, so that nothing scrolls sideways.
        return 0

    @property
    def cursor_screen_offset(self) -> Offset:
        starts = self._starts
        line = _line_of(self.cursor_position, starts)
        prefix = _drawable(self.value[starts[line] : self.cursor_position])
        x, y, width, _ = self.content_region
        return Offset(x + min(cell_width(prefix), max(0, width - 1)), y + line - self._top(starts))

    def render_line(self, y: int) -> Strip:
        starts = self._starts
        line = self._top(starts) + y
        if not self.value or line >= len(starts):
            return super().render_line(y if not self.value else 1)
        begin, end = starts[line], (*starts[1:], len(self.value))[line]
        text = Text(f"{_drawable(self.value[begin:end])} ", end="")
        if self.has_focus:
            first, last = sorted(self.selection)
            if first != last:
                style = self.get_component_rich_style("input--selection")
                text.stylize(style, max(0, first - begin), max(0, min(last, end) - begin))
            if line == _line_of(self.cursor_position, starts):
                at = self.cursor_position - begin
                text.stylize(self.get_component_rich_style("input--cursor"), at, at + 1)
        width = self.content_size.width
        strip = Strip(text.render(self.app.console))
        return strip.crop(0, width).extend_cell_length(width).apply_style(self.rich_style)

    def action_line(self, by: int) -> None:
        starts = self._starts
        line = _line_of(self.cursor_position, starts)
        if 0 <= line + by < len(starts):
            x = cell_width(_drawable(self.value[starts[line] : self.cursor_position]))
            self.cursor_position = self._index_at(line + by, x)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        offset = event.get_content_offset(self)
        line = 0 if offset is None else offset.y + self._top(self._starts)
        # Textual finds the position in the first line only.
        if offset is not None and line:
            event.prevent_default()
            self.cursor_position = self._index_at(min(line, len(self._starts) - 1), offset.x)

    def _index_at(self, line: int, x: int) -> int:
        starts = self._starts
        begin = starts[line]
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.value)
        inside = (
            i for i in range(begin, end) if cell_width(_drawable(self.value[begin : i + 1])) > x
        )
        return next(inside, end)

    @property
    def _starts(self) -> Sequence[int]:
        key = self.value, self.content_size.width
        if key != self._wrapped[0]:
            self._wrapped = key, line_starts(self.value, self.content_size.width - 1)
        return self._wrapped[1]

    def _top(self, starts: Sequence[int]) -> int:
        height = max(1, self.content_size.height)
        return max(0, _line_of(self.cursor_position, starts) + 1 - height)


def line_starts(text: str, width: int) -> Sequence[int]:
    """Where the lines of a text begin in so many cells; blanks at an end of a line may hang out.

    A word that is longer than a line is broken.
    """
    starts = [0]
    word = used = 0
    for index, letter in enumerate(_drawable(text)):
        cells = cell_width(letter)
        if letter != " " and used + cells > max(1, width):
            start = word if word > starts[-1] else index
            if start > starts[-1]:
                starts.append(start)
                used = cell_width(_drawable(text[start:index]))
        used += cells
        if letter == " ":
            word = index + 1
    return starts


def _line_of(position: int, starts: Sequence[int]) -> int:
    return max(line for line, start in enumerate(starts) if start <= position)


def _drawable(text: str) -> str:
    # Each character stays one character, so that positions in the text hold on screen.
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
