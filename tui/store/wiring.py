"""What a store is made of, put together once.

The rule it keeps: each part is handed what it needs and makes nothing of it by itself.
"""

from collections.abc import Callable, Mapping

from tui.store.cache.file import Cache
from tui.store.cache.freshness import Freshness
from tui.store.cache.polling_turns import TurnsAtAsking
from tui.store.changes import Changes
from tui.store.clock import Clock
from tui.store.details import Details
from tui.store.documents.shapes import KeptBoardDocuments
from tui.store.files.disk import DiskThread
from tui.store.listeners import Listeners
from tui.store.outbox.file import Outbox
from tui.store.outbox.queue import Queue
from tui.store.pictures.pictures import PictureFolder, Pictures
from tui.store.sources import Sources
from tui.store.sync.conflicts import Sightings
from tui.store.sync.connection import Connection
from tui.store.sync.delivery import Delivery
from tui.store.sync.health import Health
from tui.store.sync.known_state import Knowledge
from tui.store.sync.outcome import Settling
from tui.store.sync.poller import Sync
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import Others
from tui.store.sync.sender import Sending
from tui.store.views.boards import Shelf
from tui.store.views.unread import Unread
from tui.store.views.unseen import Unseen


class Parts:
    """The parts of one store on an open cache and outbox."""

    def __init__(
        self,
        glance: Cache,
        cache: Cache,
        read_ahead: Mapping[int, KeptBoardDocuments],
        outbox: Outbox,
        *,
        clock: Clock,
        jitter: Callable[[], float],
        poll_seconds: float,
        pictures: PictureFolder,
    ) -> None:
        self.glance, self.cache = glance, cache
        self.disk = DiskThread()
        self.listeners = Listeners()
        self.queue = Queue(outbox, self.disk)
        self.connection = Connection(clock)
        self.health = Health(self.queue, self.listeners, clock)
        self.shelf = Shelf(
            glance=glance,
            read_ahead=read_ahead,
            cache=cache,
            disk=self.disk,
            queue=self.queue,
            listeners=self.listeners,
        )
        self.details = Details(
            shelf=self.shelf,
            cache=cache,
            disk=self.disk,
            queue=self.queue,
            connection=self.connection,
            health=self.health,
            listeners=self.listeners,
        )
        self.sources = Sources(
            queue=self.queue,
            details=self.details,
            shelf=self.shelf,
            cache=cache,
            disk=self.disk,
        )
        self.pictures = Pictures(
            pictures,
            queue=self.queue,
            details=self.details,
            cache=cache,
            disk=self.disk,
            connection=self.connection,
        )
        self.unread = Unread(outbox.seen, self.disk, clock)
        sightings = Sightings(clock)
        self.unseen = Unseen(outbox.unseen, self.disk, self.listeners)
        self.others = Others(
            unseen=self.unseen,
            queue=self.queue,
            details=self.details,
            outbox=outbox,
            disk=self.disk,
        )
        self.freshness = Freshness(glance, cache, self.disk, clock)
        self.reloading = Reloading(
            shelf=self.shelf,
            freshness=self.freshness,
            connection=self.connection,
            health=self.health,
            sightings=sightings,
            others=self.others,
        )
        self.knowledge = Knowledge(
            shelf=self.shelf,
            queue=self.queue,
            reloading=self.reloading,
            details=self.details,
            sightings=sightings,
        )
        self.delivery = self._delivery(sightings, clock, jitter)
        self.changes = Changes(
            shelf=self.shelf,
            queue=self.queue,
            details=self.details,
            knowledge=self.knowledge,
            delivery=self.delivery,
            listeners=self.listeners,
            clock=clock,
            offers=self.connection.offers,
        )
        self.sync = Sync(
            shelf=self.shelf,
            freshness=self.freshness,
            reloading=self.reloading,
            connection=self.connection,
            delivery=self.delivery,
            health=self.health,
            turns=TurnsAtAsking(cache, self.disk, clock),
            clock=clock,
            every=poll_seconds,
        )

    def _delivery(
        self, sightings: Sightings, clock: Clock, jitter: Callable[[], float]
    ) -> Delivery:
        settling = Settling(
            shelf=self.shelf,
            queue=self.queue,
            reloading=self.reloading,
            details=self.details,
            sightings=sightings,
            health=self.health,
            others=self.others,
            listeners=self.listeners,
        )
        sending = Sending(
            queue=self.queue,
            connection=self.connection,
            knowledge=self.knowledge,
            settling=settling,
            health=self.health,
            clock=clock,
            jitter=jitter,
            listeners=self.listeners,
        )
        return Delivery(
            sending=sending,
            shelf=self.shelf,
            queue=self.queue,
            connection=self.connection,
            health=self.health,
            clock=clock,
        )
