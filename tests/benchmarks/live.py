"""Measures how soon a change by somebody else is on screen, and what 500 waiting clients cost.

Run `python -m tests.benchmarks.live`. Two programs in terminals look at one board of `callboard
serve`, over SQLite and over PostgreSQL with two server processes; the time runs from a key in one
of them to the moved card on the other's screen. Then clients that wait for changes are counted in
memory, threads and processor time of a server: idle, and with one change a second on a board that
a tenth of them waits for, and on one that all wait for.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from tests.benchmarks.loopback import Client, Target, client
from tests.drivers.program import counts, program
from tests.drivers.terminal import Terminal
from tests.postgres.server import Server as Postgres, programs
from tests.server.launched import PASSWORD, listening, ran

PEOPLE = ("ann", "ben")
_CARDS = 8
_STARTED = [_CARDS // 2, _CARDS // 2, 0]
_MOVED = [_STARTED[0] - 1, _STARTED[1] + 1, 0]
_READ_SECONDS = 0.002
_PATIENCE_SECONDS = 30.0
_CLIENTS_OF_AN_ADDRESS = 200
_THREADS_AT_WORK = 60
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What a server takes: resident megabytes, threads, and seconds of processor time so far."""

    megabytes: float
    threads: int
    seconds: float


@dataclass(frozen=True)
class Serving:
    """A server process; `target` is where it listens for ann."""

    process: subprocess.Popen[bytes]
    target: Target

    @property
    def address(self) -> str:
        return f"http://{self.target.host}:{self.target.port}/v2"

    def cost(self) -> Cost:
        """What it takes, on Linux."""
        folder = Path(f"/proc/{self.process.pid}")
        status = folder.joinpath("status").read_text("utf-8")
        resident, threads = (
            int(status.partition(name)[2].split()[0]) for name in ("VmRSS:", "Threads:")
        )
        fields = folder.joinpath("stat").read_text("utf-8").rpartition(")")[2].split()
        return Cost(resident / 1024, threads, (int(fields[11]) + int(fields[12])) / _TICKS)


@contextmanager
def serving(home: Path, setting: str) -> Iterator[Serving]:
    """`callboard serve` over a database, on a free port; its log goes to `home`."""
    home.mkdir()
    attachments = str(home.parent / "attachments")
    process, address = listening(
        home, "--port", "0", "--database", setting, "--attachments", attachments
    )
    try:
        port = urlsplit(address).port or 0
        yield Serving(process, Target("127.0.0.1", port, PEOPLE[0], PASSWORD))
    finally:
        process.terminate()
        process.wait(_PATIENCE_SECONDS)


def add_accounts(home: Path, setting: str) -> None:
    """Make the accounts of both people."""
    for login in PEOPLE:
        done = ran(home, "user", "add", login, "--database", setting, told=f"{PASSWORD}\n")
        if done.returncode:
            raise RuntimeError(done.stderr)


async def furnish(target: Target) -> int:
    """Make a board that both people are on, with cards in its first two stages; its id."""
    async with client(target) as ann:
        board = await make_board(ann, "Live")
        stages = (await ann.ask("GET", f"/projects/{board}")).json()["board"]["stages"]
        for number in range(_CARDS):
            stage_id = stages[number % 2]["id"]
            task = {"title": f"Card {number}", "board_id": board, "stage_id": stage_id}
            await ann.ask("POST", f"/projects/{board}/tasks", {"task": task})
    return board


async def make_board(ann: Client, title: str) -> int:
    """Make a board that both people are on."""
    made = await ann.ask("POST", "/projects", {"board": {"title": title, "type": "to-do"}})
    board_id = int(made.json()["board"]["id"])
    reply = await ann.ask("POST", f"/projects/{board_id}/add-members", {"memberId": 2})
    if reply.status not in (200, 201):
        raise RuntimeError(reply.raw.decode())
    return board_id


def opened(home: Path, login: str, address: str) -> Terminal:
    """The program of somebody, who looks at the board."""
    settings = home / "config" / "config.toml"
    settings.parent.mkdir(parents=True)
    profile = f'[profiles.team]\nurl = "{address}"\nlogin = "{login}"\n'
    settings.write_text(profile, "utf-8")
    return program(home, "-p", "team", CALLBOARD_PASSWORD=PASSWORD)


def look(terminal: Terminal) -> None:
    """Open the board, and wait until all of it is drawn."""
    terminal.sees("Live")
    if not counts(terminal):
        terminal.press("enter")
    terminal.until(lambda: counts(terminal)[:3] == _STARTED, "the board")


def measured(folder: Path, addresses: tuple[str, str], changes: int) -> list[float]:
    """Seconds from a key in one program to the moved card on the other's screen."""
    random = Random(1)  # noqa: S311 - pauses
    homes = [folder / login for login in PEOPLE]
    with (
        opened(homes[0], PEOPLE[0], addresses[0]) as ann,
        opened(homes[1], PEOPLE[1], addresses[1]) as ben,
    ):
        for terminal in (ann, ben):
            look(terminal)
        rest((ann, ben), 12)  # the first poll shows what the service can do
        found = []
        for number in range(changes):
            rest((ann, ben), 1 + random.random())
            key, awaited = ("H", _STARTED) if number % 2 else ("L", _MOVED)
            begun = time.perf_counter()
            ann.press(key)
            while counts(ben)[:3] != awaited:
                ben.read(_READ_SECONDS)
                ann.draw()
                if time.perf_counter() - begun > _PATIENCE_SECONDS:
                    raise RuntimeError(f"change {number} did not come:\n{ann.text}\n{ben.text}")
            found.append(time.perf_counter() - begun)
    return found


