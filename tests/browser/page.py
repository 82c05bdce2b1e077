"""A page of a headless Chromium that shows the program, and what a person sees and does there.

Nothing is waited for by time: every wait ends when the page shows what is wanted, or fails with
what it shows.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import pytest

from tests.drivers.program import environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

SECONDS = 60.0
"""How long anything may take, on a machine that is busy with other tests."""

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
_ADDRESS = re.compile(r"Open (http://127\.0\.0\.1:\d+/\?key=\S+) ")

_KEEP_TERMINAL = """
    Object.defineProperty(Object.prototype, "fitAddon", {
        configurable: true,
        set(value) {
            window.shown = this.terminal;
            Object.defineProperty(this, "fitAddon", { value });
        },
    });
"""
"""The terminal is drawn on canvases, and nothing else of it is to be found from outside."""

_LINES = """() => {
    if (!window.shown) return [];
    const { cols, rows, buffer } = window.shown;
    return Array.from({ length: rows }, (_, row) =>
        buffer.active.getLine(row).translateToString(false, 0, cols));
}"""


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser without a window; skips where there is none."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="not installed: pip install playwright"
    )
    path = next(filter(None, map(which, _NAMES)), None)
    if path is None:
        pytest.skip("no browser is installed: apt-get install chromium")
    flags = [*_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            browser.close()


class Server:
    """`callboard web` on a home of its own."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tui", "web", "--port", "0"],
            env=environment(home),
            cwd=home,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None, "its output is no pipe"
        said = self._process.stdout.readline()
        found = _ADDRESS.match(said)
        assert found is not None, f"callboard web said {said!r}"
        self.address = found[1]

    def stop(self) -> None:
        """End it as ctrl+c does; it ends its programs before."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        code = self._process.wait(SECONDS)
        assert self._process.stdout is not None, "its output is no pipe"
        self._process.stdout.close()
        assert code == 0, f"callboard web ended with {code} after ctrl+c"


class WebPage:
    """A page on the address of a server."""

    def __init__(self, context: "BrowserContext", address: str) -> None:
        self.errors: list[str] = []
        context.set_default_timeout(SECONDS * 1000)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(_KEEP_TERMINAL)
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address)

    @property
    def lines(self) -> list[str]:
        """What the terminal shows, each line in its whole width."""
        lines: list[str] = self.page.evaluate(_LINES)
        return lines

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def until(self, condition: Callable[[str], object], wanted: str) -> None:
        """Wait until the text that is shown is as wanted."""
        for _ in range(int(SECONDS * 20)):
            if condition(self.text):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never came: {wanted}\n{self.text}\nerrors: {self.errors}")

    def shows(self, *words: str) -> None:
        """Wait until all of these are shown."""
        self.until(lambda text: all(each in text for each in words), " and ".join(words))

    def hides(self, words: str) -> None:
        """Wait until this is no longer shown."""
        self.until(lambda text: words not in text, f"an end of {words}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def copy(self, text: str) -> None:
        """Let this be in the clipboard, as if it was copied elsewhere."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)

    @property
    def clipboard(self) -> str:
        text: str = self.page.evaluate("navigator.clipboard.readText()")
        return text

    def place(self, words: str) -> tuple[float, float]:
        """Where the first of these words is drawn, in pixels."""
        lines = self.lines
        row = next((row for row, line in enumerate(lines) if words in line), None)
        assert row is not None, f"{words} is not shown:\n{self.text}"
        box = self.page.locator(".xterm-screen").bounding_box()
        assert box is not None, f"no terminal is drawn; errors: {self.errors}"
        column = lines[row].index(words) + 0.5
        return (
            box["x"] + column * box["width"] / len(lines[row]),
            box["y"] + (row + 0.5) * box["height"] / len(lines),
        )

    @property
    def ended(self) -> "Locator":
        """What the page says when the program is not shown any more."""
        return self.page.locator(".ended")
