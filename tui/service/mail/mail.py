"""Letters that the service sends to people, and the thread that sends them.

The rule it keeps: sending never delays a request and never makes one fail. Letters wait in a line
of limited length; one that cannot be sent is logged, without its text and without credentials, and
is not sent again.
"""

import logging
import queue
import threading
from dataclasses import dataclass
from typing import Protocol

_log = logging.getLogger(__name__)

_LONGEST_LINE = 1000
_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Letter:
    """An e-mail in plain text."""

    to: str
    subject: str
    text: str


class Sender(Protocol):
    """Delivers letters, one at a time; whatever it raises means that a letter did not go out."""

    def send(self, letter: Letter) -> None:
        """Deliver a letter; may take its time."""


class MailRoom:
    """Hands letters to a sender on a thread of its own, which starts with the first letter."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._line: queue.Queue[Letter | None] = queue.Queue(_LONGEST_LINE)
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()
        self._is_closed = False

    def post(self, letter: Letter) -> None:
        """Put a letter into the line; one too many, or one after closing, is dropped and logged."""
        with self._turn:
            if self._is_closed:
                _log.warning("A letter came after the mail room was closed")
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()
        try:
            self._line.put_nowait(letter)
        except queue.Full:
            _log.warning("Too many letters are waiting; one was dropped")

    def close(self, patience: float = _PATIENCE_SECONDS) -> None:
        """Send what is waiting, for at most `patience` seconds."""
        with self._turn:
            self._is_closed = True
            thread = self._thread
        if thread is None:
            return
        try:
            self._line.put(None, timeout=patience)
        except queue.Full:
            return
        thread.join(patience)

    def _work(self) -> None:
        while (letter := self._line.get()) is not None:
            try:
                self._sender.send(letter)
            except Exception as error:  # noqa: BLE001 - whatever a server does, the next one goes out
                # Only the kind of the failure: servers repeat addresses and logins in theirs.
                _log.warning("A letter could not be sent: %s", type(error).__name__)
