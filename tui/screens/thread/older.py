"""The older comments of a thread, asked for when one comes near the end of those known."""

from typing import Protocol

from textual.worker import Worker

from tui.actions.host import ErrorsSaid, Host
from tui.model.comment import Order
from tui.model.detail import TaskDetail
from tui.screens.thread.view import ThreadView

NEAR = 10
"""So many comments before the end of those known, older ones are asked for."""


class _Page(Host, Protocol):
    """The screen of a thread."""

    task_id: int
    order: Order
    thread: ThreadView

    @property
    def detail(self) -> TaskDetail | None:
        """The task with what is known of its comments."""

    def show_thread(self) -> None:
        """Draw the thread."""


class OlderComments:
    """Asks for older comments, once for each that is near the end; `note` says how that goes."""

    def __init__(self, page: _Page) -> None:
        self._page = page
        self._is_loading = False
        self._trouble = ""
        self._asked_with: int | None = None
        self._worker: Worker[None] | None = None

    def begin(self) -> None:
        """Begin with another thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._is_loading, self._trouble, self._asked_with = False, "", None

    @property
    def note(self) -> str:
        """What is said of the older comments."""
        return "loading older comments …" if self._is_loading else self._trouble

    def ask_again(self) -> None:
        """Ask once more for what could not be had."""
        if not self._is_loading:
            self._asked_with = None
            self.have_at_hand()

    def have_at_hand(self) -> None:
        """Ask for older comments if one is near the end of those known."""
        page, detail = self._page, self._page.detail
        if detail is None or not detail.comments or detail.all_comments or self._is_loading:
            return
        rows = len(page.thread.face.rows)
        first, last = page.thread.in_sight
        left = first if page.order is Order.OLDEST else rows - 1 - last
        if left < NEAR and self._asked_with != len(detail.comments):
            self._asked_with = len(detail.comments)
            self._is_loading = True
            page.show_thread()
            self._worker = page.run_worker(self._load(), group="older", exclusive=True)

    async def _load(self) -> None:
        page = self._page
        self._trouble = "older comments could not be loaded"
        try:
            with ErrorsSaid(page):
                await page.context.store.older_comments(page.task_id)
                self._trouble = ""
        finally:
            self._is_loading = False
        page.show_thread()
