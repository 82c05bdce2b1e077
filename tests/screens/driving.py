"""Opens a screen on a store, presses keys, reads what a person would see."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import events
from textual.app import App
from textual.keys import _character_to_key, key_to_character
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import NOW
from tests.fakes.profiles import FakeProfiles
from tests.fakes.store import FakeStore
from tui.app import CallboardApp, Connect
from tui.config.drafts import Drafts
from tui.config.preferences import Preferences
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context, Density
from tui.profiles.protocol import Profiles
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck
from tui.screens.board.screen import BoardScreen
from tui.screens.status_line import StatusLine
from tui.text.cells import width as cell_width

NEVER = 3600.0
"""Seconds that no test lasts, however slow the machine is.

That keys wait is not said, no card counts as seen because the cursor stays on it, and no preview
is loaded, unless a test wants that.
"""


async def connected() -> int | None:
    """Nothing to connect: the store is a fake."""
    return None


def application(
    store: FakeStore,
    *,
    board_id: int | None = 1,
    density: Density = Density.ROOMY,
    preferences: Preferences | None = None,
    drafts: Drafts | None = None,
    connect: Connect = connected,
    glance_seconds: float = NEVER,
    rest_seconds: float = NEVER,
    sign_seconds: float = 0.0,
    ascii_only: bool = False,
    profiles: Profiles | None = None,
    request: Message | None = None,
    is_first_run: bool = False,
    is_embedded: bool = False,
    opens_only_board: bool = False,
) -> CallboardApp:
    """The program on a store."""
    context = Context(
        store,
        current=CurrentSettings(Settings(density=density)),
        preferences=preferences or Preferences(),
        drafts=drafts or Drafts(),
        now=lambda: NOW,
        glance_seconds=glance_seconds,
        rest_seconds=rest_seconds,
        sign_seconds=sign_seconds,
        typing_seconds=0.0,
        profiles=profiles or FakeProfiles(),
        is_embedded=is_embedded,
    )
    app = CallboardApp(
        context,
        connect=connect,
        board_id=board_id,
        ascii_only=ascii_only,
        request=request,
        is_first_run=is_first_run,
        opens_only_board=opens_only_board,
    )
    app.patience = NEVER
    return app


@asynccontextmanager
async def opened(
    store: FakeStore,
    *,
    board_id: int | None = 1,
    size: tuple[int, int] = (100, 30),
    density: Density = Density.ROOMY,
    preferences: Preferences | None = None,
    drafts: Drafts | None = None,
    glance_seconds: float = NEVER,
    rest_seconds: float = NEVER,
    sign_seconds: float = 0.0,
    is_embedded: bool = False,
) -> AsyncIterator["Driver"]:
    """The program on a store, ready for keys."""
    app = application(
        store,
        board_id=board_id,
        density=density,
        preferences=preferences,
        drafts=drafts,
        glance_seconds=glance_seconds,
        rest_seconds=rest_seconds,
        sign_seconds=sign_seconds,
        is_embedded=is_embedded,
    )
    async with app.run_test(size=size) as pilot:
        yield Driver(app, pilot)


class Driver:
    """A person at the keyboard."""

    def __init__(self, app: CallboardApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def board(self) -> BoardScreen:
        """The board, which is in front."""
        screen = self.app.screen
        assert isinstance(screen, BoardScreen), f"{screen} is in front, no board\n{self.text}"
        return screen

    @property
    def deck(self) -> Deck:
        """The columns of the board."""
        return self.board.deck

    @property
    def here(self) -> str | None:
        """The title of the card at the cursor."""
        return self.deck.current.title if self.deck.current else None

    @property
    def said(self) -> str:
        """The status line, below whatever asks for something."""
        return self._status.words

    @property
    def hints(self) -> str:
        """The key hints at the bottom."""
        return self._status.footer.words

    @property
    def _status(self) -> StatusLine:
        stack = self.app.screen_stack
        screen = next((one for one in reversed(stack) if isinstance(one, CallboardScreen)), None)
        assert screen is not None, f"nothing has a status line: {stack}\n{self.text}"
        return screen.status

    @property
    def text(self) -> str:
        """Everything on the screen, as text."""
        return screen_text(self.app)

    @property
    def columns_shown(self) -> list[int]:
        """The numbers of the columns that are shown."""
        return [each.face.number for each in self.deck.columns if each.display]

    async def press(self, *keys: str) -> None:
        """Press keys one after another, each when the one before has had all its effects."""
        for key in keys:
            self.app.post_message(key_event(key))
            await self._taken()
            await self.pilot.pause()
        await self._done()

    async def click(self, words: str, *, times: int = 1) -> None:
        """Click on the first cell of a text on the screen."""
        found = [(y, line) for y, line in enumerate(self.text.splitlines()) if words in line]
        assert found, f"{words!r} is not shown\n{self.text}"
        y, line = found[0]
        await self.pilot.click(offset=(cell_width(line[: line.index(words)]), y), times=times)
        await self._done()

    async def type(self, text: str) -> None:
        """Type a text as quick hands do."""
        await self.burst(*text)

    async def paste(self, text: str) -> None:
        """Paste a text."""
        self.app.post_message(events.Paste(text))
        await self._done()

    async def burst(self, *keys: str) -> None:
        """Press keys all at once, as a slow line delivers them."""
        self.send(*keys)
        await self._done()

    def send(self, *keys: str) -> None:
        """Press keys all at once, and do not wait for what they do."""
        for key in keys:
            self.app.post_message(key_event(key))

    async def _taken(self) -> None:
        """Wait until everything typed has been read, and has had its effect."""
        read = asyncio.Event()
        if self.app.call_later(read.set):
            await read.wait()
        await self.app.until_keys_are_done()

    async def _done(self) -> None:
        """Wait until everything typed has had its effect and is laid out."""
        await self._taken()
        await self.app.animator.wait_until_complete()
        await self.pilot.pause()

    def titles(self, stage_id: int) -> list[str]:
        """The titles in a stage, as the board shows them."""
        return [task.title for task in self.deck.shown.in_stage(stage_id)]


def key_event(key: str) -> events.Key:
    """What a terminal's driver makes of a key, named or written as its character."""
    if len(key) == 1:
        return events.Key(_character_to_key(key), key)
    return events.Key(key, key_to_character(key))


async def turn_wheel(
    pilot: Pilot[None], over: Widget, direction: int, *, offset: tuple[int, int] = (1, 1)
) -> None:
    """Turn the mouse wheel so many times, towards the end or, with less than 0, towards the top."""
    kind = events.MouseScrollDown if direction > 0 else events.MouseScrollUp
    await pilot._post_mouse_events([kind] * abs(direction), over, offset)
    await pilot.pause()


def screen_text(app: App[None]) -> str:
    """Everything on the screen, as text."""
    return "\n".join(strip.text for strip in drawn_lines(app))
