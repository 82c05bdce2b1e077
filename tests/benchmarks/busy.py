"""Measures a cursor step while a board is fetched and a hundred changes are sent, beside idle.

Run `python -m tests.benchmarks.busy`. Idle and busy are measured in the same run
of the same program; a step counts as answered when the cursor's bar stands before the next title.
"""

import argparse
import asyncio
import os
import re
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from tests.benchmarks.driven import Driven, NotReadyError
from tests.benchmarks.seed import FIRST_TITLE, seed

_BAR = "▌"
_SIGN = 12
_STEP_SECONDS = 5.0
_PACE = 0.03
_ROWS = 8
_SEQUENCE = re.compile(
    r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_^X][^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|.)"
)
_TITLES = """
    select title from task
    where stage_id = (
        select id from stage where archived_at is null order by position limit 1 offset 1
    )
    and archived_at is null and parent_id is null order by position, id limit ?
"""


class Stepping(Driven):
    """A program in which the cursor is moved while it has other things to do."""

    def step(self, key: str, title: str) -> float:
        """Press a key; the seconds until the cursor is on the card of that title."""
        self._drain()
        begin, sent = len(self._written), perf_counter()
        os.write(self._terminal, key.encode())
        while perf_counter() - sent < _STEP_SECONDS:
            when = self._read(0.5)
            written = bytes(self._written[begin:]).decode(errors="replace")
            if when is not None and f"{_BAR}{title}" in _SEQUENCE.sub("", written):
                return when - sent
        raise NotReadyError(f"the cursor did not come to {title!r}")

    def send(self, keys: str) -> None:
        """Press keys and do not wait for anything."""
        self._drain()
        os.write(self._terminal, keys.encode())

    def _drain(self) -> None:
        """Read what there is."""
        end = perf_counter() + _PACE
        while (left := end - perf_counter()) > 0:
            self._read(left)


def main() -> int:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.busy", description=__doc__)
    parser.add_argument("--cards", type=int, default=3000, help="cards on the board")
    parser.add_argument("--changes", type=int, default=100, help="changes that are sent meanwhile")
    parser.add_argument("--runs", type=int, default=5, help="runs, of which the middle counts (5)")
    asked = parser.parse_args()
    _say(f"{asked.cards:,} cards, load {os.getloadavg()[0]:.1f}")
    ratios: list[float] = []
    for _ in range(asked.runs):
        with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
            home = Path(folder)
            asyncio.run(seed(home, asked.cards))
            idle, busy, seconds = _measured(home, asked.changes)
        _say(f"idle: {_figures(idle)}")
        _say(f"busy: {_figures(busy)}, while {asked.changes} changes were sent in {seconds:.1f} s")
        ratios.append(_slow(busy) / _slow(idle))
    told = " ".join(f"{ratio:.2f}" for ratio in ratios)
    _say(f"p95 busy / idle: {told}, the middle one {median(ratios):.2f}")
    return 0


def _measured(home: Path, changes: int) -> tuple[list[float], list[float], float]:
    """The steps while idle and while busy, and how many seconds the sending took."""
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    titles = _titles(home)
    program = Stepping([sys.executable, "-m", "tui"], environment)
    try:
        program.until_shown(FIRST_TITLE, 60.0)
        program.until_idle(60.0)
        program.send("2gg")
        idle = [taken for _ in range(8) for taken in _steps(program, titles)]
        program.send("1ggv" + "j" * (changes - 1))
        program.until_idle(20.0)
        program.send("V")
        program.until_idle(20.0)
        program.send("p")
        program.until_idle(20.0)
        program.send("h")
        began = perf_counter()
        while not _waiting(home):
            sleep(0.001)
        program.send("R2gg")
        busy: list[float] = []
        while _waiting(home):
            busy += _steps(program, titles)
        return idle, busy, perf_counter() - began
    finally:
        program.close()


def _steps(program: Stepping, titles: list[str]) -> list[float]:
    """Down the column and up again."""
    down = [program.step("j", title) for title in titles[1:]]
    return down + [program.step("k", title) for title in reversed(titles[:-1])]


def _titles(home: Path) -> list[str]:
    """How the first titles of the second column begin, as far as neighbours differ."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3")) as boards:
        found = [title[:_SIGN] for (title,) in boards.execute(_TITLES, (_ROWS,))]
    different = 1
    while different < len(found) and found[different] != found[different - 1]:
        different += 1
    return found[:different]


def _waiting(home: Path) -> int:
    """How many changes are not sent yet."""
    path = home / "data" / "embedded" / "outbox.sqlite3"
    with closing(sqlite3.connect(path, timeout=10)) as outbox:
        return int(outbox.execute("select count(*) from entry").fetchone()[0])


def _slow(times: list[float]) -> float:
    return sorted(times)[len(times) * 95 // 100]


def _figures(times: list[float]) -> str:
    slow, worst = _slow(times), max(times)
    return (
        f"{len(times)} steps, median {1000 * median(times):.1f} ms, "
        f"p95 {1000 * slow:.1f} ms, worst {1000 * worst:.1f} ms"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
