"""A queue of key presses: each is handled completely before the next one.

Without this, keys that arrive in a burst, as over a slow line, go to the widget that has the focus
*now*: after `n` the letters of a title would still be keys of the board, because the input gets the
focus a moment later.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from textual import events
from textual.app import App

from tui.runtime.input_priority import INPUT_PRIORITY
from tui.runtime.textual_patches import PatchedApp

ROUNDS = 3
"""An action may post a message whose handler mounts something that then takes the focus."""

LONGEST = 1.0
"""Seconds after which the next key is handled anyway, so that a bug cannot block all keys."""


class SerialKeys(PatchedApp):
    """An application that holds back keys and pastes until earlier ones have taken effect."""

    def __init__(self) -> None:
        super().__init__()
        self._held: deque[events.Event] = deque()
        self._handling: asyncio.Task[None] | None = None
        self.preparing: list[asyncio.Event] = []
        """What is being read before it opens; each is set when that is done."""

    async def on_event(self, event: events.Event) -> None:
        """Queue keys and pastes; pass on everything else."""
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if is_typed or isinstance(event, events.MouseDown | events.MouseScrollDown):
            INPUT_PRIORITY.input_received()
        if not is_typed:
            await super().on_event(event)
            return
        self._held.append(event)
        if self._handling is None or self._handling.done():
            self._handling = asyncio.create_task(self._handle_held())

    async def until_keys_are_done(self) -> None:
        """Wait until all queued keys have taken effect."""
        while self._handling is not None and not self._handling.done():
            await asyncio.wait([self._handling])

    async def _handle_held(self) -> None:
        while self._held:
            try:
                await super().on_event(self._held.popleft())
            except Exception as error:  # noqa: BLE001  this task is none that Textual looks after
                self.call_later(_fail, error)
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST):
                    await self._settle()

    async def _settle(self) -> None:
        """Wait until all message queues affected by a key are empty.

        Screens that open after loading something (`keys_held`) are waited for.
        """
        await self._read()
        while self.preparing:
            await self.preparing[-1].wait()
            await self._read()

    async def _read(self) -> None:
        for _ in range(ROUNDS):
            for node in (self.focused, self.screen if self.screen_stack else None, self):
                read = asyncio.Event()
                if node is not None and node.is_running and node.call_later(read.set):
                    await read.wait()


@contextmanager
def keys_held(app: App[object]) -> Iterator[None]:
    """Hold back keys while the screen they are meant for is loading, for `LONGEST` at most.

    Leave it immediately before that screen is opened or changed, without an await in between.
    """
    if not isinstance(app, SerialKeys):
        yield
        return
    done = asyncio.Event()
    app.preparing.append(done)
    try:
        yield
    finally:
        app.preparing.remove(done)
        done.set()


def _fail(error: Exception) -> None:
    """Raise in the message loop, where Textual ends the program with the error."""
    raise error
