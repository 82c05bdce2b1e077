"""Texts of one line that are laid out for the width there is."""

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from tui.record import record


class OneLine(Visual):
    """A row that is laid out for the width there is; subclasses supply the line."""

    def line(self, width: int) -> Content:
        """The content of the row."""
        raise NotImplementedError

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return self.line(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        del rules
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        del rules, width
        return 1


@record
class TwoSided(OneLine):
    """One line; if both texts do not fit, the right one is cut to two fifths, then the left one."""

    left: Content
    right: Content

    def __str__(self) -> str:
        return f"{self.left}   {self.right}".rstrip()

    def line(self, width: int) -> Content:
        least = min(self.left.cell_length, width * 3 // 5)
        right = self.right.truncate(max(0, width - least - 1), ellipsis=True)
        left = self.left.truncate(max(0, width - right.cell_length - 1), ellipsis=True)
        blank = " " * max(1, width - left.cell_length - right.cell_length)
        return left + Content(blank) + right
