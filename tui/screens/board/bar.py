"""The bar of a board: counts, filter and sync status, and when pending changes get their signs."""

from collections.abc import Callable
from time import monotonic

from textual.message_pump import MessagePump
from textual.timer import Timer

from tui.model.people import Role
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck
from tui.screens.board.filter import Filter
from tui.screens.board.preview import CardPreview
from tui.screens.board.tutorial import Tutorial
from tui.screens.board_lines import board_line, loading_line, sync_words, trouble_notice
from tui.store.events import Loading, SyncStatus
from tui.widgets import glyphs
from tui.widgets.bars import Bar, Notice

FRESHNESS_SECONDS = 5
"""How often the age of the data is updated in the bar."""
_LEAST_TITLE = 24
"""The cells of the bar that the chips of a filter leave to the title and the sync status."""
_STATUS_PAUSE = 0.5
_FILTERS = {
    "open": "is:open",
    "overdue": "due:overdue",
    "week": "is:open due:week",
    "new": "changed:yes",
    "agent": "label:◇",
    "agents": "label:◇",
}
"""What a click on a count of the bar filters by, by the last word of the count."""


class PendingSigns:
    """The signs of a board, drawn `seconds` after a change was made if any is pending still.

    Most changes are accepted before anybody could see a sign, and drawing and removing it would be
    two more paints for each.

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


class BoardBar:
    """Writes the bar of a screen, and below it the progress of the first load."""

    def __init__(
        self,
        screen: CallboardScreen,
        deck: Deck,
        *,
        filtering: Filter,
        tutorial: Tutorial,
        preview: CardPreview,
        signs: PendingSigns,
    ) -> None:
        self.loading = Bar()
        self.loading.add_class("board-loading", update=False)
        self._screen = screen
        self._cards, self._deck = deck.cards, deck
        self._filter = filtering
        self._tutorial = tutorial
        self._preview = preview
        self._signs = signs
        self._followed_at = -_STATUS_PAUSE
        """When a change of the status was drawn last."""
        self._is_due = False
        """Whether one waits until the pause after that is over."""
        self._status_drawn: tuple[object, ...] = ()
        self._problem: Notice | None = None
        self._marks_drawn = 0

    @property
    def _status(self) -> SyncStatus:
        return self._cards.store.status(self._cards.board_id)

    def draw(self) -> None:
        """Write the bar, and the lines at the bottom, which depend on the status as well."""
        status, whole, width = self._status, self._deck.whole, self._screen.size.width
        self._status_drawn = self._looks(status)
        status = self._signs.drawn(status)
        self._marks_drawn = len(self._deck.marks)
        left, right = board_line(
            whole,
            status,
            self._filter.chips(width - _LEAST_TITLE),
            self._cards.now(),
            width,
            marks=self._marks_drawn,
            news=len(self._deck.news),
            is_read_only=self._cards.role is Role.VIEWER,
            shown=self._filter.counts if self._filter.words.strip() else None,
            tutorial=self._tutorial.progress(whole),
            is_local=self._cards.context.is_embedded,
            relations=self._cards.store.relations(),
        )
        self._screen.bar.say(left, right)
        is_unknown = not (whole.complete or whole.stages or status.problem)
        loading = status.loading or (Loading() if is_unknown else None)
        self.loading.display = loading is not None
        if loading is not None:
            self.loading.say(loading_line(loading))
        self._screen.status.draw()

    def follow_marks(self) -> None:
        """Draw another number of marked cards."""
        if len(self._deck.marks) != self._marks_drawn:
            self.draw()

    def follow_status(self) -> None:
        """Draw a new problem at once, all else at intervals, as keys wait while it is written."""
        status = self._status
        if self._looks(status) == self._status_drawn and not self._preview.display:
            return
        # The text counts pending changes; another count is no new problem.
        problem = trouble_notice(status._replace(pending=0))
        is_new, self._problem = problem != self._problem, problem
        if is_new and status.remedy:
            self._screen.status.make_room()
        pause = _STATUS_PAUSE - (monotonic() - self._followed_at)
        if pause <= 0 or is_new:
            self._draw_status()
        elif not self._is_due:
            self._is_due = True
            self._screen.set_timer(pause, self._draw_status)

    def _draw_status(self) -> None:
        self._is_due = False
        self._followed_at = monotonic()
        self.draw()
        self._preview.redraw()

    def _looks(self, status: SyncStatus) -> tuple[object, ...]:
        # All that is drawn of a status.
        words = sync_words(self._signs.drawn(status), self._cards.now())
        return words, status.loading, trouble_notice(status)

    def click(self, words: str) -> bool:
        """Do what a count of the bar stands for; False if the board knows no more of it."""
        count_name = "new" if words.startswith(glyphs.NEWS) else words.rpartition(" ")[2]
        is_moving = bool(self._screen.waits_for)
        if count_name == "marked":
            self._deck.clear_marks()
        elif count_name == "shown" and not is_moving:
            self._filter.clear()
        elif count_name not in _FILTERS or is_moving:
            return False
        elif self._filter.words == _FILTERS[count_name]:
            self._filter.clear()
        else:
            self._filter.use(_FILTERS[count_name])
            self._screen.say(f"filtered: {words}", hint="{board.back:esc} to show all")
        return True
