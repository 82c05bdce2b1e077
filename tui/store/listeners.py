"""Who hears what happens in the store.

The rule it keeps: one listener that fails never keeps another from hearing.
"""

import logging
from collections.abc import Callable

from tui.store.events import StoreEvent

logger = logging.getLogger(__name__)


class Listeners:
    """Those who subscribed, in the order they did; events are told on the event loop."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[StoreEvent], None]] = []

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Hear every event; returns what ends the subscription."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def tell(self, event: StoreEvent) -> None:
        """Tell everyone."""
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:  # whatever a listener does wrong, the store must go on
                logger.exception("A listener failed on %s", type(event).__name__)
