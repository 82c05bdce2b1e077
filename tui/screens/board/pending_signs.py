"""When pending changes get their signs on a board: once they take longer than most do.

Most changes are accepted before anybody could see a sign, and drawing and removing it would be two
more paints for each.
"""

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

from tui.store.events import SyncStatus


class PendingSigns:
    """The signs of a board, drawn `seconds` after a change was made if any is pending still.

    `status` is that of the board when it is opened: what is pending then has its sign at once.
    `redraw` draws the signs on the `screen`.
    """

    def __init__(
        self,
        screen: MessagePump,
        redraw: Callable[[], None],
        *,
        seconds: float,
        status: SyncStatus,
    ) -> None:
        self._screen = screen
        self._redraw = redraw
        self._seconds = seconds
        self._have_waited = bool(status.pending)
        self._timer: Timer | None = None

    def are_due(self, status: SyncStatus) -> bool:
        """Whether signs are drawn in this status of the board; if not, it is redrawn with them."""
        if not status.pending:
            self._have_waited = False
            if self._timer is not None:
                self._timer.stop()
                self._timer = None
            return True
        is_due = self._have_waited or not self._seconds
        # Not restarted by later changes, which would put the signs off as long as they come.
        if not is_due and self._timer is None:
            self._timer = self._screen.set_timer(self._seconds, self._end_of_wait)
        return is_due

    def drawn(self, status: SyncStatus) -> SyncStatus:
        """The status as drawn."""
        return status if self.are_due(status) else status._replace(pending=0)

    def _end_of_wait(self) -> None:
        self._have_waited, self._timer = True, None
        self._redraw()
