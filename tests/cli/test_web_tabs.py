"""The program of a tab of a browser: it outlives its page for a moment, and says how it ended."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tui.cli.web.site import application

aiohttp = pytest.importorskip("aiohttp", reason="the extra web is not installed")
testing = pytest.importorskip("aiohttp.test_utils", reason="the extra web is not installed")
pytest.importorskip("textual_serve", reason="the extra web is not installed")

pytestmark = pytest.mark.long

_PROGRAM = r"""
import json, os, sys

def put(payload, kind=b"D"):
    os.write(1, kind + len(payload).to_bytes(4, "big") + payload)

os.write(1, b"__GANGLION__\n")
put(f"begun by {os.getpid()};".encode())
while kind := sys.stdin.buffer.read(1):
    given = sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(4), "big"))
    if kind == b"D" and given == b"run again":
        os.write(1, b"__GANGLION__\n")
    elif kind == b"D" and given == b"open":
        put(b'{"type": "open_url", "url": "https://example.org", "new_tab": true}', b"M")
    elif kind == b"D" and given == b"fail":
        sys.exit("callboard: It broke.\n           Mend it.")
    elif kind == b"M" and json.loads(given)["type"] == "quit":
        break
    put(repr(given.decode()).encode() + b";")
"""
"""Says what it gets, in the packets of Textual's driver."""


class Tab:
    """A page of one tab: what was drawn on it, and what its socket is sent."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.drawn = ""

    async def until(self, words: str) -> None:
        """Wait until these words are drawn, and forget what was drawn up to them."""
        async with asyncio.timeout(20):
            while words not in self.drawn:
                message = await self.socket.receive()
                assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}, (
                    f"closed before {words!r} was drawn; drawn was {self.drawn!r}"
                )
                self.drawn += (
                    message.data.decode() if isinstance(message.data, bytes) else message.data
                )
        self.drawn = self.drawn.partition(words)[2]

    async def closed(self) -> None:
        """Read until the server closes the socket."""
        async with asyncio.timeout(20):
            while (await self.socket.receive()).type not in {
                aiohttp.WSMsgType.CLOSE,
                aiohttp.WSMsgType.CLOSING,
                aiohttp.WSMsgType.CLOSED,
            }:
                pass


class Browser:
    """A browser that has the cookie."""

    def __init__(self, client: Any, own: str) -> None:
        self._client = client
        self._own = own

    @asynccontextmanager
    async def tab(self, name: str = "one") -> AsyncIterator[Tab]:
        path = f"/socket/{name}?width=80&height=24"
        async with self._client.ws_connect(path, headers={"Origin": self._own}) as socket:
            yield Tab(socket)

    async def state(self, name: str = "one") -> tuple[str, str]:
        async with self._client.get(f"/state/{name}") as response:
            said = await response.json()
            return said["state"], said.get("reason", "")

    async def until_state(self, wanted: str, name: str = "one") -> None:
        """Ask until the server says this of a tab."""
        async with asyncio.timeout(20):
            while (await self.state(name))[0] != wanted:  # noqa: ASYNC110  the server tells nobody
                await asyncio.sleep(0.01)


@asynccontextmanager
async def served(without_page: float = 60) -> AsyncIterator[Browser]:
    """The program in `_PROGRAM`, served to a browser."""
    command = [sys.executable, "-c", _PROGRAM]
    server = testing.TestServer(application(command, 1, "secret", without_page=without_page))
    async with testing.TestClient(server) as client:
        await client.get("/?key=secret")
        yield Browser(client, f"http://{server.host}:{server.port}")


async def test_a_page_that_comes_again_has_the_same_program() -> None:
    async with served() as browser:
        async with browser.tab() as tab:
            await tab.until("begun by ")
            await tab.socket.send_json(["stdin", "typed"])
            await tab.until("'typed'")
        await browser.until_state("lost")
        async with browser.tab() as tab:
            await tab.until('{"type": "page"}')
            await tab.socket.send_json(["stdin", "more"])
            await tab.until("'more'")
            assert "begun by" not in tab.drawn
        async with browser.tab("two") as other:
            await other.until("begun by ")


async def test_a_program_without_a_page_ends() -> None:
    async with served(without_page=0) as browser:
        async with browser.tab() as tab:
            await tab.until("begun by ")
        await browser.until_state("left")
        async with browser.tab() as tab:
            await tab.until("begun by ")


async def test_a_copied_tab_takes_the_program_over() -> None:
    async with served() as browser, browser.tab() as first:
        await first.until("begun by ")
        async with browser.tab() as second:
            await first.closed()
            assert await browser.state() == ("elsewhere", "")
            await second.until('{"type": "page"}')


async def test_why_a_program_ended_is_said() -> None:
    async with served() as browser, browser.tab() as tab:
        await tab.until("begun by ")
        await tab.socket.send_json(["stdin", "fail"])
        await tab.closed()
        assert await browser.state() == ("failed", "It broke.\nMend it.")


async def test_size_and_focus_are_said_again_to_the_next_profile() -> None:
    async with served() as browser, browser.tab() as tab:
        await tab.socket.send_json(["resize", {"width": 100, "height": 30}])
        await tab.socket.send_json(["focus"])
        await tab.until('{"type": "focus"}')
        await tab.socket.send_json(["stdin", "run again"])
        await tab.until("'run again'")
        await tab.until('{"type": "resize", "width": 100, "height": 30}')
        await tab.until('{"type": "focus"}')


async def test_esc_is_a_key_of_its_own_whatever_follows() -> None:
    async with served() as browser, browser.tab() as tab:
        for keys in ("\x1b", "j", "\x1b[A"):
            await tab.socket.send_json(["stdin", keys])
        await tab.until(r"'\x1b[27u'")
        await tab.until("'j'")
        await tab.until(r"'\x1b[A'")


async def test_a_link_is_opened_by_the_page() -> None:
    async with served() as browser, browser.tab() as tab:
        await tab.socket.send_json(["stdin", "open"])
        await tab.until('["open_url", {"type": "open_url", "url": "https://example.org"')


async def test_the_server_ends_its_programs() -> None:
    async with served() as browser, browser.tab() as tab:
        await tab.until("begun by ")
    await tab.closed()
