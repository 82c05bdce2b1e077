"""The progress on the tutorial board: lessons are ticked off as their actions run with effect.

A lesson names its actions (`tui.tour`). One has had an effect if it was the last one that was run,
and the board then looks different, or another screen opens. What was ticked off is kept among the
preferences, so that neither undo nor the service has to do with it.
"""

from collections.abc import Callable, Hashable

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.tour import ALL_LESSONS, is_tour, progress, ticked_ids

_TICKED = "tutorial"


class Tutorial:
    """Ticks lessons off; on other boards it does nothing.

    `drawn` returns what actions change of how the board is drawn, but for its cards.
    """

    def __init__(self, cards: Cards, drawn: Callable[[], Hashable]) -> None:
        self._cards, self._drawn = cards, drawn
        self._ticked = frozenset(cards.context.preferences.texts(cards.board_id, _TICKED))
        self._previous: Hashable = None

    def progress(self, whole: BoardView) -> tuple[int, int] | None:
        """How many lessons are done, of how many; None on other boards."""
        return progress(whole, self._ticked) if is_tour(whole) else None

    def ticked_ids(self, whole: BoardView) -> frozenset[int]:
        """The cards that are drawn as closed."""
        return ticked_ids(whole, self._ticked) if self._ticked and is_tour(whole) else frozenset()

    def board_changed(self, whole: BoardView) -> bool:
        """Tick off what the last action does, if the board looks different; whether it did."""
        if not (is_tour(whole) and whole.complete):
            return False
        looks = (self._drawn(), _cards_of(whole))
        # The first look is no change, only what later ones are compared with.
        previous, self._previous = self._previous, looks
        return previous not in (None, looks) and self._tick(opens=False)

    def screen_opened(self, whole: BoardView) -> bool:
        """Tick off what the last action does, as it has opened a screen; whether it did."""
        return is_tour(whole) and self._tick(opens=True)

    def _tick(self, *, opens: bool) -> bool:
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


def _cards_of(whole: BoardView) -> Hashable:
    # What people change of cards, which is not changed by a reply of the service.
    return tuple(
        (task.stage_id, task.title, task.status, task.priority, task.due_at, task.comments_count)
        for task in whole.all_tasks()
    )
