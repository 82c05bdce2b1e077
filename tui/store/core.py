"""What every part of a store works with."""

from collections.abc import Callable

from tui.store.cache.freshness import Freshness
from tui.store.clock import Clock
from tui.store.connection import Connection, Health, LastHeard
from tui.store.events import Listeners
from tui.store.files.disk import DiskThread
from tui.store.opening import Opened
from tui.store.outbox.queue import Queue


class Core:
    """The files, the thread that writes them, the service, and who hears what happens.

    `loop_cache` is a connection to the cache for the short reads of the event loop; `jitter` tells
    numbers between 0 and 1, by which programs do not try again all at once.
    """

    def __init__(self, opened: Opened, clock: Clock, jitter: Callable[[], float]) -> None:
        self.outbox = opened.outbox
        self.loop_cache = opened.loop_cache
        self.cache = opened.cache
        self.clock = clock
        self.jitter = jitter
        self.disk = DiskThread()
        self.listeners = Listeners()
        self.queue = Queue(self.outbox, self.disk)
        self.connection = Connection(clock)
        self.health = Health(self.queue, self.listeners, clock)
        self.freshness = Freshness(self.loop_cache, self.cache, self.disk, clock)
        self.last_heard = LastHeard(clock)
