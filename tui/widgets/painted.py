"""Widgets drawn line by line from spans of text, each with a role; only lines that change.

A span never names a colour: the theme gives each role its style. A role that starts with `#` is the
colour of a label.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui import theme
from tui.text.card_numbers import is_card_number, spans_of_numbers
from tui.text.cells import ELLIPSIS, cut, width as cell_width

Span = tuple[str, str]
"""A piece of text and its role."""

Line = tuple[Span, ...]
LINK = "text-link"
"""The role of links, which can be clicked."""
_MOST_STRIPS = 8
"""How many screens of painted lines are cached."""


@dataclass(eq=False, repr=False)
class LinkClicked(Message):
    """The user clicked a link: an address, or the number of a card such as `#12`."""

    link: str


class DrawnLines(NamedTuple):
    """Lines of a widget as they are drawn, and where they are on the screen."""

    region: Region
    strips: Sequence[Strip]


class Painted(Widget):
    """Turns lines of spans into strips; subclasses provide the lines.

    Textual cannot select text in strips, but would redraw the whole screen at each click.
    """

    ALLOW_SELECT = False
    ground: str = "ground"
    """The background of roles that name none, see `tui.theme.GROUNDS`."""

    def __init__(self) -> None:
        super().__init__()
        self._styles_by_role: dict[str, Style] = {}
        self._filled_roles: dict[str, Style] = {}
        """Roles that only this theme fills, with the style of blanks beside their words."""

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles_by_role.clear()
        self._filled_roles.clear()

    def strip(self, line: Line) -> Strip:
        """The line with the style of each role."""
        styles, filled, segments = self._styles_by_role, self._filled_roles, list[Segment]()
        for text, role in line:
            if not text:
                continue
            if role not in styles:
                variables = self.app.theme_variables
                styles[role] = theme.style_of(role, variables, self.ground)
                if theme.is_filled(role, variables):
                    own_ground = role.partition("/")[2] or self.ground
                    filled[role] = theme.style_of("text", variables, own_ground)
            if role in filled:
                segments += _filled(text, styles[role], filled[role])
            else:
                segments.append(Segment(text, styles[role]))
        return Strip(segments)

    def drawn_region(self, region: Region) -> DrawnLines:
        """What is drawn in a region of this widget."""
        lines = self.render_lines(Region(0, region.y, self.size.width, region.height))
        strips = [line.crop(region.x, region.right) for line in lines]
        return DrawnLines(region.translate(self.region.offset), strips)

    def render_lines(self, crop: Region) -> list[Strip]:
        # As Textual makes them, but without looking up the effects of the widget for each line.
        size = self.size
        if size != self.outer_size or crop.column_span != (0, size.width):  # padding, or clipped
            return super().render_lines(crop)
        return self._whole_lines(crop.line_range, size)

    def _whole_lines(self, lines: Iterable[int], size: Size) -> list[Strip]:
        filters = self.app.get_line_filters()
        strips = [self.render_line(y).adjust_cell_length(size.width) for y in lines]
        return [self._filtered(strip, filters) for strip in strips]

    def _filtered(self, strip: Strip, filters: Iterable[LineFilter]) -> Strip:
        background = self.background_colors[1]
        for line_filter in filters:
            strip = strip.apply_filter(line_filter, background)
        return strip


class PaintedLines(Painted):
    """Draws the result of `lines_now`, which is called for each new size and by `redraw`."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn_size = Size(0, 0)
        self._lines: list[Line] = []
        self._strips: dict[Line, Strip] = {}
        self._strips_for: tuple[Size, Sequence[LineFilter]] = Size(0, 0), ()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def lines_now(self, size: Size) -> list[Line]:
        """Every visible line as it looks now; subclasses implement it."""
        raise NotImplementedError

    def redraw(self) -> None:
        previous, self._lines = self._lines, self._lines_now()
        # A widget of automatic height has to be laid out; others repaint the lines that differ.
        if len(previous) != len(self._lines) and self.styles.is_auto_height:
            self.refresh(layout=True)
            return
        width = self.drawn_size.width
        changed = [
            Region(0, y, width, 1)
            for y, (old, new) in enumerate(zip_longest(previous, self._lines, fillvalue=()))
            if old != new
        ]
        if changed:
            self.refresh(*changed)

    def draw_anew(self) -> None:
        """Redraw all lines and the layout, because the height may depend on them."""
        self.drawn_size = Size(0, 0)
        self.refresh(layout=True)

    def follow_link_at(self, event: events.Click, addresses: Collection[str] = ()) -> bool:
        """Post the number of a card, or one of these addresses, that was clicked, if one was."""
        point = event.get_content_offset(self)
        if point is None or point.y >= len(self._lines):
            return False
        # An address that is broken over lines is none of those that are known.
        link = link_at(self._lines[point.y], point.x)
        is_followed = is_card_number(link) or link in addresses
        if is_followed:
            event.stop()
            self.post_message(LinkClicked(link))
        return is_followed

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return max(1, len(self.lines_now(Size(width, 0))))

    def _whole_lines(self, lines: Iterable[int], size: Size) -> list[Strip]:
        if self.drawn_size != size:
            self._lines = self._lines_now()
        strips_for = size, self.app.get_line_filters()
        # Strips hold what the filters made of them, so other filters empty the cache.
        if strips_for != self._strips_for or len(self._strips) > _MOST_STRIPS * size.height:
            self._strips, self._strips_for = {}, strips_for
        wanted = [self._lines[y] if y < len(self._lines) else () for y in lines]
        for line in wanted:
            if line not in self._strips:
                strip = self.strip(fitted(line, size.width, "text"))
                self._strips[line] = self._filtered(strip, strips_for[1])
        return [self._strips[line] for line in wanted]

    def render_line(self, y: int) -> Strip:
        if self.drawn_size != self.size:
            self._lines = self._lines_now()
        width = self.size.width
        if y >= len(self._lines):
            return self.strip(((" " * width, "text"),))
        return self.strip(fitted(self._lines[y], width, "text"))

    def _lines_now(self) -> list[Line]:
        self.drawn_size = self.size
        return self.lines_now(self.drawn_size)


