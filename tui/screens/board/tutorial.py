"""The progress on the tutorial board: lessons are ticked off as their actions run with effect.

A lesson names its actions (`tui.tour`). One has had an effect if it was the last one that was run,
and the board then looks different, or another screen opens. What was ticked off is kept among the
preferences, so that neither undo nor the service has to do with it.
"""

from collections.abc import Callable, Hashable

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck
from tui.tour import ALL_LESSONS, is_tour, progress, ticked_ids

_TICKED = "tutorial"


class Tutorial:
    """Which lessons are done; on other boards there are none."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._ticked = frozenset(cards.context.preferences.texts(cards.board_id, _TICKED))

    def progress(self, whole: BoardView) -> tuple[int, int] | None:
        """How many lessons are done, of how many; None on other boards."""
        return progress(whole, self._ticked) if is_tour(whole) else None

    def ticked_ids(self, whole: BoardView) -> frozenset[int]:
        """The cards that are drawn as closed."""
        return ticked_ids(whole, self._ticked) if self._ticked and is_tour(whole) else frozenset()

    def tick(self, *, opens: bool) -> bool:
        """Tick off what the last action does, which opens a screen or not; whether that is new."""
        last = self._cards.context.last_pressed.action_id
        titles = {
            lesson.title
            for lesson in ALL_LESSONS
            if last in lesson.actions and lesson.opens is opens
        }
        if titles <= self._ticked:
            return False
        preferences, board_id = self._cards.context.preferences, self._cards.board_id
        preferences.read()  # another program may have ticked others off
        self._ticked |= titles.union(preferences.texts(board_id, _TICKED))
        preferences.keep(board_id, **{_TICKED: sorted(self._ticked)})
        return True


class LessonTicks:
    """Ticks lessons off as the user does them, and says so.

    `redraw` draws the board; `drawn` returns what else than deck and cards may be drawn otherwise.
    """

    def __init__(
        self,
        screen: CallboardScreen,
        deck: Deck,
        tutorial: Tutorial,
        *,
        redraw: Callable[[], None],
        drawn: Callable[[], Hashable],
    ) -> None:
        self._screen = screen
        self._deck = deck
        self._tutorial = tutorial
        self._redraw = redraw
        self._drawn = drawn
        self._previous: Hashable = None

    def board_changed(self) -> None:
        """Tick off what the last action does, if the board looks different."""
        whole = self._deck.whole
        # A lesson is done once cards are dropped, not while they are carried.
        if self._deck.is_lifting or not (is_tour(whole) and whole.complete):
            return
        deck = self._deck
        folds = deck.collapsed, deck.is_zoomed
        looks = (deck.cursor, deck.marks, folds, self._drawn(), _cards_of(whole))
        # The first look is no change, only what later ones are compared with.
        previous, self._previous = self._previous, looks
        if previous not in (None, looks) and self._tutorial.tick(opens=False):
            self._say_progress()

    def screen_opened(self) -> None:
        """Tick off what the last action does, as it has opened a screen."""
        if is_tour(self._deck.whole) and self._tutorial.tick(opens=True):
            self._say_progress()

    def _say_progress(self) -> None:
        if progress := self._tutorial.progress(self._deck.whole):
            # The action shows its own message after this; `add` appends to it.
            self._screen.call_later(self._redraw)
            said = "ticked off: {} of {} done".format(*progress)
            self._screen.call_later(self._screen.status.add, said)


def _cards_of(whole: BoardView) -> Hashable:
    # What people change of cards, which is not changed by a reply of the service.
    return tuple(
        (task.stage_id, task.title, task.status, task.priority, task.due_at, task.comments_count)
        for task in whole.all_tasks()
    )
