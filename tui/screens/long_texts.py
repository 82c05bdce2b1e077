"""Turning long texts from one notation into another.

The rule it keeps: a text of megabytes takes seconds, and keys go on working meanwhile.
"""

import asyncio
from collections.abc import Callable

_LONG = 50_000
"""Characters that are turned within a frame or two."""


async def turned(turn: Callable[..., str], *texts: str) -> str:
    """What a function makes of texts; in a thread where they are long."""
    if sum(map(len, texts)) < _LONG:
        return turn(*texts)
    return await asyncio.to_thread(turn, *texts)
