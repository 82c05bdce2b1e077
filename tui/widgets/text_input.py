"""A one-line input whose placeholder is cut with an ellipsis where there is no room for it."""

from typing import ClassVar

from textual.binding import BindingType
from textual.strip import Strip
from textual.widgets import Input

from tui.text.cells import cut
from tui.widgets.keys import quiet_keys


class TextInput(Input):
    """An `Input` whose placeholder ends in an ellipsis if it does not fit; Textual wraps it."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "input",
        # As in Textual's TextArea; its Input deletes to the right with Backspace.
        ("delete-word", "ctrl+backspace,alt+backspace", "delete_left_word", "Delete word"),
        ("delete-next-word", "alt+delete", "delete_right_word", "Delete next word"),
    )

    def render_line(self, y: int) -> Strip:
        whole = self.placeholder
        # Without watchers: a change of the placeholder while drawing would draw it once more.
        self.set_reactive(Input.placeholder, cut(whole, self.scrollable_content_region.width))
        strip = super().render_line(y)
        self.set_reactive(Input.placeholder, whole)
        return strip
