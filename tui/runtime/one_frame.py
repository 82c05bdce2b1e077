"""A screen that is painted once for everything that has changed since it was last painted.

Textual paints a screen that comes three times, after each pass of laying out, twice where a layout
and a repaint fall together, and again when something changes on the screen that it covers; over a
slow line every frame is seen to arrive.
"""

from typing import Generic, TypeVar

from textual.screen import Screen

Answer = TypeVar("Answer")


class OneFrame(Screen[Answer], Generic[Answer]):
    """Holds a paint back until everything that is due at the same time is done."""

    def __init__(self) -> None:
        super().__init__()
        self._is_coming = True
        self._is_updating = False
        self._is_paint_due = False

    def _compositor_refresh(self) -> None:
        """Paint now, or at the end of the update; until then what is due is remembered."""
        if self._is_covered:
            return
        if (self._is_coming or self._is_updating) and self.is_active:
            self._is_paint_due = True
        else:
            super()._compositor_refresh()

    @property
    def _is_covered(self) -> bool:
        """Whether nothing of it is seen: Textual would paint what is in front once more."""
        return not self.is_active and self.app.screen.styles.background.a == 1

    def _on_timer_update(self) -> None:
        """Lay out and paint what is due, with one paint at the end."""
        if self.app._batch_count:  # noqa: SLF001  as the method that this one extends
            super()._on_timer_update()
            return
        self._is_coming, self._is_updating = False, True
        try:
            super()._on_timer_update()
        finally:
            self._is_updating = False
        if self._is_paint_due:
            self._is_paint_due = False
            self._compositor_refresh()
