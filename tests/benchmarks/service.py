"""Measures the service over HTTP on loopback, as `callboard serve` runs it.

Run `python -m tests.benchmarks.service`; `--mixed SECONDS` adds a steady load of 100 requests a
second and counts what goes wrong. `--postgres` measures PostgreSQL as well, in the empty database
of a URL or on a server of its own that syncs every commit, and then `--pairs` times in turn: two
servers on PostgreSQL beside one on SQLite, 16 clients on one board. On a machine that others use,
only the ratios of one run count.

The time of a request ends when the last byte of its reply is there; nothing is
said about replies that were refused but that they were.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from tests.benchmarks.loopback import Client, Reply, Target, client
from tests.benchmarks.served import furnish, served
from tests.postgres.server import DURABLE, Server, programs

Step = Callable[[Client, Random], Awaitable[Reply]]

_CLIENTS = (1, 16)
_HEADINGS = ("database", "what", "clients", "n", "per s", "median ms", "p95 ms", "refused")
_A_SECOND = 100
_LATE_SECONDS = 1.0
_CONNECTIONS = 16


@dataclass(frozen=True)
class Board:
    """The board that is used, its tasks by number from 1."""

    id: int
    tasks: int

    @property
    def path(self) -> str:
        return f"/projects/{self.id}"

    def any_task(self, random: Random) -> str:
        return f"{self.path}/tasks/{random.randint(1, self.tasks)}"

    async def boards(self, client: Client, _random: Random) -> Reply:
        return await client.ask("GET", "/projects")

    async def list(self, client: Client, _random: Random) -> Reply:
        return await client.ask("GET", f"{self.path}/tasks")

    async def task(self, client: Client, random: Random) -> Reply:
        return await client.ask("GET", self.any_task(random))

    async def changed(self, client: Client, _random: Random) -> Reply:
        path = f"{self.path}/has-data-changed?since=2026-01-01%2012:00:00"
        return await client.ask("GET", path)

    async def move(self, client: Client, random: Random) -> Reply:
        body = {"newStageId": random.randint(1, 3), "newIndex": random.randint(1, 900)}
        return await client.ask("PUT", f"{self.any_task(random)}/move-task", body)

    async def comment(self, client: Client, random: Random) -> Reply:
        body = {"comment": "Seen, thank you.", "comment_type": "comment"}
        return await client.ask("POST", f"{self.any_task(random)}/comments", body)


@dataclass
class Found:
    """How long requests took, in seconds, and how many were refused."""

    times: list[float] = field(default_factory=list)
    elapsed: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)

    async def take(self, step: Awaitable[Reply]) -> None:
        """Wait for a reply, and note how it went."""
        begun = perf_counter()
        try:
            status = (await step).status
        except (OSError, EOFError) as error:
            self.refused[type(error).__name__] += 1
        else:
            self.times.append(perf_counter() - begun)
            if status not in (200, 201):
                self.refused[str(status)] += 1

    def cells(self) -> tuple[str, ...]:
        """The figures, as the table shows them."""
        times = sorted(self.times) or [0.0]
        per_second = len(self.times) / self.elapsed if self.elapsed else 0.0
        figures = (median(times), times[len(times) * 95 // 100])
        return (
            str(len(self.times)),
            f"{per_second:.0f}",
            *(f"{1000 * time:.1f}" for time in figures),
            " ".join(f"{count}x{name}" for name, count in self.refused.items()) or "0",
        )


async def _measure(targets: Sequence[Target], clients: int, seconds: float, step: Step) -> Found:
    """So many clients in turn at these servers, each asking as soon as it has been answered."""
    found = Found()
    end = perf_counter() + seconds

    async def work(number: int) -> None:
        random = Random(number)  # noqa: S311 - chance, not secrecy
        async with client(targets[number % len(targets)]) as own:
            await step(own, random)
            while perf_counter() < end:
                await found.take(step(own, random))

    begun = perf_counter()
    await asyncio.gather(*(work(number) for number in range(clients)))
    found.elapsed = perf_counter() - begun
    return found


async def _after_changes(target: Target, board: Board, seconds: float) -> Found:
    """The list of all tasks, each time after somebody has changed one."""
    found = Found()
    random = Random(1)  # noqa: S311 - chance, not secrecy
    end = perf_counter() + seconds
    async with client(target) as own:
        while perf_counter() < end:
            await board.move(own, random)
            await found.take(board.list(own, random))
    found.elapsed = sum(found.times)
    return found


async def _mixed(target: Target, board: Board, seconds: float) -> Found:
    """A hundred requests a second, sent when they are due, whether others are answered or not."""
    found = Found()
    random = Random(2)  # noqa: S311 - chance, not secrecy
    steps: tuple[tuple[Step, int], ...] = (
        (board.changed, 50),
        (board.move, 15),
        (board.comment, 10),
        (board.boards, 10),
        (board.task, 10),
        (board.list, 5),
    )
    kinds, weights = zip(*steps, strict=True)
    async with AsyncExitStack() as stack:
        free: asyncio.Queue[Client] = asyncio.Queue()
        for _ in range(_CONNECTIONS):
            free.put_nowait(await stack.enter_async_context(client(target)))

        async def ask(step: Step, due: float) -> None:
            own = await free.get()
            await found.take(step(own, random))
            free.put_nowait(own)
            if perf_counter() - due > _LATE_SECONDS:
                found.refused["late"] += 1

        begun = perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in range(int(seconds * _A_SECOND)):
                due = begun + number / _A_SECOND
                await asyncio.sleep(max(0.0, due - perf_counter()))
                group.create_task(ask(random.choices(kinds, weights)[0], due))
        found.elapsed = perf_counter() - begun
    return found


def _rows(
    name: str, target: Target, board: Board, asked: argparse.Namespace
) -> list[Sequence[str]]:
    """Every measurement on one database."""
    rows: list[Sequence[str]] = []
    listed = f"{board.tasks:,} tasks"
    steps: dict[str, Step] = {
        "boards": board.boards,
        listed: board.list,
        "move": board.move,
        "comment": board.comment,
    }
    for what, step in steps.items():
        for clients in _CLIENTS:
            found = asyncio.run(_measure([target], clients, asked.seconds, step))
            rows.append((name, what, str(clients), *found.cells()))
    found = asyncio.run(_after_changes(target, board, asked.seconds))
    rows.append((name, f"{listed}, changed", "1", *found.cells()))
    if asked.mixed:
        found = asyncio.run(_mixed(target, board, asked.mixed))
        rows.append((name, f"mixed, {_A_SECOND}/s", str(_CONNECTIONS), *found.cells()))
    return rows


def _side_by_side(
    sqlite: Target, servers: Sequence[Target], board: Board, asked: argparse.Namespace
) -> None:
    """Print the requests a second of one server on SQLite and of two on PostgreSQL, in turn."""
    print(f"{asked.pairs} pairs: 1 on SQLite, 2 on PostgreSQL, {_CLIENTS[-1]} clients, per s")  # noqa: T201
    for target in (sqlite, *servers):  # each checks the password once, which is slow
        asyncio.run(_measure([target], 1, 0.0, board.boards))
    steps: dict[str, Step] = {"task": board.task, "move": board.move, "comment": board.comment}
    for what, step in steps.items():
        pairs = []
        for _ in range(asked.pairs):
            rates = []
            for targets in ([sqlite], servers):
                found = asyncio.run(_measure(targets, _CLIENTS[-1], asked.seconds, step))
                assert not found.refused, found.refused
                rates.append(len(found.times) / found.elapsed)
            pairs.append(rates)
        one, two = (median(rates) for rates in zip(*pairs, strict=True))
        ratio = median(second / first for first, second in pairs)
        each = " ".join(f"{first:.0f}:{second:.0f}" for first, second in pairs)
        print(f"{what:8}  {one:.0f} {two:.0f}  ratio {ratio:.2f}  ({each})")  # noqa: T201


@contextmanager
def _postgres(url: str) -> Iterator[str]:
    """An empty PostgreSQL database: that of the URL, or one on a server of its own."""
    if url:
        yield url
        return
    folder = programs()
    assert folder, "there is no PostgreSQL server here: install the extra dev, or PostgreSQL"
    server = Server(folder, DURABLE | {"shared_buffers": "128MB", "autovacuum": "on"})
    try:
        yield server.url(server.create())
    finally:
        server.remove()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.service", description=__doc__)
    parser.add_argument("--tasks", type=int, default=3000, help="tasks on the board (3000)")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each measurement (4)")
    parser.add_argument("--mixed", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--postgres", metavar="URL", nargs="?", const="", help="an empty database")
    parser.add_argument("--pairs", type=int, default=5, help="with --postgres (5)")
    parser.add_argument("--only-pairs", action="store_true")
    return parser


def main() -> int:
    """Measure, and print a table."""
    asked = _parser().parse_args()
    print(f"Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}")  # noqa: T201
    rows: list[Sequence[str]] = [_HEADINGS]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callboard-")))
        settings = {"SQLite": str(folder / "boards.sqlite3")}
        if asked.postgres is not None:
            settings["PostgreSQL"] = stack.enter_context(_postgres(asked.postgres))
        boards = {name: furnish(each, asked.tasks) for name, each in settings.items()}
        assert len(set(boards.values())) == 1, f"one board has several ids: {boards}"
        board = Board(boards["SQLite"], asked.tasks)
        if not asked.only_pairs:
            for name, setting in settings.items():
                with served(setting, folder) as target:
                    rows += _rows(name, target, board, asked)
        if asked.postgres is not None:
            sqlite, *servers = (
                stack.enter_context(served(setting, folder / str(number)))
                for number, setting in enumerate([*settings.values(), settings["PostgreSQL"]])
            )
            _side_by_side(sqlite, servers, board, asked)
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows if rows[1:] else ():
        cells = [
            cell.ljust(width) if column in (0, 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
