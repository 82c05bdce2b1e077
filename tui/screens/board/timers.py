"""What happens on a board after a moment: changes count as seen, and the bar is drawn again."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from tui.actions.tasks.cards import Cards
from tui.screens.board.deck import Deck


class Glance:
    """Marks remote changes as seen, once the cursor has been on their card for a moment."""

    def __init__(self, tasks: Cards, deck: Deck) -> None:
        self._tasks = tasks
        self._deck = deck
        self._timer: Timer | None = None
        self._at: int | None = None

    def look(self, screen: Screen[None]) -> None:
        """Restart the timer if the cursor is on another card with remote changes."""
        task = self._deck.current
        at = task.id if task is not None and task.id in self._deck.news else None
        if at == self._at:
            return
        if self._timer is not None:
            self._timer.stop()
        self._at = at
        if at is not None:
            seconds = self._tasks.context.glance_seconds
            self._timer = screen.set_timer(seconds, lambda: self._timer_ended(screen))

    def seen(self, task_id: int) -> None:
        """Mark the remote changes of a card as seen."""
        if task_id in self._deck.news:
            marking = self._tasks.store.mark_seen(self._tasks.board_id, {task_id})
            self._tasks.host.run_worker(marking, group="looked", exclusive=False)

    def _timer_ended(self, screen: Screen[None]) -> None:
        """Mark the card as seen if the user can see it, else restart the timer."""
        task_id, self._at = self._at, None
        if task_id is not None and screen.app.app_focus and screen.is_current:
            self.seen(task_id)
        else:
            self.look(screen)


class Paced:
    """Calls `show` at most once in `seconds`, because keys wait while the screen is written.

    A request in between is delayed, not lost.
    """

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
