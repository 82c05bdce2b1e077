"""A disk that is written at once, until the program that writes it is killed."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


class MortalDisk(Executor):
    """Does the disk jobs of one program without a thread, so that histories can be repeated.

    From the moment the program is killed no job is done, and none is answered.
    """

    def __init__(self) -> None:
        self._jobs_left: int | None = None
        self.is_dead = False

    def kill_after(self, jobs: int) -> None:
        """Kill the program when so many more jobs were done; the last is done, not answered."""
        self._jobs_left = jobs
        self.is_dead = self.is_dead or not jobs

    def spare(self) -> None:
        """Do not kill the program after all."""
        self._jobs_left = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.is_dead:
            return Future()
        future = _done(fn, *args, **kwargs)
        if self._jobs_left is not None:
            self._jobs_left -= 1
            if self._jobs_left <= 0:
                self.is_dead = True
                return Future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is left to be done."""
        del wait, cancel_futures


class AtOnce(ThreadPoolExecutor):
    """The default executor of an event loop: does everything at once, without a thread.

    With threads, replies would overtake each other differently whenever a history is repeated.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _done(fn, *args, **kwargs)


def _done(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Future[Any]:
    future: Future[Any] = Future()
    try:
        future.set_result(fn(*args, **kwargs))
    except Exception as error:  # noqa: BLE001  it is the waiting one's, whatever it is
        future.set_exception(error)
    return future
