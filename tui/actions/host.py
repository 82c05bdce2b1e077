"""The interface of screens that actions run on."""

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker

from tui.context import Context
from tui.errors import CallboardError
from tui.model.people import Role

Answer = TypeVar("Answer")


class Host(Protocol):
    """A screen with a status line."""

    context: Context

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


class ErrorsSaid:
    """A context manager that shows a `CallboardError` on the status line and suppresses it."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        """Do nothing on entry."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> bool:
        """Show a `CallboardError`; let other exceptions pass."""
        if not isinstance(error, CallboardError):
            return False
        self._host.say(error.message, hint=error.hint, error=True)
        return True
