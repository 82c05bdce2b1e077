"""A list with the cursor of all other lists."""

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widgets import OptionList

from tui.widgets import glyphs


class CursorList(OptionList):
    """An `OptionList` whose row at the cursor begins with its sign, and has one style.

    Found letters stay underlined, and a chip keeps the colour of its label.
    """

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        # Textual notes in the style of each segment of which option it is.
        places = {piece.style.meta.get("option") for piece in strip if piece.style is not None}
        if self.highlighted is None or self.highlighted not in places:
            return strip
        return Strip(self._at_cursor(strip), strip.cell_length)

    def _at_cursor(self, strip: Strip) -> Iterator[Segment]:
        style = self.get_visual_style("option-list--option-highlighted").rich_style
        even = Style(color=style.color, bgcolor=style.bgcolor, bold=True)
        sign = glyphs.BAR
        for text, own, control in strip:
            is_chip = text.strip() and not text.strip(f"{glyphs.CHIP} ")
            shown = f"{sign}{text[1:]}" if sign and text.startswith(" ") else text
            yield Segment(shown, own if is_chip or own is None else own + even, control)
            sign = ""
