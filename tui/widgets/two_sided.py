"""A line of an option list with left- and right-aligned text."""

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

_FIFTHS = 3
"""How many fifths of the line the left text may always take."""


class TwoSided(Visual):
    """One line; if both texts do not fit, the right one is cut to two fifths, then the left one."""

    def __init__(self, left: Content, right: Content) -> None:
        self._left, self._right = left, right

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """Draw the line."""
        least = min(self._left.cell_length, width * _FIFTHS // 5)
        right = self._right.truncate(max(0, width - least - 1), ellipsis=True)
        left = self._left.truncate(max(0, width - right.cell_length - 1), ellipsis=True)
        blank = " " * max(1, width - left.cell_length - right.cell_length)
        return (left + Content(blank) + right).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The whole width."""
        del rules
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        """One line."""
        del rules, width
        return 1
