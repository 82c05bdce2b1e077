"""Measures how long a write to one board waits while something big happens to another.

Run `python -m tests.benchmarks.big`; `--cards` says how many are in its one stage.
On a machine that others use, only the ratio to a quiet service counts. The service runs on SQLite,
as `callboard serve` runs it.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.benchmarks.loopback import Client, Reply, client
from tests.benchmarks.served import furnish, served
from tui.service.databases import open_at

_COPY = {"board": {"title": "Copy"}, "isWithTasks": "yes", "isWithLabels": "yes"}
_QUIET_SECONDS = 2.0


async def _small_board(own: Client) -> str:
    """The path of a label on a board of its own."""
    reply = await own.ask("POST", "/projects", {"board": {"title": "Small", "type": "to-do"}})
    board = f"/projects/{reply.json()['board']['id']}"
    colors = {"color": "#000000", "bg_color": "#ffffff"}
    label = await own.ask("POST", f"{board}/labels", colors)
    return f"{board}/labels/{label.json()['label']['id']}"


async def _row(name: str, own: Client, label: str, big: Awaitable[Reply | None]) -> None:
    """Write to the small board until the big request is answered, and print how long it took."""
    waits: list[float] = []
    begun = perf_counter()
    task = asyncio.ensure_future(big)
    while not task.done():
        asked = perf_counter()
        reply = await own.ask("PUT", label, {"label": f"{len(waits)}", "bg_color": "#ffffff"})
        assert reply.status == 200, reply
        waits.append(1000 * (perf_counter() - asked))
    answer = await task
    assert answer is None or answer.status == 200, answer
    spent, size = perf_counter() - begun, 0 if answer is None else len(answer.raw)
    cells = f"{spent:7.2f} s {size / 1e6:8.2f} MB {len(waits):6} writes"
    print(f"{name:12}{cells}, median {median(waits):6.1f} ms, longest {max(waits):7.1f} ms")  # noqa: T201


async def _quiet() -> None:
    await asyncio.sleep(_QUIET_SECONDS)


async def _measure(setting: str, board_id: int, folder: Path) -> None:
    with served(setting, folder) as target:
        async with client(target) as own, client(target) as other:
            label = await _small_board(own)
            board = f"/projects/{board_id}"
            stages = (await other.ask("GET", board)).json()["board"]["stages"]
            stage = f"{board}/stage/{stages[0]['id']}"
            by_title = {"order": "title", "orderBy": "ASC"}
            await _row("nothing", own, label, _quiet())
            await _row("list", own, label, other.ask("GET", f"{board}/tasks"))
            copying = other.ask("POST", f"{board}/duplicate-board", _COPY)
            await _row("duplicate", own, label, copying)
            await _row("sort", own, label, other.ask("PUT", f"{stage}/sort-task", by_title))
            await _row("archive all", own, label, other.ask("PUT", f"{stage}/archive-all-task"))
            await _row("delete", own, label, other.ask("DELETE", board))


def main() -> int:
    """Measure, and print a line for each request."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.big", description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000, help="on the big board (10000)")
    asked = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}")  # noqa: T201
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        setting = str(Path(folder, "boards.sqlite3"))
        board_id = furnish(setting, asked.cards)
        database = open_at(setting)
        with database.transaction(writing=True) as db:
            db.run("update task set stage_id = (select min(id) from stage)")
        database.close()
        asyncio.run(_measure(setting, board_id, Path(folder, "service")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
