"""The dependencies of all screens and dialogs: the store, settings, drafts and the clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING

from tui.config.drafts import Drafts
from tui.config.inbox_file import InboxFile
from tui.config.preferences import Preferences
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.jumps import Jumps
from tui.record import record
from tui.store.operations.base import Operation
from tui.store.protocol import Store
from tui.text.dates import wall_clock

if TYPE_CHECKING:
    from tui.profiles.protocol import Profiles


class Density(IntEnum):
    """The height of a card in lines."""

    COMPACT = 1
    NORMAL = 2
    ROOMY = 3

    @property
    def next(self) -> "Density":
        """The density that the density key switches to."""
        return Density(self % 3 + 1)


@dataclass(slots=True, repr=False, eq=False)
class LastChange:
    """The last change of cards by this program, which can be repeated on other cards."""

    operations: tuple[Operation, ...] = ()


@dataclass(slots=True, repr=False, eq=False)
class LastPressed:
    """The id of the action whose key was pressed last, also of one that a widget handles."""

    action_id: str = ""


@record
class Context:
    """Dependencies that all screens of a run share.

    `now` returns local time without a zone. Changes count as seen after the cursor has been on the
    card, or the thread has been open, for `glance_seconds`; the preview of a card loads what it
    lacks once the cursor has been on it for `rest_seconds`; a board marks what is pending for
    longer than `sign_seconds`; the service is searched once typing pauses for `typing_seconds`.
    `card_url` is the web address of cards, with `{id}` for the number;
    empty if not known. `is_embedded` says whether the boards are on this machine alone.
    `last_actions` are the ids of the actions that were run, latest last; `jumps` are the places
    that jumps to cards started from; `profile_name` is the name of the profile that is open, empty
    if not known.
    """

    store: Store
    current: CurrentSettings = field(default_factory=CurrentSettings)
    preferences: Preferences = field(default_factory=Preferences)
    drafts: Drafts = field(default_factory=Drafts)
    inbox: InboxFile = field(default_factory=InboxFile)
    now: Callable[[], datetime] = wall_clock
    glance_seconds: float = 1.0
    rest_seconds: float = 0.4
    sign_seconds: float = 0.0
    typing_seconds: float = 0.3
    profiles: "Profiles | None" = None
    card_url: str = ""
    is_embedded: bool = False
    profile_name: str = ""
    last_change: LastChange = field(default_factory=LastChange)
    last_pressed: LastPressed = field(default_factory=LastPressed)
    last_actions: dict[str, None] = field(default_factory=dict[str, None])
    jumps: Jumps = field(default_factory=Jumps)

    @property
    def settings(self) -> Settings:
        """The settings, which may change while the program runs."""
        return self.current.settings
