"""A client that takes as little time as can be, so that the service is what is measured."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

_LARGEST_HEAD = 1 << 16


class Target(NamedTuple):
    """Where the service listens, and who asks."""

    host: str
    port: int
    login: str
    password: str


class Reply(NamedTuple):
    """A reply as it came."""

    status: int
    raw: bytes

    def json(self) -> Any:
        return json.loads(self.raw)


@dataclass
class Client:
    """A connection that is kept open."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    head: str

    async def ask(self, method: str, path: str, body: object = None) -> Reply:
        """Send a request and wait for the whole reply."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /v2{path} HTTP/1.1\r\n{self.head}content-length: {len(content)}\r\n\r\n"
        self.writer.write(head.encode() + content)
        status, length = _read_head(await self.reader.readuntil(b"\r\n\r\n"))
        return Reply(status, await self.reader.readexactly(length))


@asynccontextmanager
async def client(target: Target, address: str = "") -> AsyncIterator[Client]:
    """A client of its own connection, from an address of this machine."""
    reader, writer = await asyncio.open_connection(
        target.host,
        target.port,
        limit=_LARGEST_HEAD,
        local_addr=(address, 0) if address else None,
    )
    credentials = base64.b64encode(f"{target.login}:{target.password}".encode()).decode()
    head = f"host: {target.host}\r\nauthorization: Basic {credentials}\r\n"
    try:
        yield Client(reader, writer, head + "content-type: application/json\r\n")
    finally:
        writer.close()
        await writer.wait_closed()


def _read_head(head: bytes) -> tuple[int, int]:
    """The status and the length of a reply."""
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines if line)
    return int(first.split()[1]), int(fields["content-length"])
