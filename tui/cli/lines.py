"""Lines of standard input, for a program that does other things meanwhile."""

import asyncio
import select
import sys
import threading
from collections.abc import Callable, Iterator
from io import FileIO

MOST_BYTES = 4_000_000
"""The longest line. A longer one is cut to one byte more, by which it is recognised."""
_BLOCK = 65_536


def read_lines(loop: asyncio.AbstractEventLoop, put: Callable[[bytes], None]) -> None:
    """Call `put` on the loop with each line and its end, and at the end with nothing.

    Lines are read on a thread that does not hold up the end of the program, and without a buffer,
    whose lock would be held then.
    """
    # The descriptor belongs to `sys.stdin`, which closes it.
    unbuffered = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115

    def read() -> None:
        for line in lines_of(unbuffered):
            try:
                loop.call_soon_threadsafe(put, line)
            except RuntimeError:  # the program has ended
                return

    threading.Thread(target=read, daemon=True).start()


def lines_of(unbuffered: FileIO) -> Iterator[bytes]:
    """The lines of an unbuffered file as they come, and nothing at its end."""
    line = bytearray()
    while block := _next_block(unbuffered):
        *ended, unfinished = block.split(b"\n")
        for part in ended:
            _extend(line, part)
            yield bytes(line) + b"\n"
            line.clear()
        _extend(line, unfinished)
    if line:
        yield bytes(line)
    yield b""


def _extend(line: bytearray, part: bytes) -> None:
    line += part[: MOST_BYTES + 1 - len(line)]


def _next_block(unbuffered: FileIO) -> bytes:
    # None if nothing is there yet: another program may have made the input non-blocking.
    while (block := unbuffered.read(_BLOCK)) is None:
        select.select([unbuffered], [], [])
    return block
