"""What an action needs of the screen that it runs on."""

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker

from tui.context import Context
from tui.errors import CallboardError

Answer = TypeVar("Answer")


class Host(Protocol):
    """A screen with a status line."""

    context: Context

    @property
    def app(self) -> App[object]:
        """The program."""

    @property
    def is_read_only(self) -> bool:
        """Whether the person may only read what is shown."""

    @property
    def waits_for(self) -> str:
        """What most actions wait for, in words; empty if they do not."""

    def say(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Say something on the status line: until the next key, an error until Esc."""

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for the answer; None if it was left."""

    def post_message(self, message: Message) -> bool:
        """Ask the program for another screen."""

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool
    ) -> Worker[None]:
        """Go on with something beside the keys; `exclusive` ends others of the group."""


class ErrorsSaid:
    """A block in which what goes wrong is said; then it goes on after the block."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> bool:
        """Say what went wrong, if it is one of our errors."""
        if not isinstance(error, CallboardError):
            return False
        self._host.say(error.message, hint=error.hint, error=True)
        return True
