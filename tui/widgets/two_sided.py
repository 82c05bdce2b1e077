"""A line of an option list with left- and right-aligned text."""

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual


class TwoSided(Visual):
    """One line; if both texts do not fit, the left one is cut."""

    def __init__(self, left: Content, right: Content) -> None:
        self._left, self._right = left, right

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """Draw the line."""
        room = max(0, width - self._right.cell_length - 1)
        left = self._left.truncate(room, ellipsis=True)
        blank = " " * max(1, width - left.cell_length - self._right.cell_length)
        return (left + Content(blank) + self._right).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The whole width."""
        del rules
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        """One line."""
        del rules, width
        return 1
