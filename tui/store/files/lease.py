"""The right to send: of several programs on one profile, one has it at a time.

It is a kernel lock on a file, which ends with the process that holds it. A holder that is stopped,
or does not answer for some seconds, loses the lease: its successor locks a new file and renames it
over the old one, so that the former holder sees on waking that the file is no longer its own. The
old file stays locked, under the name of its holder, as long as a request of it may be in flight.
"""

import errno
import fcntl
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tui.errors import CallboardError

_CANNOT_LOCK = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTSUP}
_PATIENCE = 5.0
_LONGEST_GAP = 3.0
_GIVEN_UP = "given-up"
STOPPED = "T"
_LONGEST_RECORD = 200

Identity = tuple[int, int] | None


class LeaseLostError(CallboardError):
    """Another program sends now: this one must not, and reads the outbox again."""

    def __init__(self) -> None:
        super().__init__("Another Callboard is sending the changes.")


class Holder(NamedTuple):
    """A program that has, or had, the lease; its process is 0 and its name empty if not known."""

    identity: Identity
    process: int = 0
    name: str = ""
    has_given_up: bool = False


class Lease:
    """A lock on `path`.

    `name` is new each time the lease is taken, and marks what is sent under it. `remark` is a
    notice for the user, such as that the disk cannot lock files, as some network drives cannot: the
    program then runs as if it were the only one. `waits_for` says which program does not answer and
    cannot be succeeded; `was_taken_over` that the previous holder may still run. With
    `is_renounced` the lease is never taken. `elapsed` is a monotonic clock; `state_of` returns the
    state of a process as a letter, or nothing.
    """

    def __init__(
        self,
        path: Path,
        lock: Callable[[int, int], None] = fcntl.flock,
        *,
        elapsed: Callable[[], float] = time.monotonic,
        state_of: Callable[[int], str] | None = None,
        is_renounced: bool = False,
    ) -> None:
        self.is_renounced = is_renounced
        self._path = path
        self._next = path.with_suffix(".next")
        self._flock = lock
        self._elapsed = elapsed
        self._state_of = state_of or process_state
        self._file: int | None = None
        self._former: dict[str, int] = {}
        self._has_given_up = False
        self._question: tuple[int, int] | None = None
        self._asked_at = self._looked_at = 0.0
        self.is_held = False
        self.was_taken_over = False
        self.name = ""
        self.remark = ""
        self.waits_for = ""

    def take(self) -> bool:
        """Take it if it is free, or renew it; returns whether it is held. Takes some microseconds.

        A lock on a file that was deleted or replaced does not count.
        """
        if self.is_held and not self._is_in_place():
            self.is_held = False
            # Closing the file now would tell the successor that no request of this program is in
            # flight.
            if self._file is not None:
                self._former[self.name], self._file = self._file, None
        if self.is_held:
            self._renew()
        elif not self.is_renounced:
            self.remark = self.waits_for = ""
            try:
                self.is_held = self._lock()
            except OSError as error:  # without locks it goes on alone
                self.remark = cannot_lock(self._path, error)
                self.is_held = error.errno in _CANNOT_LOCK
        return self.is_held

    def may_send(self) -> bool:
        """Whether it is still held; to be asked right before each request."""
        return self.is_held and not self._has_given_up and self._is_in_place()

    def give_up(self) -> None:
        """Let the next program have it at once, as this one is about to be stopped.

        If none wants it, `take` makes it valid again.
        """
        if self._file is not None:
            self._has_given_up = True
            with suppress(OSError):  # then the others wait some seconds
                _write(self._file, self.name, _GIVEN_UP)

    def release(self) -> None:
        """Release the lease, and those lost earlier."""
        self.is_held = False
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self.end_former()

    def end_former(self) -> None:
        """Release lost leases: nothing sent under them is in flight any more."""
        while self._former:
            name, file = self._former.popitem()
            os.close(file)
            with suppress(OSError):
                self._of_former(name).unlink()

    def sends_still(self, name: str) -> str:
        """Which other program may still send under this name, in words; empty if none does."""
        if name in ("", self.name) or name in self._former:
            return ""
        # This file is a second name of the one that the former holder locked.
        path = self._of_former(name)
        holder = holder_of(path)
        if holder is None or holder.name != name:
            with suppress(OSError):
                path.unlink()
            return ""
        return self._in_words(holder)

    def _of_former(self, name: str) -> Path:
        return self._path.with_suffix(f".{name}")

    def _is_in_place(self) -> bool:
        return self._file is None or identity(self._file) == identity(self._path)

    def _renew(self) -> None:
        # A program asks whether this one still runs; removing its question is the answer.
        if self._has_given_up and self._file is not None:
            _write(self._file, self.name)
            self._has_given_up = False
        self._next.unlink(missing_ok=True)

    def _lock(self) -> bool:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._hold(file)
        except BlockingIOError:
            holder = _read(file)
            os.close(file)
            return self._has_lost(holder) and self._succeed(holder)
        except BaseException:
            os.close(file)
            raise
        return True

    def _hold(self, file: int) -> None:
        self.name = os.urandom(8).hex()
        _write(file, self.name)
        self._file, self._question = file, None  # open as long as held: closing it unlocks it
        self._has_given_up = self.was_taken_over = False

    def _has_lost(self, holder: Holder) -> bool:
        # Only time in which this program itself ran without a pause counts, so that neither a
        # machine that slept nor a clock that was set makes two holders of one.
        if not holder.name:  # it is just writing its record
            return False
        if holder.has_given_up or self._state_of(holder.process) == STOPPED:
            return True
        question = None
        with suppress(OSError):  # it exists already, or was answered in this moment
            os.close(os.open(self._next, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with suppress(OSError):
            status = self._next.stat()
            question = status.st_ino, status.st_mtime_ns
        now = self._elapsed()
        # Another inode or time means that the holder answered and the question was asked again.
        is_answered = question is None or question != self._question
        if is_answered or not 0 <= now - self._looked_at <= _LONGEST_GAP:
            self._question, self._asked_at = question, now
        self._looked_at = now
        return now - self._asked_at >= _PATIENCE

    def _succeed(self, holder: Holder) -> bool:
        # A locked file of our own takes the place of the holder's, unless another program is
        # faster. Where files cannot have two names, nothing could tell when the holder ends: it is
        # waited for.
        file = os.open(self._next, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The holder may have removed the question, or another successor renamed it, after it
            # was opened here: the lock is then on a file of another name.
            is_ours = identity(file) == identity(self._next)
            if is_ours and identity(self._path) == holder.identity:
                with suppress(FileExistsError):
                    self._of_former(holder.name).hardlink_to(self._path)
                # The record is written first: it must be complete when others see the file.
                self._hold(file)
                self._next.replace(self._path)
                self.was_taken_over = True
                return True
        except BlockingIOError:
            pass
        except OSError:
            self._file = None
            self.waits_for = self._in_words(holder)
        os.close(file)
        return False

    def _in_words(self, holder: Holder) -> str:
        state = self._state_of(holder.process)
        if state == STOPPED:
            return (
                f"Waits for another Callboard, process {holder.process}, which is stopped:"
                " continue it (fg) or end it."
            )
        return f"Waits for another Callboard, process {holder.process}: continue it or end it."


def cannot_lock(path: Path, error: OSError) -> str:
    """What it means that a lock file cannot be locked, in words."""
    reason = (error.strerror or str(error)).lower()
    if error.errno in _CANNOT_LOCK:
        return (
            f"The disk of {path.parent} cannot lock files ({reason}). "
            "Open Callboard only once at a time there, so that nothing is sent twice."
        )
    return f"{path} cannot be used ({reason}). Changes are kept and wait for it."


def holder_of(path: Path) -> Holder | None:
    """The program that has locked a file, if there is one. Raises `OSError`."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(file)
    finally:
        os.close(file)
    return None


def holders(path: Path) -> list[Holder]:
    """The programs that have the lease on `path`, or had it and have not ended what they sent.

    Raises `OSError`.
    """
    files = sorted(path.parent.glob(f"{path.stem}.*"))
    unique = {holder.identity: holder for file in files if (holder := holder_of(file)) is not None}
    return list(unique.values())


def process_state(process: int) -> str:
    """The state of a process as a letter, as Linux says it; empty if that cannot be told."""
    try:
        status = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    # The name in parentheses before the state may itself contain parentheses and spaces.
    return status.rpartition(")")[2].split()[0]


def identity(file: Path | int) -> Identity:
    """Device and inode of a file, by its path or descriptor; None if there is none."""
    try:
        status = os.stat(file)  # noqa: PTH116  a descriptor too
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _write(file: int, *words: str) -> None:
    # The inode must stay: the lock is on it. A reader may see an empty record in between, which has
    # no name and so never counts as lost.
    os.ftruncate(file, 0)
    os.pwrite(file, " ".join((str(os.getpid()), *words)).encode(), 0)


def _read(file: int) -> Holder:
    words = os.pread(file, _LONGEST_RECORD, 0).decode(errors="replace").split()
    match words:
        # The name becomes part of the name of a file, see `_of_former`.
        case [process, name, *more] if process.isdecimal() and name.isalnum():
            return Holder(identity(file), int(process), name, _GIVEN_UP in more)
    return Holder(identity(file))
