"""The updates by others on a board: their signs, and when they count as seen.

An update counts as seen when the cursor was on its card for a moment, when the card was opened, or
when the user leaves the board.
"""

from textual.timer import Timer

from tui.config.preferences import ALL_BOARDS, SEEN
from tui.model.board import BoardView
from tui.model.events.remote_changes import ChangeKind, RemoteChange, summarize
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck


class UnseenUpdates:
    """The cards of a deck that others changed since the user saw them."""

    def __init__(self, screen: CallboardScreen, deck: Deck) -> None:
        self._screen = screen
        self._cards, self._deck = deck.cards, deck
        self._glance: Timer | None = None
        self._glance_at: int | None = None
        """The card that counts as seen if the cursor stays on it until the timer ends."""

    def task_ids(self, whole: BoardView) -> frozenset[int]:
        """The cards of a board that have a sign."""
        changed = self._cards.store.changed_by_others(self._cards.board_id)
        if not changed:
            return frozenset()
        return frozenset(task.id for task in whole.among(changed))

    def announce(self, changes: tuple[RemoteChange, ...]) -> None:
        """Say what others have just changed, unless something else is said."""
        if changes:
            has_card = any(change.kind is not ChangeKind.GONE for change in changes)
            hint = "{cursor.next-news:]} to go there" if has_card else ""
            self._screen.status.tell_quietly(summarize(changes), hint=hint)

    def follow_cursor(self) -> None:
        """Begin to wait at the card under the cursor; a wait at the same card goes on."""
        task = self._deck.current
        task_id = task.id if task is not None and task.id in self._deck.news else None
        # Redraws come here too: they must not put the end of the wait off.
        if task_id == self._glance_at:
            return
        if self._glance is not None:
            self._glance.stop()
        self._glance_at = task_id
        if task_id is not None:
            seconds = self._cards.context.glance_seconds
            self._glance = self._screen.set_timer(seconds, self._end_glance)

    def _end_glance(self) -> None:
        task_id, self._glance_at = self._glance_at, None
        if task_id is not None and self._screen.app.app_focus and self._screen.is_current:
            self.mark_seen(task_id)
        else:
            # Nobody looks while another window or screen is in front: wait for another moment.
            self.follow_cursor()

    def mark_seen(self, task_id: int) -> None:
        """Record that the user has seen a card."""
        if task_id in self._deck.news:
            marking = self._cards.store.mark_seen(self._cards.board_id, {task_id})
            self._screen.run_worker(marking, group="looked", exclusive=False)

    async def leave(self) -> None:
        """Record that the user left the board, and has seen all of it."""
        self.note_left()
        await self._cards.store.mark_seen(self._cards.board_id)

    def note_left(self) -> None:
        """Keep when the user left the board."""
        context = self._cards.context
        now = int(context.now().timestamp())
        context.preferences.put(ALL_BOARDS, SEEN, self._cards.board_id, now)
