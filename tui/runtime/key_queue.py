"""A queue of key presses: each is handled completely, on the screen it is meant for.

Without this, keys that arrive in a burst, as over a slow line, go to the widget that has the focus
*now*: after `n` the letters of a title would still be keys of the board, because the input gets the
focus a moment later. While what a key asked for is opening or at work, later keys wait for it,
however long that takes: they are dropped only if it fails, or by Esc.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from textual import events
from textual.app import App
from textual.widgets import Input, TextArea
from textual.worker import Worker

from tui.runtime.input_priority import INPUT_PRIORITY
from tui.runtime.textual_patches import PatchedApp, ProgramScreen, until_laid_out, until_read

ROUNDS = 3
"""An action may post a message whose handler mounts something that then takes the focus."""

_LOOK_EVERY = 0.005
_QUITS_AT_ONCE = "ctrl+q"
_WITH_ALT = {
    "alt+b": "ctrl+left",
    "alt+f": "ctrl+right",
    "alt+d": "alt+delete",
    "alt+backspace": "ctrl+w",
}
"""Keys of shells that edit a line, and those that do the same here."""
_QUIT = "app.quit"


class Opening(NamedTuple):
    """Something that is opening or at work: later keys wait while it `is_coming`.

    Once it `is_over`, it never comes again; without `is_over`, once it is not coming. `cancel` ends
    it, and returns whether it could be ended.
    """

    is_coming: Callable[[], bool]
    is_over: Callable[[], bool] | None = None
    cancel: Callable[[], bool] | None = None


class SerialKeys(PatchedApp):
    """An application that holds back keys and pastes until earlier ones have taken effect."""

    def __init__(self) -> None:
        super().__init__()
        self.patience = 1.0
        """Seconds after which the user is told that keys wait, and Esc drops them."""
        self._held: deque[events.Event] = deque()
        self._is_handling = False
        self._handling: asyncio.Task[None] | None = None
        self._settling: asyncio.Task[None] | None = None
        self._is_late = False
        self._openings: list[Opening] = []
        self._not_awaited: object = None

    async def on_event(self, event: events.Event) -> None:
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if is_typed or isinstance(event, events.MouseDown | events.MouseScrollDown):
            INPUT_PRIORITY.input_received()
        # The key that quits is never held: it has to work while something hangs.
        if not is_typed or (isinstance(event, events.Key) and event.key == _QUITS_AT_ONCE):
            await super().on_event(event)
            return
        if self._is_late:
            # `_handle_held` waits for a slow opening and takes no keys: Esc, which ends the
            # waiting, is looked for as the keys arrive.
            for event_of_one in self._apart(event):
                self._held.append(event_of_one)
                self._tell_of_waiting(event_of_one)
            return
        self._held.append(event)
        if not self._is_handling:
            self._is_handling = True  # first: the task may begin, and end, while it is made
            self._handling = asyncio.create_task(self._handle_held())

    async def until_keys_are_done(self) -> None:
        """Wait until all queued keys have taken effect."""
        while self._is_handling and self._handling is not None:
            await asyncio.wait([self._handling])

    def await_opening(self, opening: Opening) -> None:
        self._openings.append(opening)

    def drop_keys(self) -> None:
        if self._held:
            count = len(self._held)
            self._held.clear()
            self.call_later(self.say_keys_dropped, count)

    def say_keys_wait(self, count: int) -> None:
        """Tell the user that so many keys wait; for subclasses."""

    def say_keys_dropped(self, count: int) -> None:
        """Tell the user that so many keys were dropped; for subclasses."""

    def keys_act_again(self) -> None:
        """Clear the message of `say_keys_wait`; for subclasses."""

    async def _handle_held(self) -> None:
        try:
            if self._is_opening():
                await self._until_settled()
            while self._held and self.is_running:
                event, *following = self._apart(self._held.popleft())
                self._held.extendleft(reversed(following))
                try:
                    await super().on_event(event)
                except Exception as error:  # noqa: BLE001  this task is none that Textual looks after
                    self.call_later(_raise, error)
                    return
                await self._until_settled()
                if self._held and self.screen_stack:
                    # The next key may scroll, which acts on the size that was laid out last.
                    await until_laid_out(self.screen)
        finally:
            # No await since `_held` was found empty: a key that arrives later starts a new task.
            self._is_handling = False

    def _apart(self, event: events.Event) -> list[events.Event]:
        # Esc and a key that came together, as over a slow line, look like that key with Alt, which
        # has no character where the terminal tells them apart.
        if not isinstance(event, events.Key) or not event.key.startswith("alt+"):
            return [event]
        if isinstance(self.focused, Input | TextArea) and event.key in _WITH_ALT:
            return [events.Key(_WITH_ALT[event.key], None)]
        screen = self.screen
        is_known = isinstance(screen, ProgramScreen) and screen.knows_key(event.key)
        if event.character is None or is_known:
            return [event]
        name = event.key.removeprefix("alt+")
        if name.startswith("shift+"):
            name = event.character
        return [events.Key("escape", "\x1b"), events.Key(name, event.character)]

    async def _until_settled(self) -> None:
        # Wait for the key's effect, or for what it opens, unless Esc ends that.
        # `wait` instead of `wait_for`: it neither cancels the task at the timeout nor raises when
        # Esc cancels it.
        settling = self._settling = asyncio.create_task(self._settle())
        await asyncio.wait([settling], timeout=self.patience)
        if not settling.done():
            self._is_late = True
            self.say_keys_wait(len(self._held))
            await asyncio.wait([settling])
            self._is_late = False
            self.keys_act_again()

    async def _settle(self) -> None:
        # What has opened may open something else while its messages are handled.
        await self._read()
        while self._is_opening():
            while self._is_opening():  # noqa: ASYNC110  what is awaited has no event in common
                await asyncio.sleep(_LOOK_EVERY)
            await self._read()

    def _is_opening(self) -> bool:
        # True while a screen that should receive these keys is still opening.
        if not self.is_running:
            return False
        if not self.screen_stack or self._coming():
            return True
        screen = self.screen
        if not screen.is_mounted:
            return True
        lacks_data = isinstance(screen, ProgramScreen) and not screen.has_data_for_keys
        first = self._held[0] if self._held else None
        leaves = isinstance(first, events.Key) and first.key == "escape"  # needs no data for it
        return lacks_data and not leaves and screen is not self._not_awaited

    def _coming(self) -> list[Opening]:
        # One with `is_over` is kept while it is not coming: a worker continues after its dialog.
        coming = [opening for opening in self._openings if opening.is_coming()]
        self._openings = [
            opening
            for opening in self._openings
            if opening in coming or (opening.is_over is not None and not opening.is_over())
        ]
        return coming

    def _stop_waiting(self) -> bool:
        # Whether any of what is opening was cancelled.
        coming = self._coming()
        self._openings = [opening for opening in self._openings if opening not in coming]
        cancelled = [opening.cancel() for opening in coming if opening.cancel is not None]
        # Its data may still be loading; keys act without it from now on.
        self._not_awaited = self.screen if self.screen_stack else None
        return any(cancelled)

    def _tell_of_waiting(self, latest: events.Event) -> None:
        # Esc ends the waiting and drops the held keys. If there are none and nothing was cancelled,
        # it is handled as Esc. The key that quits also ends the waiting, if no other key is held.
        # Keys typed before the user was told of the waiting are meant for what opens.
        if isinstance(latest, events.Key) and self._settling is not None:
            if latest.key == "escape":
                self._held.pop()
                has_others = bool(self._held)
                self.drop_keys()
                if not self._stop_waiting() and not has_others:
                    self._held.append(latest)
                self._settling.cancel()
                return
            bound = self.screen.active_bindings.get(latest.key)
            if len(self._held) == 1 and bound is not None and bound.binding.action == _QUIT:
                self._settling.cancel()
                return
        self.say_keys_wait(len(self._held))

    async def _read(self) -> None:
        # Drains the message queues of focus, screen and app.
        for _ in range(ROUNDS):
            for node in (self.focused, self.screen if self.screen_stack else None, self):
                if node is not None:
                    await until_read(node)


def await_opening(app: App[object], opening: Opening) -> None:
    """Let the keys that are typed from now on wait for something."""
    if isinstance(app, SerialKeys):
        app.await_opening(opening)


def drop_keys(app: App[object]) -> None:
    """Drop the held keys, because what they are meant for will not open, and say so."""
    if isinstance(app, SerialKeys):
        app.drop_keys()


def await_worker(
    app: App[object],
    screen: object,
    worker: Worker[Any],
    may_cancel: Callable[[], bool] = lambda: True,
) -> None:
    """Let later keys wait while a worker of the screen runs and the screen is in front.

    Esc cancels it then, if it `may_cancel` it.
    """

    def is_over() -> bool:  # one that is cancelled before it begins never finishes
        return worker.is_finished or worker.is_cancelled

    def cancel() -> bool:
        is_cancelled = may_cancel()
        if is_cancelled:
            worker.cancel()
        return is_cancelled

    # While its dialog is in front, keys are meant for the dialog.
    is_coming = lambda: app.screen is screen and not is_over()  # noqa: E731
    await_opening(app, Opening(is_coming, is_over, cancel))


@contextmanager
def keys_held(app: App[object]) -> Iterator[None]:
    """Hold back keys while the screen they are meant for is loading; an error drops them.

    Leave it immediately before that screen is opened or changed, without an await in between.
    """
    is_coming = True
    await_opening(app, Opening(lambda: is_coming))
    try:
        yield
    except Exception:
        drop_keys(app)
        raise
    finally:
        is_coming = False


def _raise(error: Exception) -> None:
    raise error  # in the message loop, where Textual ends the program with it
