"""Measures a day without a connection: many changes, then all of them sent in one go.

Run `python -m tests.benchmarks.offline`. The changes are made by the store and
arrive at the embedded service through the client, as in the program; only the screen is missing.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, cast

from tests.benchmarks.seed import LOGIN, seed
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.connecting.connections import open_embedded
from tui.model.board import BoardView, Place
from tui.model.task import Priority, Status
from tui.store.operations import (
    CreateTask,
    MoveTask,
    set_priority,
    set_status,
    set_title,
)
from tui.store.operations.base import Operation
from tui.store.remote import Remote
from tui.store.store import LocalStore


class Counting:
    """A remote that counts what it is asked."""

    def __init__(self, remote: Any) -> None:
        self._remote = remote
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._remote, name)
        if not callable(found):
            return found

        def counted(*arguments: Any, **more: Any) -> Any:
            self.calls[name] += 1
            return found(*arguments, **more)

        return counted


def main() -> int:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.offline", description=__doc__)
    parser.add_argument("--cards", type=int, default=3000, help="cards on the board")
    parser.add_argument("--changes", type=int, default=500, help="changes made without connection")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(seed(home, asked.cards))
        asyncio.run(_measure(home, asked.changes))
    return 0


async def _measure(home: Path, count: int) -> None:
    """Make the changes, then send them."""
    places = Places.find({HOME_VARIABLE: str(home)})
    store = LocalStore.open(places.cache, places.data, EMBEDDED)
    board_id = store.boards()[0].id
    await store.open_board(board_id)
    times = await _offline(store, board_id, count)
    connection = open_embedded(places.data / "boards.sqlite3", LOGIN)
    remote = Counting(connection.remote)
    began, worst = perf_counter(), _Worst()
    watching = asyncio.create_task(worst.watch())
    store.connect(cast("Remote", remote))
    done = asyncio.Event()
    store.subscribe(lambda _: None if store.pending() else done.set())
    await done.wait()
    seconds = perf_counter() - began
    watching.cancel()
    tenth = max(1, count // 10)
    _say(f"{count} changes, load {os.getloadavg()[0]:.1f}")
    _say(f"made: the first {tenth} {_ms(times[:tenth])} each, the last {_ms(times[-tenth:])}")
    _say(f"sent: {seconds:.2f} s, {1000 * seconds / count:.1f} ms a change")
    _say(f"asked: {sum(remote.calls.values())}: {dict(remote.calls.most_common())}")
    _say(f"the loop was held for {1000 * worst.seconds:.1f} ms at most, p95 {worst.p95():.1f} ms")
    await store.aclose()
    await connection.aclose()


async def _offline(store: LocalStore, board_id: int, count: int) -> list[float]:
    """Make changes of all kinds; the seconds that each took."""
    random, times = Random(2026), []  # noqa: S311  the same changes every time, no secret
    for number in range(count):
        view = store.board(board_id)
        if view is None:
            raise LookupError(board_id)
        operation = _some(view, random, number)
        began = perf_counter()
        await store.submit(operation)
        times.append(perf_counter() - began)
    return times


def _some(view: BoardView, random: Random, number: int) -> Operation:
    """Some change."""
    stage = random.choice(view.stages)
    task = random.choice(view.in_stage(stage.id))
    kind = number % 5
    if kind == 0:
        return CreateTask.new(view.board.id, stage.id, f"Made offline {number}")
    if kind == 1:
        return MoveTask.on(task, random.choice(view.stages).id, Place())
    if kind == 2:
        return set_priority(task, random.choice(list(Priority)))
    if kind == 3:
        return set_title(task, f"Renamed offline {number}")
    return set_status(task, Status.OPEN if task.is_closed else Status.CLOSED)


class _Worst:
    """How long the event loop was held, seen by somebody who wants a turn every millisecond."""

    def __init__(self) -> None:
        self._held: list[float] = []

    @property
    def seconds(self) -> float:
        return max(self._held, default=0.0)

    def p95(self) -> float:
        """In milliseconds."""
        return 1000 * sorted(self._held)[len(self._held) * 95 // 100]

    async def watch(self) -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(0.001)
            self._held.append(max(0.0, perf_counter() - before - 0.001))


def _ms(times: list[float]) -> str:
    return f"{1000 * median(times):.1f} ms"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
