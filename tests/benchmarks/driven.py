"""A program driven in a terminal of 120 by 40, with every byte it writes stamped.

Reads are stamped the moment they come and looked at later. An answer to a key
is over when nothing has been written for `QUIET` seconds, and the time of its last byte counts.
The terminal answers no questions, like the plainest ones.
"""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

COLUMNS, LINES = 120, 40
QUIET = 0.06

_IDLE_WORK, _IDLE_BYTES = 0.05, 200

_SEQUENCE = re.compile(
    rb"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_^X][^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|.)"
)
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Answer:
    """What followed a key: seconds until the first and the last byte, and how many bytes.

    `first_at` is when the first byte came, as `perf_counter` tells.
    """

    first: float
    last: float
    size: int
    first_at: float = 0.0


class NotReadyError(Exception):
    """The program did not come to the point that was waited for."""


class Driven:
    """One run of a program."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._written = bytearray()
        self._terminal, inside = os.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.started = perf_counter()
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=inside, stdout=inside, stderr=inside, env=environment, process_group=0
        )
        os.close(inside)

    def until_shown(self, text: str, seconds: float) -> Answer:
        """Wait until a text is on screen; how long that took from the start."""
        first = None
        while perf_counter() - self.started < seconds:
            when = self._read(1.0)
            if when is None:
                continue
            first = first or when
            if text.encode() in _SEQUENCE.sub(b"", bytes(self._written)):
                return Answer(first - self.started, when - self.started, len(self._written))
        raise NotReadyError(f"{text!r} was not shown within {seconds} s, but: {self._end()}")

    def until_idle(self, seconds: float) -> float:
        """Wait until the program neither writes nor works for a second; how long that took."""
        began = perf_counter()
        while perf_counter() - began < seconds:
            worked, size = self.worked(), len(self._written)
            end = perf_counter() + 1
            while (left := end - perf_counter()) > 0:
                self._read(left)
            if self.worked() - worked < 0.05 and len(self._written) - size < 200:
                return max(0.0, end - 1 - began)
        return seconds

    def press(self, keys: str, seconds: float = 10.0) -> Answer | None:
        """Send keys once all is quiet, and read the answer; None if there is none."""
        while self._read(QUIET) is not None:
            continue
        size, sent = len(self._written), perf_counter()
        os.write(self._terminal, keys.encode())
        first = last = self._read(seconds)
        while last is not None and (when := self._read(QUIET)) is not None:
            last = when
        if first is None or last is None:
            return None
        return Answer(first - sent, last - sent, len(self._written) - size, first)

    def read_until(self, when: float) -> None:
        """Read whatever is written until then, as `perf_counter` tells."""
        while (left := when - perf_counter()) > 0:
            self._read(left)

    def peak_megabytes(self) -> float:
        """The most memory that was resident so far, on Linux."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def send_signal(self, number: int) -> None:
        """Send a signal to the program."""
        self._process.send_signal(number)

    def end(self, seconds: float) -> None:
        """Ask the program to end, and read what it writes until it has, or so many seconds."""
        self.send_signal(signal.SIGTERM)
        with suppress(NotReadyError):
            self.read_until(perf_counter() + seconds)

    def close(self) -> None:
        """Kill the program, unless it has ended."""
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def _read(self, seconds: float) -> float | None:
        """Read what there is within so many seconds; when it came, None if nothing did."""
        if not select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            return None
        when = perf_counter()
        try:
            self._written += os.read(self._terminal, 1 << 20)
        except OSError as ended:
            raise NotReadyError(f"the program ended: {self._end()}") from ended
        return when

    def _end(self) -> str:
        """What was written last, without sequences."""
        return _SEQUENCE.sub(b" ", bytes(self._written[-9000:])).decode(errors="replace")[-2000:]

    def worked(self) -> float:
        """Seconds of processor time so far, where the system tells; 0 elsewhere."""
        if sys.platform != "linux":
            return 0.0
        fields = (
            Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / _TICKS
