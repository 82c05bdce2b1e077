"""Whose turn it is to write to a board.

The rule it keeps: writes to one board go out one after another, in the order they were asked for,
because services renumber a board's tasks while they answer; other boards do not wait.
"""

import asyncio
import re
from contextlib import AbstractAsyncContextManager, nullcontext
from weakref import WeakValueDictionary

from tui.client.endpoints import Route

_BOARD = re.compile(r"/projects/([^/]+)")


class Turns:
    """A queue for each board that is being written to. Whoever is cancelled leaves it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def taken(self, route: Route) -> AbstractAsyncContextManager[None]:
        """A turn for a call; one that reads, or concerns no board, need not wait for it."""
        board = _BOARD.match(route.path)
        if route.is_safe or board is None:
            return nullcontext()
        return self._locks.setdefault(board[1], asyncio.Lock())
