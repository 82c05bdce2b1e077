"""Opens the screens of a task and of its thread: one of each kind is kept, and used again.

That costs one frame instead of mounting twenty widgets.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui.context import Context
from tui.runtime.textual_patches import mount_behind
from tui.screens.base import CallboardScreen

if TYPE_CHECKING:
    from tui.screens.task.screen import TaskScreen
    from tui.screens.thread.screen import ThreadScreen

_CACHE_SECONDS = 0.03
"""How long to wait for the cache before a task is shown; enough unless the disk is slow."""


class TaskPages:
    """Pushes them on the application's stack."""

    def __init__(self, app: App[Any], context: Context) -> None:
        self._app = app
        self._context = context

    async def show(
        self,
        kind: "type[TaskScreen | ThreadScreen]",
        board_id: int,
        task_id: int,
        other_id: int | None,
    ) -> None:
        """Show a task; `other_id` is that of its parent, or of a comment of its thread."""
        is_read = asyncio.Event()

        async def open_task() -> None:
            try:
                await self._context.store.open_task(board_id, task_id)
            finally:
                is_read.set()

        # Waiting a short time for the cache lets the first frame show all that is in it; a slow
        # disk does not block the user.
        self._app.run_worker(open_task(), group="open-task", exclusive=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(_CACHE_SECONDS):
                await is_read.wait()

        # While the kept screen is on the stack, another is pushed, and removed when left.
        name, app = kind.__name__, self._app
        installed = app.get_screen(name) if app.is_screen_installed(name) else None
        is_free = installed is not None and installed not in app.screen_stack
        if isinstance(installed, kind) and is_free and installed.is_mounted:
            installed.begin(board_id, task_id, other_id)
            app.push_screen(installed)
            return
        page = kind(self._context, board_id, task_id, other_id)
        if installed is None:
            app.install_screen(page, name)
        app.push_screen(page)

    def prepare(self) -> None:
        """Mount the screen that tasks are shown on, so that the first one opens as fast."""
        from tui.screens.task.screen import TaskScreen

        name, current = TaskScreen.__name__, self._app.screen
        chosen = current.chosen_tasks if isinstance(current, CallboardScreen) else ()
        if not self._app.is_screen_installed(name):
            # Any task will do: `show` calls `begin` with the one that is opened.
            ids = next(((task.board_id, task.id) for task in chosen), (0, 0))
            page = TaskScreen(self._context, *ids)
            if mount_behind(self._app, page):
                self._app.install_screen(page, name)
