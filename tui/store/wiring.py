"""Creates and connects the parts of a store."""

from tui.store.changes import Changes
from tui.store.core import Core
from tui.store.outbox.marks import Unread, Unseen
from tui.store.pictures import Pictures
from tui.store.sync.delivery import Delivery
from tui.store.sync.known_state import KnownState
from tui.store.sync.outcome import Outcomes
from tui.store.sync.poller import Poller
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import RemoteChangeTracker
from tui.store.sync.sender import Sender
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.boards import Boards
from tui.store.views.details import Details
from tui.store.views.history import Histories
from tui.store.views.lookup import Lookup


class Parts:
    """The parts of a store on one core."""

    def __init__(self, core: Core, poll_seconds: float) -> None:
        self.boards = Boards(core)
        self.updates = BoardUpdates(core, self.boards)
        self.histories = Histories(core, self.boards)
        self.lookup = Lookup(core, self.updates)
        self.details = Details(core, self.updates)
        self.pictures = Pictures(core, self.details)
        self.unread = Unread(core.outbox.connection, core.disk, core.clock)
        self.unseen = Unseen(core.outbox.connection, core.disk, core.listeners)
        self.remote_changes = RemoteChangeTracker(core, self.unseen, self.details)
        self.reloading = Reloading(core, self.updates, self.remote_changes)
        self.known_state = KnownState(core, self.updates, self.reloading)
        outcomes = Outcomes(
            core,
            self.updates,
            self.details,
            self.reloading,
            self.remote_changes,
            histories=self.histories,
        )
        self.delivery = Delivery(core, self.boards, Sender(core, self.known_state, outcomes))
        self.changes = Changes(core, self.updates, self.details, self.known_state, self.delivery)
        self.poller = Poller(core, self.updates, self.reloading, self.delivery, poll_seconds)
