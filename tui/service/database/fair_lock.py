"""A lock that is taken in the order in which it was asked for.

With the lock of the language, a thread that releases it and takes it again is mostly the first to
get it, however long others have waited.
"""

import threading
from collections import deque


class FairLock:
    """A lock, as a context manager."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    @property
    def waiting(self) -> int:
        """How many threads wait for it."""
        return len(self._waiting)

    def acquire(self) -> None:
        """Wait for it, and take it."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        # Released by `release`, which leaves `_is_taken` set: the lock is handed over, so no thread
        # can take it in between.
        turn.acquire()

    def release(self) -> None:
        """Give it to the one that has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_error: object) -> None:
        self.release()
