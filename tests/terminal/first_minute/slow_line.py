"""A program on a slow line: `python slow_line.py SECONDS COMMAND …` relays a terminal of its own.

What is typed arrives at the program half of the seconds later, and what it writes half of them
later here, as over a connection with that round trip.
"""

import fcntl
import os
import pty
import select
import sys
import termios
import time
import tty
from collections import deque

_READ_BYTES = 65536


class Way:
    """One direction of the line: bytes come out some time after they went in."""

    def __init__(self, source: int, target: int, seconds: float) -> None:
        self.source = source
        self._target = target
        self._seconds = seconds
        self._under_way: deque[tuple[float, bytes]] = deque()

    def take(self) -> bool:
        """Take what the source has; whether it is still open."""
        try:
            data = os.read(self.source, _READ_BYTES)
        except OSError:  # a terminal whose program has ended
            return False
        self._under_way.append((time.monotonic() + self._seconds, data))
        return bool(data)

    def deliver(self) -> float | None:
        """Write what has arrived; the seconds until more does, None if nothing is under way."""
        while self._under_way and self._under_way[0][0] <= time.monotonic():
            data = self._under_way.popleft()[1]
            while data:
                data = data[os.write(self._target, data) :]
        return max(0.0, self._under_way[0][0] - time.monotonic()) if self._under_way else None


def main(seconds: float, command: list[str]) -> int:
    """Run a command at the other end of the line; its exit code."""
    size = fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execv(command[0], command)  # noqa: S606 (the program that is tried)
    mode = termios.tcgetattr(0)
    tty.setraw(0)
    there, back = Way(0, terminal, seconds / 2), Way(terminal, 1, seconds / 2)
    is_open = True
    while is_open or back.deliver() is not None:
        due = [wait for wait in (there.deliver(), back.deliver()) if wait is not None]
        ready, _, _ = select.select(
            [0, terminal] if is_open else [], [], [], min(due, default=None)
        )
        open_ways = [way.take() for way in (there, back) if way.source in ready]
        is_open = is_open and all(open_ways)
    termios.tcsetattr(0, termios.TCSADRAIN, mode)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
