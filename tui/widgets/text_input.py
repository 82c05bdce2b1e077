"""A one-line input whose placeholder is cut with an ellipsis where there is no room for it."""

from textual.strip import Strip
from textual.widgets import Input

from tui.text.cells import cut


class TextInput(Input):
    """An `Input` whose placeholder ends in an ellipsis if it does not fit; Textual wraps it."""

    def render_line(self, y: int) -> Strip:
        whole = self.placeholder
        self.set_reactive(Input.placeholder, cut(whole, self.scrollable_content_region.width))
        strip = super().render_line(y)
        self.set_reactive(Input.placeholder, whole)
        return strip
