"""The interface of screens that actions run on."""

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from tui.context import Context
from tui.errors import CallboardError
from tui.model.people import Role
from tui.runtime.key_queue import Opening, await_opening, drop_keys

Answer = TypeVar("Answer")
_DIALOG = "dialog"
"""The group of the workers that ask with dialogs."""


class Host(Protocol):
    """A screen with a status line."""

    context: Context
    dialogs: "Dialogs"

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def role(self) -> Role:
        """The user's role on the board that is shown."""

    @property
    def waits_for(self) -> str:
        """What blocks most actions now, in words; empty if nothing does."""

    def say(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Show a message on the status line until the next key; an error until Esc."""

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for the answer; None if it was cancelled."""

    def post_message(self, message: Message) -> bool:
        """Request another screen from the application."""

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool
    ) -> Worker[None]:
        """Run something in the background; `exclusive` cancels other workers of the group."""


class Dialogs:
    """Runs what asks with dialogs in workers of a screen, one at a time."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._submitting: Worker[Any] | None = None

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for its result; None if it was cancelled."""
        answer = await self._host.app.push_screen_wait(dialog)
        worker = get_current_worker()
        if answer is not None and worker.group == _DIALOG:
            self._submitting = worker
        return answer

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` instead of what runs now, unless that has an answer and submits it."""
        if self.says_it_submits():
            work.close()
        else:
            worker = self._host.run_worker(work, group=_DIALOG, exclusive=True)
            app, here = self._host.app, self._host.app.screen
            is_coming = lambda: app.screen is here and not worker.is_finished  # noqa: E731
            await_opening(app, Opening(is_coming, worker.cancel))

    def says_it_submits(self) -> bool:
        """If the answer of a dialog is still being submitted, say so and return True."""
        is_submitting = self._submitting is not None and self._submitting.is_running
        if is_submitting:
            self._host.say("wait: the last answer is still being sent")
        return is_submitting


class ErrorsSaid:
    """A context manager that shows a `CallboardError` on the status line and suppresses it.

    Keys that were typed before it could be read, and still wait, are dropped.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        """Do nothing on entry."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> bool:
        """Show a `CallboardError`; let other exceptions pass."""
        if not isinstance(error, CallboardError):
            return False
        self._host.say(error.message, hint=error.hint, error=True)
        drop_keys(self._host.app)
        return True
