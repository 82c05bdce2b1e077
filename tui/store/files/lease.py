"""Who sends: of several programs on one profile, one at a time.

The right to send is a lock of the kernel's on a file, so that it ends with the program that holds
it, however that ends. Whoever has it looks at what was being sent before it sends anything.
"""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

_CANNOT_LOCK = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTSUP}


class Lease:
    """The right to send the changes of a profile, kept by a lock on `path`.

    `remark` is what a person should be told, such as that the disk cannot lock files, as some
    network drives cannot: the program then behaves as if it were the only one.
    """

    def __init__(self, path: Path, lock: Callable[[int, int], None] = fcntl.flock) -> None:
        self._path = path
        self._flock = lock
        self._file: int | None = None
        self.is_held = False
        self.remark = ""

    def take(self) -> bool:
        """Take it if nobody else has it; says whether it is held. Takes some microseconds.

        A file that was deleted or replaced meanwhile locks nobody out, so it counts no more.
        """
        if self._file is not None and not self._is_in_place(self._file):
            self.release()
        if not self.is_held:
            self.remark = ""
            try:
                self.is_held = self._lock()
            except OSError as error:
                self.is_held = self._goes_on_alone(error)
        return self.is_held

    def release(self) -> None:
        """Let others have it."""
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
        """Whether to send without a lock: only where there can be none; other trouble passes."""
        reason = (error.strerror or str(error)).lower()
        if error.errno in _CANNOT_LOCK:
            self.remark = (
                f"The disk of {self._path.parent} cannot lock files ({reason}). "
                "Open Callboard only once at a time there, so that nothing is sent twice."
            )
            return True
        self.remark = f"{self._path} cannot be used ({reason}). Changes are kept and wait for it."
        return False

    def _is_in_place(self, file: int) -> bool:
        ours = os.fstat(file)
        try:
            there = self._path.stat()
        except OSError:
            return False
        return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
