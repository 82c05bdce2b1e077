"""A net against waiting for ever: no test is about how long something takes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

PATIENCE = 60.0
"""Seconds: far more than anything takes on a machine that is busy with something else."""


@asynccontextmanager
async def patience(what: str, seen: Callable[[], str] = str) -> AsyncIterator[None]:
    """Fail, if what happens within does not come, with what was awaited and what is seen then."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise AssertionError(f"waited in vain for {what}\n{seen()}".rstrip()) from None
