"""The parts of a store, put together."""

from collections.abc import Mapping
from dataclasses import dataclass

from tui.store.changes import Changes
from tui.store.core import Core
from tui.store.documents.shapes import FirstPaint
from tui.store.pictures import PictureFolder, Pictures
from tui.store.sync.delivery import Delivery
from tui.store.sync.known_state import KnownState
from tui.store.sync.outcome import Outcomes
from tui.store.sync.poller import Poller
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import RemoteChanges
from tui.store.sync.sender import Sender
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.boards import Boards
from tui.store.views.details import Details
from tui.store.views.marks import Unread, Unseen
from tui.store.views.sources import Sources


@dataclass(frozen=True, slots=True)
class Parts:
    """What the store asks, each for its own subject."""

    boards: Boards
    updates: BoardUpdates
    details: Details
    sources: Sources
    pictures: Pictures
    unread: Unread
    unseen: Unseen
    remote_changes: RemoteChanges
    reloading: Reloading
    known_state: KnownState
    delivery: Delivery
    changes: Changes
    poller: Poller


def wired(
    core: Core,
    read_ahead: Mapping[int, FirstPaint],
    pictures: PictureFolder,
    poll_seconds: float,
) -> Parts:
    """Every part on one core; `read_ahead` is what the first paint of a board needs."""
    boards = Boards(core, read_ahead)
    updates = BoardUpdates(core, boards)
    details = Details(core, updates)
    unseen = Unseen(core.outbox.unseen, core.disk, core.listeners)
    remote_changes = RemoteChanges(core, unseen, details)
    reloading = Reloading(core, updates, remote_changes)
    known_state = KnownState(core, updates, details, reloading)
    outcomes = Outcomes(core, updates, details, reloading, remote_changes)
    delivery = Delivery(core, boards, Sender(core, known_state, outcomes))
    return Parts(
        boards=boards,
        updates=updates,
        details=details,
        sources=Sources(core, boards, details),
        pictures=Pictures(core, pictures, details),
        unread=Unread(core.outbox.seen, core.disk, core.clock),
        unseen=unseen,
        remote_changes=remote_changes,
        reloading=reloading,
        known_state=known_state,
        delivery=delivery,
        changes=Changes(core, updates, details, known_state, delivery),
        poller=Poller(core, updates, reloading, delivery, poll_seconds),
    )
