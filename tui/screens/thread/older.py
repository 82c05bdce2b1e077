"""Loads older comments of a thread when the user comes near the last loaded one."""

from typing import Protocol

from textual.worker import Worker

from tui.actions.host import ErrorsSaid, Host
from tui.model.comment import Order
from tui.model.detail import TaskDetail
from tui.screens.thread.view import ThreadView

NEAR = 10
"""How many comments before the last loaded one older ones are requested."""


class _ThreadScreen(Host, Protocol):
    """The screen of a thread."""

    task_id: int
    order: Order
    thread: ThreadView

    @property
    def detail(self) -> TaskDetail | None:
        """The task with the comments loaded so far."""

    def show_thread(self) -> None:
        """Draw the thread."""


class OlderComments:
    """Requests older comments, once for each loaded page; `note` is the progress."""

    def __init__(self, page: _ThreadScreen) -> None:
        self._page = page
        self._is_loading = False
        self._problem = ""
        self._count_at_request: int | None = None
        self._worker: Worker[None] | None = None

    def begin(self) -> None:
        """Reset for another thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._is_loading, self._problem, self._count_at_request = False, "", None

    @property
    def note(self) -> str:
        """The note in place of older comments: loading, or why they are missing."""
        return "loading older comments …" if self._is_loading else self._problem

    def ask_again(self) -> None:
        """Request older comments again after a failure."""
        if not self._is_loading:
            self._count_at_request = None
            self.have_at_hand()

    def have_at_hand(self) -> None:
        """Request older comments if the last loaded one is near."""
        page, detail = self._page, self._page.detail
        if detail is None or not detail.comments or detail.all_comments or self._is_loading:
            return
        rows = len(page.thread.face.rows)
        first, last = page.thread.in_sight
        left = first if page.order is Order.OLDEST else rows - 1 - last
        if left < NEAR and self._count_at_request != len(detail.comments):
            self._count_at_request = len(detail.comments)
            self._is_loading = True
            page.show_thread()
            self._worker = page.run_worker(self._load(), group="older", exclusive=True)

    async def _load(self) -> None:
        page = self._page
        self._problem = "older comments could not be loaded"
        try:
            with ErrorsSaid(page):
                await page.context.store.older_comments(page.task_id)
                self._problem = ""
        finally:
            self._is_loading = False
        page.show_thread()
