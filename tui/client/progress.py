"""How far a call has come, for whoever draws a bar.

The rule it keeps: numbers only grow during one call, and a total is given only where it is known.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """What has gone over the wire so far.

    `sent` and `received` are bytes of bodies as they travel, `records` counts what was read from
    them. `total` is the size in bytes of what is under way, None while nobody has said it.
    """

    sent: int = 0
    received: int = 0
    records: int = 0
    total: int | None = None


ProgressListener = Callable[[Progress], None]
"""Told on the event loop and often: it must be quick and must not raise."""
