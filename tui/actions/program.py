"""Actions that every screen offers."""

from tui.actions.action import Action
from tui.actions.finding import FindAnywhere
from tui.actions.host import Host
from tui.navigation import PendingRequested


class ShowPending(Action[Host]):
    """Opens the list of changes that are not sent yet or were rejected."""

    id, keys, label = "go.waiting", "g u", "Go to pending changes"

    async def run(self, on: Host) -> None:
        on.post_message(PendingRequested())


PROGRAM_ACTIONS: tuple[Action[Host], ...] = (ShowPending(), FindAnywhere())