def rest(terminals: tuple[Terminal, Terminal], seconds: float) -> None:
    """Draw what the programs write, for so long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for terminal in terminals:
            terminal.read(0.02)


def live(changes: int) -> None:
    """Measure on both databases."""
    with tempfile.TemporaryDirectory(prefix="callboard-") as name:
        folder = Path(name)
        setting = str(folder / "boards.sqlite3")
        add_accounts(folder, setting)
        with serving(folder / "server", setting) as one:
            asyncio.run(furnish(one.target))
            tell("SQLite, one process", measured(folder, (one.address, one.address), changes))
    bin_folder = programs()
    if bin_folder is None:
        say("PostgreSQL: no server here")
        return
    postgres = Postgres(bin_folder)
    try:
        with tempfile.TemporaryDirectory(prefix="callboard-") as name:
            folder = Path(name)
            setting = postgres.url(postgres.create())
            add_accounts(folder, setting)
            with (
                serving(folder / "server", setting) as one,
                serving(folder / "another", setting) as other,
            ):
                asyncio.run(furnish(one.target))
                times = measured(folder, (one.address, other.address), changes)
                tell("PostgreSQL, two processes", times)
    finally:
        postgres.remove()


def tell(what: str, times: list[float]) -> None:
    slow = sorted(times)[len(times) * 95 // 100]
    say(
        f"{what}: {len(times)} changes, median {1000 * median(times):.0f} ms, "
        f"p95 {1000 * slow:.0f} ms, worst {1000 * max(times):.0f} ms"
    )


async def wait_for_changes(asking: Client, board_id: int, answers: list[int]) -> None:
    """Wait for changes of a board for as long as it runs."""
    since = (await asking.ask("GET", f"/projects/{board_id}")).json()["synced_at"]
    while True:
        path = f"/projects/{board_id}/has-data-changed?since={quote(since)}&wait=25"
        reply = await asking.ask("GET", path)
        answers.append(reply.status)
        since = reply.json()["synced_at"]


async def crowd(server: Serving, clients: int, seconds: float) -> None:
    """Let so many clients wait, and tell what that takes; from several addresses, as limited."""
    async with client(server.target) as ann:
        boards = [await make_board(ann, f"Board {number}") for number in range(10)]
    await asyncio.gather(*(listed(server.target) for _ in range(_THREADS_AT_WORK)))
    before = server.cost()
    say(f"after a burst of requests: {before.megabytes:.1f} MB, {before.threads} threads")
    for spread in (10, 1):
        answers: list[int] = []
        async with AsyncExitStack() as stack:
            waits = []
            for number in range(clients):
                address = f"127.0.0.{2 + number // _CLIENTS_OF_AN_ADDRESS}"
                one = await stack.enter_async_context(client(server.target, address))
                work = wait_for_changes(one, boards[number % spread], answers)
                waits.append(asyncio.create_task(work))
            await asyncio.sleep(3)
            where = "on ten boards" if spread > 1 else "on one board"
            for changing in (False, True):
                begun, answered = server.cost(), len(answers)
                await pass_time(server.target, boards[0] if changing else None, seconds)
                now = server.cost()
                busy = (now.seconds - begun.seconds) / seconds
                say(
                    f"{clients} clients {where}, "
                    f"{'a change a second' if changing else 'idle'}: "
                    f"{now.megabytes - before.megabytes:+.1f} MB, "
                    f"{now.threads - before.threads:+d} threads, {100 * busy:.0f} % of a "
                    f"processor, {(len(answers) - answered) / seconds:.0f} answers a second"
                )
            failed = [wait for wait in waits if wait.done()]
            say(f"failed: {len(failed)}, refused: {sum(one != 200 for one in answers)}")
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)


async def pass_time(target: Target, board_id: int | None, seconds: float) -> None:
    """Let time pass, with one change a second of a board, or none."""
    async with client(target) as ann:
        for number in range(round(seconds)):
            if board_id is not None:
                await ann.ask("PUT", f"/projects/{board_id}", {"title": f"Title {number}"})
            await asyncio.sleep(1)


async def listed(target: Target) -> None:
    """Ask for the boards."""
    async with client(target) as ann:
        await ann.ask("GET", "/projects")


def waiting(clients: int, seconds: float) -> None:
    """Measure what waiting clients cost, over SQLite."""
    with tempfile.TemporaryDirectory(prefix="callboard-") as name:
        folder = Path(name)
        setting = str(folder / "boards.sqlite3")
        add_accounts(folder, setting)
        with serving(folder / "server", setting) as server:
            asyncio.run(crowd(server, clients, seconds))


def main() -> int:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.live", description=__doc__)
    parser.add_argument("--changes", type=int, default=100, help="changes on each database (100)")
    parser.add_argument("--clients", type=int, default=500, help="clients that wait (500)")
    parser.add_argument("--seconds", type=float, default=30, help="time of each count (30)")
    asked = parser.parse_args()
    say(f"load {os.getloadavg()[0]:.1f}")
    if asked.changes:
        live(asked.changes)
    if asked.clients:
        waiting(asked.clients, asked.seconds)
    say(f"load {os.getloadavg()[0]:.1f}")
    return 0


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
