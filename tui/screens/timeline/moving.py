"""The cards whose dates are moved on a timeline, until they are dropped or that is cancelled."""

from collections.abc import Callable, Mapping, Sequence

from tui.actions.tasks.cards import Cards, named
from tui.actions.tasks.dates import move_dates, moved_words
from tui.model.task import Task
from tui.model.timeline.shift import Shift, dates_in_words, dates_of
from tui.screens.board_lines import moving
from tui.widgets.bars import Notice


class DateMoves:
    """Moves the dates of cards on the screen; `send` changes them.

    `cards` returns the chosen cards of the board.
    """

    def __init__(self, cards: Callable[[], Cards]) -> None:
        self._cards = cards
        self._shift: Shift | None = None

    @property
    def is_moving(self) -> bool:
        """Whether cards are lifted, or moved and not sent yet."""
        return self._shift is not None

    @property
    def days(self) -> int:
        """By how many days they have moved."""
        return 0 if self._shift is None else self._shift.days

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The cards that move, as they are on the board."""
        view = self._cards().view
        if self._shift is None or view is None:
            return ()
        return view.among(set(self._shift.task_ids))

    def of(self, task: Task) -> Task:
        """A card with the dates that it would have now."""
        return task if self._shift is None else self._shift.of(task)

    def begin(self, tasks: Sequence[Task]) -> frozenset[int]:
        """Begin to move those of the cards that have dates; their ids, none if there is none."""
        ids = frozenset(task.id for task in tasks if dates_of(task))
        if ids:
            self._shift = Shift(ids)
        return ids

    def carry(self, days: int) -> bool:
        """Move on by days; False if a date would leave the years that services can store."""
        if self._shift is None:
            return False
        previous, self._shift = self._shift, self._shift.by(days, self.tasks)
        return self._shift is not previous

    def end(self) -> None:
        """Leave the dates as they were."""
        self._shift = None

    def renamed(self, ids: Mapping[int, int]) -> None:
        """Follow new cards to the ids that the service has given them."""
        if self._shift is not None:
            self._shift = self._shift.renamed(ids)

    def notice(self) -> Notice | None:
        """What moves, and to which days; None if nothing does."""
        tasks = self.tasks
        if self._shift is None or not tasks:
            return None
        if self._shift.days:
            return moving(moved_words(tasks, self._shift))
        words = named(tasks)
        return moving(f"{words}, {dates_in_words(tasks)}" if len(tasks) == 1 else words)

    async def send(self) -> None:
        """Change the dates to where they are now."""
        shift, tasks = self._shift, self.tasks
        self.end()
        if shift is not None:
            await move_dates(self._cards(), tasks, shift)
