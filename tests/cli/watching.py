"""`callboard watch` in a process of its own, and its lines as they come."""

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Self

from tui.config.paths import HOME_VARIABLE


class Watching:
    """The command of a person whose home this is; `output` and `beside` are its lines."""

    def __init__(self, home: Path, *arguments: str, **environ: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603  our own interpreter and program
            [sys.executable, "-m", "tui", *arguments],
            env={**os.environ, HOME_VARIABLE: str(home), **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.output, self.beside = queue.Queue[str](), queue.Queue[str]()
        streams = ((self.process.stdout, self.output), (self.process.stderr, self.beside))
        self._threads = [threading.Thread(target=_read, args=each) for each in streams]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()

    def ended(self, seconds: float) -> tuple[int, list[str]]:
        """Its exit code, and what it said beside the output that nobody read."""
        code = self.process.wait(seconds)
        for thread in self._threads:
            thread.join()
        return code, list(self.beside.queue)


def _read(stream: IO[str] | None, lines: "queue.Queue[str]") -> None:
    assert stream is not None, "the output of `callboard watch` is no pipe"
    with stream:
        for line in stream:
            lines.put(line.rstrip())
