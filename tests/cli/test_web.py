"""The program in a browser: for those who have the printed address, and for nobody else."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tui.config.paths import HOME_VARIABLE

_ADDRESS = re.compile(r"Open (http://127\.0\.0\.1:\d+)(/\?key=\S+) ")


def test_without_the_extra_one_line_says_how_to_install_it(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    told = "callboard: the web extra is not installed: pip install 'callboard[web]'\n"
    assert said("web") == (2, "", told)


async def test_the_program_is_shown_to_the_page_with_the_key_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="the extra web is not installed")
    pytest.importorskip("textual_serve", reason="the extra web is not installed")
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    command = [sys.executable, "-m", "tui", "--read-only", "--boards", "web", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: ASYNC220, S603
        try:
            assert server.stdout is not None
            found = _ADDRESS.match(await asyncio.to_thread(server.stdout.readline))
            assert found is not None
            await _looked_at(aiohttp, found[1], found[2])
        finally:
            server.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(server.wait, 20) == 0


async def _looked_at(aiohttp: Any, own: str, key: str) -> None:
    """Come with and without the key, and from pages of others; then read and press a key."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(own, cookie_jar=jar) as browser:

        async def status(path: str, origin: str) -> int:
            async with browser.get(path, headers={"Origin": origin}) as response:
                return int(response.status)

        assert await status("/", own) == 403
        assert await status("/?key=wrong", own) == 403
        assert await status("/ws", own) == 403
        async with browser.get(key) as response:
            assert (response.status, response.url.query_string) == (200, "")
            assert f"ws:{own.removeprefix('http:')}/ws" in await response.text()
        assert await status("/ws", "http://elsewhere.example") == 403
        async with browser.ws_connect("/ws?width=80&height=24", headers={"Origin": own}) as page:
            await _drawn(page, "read-only mode")
            await page.send_json(["focus"])
            await _drawn(page, "Platform")
            await page.send_json(["stdin", "n"])
            await _drawn(page, "Read-only mode: nothing can be changed.")


async def _drawn(page: Any, words: str) -> None:
    """Wait until the program has drawn these words."""
    drawn = ""
    async with asyncio.timeout(20):
        while words not in drawn:
            message = await page.receive()
            drawn += message.data.decode() if isinstance(message.data, bytes) else ""
