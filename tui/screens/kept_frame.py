"""Keeps the frame of the screen that the next start opens, for `tui.runtime.last_frame` to show."""

import asyncio
from contextlib import suppress
from pathlib import Path

from textual.geometry import Size

from tui.config.paths import write_file
from tui.context import Context
from tui.runtime.changed_cells import TerminalCells
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.runtime.last_frame import MOST_BYTES, SIGN, last_frame
from tui.runtime.textual_patches import PatchedApp
from tui.screens.base import CallboardScreen

_PAUSE = 0.3
"""Seconds without a key after which the frame of a screen that was left is written."""


class KeptFrame:
    """The frame on disk, written when its screen is covered or left, and when the program ends."""

    def __init__(self, app: PatchedApp, context: Context) -> None:
        self._app = app
        self._context = context

    def write_later(self) -> None:
        """Write what is on the terminal, but not before the next screen is open."""
        app = self._app
        if last_frame.is_wanted and app.screen in self._screens_of_start():
            cells = app.cells_painted_by(app.screen)
            if cells is not None:
                work = self._write_in_pause(cells, app.size)
                app.run_worker(work, group="last frame", exclusive=True)

    async def _write_in_pause(self, cells: TerminalCells, size: Size) -> None:
        await INPUT_PRIORITY.until_quiet(_PAUSE)
        # The terminal was resized if they differ; the frame would not fit the next start.
        if size == self._app.size:
            with suppress(OSError):
                await asyncio.to_thread(_write, cells, size.width)

    def write_at_exit(self) -> None:
        """Write the frame as the first screen is drawn now, or forget it after a crash."""
        if not last_frame.is_wanted:
            return
        screens = self._screens_of_start()
        with suppress(OSError):  # the terminal may be gone, or the disk full
            if not screens or self._app.crash:
                last_frame.forget()
            elif (screen := screens[0]).size == self._app.size:
                _write(self._app.cells_drawn_by(screen), self._app.size.width)

    def _screens_of_start(self) -> list[CallboardScreen]:
        # Those that the next start opens, unless what is left of them is on another one.
        settings = self._context.settings
        return [
            screen
            for screen in self._app.screen_stack
            if settings.last_frame
            and isinstance(screen, CallboardScreen)
            and screen.start == settings.start
        ]


def _write(cells: TerminalCells, width: int) -> None:
    cells.put(width - len(SIGN), 0, SIGN, "7")
    content = last_frame.content(cells.frame(), cells.dump())
    if len(content) <= MOST_BYTES:
        write_file(Path(last_frame.path), content)
