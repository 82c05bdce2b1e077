"""Actions that every screen offers."""

from tui.actions.action import Action
from tui.actions.finding import FindAnywhere
from tui.actions.host import Host
from tui.actions.tour import ShowTour
from tui.navigation import ListRequested, PendingRequested, SettingsRequested, StandupRequested


class ShowPending(Action[Host]):
    """Opens the list of changes that are not sent yet or were rejected."""

    id, keys, label = "go.waiting", "g u", "Go to pending changes"

    async def run(self, on: Host) -> None:
        on.post_message(PendingRequested())


class ShowStandup(Action[Host]):
    """Opens the standup."""

    id, keys, label = "go.standup", "g s", "Go to standup"

    async def run(self, on: Host) -> None:
        on.post_message(StandupRequested())


class ShowMyWork(Action[Host]):
    """Opens the list of the user's cards on all boards."""

    id, keys, label = "go.my-work", "g m", "Go to my work"

    def __init__(self, hint: str = "") -> None:
        self.hint = hint

    async def run(self, on: Host) -> None:
        on.post_message(ListRequested("my_work", None))


class ShowSettings(Action[Host]):
    """Opens the settings."""

    id, keys, label = "go.settings", "g comma", "Go to settings"

    async def run(self, on: Host) -> None:
        on.post_message(SettingsRequested())


class ShowProfiles(Action[Host]):
    """Opens the list of profiles."""

    id, keys, label = "go.profiles", "g p", "Go to profiles"

    async def run(self, on: Host) -> None:
        on.post_message(ListRequested("profiles", None))


PROGRAM_ACTIONS: tuple[Action[Host], ...] = (
    ShowPending(),
    FindAnywhere(),
    ShowStandup(),
    ShowMyWork(),
    ShowSettings(),
    ShowProfiles(),
    ShowTour(),
)
