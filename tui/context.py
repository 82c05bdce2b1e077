"""What every screen and dialog is given: the store, how things look, and what time it is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from tui.config.drafts import Drafts
from tui.config.preferences import Preferences
from tui.store.protocol import Store


class Density(IntEnum):
    """How many lines a card takes."""

    COMPACT = 1
    NORMAL = 2
    ROOMY = 3

    @property
    def next(self) -> "Density":
        """The density that the density key goes to."""
        return Density(self % 3 + 1)


def wall_clock() -> datetime:
    """The time on the wall, without a zone, as due dates are."""
    return datetime.now().astimezone().replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Context:
    """The same for all screens of one run.

    `now` is wall-clock time without a zone; `glance_seconds` is how long one looks at a card to
    have seen it.
    """

    store: Store
    density: Density = Density.ROOMY
    preferences: Preferences = field(default_factory=Preferences)
    drafts: Drafts = field(default_factory=Drafts)
    now: Callable[[], datetime] = wall_clock
    glance_seconds: float = 1.0
