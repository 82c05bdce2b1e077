"""Only what differs of a line is drawn, and the screen is as if all of it had been."""

import pyte
from hypothesis import example, given, strategies as st
from rich.console import Console
from rich.style import Style
from textual.geometry import Region, Size

from tui.widgets.painted import Line, PaintedLines

WIDTH = 16
STYLES = {
    "text": Style(color="#aaaaaa", bgcolor="#111111"),
    "key": Style(color="#111111", bgcolor="#aaaaaa", bold=True),
    "quiet": Style(color="#777777", bgcolor="#111111"),
}
CONSOLE = Console(force_terminal=True, color_system="truecolor", legacy_windows=False)


class OneLine(PaintedLines):
    """One line, which a test changes; it draws on an emulated terminal what Textual would."""

    size = Size(WIDTH, 1)

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._styles_by_role = STYLES
        self.line = line
        self.terminal = pyte.Screen(WIDTH, 1)
        self._stream = pyte.Stream(self.terminal)
        self.redraw()
        self._draw(WIDTH)

    def lines_now(self, size: Size) -> list[Line]:
        del size
        return [self.line]

    def refresh(self, *regions: Region, **_: object) -> "OneLine":
        for region in regions:
            assert region.x == 0
            self._draw(min(region.width, WIDTH))
        return self

    def _draw(self, width: int) -> None:
        self._stream.feed("\r" + self.render_line(0).crop(0, width).render(CONSOLE))

    @property
    def drawn(self) -> list[object]:
        """Every cell with its style."""
        return [self.terminal.buffer[0][x] for x in range(WIDTH)]


ROLES = st.sampled_from(sorted(STYLES))
TEXTS = st.text(st.sampled_from(" abn漢字é"), max_size=6)
SPANS = st.lists(st.tuples(TEXTS, ROLES), max_size=5)


@given(SPANS, SPANS, SPANS)
@example([(" no boards yet", "text")], [(" none", "text")], [("  n", "key")])
@example([("漢", "text")], [("a", "text")], [("漢漢漢漢漢漢漢漢", "quiet")])
def test_what_is_drawn_of_a_line_makes_it_the_new_one(
    before: list[tuple[str, str]], after: list[tuple[str, str]], same: list[tuple[str, str]]
) -> None:
    widget = OneLine((*before, *same))
    widget.line = (*after, *same)
    widget.redraw()
    assert widget.drawn == OneLine(widget.line).drawn
