"""What every part of a store works with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from tui.store.cache.file import Cache
from tui.store.cache.freshness import Freshness
from tui.store.clock import Clock
from tui.store.connection import Connection, Health, LastHeard
from tui.store.events import Listeners
from tui.store.files.disk import DiskThread
from tui.store.outbox.file import Outbox
from tui.store.outbox.queue import Queue


@dataclass(frozen=True, slots=True)
class Core:
    """The files, the thread that writes them, the service, and who hears what happens.

    `loop_cache` is a connection to the cache for the short reads of the event loop; `jitter` tells
    numbers between 0 and 1, by which programs do not try again all at once.
    """

    outbox: Outbox
    loop_cache: Cache
    cache: Cache
    disk: DiskThread
    queue: Queue
    listeners: Listeners
    connection: Connection
    health: Health
    freshness: Freshness
    last_heard: LastHeard
    clock: Clock
    jitter: Callable[[], float]

    @classmethod
    def of(
        cls,
        outbox: Outbox,
        loop_cache: Cache,
        cache: Cache,
        clock: Clock,
        jitter: Callable[[], float],
    ) -> Self:
        """The core on open files."""
        disk, listeners = DiskThread(), Listeners()
        queue = Queue(outbox, disk)
        return cls(
            outbox=outbox,
            loop_cache=loop_cache,
            cache=cache,
            disk=disk,
            queue=queue,
            listeners=listeners,
            connection=Connection(clock),
            health=Health(queue, listeners, clock),
            freshness=Freshness(loop_cache, cache, disk, clock),
            last_heard=LastHeard(clock),
            clock=clock,
            jitter=jitter,
        )
