"""Measures how the client takes in a board of 3,000 tasks, from the socket into the cache.

Run `python -m tests.benchmarks.client`. The tasks are those of a recorded answer, again and again;
another process serves them on loopback. Each measurement is a process of its own. Beside it stands
the same body taken in the plain way: read whole, `json.loads`.

Memory is what the process held at its most, above what it held before it asked;
a hold is how much later than due the event loop woke somebody who slept for a millisecond.
"""

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import sys
import tempfile
import tracemalloc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import httpx

from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.client import client_for
from tui.client.endpoints import Endpoint
from tui.client.http.credentials import Credentials
from tui.client.http.session import HttpSession
from tui.runtime.input_priority import SWITCH_SECONDS
from tui.store.cache.file import open_cache

_RECORDING = Path(__file__).parents[1] / "client" / "recordings" / "4.3_tasks_list_as_admin.json"
_TASK_BYTES = 2_400
_ROUTE = Endpoint.LIST_TASKS.at(1)
_PIECE = 64 * 1024
_SLICE = 128
"""As many tasks as the store writes at once."""
_TICK = 0.001
_HEADINGS = ("what", "ms", "at work ms", "peak MB", "longest hold ms", "x reference")


@dataclass(frozen=True)
class Found:
    """What one run took: seconds, those of them at work, bytes above idle, the longest hold."""

    seconds: float
    work: float
    memory: int
    hold: float


