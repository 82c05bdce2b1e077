"""The right to send: of several programs on one profile, one has it at a time.

It is a kernel lock on a file, which ends with the process that holds it. A new holder reads back
entries that were being sent before it sends anything.
"""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

_CANNOT_LOCK = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTSUP}


class Lease:
    """A lock on `path`.

    `remark` is a notice for the user, such as that the disk cannot lock files, as some network
    drives cannot: the program then runs as if it were the only one. With `is_renounced` it is
    never taken.
    """

    def __init__(
        self,
        path: Path,
        lock: Callable[[int, int], None] = fcntl.flock,
        *,
        is_renounced: bool = False,
    ) -> None:
        self.is_renounced = is_renounced
        self._path = path
        self._flock = lock
        self._file: int | None = None
        self.is_held = False
        self.remark = ""

    def take(self) -> bool:
        """Take it if it is free; returns whether it is held. Takes some microseconds.

        A lock on a file that was deleted or replaced does not count.
        """
        if self._file is not None and identity(self._file) != identity(self._path):
            self.release()
        if not (self.is_held or self.is_renounced):
            self.remark = ""
            try:
                self.is_held = self._lock()
            except OSError as error:
                self.is_held = self._goes_on_alone(error)
        return self.is_held

    def release(self) -> None:
        """Release it."""
        self.is_held = False
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self) -> bool:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _goes_on_alone(self, error: OSError) -> bool:
        """Whether to send without a lock: only where locks are not supported at all."""
        reason = (error.strerror or str(error)).lower()
        if error.errno in _CANNOT_LOCK:
            self.remark = (
                f"The disk of {self._path.parent} cannot lock files ({reason}). "
                "Open Callboard only once at a time there, so that nothing is sent twice."
            )
            return True
        self.remark = f"{self._path} cannot be used ({reason}). Changes are kept and wait for it."
        return False


def identity(file: Path | int) -> tuple[int, int] | None:
    """Device and inode of a file, by its path or descriptor; None if there is none."""
    try:
        found = os.stat(file)  # noqa: PTH116  a descriptor too
    except OSError:
        return None
    return found.st_dev, found.st_ino
