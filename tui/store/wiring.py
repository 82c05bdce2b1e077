"""Creates and connects the parts of a store.

What a cached board is drawn without is imported and created when it is first asked for.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from tui.store.core import Core
from tui.store.outbox.marks import Unread, Unseen
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.boards import BoardViews
from tui.store.views.details import Details

if TYPE_CHECKING:
    from tui.store.agent_history import AgentHistory
    from tui.store.changes import Changes
    from tui.store.pictures import Pictures
    from tui.store.sync.delivery import Delivery
    from tui.store.sync.known_state import KnownState
    from tui.store.sync.poller import Poller
    from tui.store.sync.reload import Reloading
    from tui.store.sync.remote_changes import RemoteChangeTracker
    from tui.store.views.card_search import CardSearch
    from tui.store.views.history import Histories
    from tui.store.views.lookup import Lookup
    from tui.store.views.relations import RelationViews


class Parts:
    """The parts of a store on one core."""

    def __init__(self, core: Core, poll_seconds: float) -> None:
        self._core = core
        self._poll_seconds = poll_seconds
        self.boards = BoardViews(core)
        self.updates = BoardUpdates(core, self.boards)
        self.details = Details(core, self.updates)
        self.unread = Unread(core.outbox.connection, core.disk, core.clock)
        self.unseen = Unseen(core.outbox.connection, core.disk, core.listeners)

    @cached_property
    def histories(self) -> "Histories":
        from tui.store.views.history import Histories

        return Histories(self._core, self.boards)

    @cached_property
    def lookup(self) -> "Lookup":
        from tui.store.views.lookup import Lookup

        return Lookup(self._core, self.updates, self.relations)

    @cached_property
    def card_search(self) -> "CardSearch":
        from tui.store.views.card_search import CardSearch

        return CardSearch(self._core, self.updates, self.unseen, self.relations)

    @cached_property
    def relations(self) -> "RelationViews":
        from tui.store.views.relations import RelationViews

        return RelationViews(self._core, self.boards)

    @cached_property
    def pictures(self) -> "Pictures":
        from tui.store.pictures import Pictures

        return Pictures(self._core, self.details)

    @cached_property
    def remote_changes(self) -> "RemoteChangeTracker":
        from tui.store.sync.remote_changes import RemoteChangeTracker

        return RemoteChangeTracker(self._core, self.unseen, self.details)

    @cached_property
    def reloading(self) -> "Reloading":
        from tui.store.sync.reload import Reloading

        return Reloading(self._core, self.updates, self.remote_changes)

    @cached_property
    def known_state(self) -> "KnownState":
        from tui.store.sync.known_state import KnownState

        return KnownState(self._core, self.updates, self.reloading)

    @cached_property
    def delivery(self) -> "Delivery":
        from tui.store.sync.delivery import Delivery
        from tui.store.sync.outcome import Outcomes
        from tui.store.sync.sender import Sender

        outcomes = Outcomes(
            self._core,
            self.updates,
            self.details,
            self.reloading,
            self.remote_changes,
            histories=self.histories,
        )
        return Delivery(self._core, self.boards, Sender(self._core, self.known_state, outcomes))

    @cached_property
    def changes(self) -> "Changes":
        from tui.store.changes import Changes

        return Changes(self._core, self.updates, self.details, self.known_state, self.delivery)

    @cached_property
    def agent_history(self) -> "AgentHistory":
        from tui.store.agent_history import AgentHistory

        return AgentHistory(self._core, self.updates, self.lookup, self.known_state)

    @cached_property
    def poller(self) -> "Poller":
        from tui.store.sync.poller import Poller

        return Poller(self._core, self.updates, self.reloading, self.delivery, self._poll_seconds)
