"""Actions that every screen offers."""

from tui.actions.action import Action
from tui.actions.finding import FindAnywhere
from tui.actions.host import Host
from tui.navigation import PendingRequested, StandupRequested


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


PROGRAM_ACTIONS: tuple[Action[Host], ...] = (ShowPending(), FindAnywhere(), ShowStandup())
