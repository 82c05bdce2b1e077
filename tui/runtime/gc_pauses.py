"""Collecting garbage while the person is not at the keys.

The rule it keeps: what walks over everything in memory, for a tenth of a second where a board of
thousands is open, does not happen between a key and its effect. Young objects are collected as
always; only if nobody ever pauses are the old ones looked at in between.
"""

import asyncio
import gc

from tui.runtime.input_priority import COURTESY, Courtesy

_LOOK_EVERY = 1.0
_PAUSE_SECONDS = 2.0
_WORTH_IT = 10
_TOO_MANY = 1_000


def leave_old_objects_alone() -> None:
    """Take what there is now out of every collection, and the old out of those between keys."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _TOO_MANY)
    gc.freeze()


def is_time_to_tidy(courtesy: Courtesy) -> bool:
    """Whether there is something to collect, and nobody who would have to wait for it."""
    return courtesy.quiet_seconds >= _PAUSE_SECONDS and gc.get_count()[2] >= _WORTH_IT


async def tidy_in_pauses() -> None:
    """Collect garbage whenever the person pauses; never ends."""
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_time_to_tidy(COURTESY):
            gc.collect()
