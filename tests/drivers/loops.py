"""The event loop of the program: Textual begins tasks at once, from Python 3.12 on."""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
EAGER = getattr(asyncio, "eager_task_factory", None)


def loop_of_the_program() -> AbstractEventLoop:
    """A new loop, as Textual has it."""
    loop = asyncio.new_event_loop()
    loop.set_task_factory(EAGER)
    return loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run something that opens screens, as `asyncio.run` does with a loop of its own."""
    with asyncio.Runner(loop_factory=loop_of_the_program) as runner:
        return runner.run(work)
