"""Limits how often something is drawn, because keys wait while the screen is written."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen


class Paced:
    """Calls `show` at most once in `seconds`; a request in between is delayed, not lost."""

    def __init__(self, screen: Screen[None], show: Callable[[], None], seconds: float) -> None:
        self._screen = screen
        self._show = show
        self._seconds = seconds
        self._shown_at = -seconds
        self._is_due = False

    def ask(self, *, at_once: bool) -> None:
        """Call `show` now, or when the pause is over."""
        pause = self._seconds - (monotonic() - self._shown_at)
        if pause <= 0 or at_once:
            self._show_now()
        elif not self._is_due:
            self._is_due = True
            self._screen.set_timer(pause, self._show_now)

    def _show_now(self) -> None:
        self._is_due = False
        self._shown_at = monotonic()
        self._show()
