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
from tests.drivers.patience import patience
from tui.cli.web.site import application
from tui.config.paths import HOME_VARIABLE

_ADDRESS = re.compile(r"Open (http://127\.0\.0\.1:\d+)(/\?key=\S+) ")
_SOCKET = "/socket/tab?width=80&height=24"


def test_without_the_extra_one_line_says_how_to_install_it(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    told = "callboard: the web extra is not installed: pip install 'callboard[web]'\n"
    assert said("web") == (2, "", told)


async def test_a_page_asks_no_other_host_for_anything() -> None:
    pytest.importorskip("textual_serve", reason="the extra web is not installed")
    testing = pytest.importorskip("aiohttp.test_utils", reason="the extra web is not installed")
    server = testing.TestServer(application([], 1, "secret"))
    async with testing.TestClient(server) as browser:
        own = f"{server.host}:{server.port}"
        assert (await browser.get("/")).status == 403
        seen, left = set[str](), ["/?key=secret"]
        while left:
            seen.add(path := left.pop())
            async with browser.get(path) as response:
                assert response.status == 200, path
                policy = response.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; script-src 'self';")
                assert f"connect-src 'self' ws://{own};" in policy
                assert "*" not in policy
                assert "http" not in policy
                assert response.headers["Referrer-Policy"] == "no-referrer"
                content = (await response.read()).decode(errors="replace")
            if path.endswith(".ttf"):
                continue
            if path.endswith(".css"):
                content = re.sub(r"/\*.*?\*/", "", content, flags=re.DOTALL)  # licences
            content = content.replace('xmlns="http://www.w3.org/2000/svg"', "")  # a name alone
            assert {*re.findall(r"(?:https?:|wss?:)?//([\w.-]+\.\w+(?::\d+)?)", content)} <= {own}
            if not path.endswith(".js"):
                named = re.findall(r"""(?:src|href)="([^"]*)"|url\("?([^")]*)""", content)
                left += {"".join(each) for each in named} - seen
        assert {Path(path).suffix for path in seen} >= {".css", ".js", ".svg", ".ttf"}


@pytest.mark.long
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
        assert await status(_SOCKET, own) == 403
        async with browser.get(key) as response:
            assert (response.status, response.url.query_string) == (200, "")
        assert await status(_SOCKET, "http://elsewhere.example") == 403
        async with browser.ws_connect(_SOCKET, headers={"Origin": own}) as page:
            await _drawn(page, "read-only mode")
            await _drawn(page, "Platform")
            await page.send_json(["stdin", "n"])
            await _drawn(page, "Read-only mode: nothing can be changed.")


async def _drawn(page: Any, words: str) -> None:
    """Wait until the program has drawn these words."""
    drawn = ""
    async with patience(words, lambda: drawn):
        while words not in drawn:
            message = await page.receive()
            assert not page.closed, f"closed before {words!r} was drawn; drawn was {drawn!r}"
            drawn += message.data.decode() if isinstance(message.data, bytes) else ""
