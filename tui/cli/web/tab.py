"""The program of one tab of a browser, and the page in the tab that shows it.

A reload is a page that goes and another one that comes: the program waits for it, so that nothing
is lost. The pages of two tabs have the same program if the browser has copied the tab; then the
newer one shows it.
"""

import asyncio
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from tui.cli.terminal import BROWSER
from tui.text import clean

WITHOUT_PAGE = 10.0
"""Seconds for which a program waits for another page; a reload over a slow line takes a few."""
_TO_END = 10.0
"""Seconds that a program has to write all to disk."""
_INPUT, _META = b"D", b"M"
_PACKETS = b"DMP"
"""What packets begin with: something drawn, a message, or a part of a file (we send none)."""
_ESCAPE = "\x1b[27u"
"""Esc as a whole key. As the single byte it would be Alt with a key that is pressed soon after."""
_LONGEST_REASON = 4_000


class TabProgram:
    """A program that is running, or has ended; `reason` is what it said then."""

    def __init__(
        self, process: asyncio.subprocess.Process, width: int, height: int, without_page: float
    ) -> None:
        self.reason = ""
        self._without_page = without_page
        self._process = process
        self._input = cast("asyncio.StreamWriter", process.stdin)
        self._size = {"type": "resize", "width": width, "height": height}
        self._has_focus = False
        self._page: Any = None
        self._ending: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._running = asyncio.create_task(self._run())

    @classmethod
    async def start(
        cls, command: Sequence[str], width: int, height: int, *, without_page: float = WITHOUT_PAGE
    ) -> "TabProgram":
        """Start the program in this size; it ends after so many seconds without a page."""
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                "TEXTUAL_DRIVER": BROWSER,
                "TEXTUAL_COLOR_SYSTEM": "truecolor",
                "COLUMNS": str(width),
                "ROWS": str(height),
            },
        )
        return cls(process, width, height, without_page)

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    @property
    def is_shown(self) -> bool:
        return self._page is not None

    async def show_on(self, page: Any) -> None:
        """Show the program on a page, which is a socket, until that or the program goes."""
        previous, self._page = self._page, page
        # Not waited for: a page that is being reloaded may not answer.
        closing = None if previous is None else asyncio.create_task(previous.close())
        if self._ending is not None:
            self._ending.cancel()
        if previous is not None or self._ending is not None:  # nothing is drawn on this page yet
            self._tell({"type": "page"})
        try:
            async for message in page:
                if isinstance(message.data, str) and page is self._page:
                    await self._handle(*json.loads(message.data))
        finally:
            if closing is not None:
                closing.cancel()
            # Otherwise another page has taken the program over.
            if page is self._page:
                self._page = None
                self._set_focus(has_focus=False)
                loop = asyncio.get_running_loop()
                self._ending = loop.call_later(self._without_page, self._leave)

    async def end(self) -> None:
        """End the program as its user would, and close its page."""
        self._tell({"type": "quit"})
        await asyncio.wait([self._running], timeout=_TO_END)
        if self.is_running:
            self._process.kill()
            await self._running

    def _leave(self) -> None:
        self._leaving = asyncio.create_task(self.end())

    async def _handle(self, kind: str, given: Any = None) -> None:
        if kind == "stdin":
            keys = _ESCAPE if given == "\x1b" else str(given)
            self._send(_INPUT, keys.encode(errors="replace"))
            with suppress(ConnectionError):  # the program has ended
                await self._input.drain()
        elif kind == "resize":
            self._size |= {"width": given["width"], "height": given["height"]}
            self._tell(self._size)
        elif kind in {"focus", "blur"}:
            self._set_focus(has_focus=kind == "focus")
        elif kind == "ping":
            await self._page.send_json(["pong", given])

    def _set_focus(self, *, has_focus: bool) -> None:
        self._has_focus = has_focus
        self._tell({"type": "focus" if has_focus else "blur"})

    def _tell(self, message: dict[str, Any]) -> None:
        self._send(_META, json.dumps(message).encode())

    def _send(self, kind: bytes, payload: bytes) -> None:
        if self.is_running:
            # The framing of Textual's web driver: a letter, four bytes of length, the payload.
            self._input.write(kind + len(payload).to_bytes(4, "big") + payload)

    async def _run(self) -> None:
        output, errors = (
            cast("asyncio.StreamReader", stream)
            for stream in (self._process.stdout, self._process.stderr)
        )
        # Read all the time, or a program that fills this pipe would block.
        complaint = asyncio.create_task(errors.read())
        with suppress(asyncio.IncompleteReadError):
            while True:
                await self._forward(output)
        errors_text = _plain((await complaint).decode(errors="replace"))
        if code := await self._process.wait():
            self.reason = errors_text or f"The program exited with code {code}."
        if self._page is not None:
            await self._page.close()

    async def _forward(self, output: asyncio.StreamReader) -> None:
        # One packet, or a line: the program writes one whenever it opens a profile, and knows only
        # the size and the focus that it was started with.
        kind = await output.readexactly(1)
        if kind not in _PACKETS:
            await output.readline()
            self._tell(self._size)
            self._set_focus(has_focus=self._has_focus)
            return
        # Read even if no page shows it, or the program would block; the next page is drawn anew.
        payload = await output.readexactly(int.from_bytes(await output.readexactly(4), "big"))
        if self._page is None:
            return
        with suppress(ConnectionError):  # a page that has gone is seen where it is read
            if kind == _INPUT:
                await self._page.send_bytes(payload)
            elif (message := json.loads(payload))["type"] == "open_url":
                await self._page.send_json(["open_url", message])


def _plain(said: str) -> str:
    """What a command says of an error on a terminal, without its name and its indentation."""
    lines = clean.text(said[-_LONGEST_REASON:]).splitlines()
    return "\n".join(line.strip() for line in lines).removeprefix("callboard: ").strip()
