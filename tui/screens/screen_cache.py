"""The screens of a task and of a thread, each made once and shown again for the next task.

So opening a task costs one frame and not twenty widgets. A screen that is in front or behind
another one is in use: then a new one is made, which goes when it is left.
"""

import asyncio
from contextlib import suppress
from typing import TypeVar

from textual.app import App
from textual.screen import Screen

from tui.screens.context import Context
from tui.screens.navigation import TaskRequested, ThreadRequested

_SOON = 0.03
"""Seconds within which a cache answers unless the disk has much to do."""

PageScreen = TypeVar("PageScreen", bound=Screen[None])


class Pages:
    """Shows tasks and threads in front of what is there."""

    def __init__(self, app: App[None], context: Context) -> None:
        self._app = app
        self._context = context

    async def show_task(self, asked: TaskRequested) -> None:
        """Show a task."""
        from tui.screens.task.screen import TaskScreen

        await self._look_up(asked.board_id, asked.task_id)
        ids = (asked.board_id, asked.task_id, asked.parent_id)
        page = self._kept(TaskScreen)
        if page is not None:
            page.begin(*ids)
        self._show(page or TaskScreen(self._context, *ids))

    async def show_thread(self, asked: ThreadRequested) -> None:
        """Show what was said about a task."""
        from tui.screens.thread.screen import ThreadScreen

        await self._look_up(asked.board_id, asked.task_id)
        ids = (asked.board_id, asked.task_id)
        page = self._kept(ThreadScreen)
        if page is not None:
            page.begin(*ids)
        self._show(page or ThreadScreen(self._context, *ids))

    async def _look_up(self, board_id: int, task_id: int) -> None:
        """Have the store open a task, and wait until it has read what it knows, if that is soon.

        So the first frame shows all that is known; a slow disk keeps nobody waiting.
        """
        known = asyncio.Event()

        async def open_task() -> None:
            try:
                await self._context.store.open_task(board_id, task_id)
            finally:
                known.set()

        self._app.run_worker(open_task(), group="open-task", exclusive=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(_SOON):
                await known.wait()

    def _kept(self, kind: type[PageScreen]) -> PageScreen | None:
        """The screen of that kind that was made before, unless it is in use."""
        name = kind.__name__
        if not self._app.is_screen_installed(name):
            return None
        page = self._app.get_screen(name)
        is_free = page not in self._app.screen_stack
        return page if is_free and isinstance(page, kind) else None

    def _show(self, page: Screen[None]) -> None:
        """Put a page in front; the first of its kind is kept."""
        name = type(page).__name__
        if not self._app.is_screen_installed(name):
            self._app.install_screen(page, name)
        self._app.push_screen(page)
