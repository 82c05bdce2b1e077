"""The thread on which the store does its disk work.

Jobs run one after another in the order they were given; the event loop awaits them.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class DiskThread:
    """A queue of jobs for one thread."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-disk")

    async def run(self, job: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Queue the job without delay and wait for it.

        Cancelling the caller does not stop the job.
        """
        # Submitted before the first await, so that jobs run in the order of the calls.
        ended, future = self._queued(job, *args, **kwargs)
        await ended.wait()
        return future.result()

    async def write(self, job: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Like `run`, but a caller that is cancelled gets the result first.

        It can bring memory in line with the disk; the cancellation is raised when it next waits.
        """
        ended, future = self._queued(job, *args, **kwargs)
        try:
            await ended.wait()
        except asyncio.CancelledError:
            # The job cannot be stopped any more, so its result is on disk in any case.
            await ended.wait()
            if (caller := asyncio.current_task()) is not None:
                caller.uncancel()  # counted once, for those that cancelled it
                caller.cancel()
        return future.result()

    def _queued(
        self, job: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> tuple[asyncio.Event, Future[_T]]:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        future = self._executor.submit(job, *args, **kwargs)
        # The futures of asyncio would take two more turns of the event loop.
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(ended.set))
        return ended, future

    def close(self) -> None:
        """Finish the queued jobs and end the thread."""
        self._executor.shutdown(wait=True)
