"""Which updates by others were seen: a card that has had the cursor for a moment."""

from textual.screen import Screen
from textual.timer import Timer

from tui.actions.tasks.context import TaskContext
from tui.screens.board.deck import Deck


class Glance:
    """Tells the store which marked cards were looked at."""

    def __init__(self, tasks: TaskContext, deck: Deck) -> None:
        self._tasks = tasks
        self._deck = deck
        self._timer: Timer | None = None
        self._at: int | None = None

    def look(self, screen: Screen[None]) -> None:
        """The cursor may be somewhere else; after a moment at a marked card it was looked at."""
        task = self._deck.current
        at = task.id if task is not None and task.id in self._deck.news else None
        if at == self._at:
            return
        if self._timer is not None:
            self._timer.stop()
        self._at = at
        if at is not None:
            seconds = self._tasks.context.glance_seconds
            self._timer = screen.set_timer(seconds, lambda: self._has_looked(screen))

    def seen(self, task_id: int) -> None:
        """A card was looked at."""
        if task_id in self._deck.news:
            looking = self._tasks.store.mark_card_seen(self._tasks.board_id, task_id)
            self._tasks.host.run_worker(looking, group="looked", exclusive=False)

    def _has_looked(self, screen: Screen[None]) -> None:
        """The cursor was on a marked card for a moment; that counts if anybody can see it."""
        task_id, self._at = self._at, None
        if task_id is not None and screen.app.app_focus and screen.is_current:
            self.seen(task_id)
        else:
            self.look(screen)
