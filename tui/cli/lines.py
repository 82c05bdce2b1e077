"""Lines of standard input, for a program that does other things meanwhile."""

import asyncio
import sys
import threading
from collections.abc import Callable


def read_lines(loop: asyncio.AbstractEventLoop, put: Callable[[str], None]) -> None:
    """Call `put` on the loop with each line, and at the end with an empty text.

    Lines are read on a thread that does not hold up the end of the program, and without a buffer,
    whose lock would be held then.
    """
    unbuffered = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115

    def read() -> None:
        while True:
            raw = unbuffered.readline()
            try:
                loop.call_soon_threadsafe(put, raw.decode(errors="replace"))
            except RuntimeError:  # the program has ended
                return
            if not raw:
                return

    threading.Thread(target=read, daemon=True).start()
