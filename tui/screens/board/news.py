"""What others changed, on a board: marked, told in a quiet line, and seen once looked at.

The rule it keeps: a card counts as looked at when the cursor was on it for a moment or it was
opened, and the whole board when it is left; a step of the cursor costs nothing for it.
"""

from textual import on
from textual.timer import Timer

from tui.model.board import BoardView
from tui.model.news import NewsKind, told_together
from tui.screens.actions.task_actions import TaskActions
from tui.screens.context import Context
from tui.store.events import NewsHeard, StoreEvent
from tui.widgets.board.deck import Deck


class HearsOfOthers(TaskActions):
    """A board screen on which cards that others changed are marked."""

    deck: Deck

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._glance: Timer | None = None
        self._glance_at: int | None = None

    async def on_unmount(self) -> None:
        """The board was looked at."""
        await self.store.left_board(self.board_id)

    def redraw(self) -> None:
        """Draw the board as it is now; for subclasses."""
        raise NotImplementedError

    def marked(self, whole: BoardView) -> frozenset[int]:
        """The cards of a board that others changed, as far as they are there."""
        marks = self.store.changed_by_others(self.board_id)
        if not marks:
            return frozenset()
        return frozenset(task.id for task in whole.all_tasks() if task.id in marks)

    @on(Deck.CursorMoved)
    def look_at_cursor(self) -> None:
        """After a moment at a marked card it was looked at."""
        task = self.deck.current
        at = task.id if task is not None and task.id in self.deck.news else None
        if at == self._glance_at:
            return
        if self._glance is not None:
            self._glance.stop()
        self._glance_at = at
        if at is not None:
            self._glance = self.set_timer(self.context.glance_seconds, self._has_looked)

    @on(Deck.OpenRequested)
    def look_at_opened(self, event: Deck.OpenRequested) -> None:
        """A card that is opened was looked at."""
        self._remember(event.task.id)

    def _has_looked(self) -> None:
        """The cursor was on a marked card for a moment; that counts if anybody can see it."""
        task_id, self._glance_at = self._glance_at, None
        if task_id is not None and self.app.app_focus and self.is_current:
            self._remember(task_id)
        else:
            self.look_at_cursor()

    def _remember(self, task_id: int) -> None:
        if task_id in self.deck.news:
            self.run_worker(self.store.looked_at(self.board_id, task_id), group="looked")

    def hear(self, event: StoreEvent) -> None:
        """Mark what others changed, and say it where nothing else is said."""
        super().hear(event)
        if not isinstance(event, NewsHeard) or event.board_id != self.board_id:
            return
        if event.news:
            is_there = any(one.kind is not NewsKind.GONE for one in event.news)
            self.murmur(told_together(event.news), hint="] goes there" if is_there else "")
        self.redraw()
