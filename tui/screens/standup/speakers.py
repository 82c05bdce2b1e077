"""Who speaks in a standup, in which order, and how long."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random

from tui.model.standup.report import Speaker
from tui.screens.standup.rows import EVERYTHING, Turn

MINUTES = range(1, 61)
"""How many minutes a speaker may have."""


class Speakers:
    """The order of the speakers, the present one of them, and the timer.

    What is left for the end of a standup, such as the parking lot, has its turn like a speaker.
    """

    def __init__(self, now: Callable[[], datetime], random: Random) -> None:
        self._now = now
        self._random = random
        self._order: list[int] = []
        self._began: datetime | None = None
        self.present = EVERYTHING

    def in_order(self, people: Sequence[Speaker]) -> tuple[Speaker, ...]:
        """The speakers as last shuffled, new ones at the end; as given if they never were."""
        known = {person_id: place for place, person_id in enumerate(self._order)}
        return tuple(sorted(people, key=lambda one: known.get(one.person.id, len(known))))

    def shuffle(self, people: Sequence[Speaker]) -> None:
        """Put the speakers into another order than they are in."""
        ids = [one.person.id for one in people]
        self._order = list(ids)
        while len(ids) > 1 and self._order == ids:
            self._random.shuffle(self._order)

    def after(self, turns: Sequence[Turn], by: int) -> Turn:
        """Whose turn is next, or was before; `EVERYTHING` after the last and before the first."""
        if self.present not in turns:
            return turns[0 if by > 0 else -1] if turns else EVERYTHING
        at = turns.index(self.present) + by
        return turns[at] if 0 <= at < len(turns) else EVERYTHING

    def begin(self, turn: Turn) -> None:
        """Begin somebody's turn; a timer that runs starts anew."""
        self.present = turn
        if self._began is not None:
            self._began = self._now()

    @property
    def is_timed(self) -> bool:
        return self._began is not None

    def switch_timer(self) -> None:
        self._began = self._now() if self._began is None else None

    def time_left(self, minutes: int) -> timedelta | None:
        """What is left of so many minutes, less than nothing afterwards; None without a timer."""
        if self._began is None:
            return None
        return timedelta(minutes=minutes) - (self._now() - self._began)
