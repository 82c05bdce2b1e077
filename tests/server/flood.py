"""Measures ordinary requests while others hold hundreds of idle connections and upload slowly.

Run `python -m tests.server.flood`; it starts `callboard serve` on this machine, and everybody comes
from the same address. Exit code 1 if an ordinary request failed or took longer than a second.
"""

import argparse
import asyncio
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx

from tests.server.launched import PASSWORD, launched, ran

_IDLE, _UPLOADS = 300, 20
_LONGEST_SECONDS = 1.0
_PAUSE_SECONDS = 0.02


@dataclass
class Found:
    """How long ordinary requests took, in seconds, and how many failed."""

    times: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def is_good(self) -> bool:
        """Whether every request was answered soon."""
        return not self.failed and max(self.times) <= _LONGEST_SECONDS

    def line(self, name: str) -> str:
        """The figures, as they are printed."""
        times = sorted(self.times)
        figures = (median(times), times[len(times) * 95 // 100], times[-1])
        shown = "".join(f"{1000 * seconds:10.1f}" for seconds in figures)
        return f"{name:28}{len(times):6}{shown}{self.failed:8}\n"


def _ordinary(address: str, seconds: float) -> Found:
    """Ask for the boards, each time on a new connection, as somebody with an account does."""
    found, end = Found(), time.perf_counter() + seconds
    headers = {"Connection": "close"}
    with httpx.Client(auth=("ann", PASSWORD), timeout=10, headers=headers) as client:
        while time.perf_counter() < end:
            begun = time.perf_counter()
            try:
                client.get(f"{address}/projects").raise_for_status()
            except httpx.HTTPError:
                found.failed += 1
            found.times.append(time.perf_counter() - begun)
            time.sleep(_PAUSE_SECONDS)  # the pace of one person
    return found


async def _hold(port: int, sent: bytes) -> None:
    """Open a connection, say something, and wait until it is closed; a second later do so again."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(sent)
                await reader.read()
            finally:
                writer.transport.abort()
        await asyncio.sleep(1.0)


async def _upload(port: int, head: bytes) -> None:
    """Upload a byte every now and then; begin anew when the connection is closed."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(head)
                while not reader.at_eof():
                    writer.write(b"x")
                    await writer.drain()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1000), 0.2)
            finally:
                writer.transport.abort()


@asynccontextmanager
async def _flood(port: int) -> AsyncIterator[None]:
    """The idle connections and the slow uploads, half of these by somebody with an account."""
    token = b64encode(f"ann:{PASSWORD}".encode())
    head = b"POST /v2/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n"
    head += b"Content-Type: application/json\r\n"
    known = head + b"Authorization: Basic " + token + b"\r\n\r\n"
    beginnings = (b"", b"GET /v2/projects HTTP/1.1\r\nHost: x\r\n", b"G")
    work = [_hold(port, beginnings[number % len(beginnings)]) for number in range(_IDLE)]
    work += [_upload(port, known if number % 2 else head + b"\r\n") for number in range(_UPLOADS)]
    async with AsyncExitStack() as stack:
        for each in work:
            task = asyncio.create_task(each)
            stack.callback(task.cancel)
        yield


async def _measure(address: str, port: int, seconds: float) -> bool:
    sys.stdout.write(f"{'':28}{'n':>6}{'median ms':>10}{'p95 ms':>10}{'max ms':>10}{'failed':>8}\n")
    calm = await asyncio.to_thread(_ordinary, address, seconds / 2)
    sys.stdout.write(calm.line("calm"))
    async with _flood(port):
        flooded = await asyncio.to_thread(_ordinary, address, seconds)
    sys.stdout.write(flooded.line(f"{_IDLE} idle, {_UPLOADS} slow uploads"))
    after = await asyncio.to_thread(_ordinary, address, seconds / 2)
    sys.stdout.write(after.line("afterwards"))
    return calm.is_good and flooded.is_good and after.is_good


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurement; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.server.flood", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to flood (20)")
    seconds = parser.parse_args(arguments).seconds
    with tempfile.TemporaryDirectory() as home:
        ran(Path(home), "user", "add", "ann", told=f"{PASSWORD}\n")
        with launched(Path(home)) as server:
            assert server.process.stderr is not None, "the log of the server is no pipe"
            threading.Thread(target=server.process.stderr.read, daemon=True).start()
            is_good = asyncio.run(_measure(server.address, server.port, seconds))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