def made_body(tasks: int) -> bytes:
    """An answer with so many tasks of some 2.4 kB, like recorded ones."""
    rows = json.loads(_RECORDING.read_text("utf-8"))["response"]["body"]["tasks"]
    made: list[dict[str, Any]] = []
    for number in range(1, tasks + 1):
        row = {**rows[number % len(rows)], "id": number, "title": f"Task {number}", "board_id": "1"}
        missing = _TASK_BYTES - len(json.dumps(row))
        made.append({**row, "description": "<p>" + "Some words, and more. " * (missing // 22)})
    return json.dumps({"tasks": made}).encode()


def serve(large: bytes, told: Connection) -> None:
    """Answer every request on loopback with the body, below /warm with a short one.

    Tells its port first.
    """
    short = made_body(20)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await reader.readuntil(b"\r\n\r\n")
            body = short if asked.startswith(b"GET /warm") else large
            head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            writer.write(head.encode())
            for start in range(0, len(body), _PIECE):
                writer.write(body[start : start + _PIECE])
                await writer.drain()
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def take_in(base: str, folder: Path) -> None:
    """What the program can do: tasks as they arrive, slice by slice into the cache."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as disk:
        path = folder / "cache.sqlite3"
        cache, _ = await loop.run_in_executor(disk, open_cache, path, datetime.now(UTC))
        waiting: list[Document] = []
        writes: list[asyncio.Future[object]] = []

        def keep(documents: Sequence[Document], _received: int) -> None:
            nonlocal waiting
            waiting += documents
            if len(waiting) >= _SLICE:
                writes.append(loop.run_in_executor(disk, cache.put_tasks, waiting))
                waiting = []

        async with _client(base) as client:
            await client.tasks(1, keep)
        await asyncio.gather(*writes)
        await loop.run_in_executor(disk, cache.put_tasks, waiting)
        await loop.run_in_executor(disk, cache.close)


async def list_whole(base: str, _folder: Path) -> None:
    """All tasks at once."""
    async with _client(base) as client:
        await client.tasks(1)


async def receive(base: str, _folder: Path) -> None:
    """The stream alone, thrown away as it comes."""
    session = _session(base)
    async with aclosing(session.stream(_ROUTE, "tasks")) as slices:
        async for _ in slices:
            pass
    await session.aclose()


def _session(base: str) -> HttpSession:
    return HttpSession(base, Credentials("ann", "secret"))


def _client(base: str) -> Client:
    return client_for(_session(base))


async def load_whole(base: str, _folder: Path) -> None:
    """The reference: the body at once, and `json.loads`."""
    async with httpx.AsyncClient() as http:
        json.loads((await http.get(f"{base}/projects/1/tasks")).content)


WAYS: Mapping[str, Callable[[str, Path], Awaitable[None]]] = {
    "json.loads (reference)": load_whole,
    "stream alone": receive,
    "a list of documents": list_whole,
    "into the cache": take_in,
}


async def measured(way: Callable[[str, Path], Awaitable[None]], host: str) -> Found:
    """One run of a way, after a short one that warms up."""
    holds: list[float] = []

    async def tick() -> None:
        while True:
            due = perf_counter() + _TICK
            await asyncio.sleep(_TICK)
            holds.append(perf_counter() - due)

    with tempfile.TemporaryDirectory(prefix="callboard-") as warm:
        await way(f"{host}/warm/v2", Path(warm))
    gc.collect()
    gc.freeze()  # As the program does once it is up, and the next.
    sys.setswitchinterval(SWITCH_SECONDS)
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        idle = _begin_memory()
        ticking = asyncio.create_task(tick())
        await asyncio.sleep(0)
        begun, worked = perf_counter(), process_time()
        await way(f"{host}/v2", Path(folder))
        seconds, work = perf_counter() - begun, process_time() - worked
        ticking.cancel()
        return Found(seconds, work, _most_memory() - idle, max(holds))


def run_in_process(name: str, host: str, told: Connection, traced: bool) -> None:
    """Measure in a process that has done nothing else."""
    if traced:
        tracemalloc.start()
    told.send(asyncio.run(measured(WAYS[name], host)))


def _begin_memory() -> int:
    """Forget how much was held at most; what is held now, in bytes."""
    if tracemalloc.is_tracing():
        tracemalloc.reset_peak()
        return tracemalloc.get_traced_memory()[0]
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    return _status("VmRSS")


def _most_memory() -> int:
    return tracemalloc.get_traced_memory()[1] if tracemalloc.is_tracing() else _status("VmHWM")


def _status(name: str) -> int:
    """A figure of this process as Linux tells it, in bytes."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))


def _runs(name: str, host: str, runs: int, *, traced: bool) -> Found:
    """The middle of several runs, figure by figure."""
    fresh = multiprocessing.get_context("spawn")
    found: list[Found] = []
    for _ in range(runs):
        ours, theirs = fresh.Pipe()
        process = fresh.Process(target=run_in_process, args=(name, host, theirs, traced))
        process.start()
        found.append(ours.recv())
        process.join()
    return Found(
        median(one.seconds for one in found),
        median(one.work for one in found),
        int(median(one.memory for one in found)),
        median(one.hold for one in found),
    )


def _table(body: bytes, runs: int, *, traced: bool) -> list[tuple[str, ...]]:
    """All ways, while another process serves."""
    fresh = multiprocessing.get_context("spawn")
    ours, theirs = fresh.Pipe()
    server = fresh.Process(target=serve, args=(body, theirs), daemon=True)
    server.start()
    host = f"http://127.0.0.1:{ours.recv()}"
    try:
        found = {name: _runs(name, host, runs, traced=traced) for name in WAYS}
    finally:
        server.terminate()
        server.join()
    reference = next(iter(found.values())).work
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for name, one in found.items():
        times = (1000 * one.seconds, 1000 * one.work)
        figures = (*times, one.memory / 1e6, 1000 * one.hold, one.work / reference)
        rows.append((name, *(f"{figure:.1f}" for figure in figures)))
    return rows


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.client", description=__doc__)
    parser.add_argument("--tasks", type=int, default=3_000, help="tasks on the board (3000)")
    parser.add_argument("--runs", type=int, default=5, help="how often each is measured (5)")
    parser.add_argument(
        "--tracemalloc", action="store_true", help="count Python's own memory; times are too long"
    )
    asked = parser.parse_args()
    body = made_body(asked.tasks)
    load = os.getloadavg()[0]
    size = len(body) / 1e6
    print(f"{size:.1f} MB, Python {sys.version.split()[0]}, load {load:.1f}")  # noqa: T201
    rows = _table(body, asked.runs, traced=asked.tracemalloc)
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        cells = [
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