def _filled(text: str, style: Style, blank: Style) -> list[Segment]:
    # A column pads its cells and a bar parts its words: the fill ends where the words do.
    words = text.strip(" ")
    start, _, end = text.partition(words) if words else (text, "", "")
    pieces = ((start, blank), (words, style), (end, blank))
    return [Segment(piece, own) for piece, own in pieces if piece]


def link_at(line: Iterable[Span], x: int) -> str:
    """The text of the link at a cell of a line; empty if there is none."""
    end = 0
    for text, role in line:
        end += cell_width(text)
        if x < end:
            return text if role.partition("/")[0] == LINK else ""
    return ""


def linked(text: str, role: str) -> Line:
    """A text in which the numbers of cards are links."""
    spans, end = list[Span](), 0
    for begin, behind in spans_of_numbers(text):
        spans += [(text[end:begin], role), (text[begin:behind], LINK)]
        end = behind
    return (*spans, (text[end:], role))


def on_ground(line: Iterable[Span], ground: str) -> Line:
    """The line on another background; spans that name their own one keep it."""
    return tuple((text, role if "/" in role else f"{role}/{ground}") for text, role in line)


def line_width(line: Iterable[Span]) -> int:
    """The width of a line in cells."""
    return sum(cell_width(text) for text, _ in line)


def cut_line(line: Iterable[Span], width: int, *, ellipsis: str = ELLIPSIS) -> list[Span]:
    """The spans of a line as far as they fit into `width` cells; the last one is cut."""
    spans: list[Span] = []
    for text, role in line:
        if width <= 0:
            break
        piece = cut(text, width, ellipsis=ellipsis)
        width -= cell_width(piece)
        spans.append((piece, role))
    return spans


def fitted(line: Iterable[Span], width: int, role: str, *, ellipsis: str = ELLIPSIS) -> Line:
    """The line cut, or padded with blanks of a role, to exactly `width` cells."""
    spans = cut_line(line, width, ellipsis=ellipsis)
    return (*spans, (" " * (width - line_width(spans)), role))
