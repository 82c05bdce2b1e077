"""The end of the program when its terminal is gone.

The rule it keeps: a program that nobody can see or type into ends, as if it had been left; nothing
is lost by that. The system tells most programs so by a signal, but not one that was started away
from its terminal: that one would read an end of file for ever, as fast as it can.
"""

import asyncio
import select
import sys
from collections.abc import Callable

_LOOK_EVERY = 1.0


def is_hung_up(descriptor: int) -> bool:
    """Whether the other side of a terminal is closed."""
    if not hasattr(select, "poll"):
        return False
    looking = select.poll()
    looking.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in looking.poll(0))


async def leave_when_hung_up(leave: Callable[[], None]) -> None:
    """Leave the program once its terminal is gone."""
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_hung_up(sys.__stdin__.fileno() if sys.__stdin__ else -1):
            leave()
            return
