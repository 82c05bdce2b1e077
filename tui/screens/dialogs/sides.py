"""Values side by side, field by field: what the person set, what somebody else set, what was.

The rule it keeps: where there is no room beside each other they stand below each other, and nothing
in them is markup.
"""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.store.operations.base import Difference

NARROW = 70
"""Below so many cells the sides stand below each other."""


class Sides(VerticalScroll, can_focus=True):
    """The differences, to scroll through; `names` are the headings of the three sides."""

    def __init__(self, differences: Sequence[Difference], names: tuple[str, str, str]) -> None:
        super().__init__(classes="sides")
        self._differences = tuple(differences)
        self._names = names

    def compose(self) -> ComposeResult:
        """A row of three for each field."""
        for one in self._differences:
            yield Static(Content(f"the {one.field}"), classes="sides-field")
            sides = zip(self._names, (one.mine, one.theirs, one.base), strict=True)
            with Horizontal(classes="sides-row"):
                yield from (_side(name, value) for name, value in sides if name)

    def on_resize(self, event: events.Resize) -> None:
        """Stand beside each other, or below each other."""
        self.set_class(event.size.width < NARROW, "-narrow")


def _side(name: str, value: str) -> Vertical:
    """One side with its heading."""
    return Vertical(
        Static(Content(name), classes="side-name"),
        Static(Content(value or "none"), classes="side-value"),
        classes="side",
    )
