"""Marks remote changes as seen, once the cursor has been on their card for a moment."""

from textual.screen import Screen
from textual.timer import Timer

from tui.actions.tasks.context import TaskContext
from tui.screens.board.deck import Deck


class Glance:
    """Tells the store which cards with remote changes the user has seen."""

    def __init__(self, tasks: TaskContext, deck: Deck) -> None:
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
