"""Measures memory and processor time of a start on a board that has not changed.

Run `python -m tests.benchmarks.memory`. Each program runs in a terminal of its own: a bare Textual
application, and Callboard with its embedded service on boards of several sizes. The first start of
each is thrown away. Peak memory is read after so many seconds in which nothing is pressed.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.benchmarks import reference
from tests.benchmarks.driven import COLUMNS, LINES, Driven
from tests.benchmarks.seed import FIRST_TITLE, seed

_CPU_SECONDS = 3.0
_MEMORY_SECONDS = 8.0


class _Start(NamedTuple):
    """Seconds of processor time in the first three seconds, and the peak of resident memory."""

    cpu: float
    megabytes: float


def main() -> int:
    """Measure, and print a line for each program."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory", description=__doc__)
    parser.add_argument("--cards", default="100,10000,100000", help="sizes of the board")
    parser.add_argument("--starts", type=int, default=5, help="how often each is started")
    asked = parser.parse_args()
    found: dict[str, list[_Start]] = {}
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        homes = {f"{int(size):,} cards": Path(folder, size) for size in asked.cards.split(",")}
        for size, home in homes.items():
            asyncio.run(seed(home, int(size.split()[0].replace(",", ""))))
        for turn in range(asked.starts + 1):
            bare = [sys.executable, "-m", "tests.benchmarks.reference"]
            started = {"bare Textual": _started(bare, None, reference.SHOWN)}
            for size, home in homes.items():
                started[size] = _started([sys.executable, "-m", "tui"], home, FIRST_TITLE)
            for name, start in started.items():
                if turn:
                    found.setdefault(name, []).append(start)
    _say(f"{COLUMNS}x{LINES}, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}")
    least = median(start.cpu for start in found["bare Textual"])
    for name, starts in found.items():
        cpu = median(start.cpu for start in starts)
        peak = median(start.megabytes for start in starts)
        _say(f"{name:14} CPU {cpu:5.2f} s, {cpu / least:4.2f} x bare; peak {peak:6.1f} MB")
    return 0


def _started(command: Sequence[str], home: Path | None, shown: str) -> _Start:
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home or Path.home())}
    environment |= {"CALLBOARD_HOME": str(home)} if home else {}
    program = Driven(command, environment)
    try:
        program.until_shown(shown, 60)
        program.read_until(program.started + _CPU_SECONDS)
        cpu = program.worked()
        program.read_until(program.started + _MEMORY_SECONDS)
        return _Start(cpu, program.peak_megabytes())
    finally:
        program.close()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
