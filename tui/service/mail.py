"""Emails that the service sends to people, and the thread that sends them.

Sending never delays a request and never makes one fail. Emails wait in a line of limited length;
one that cannot be sent is logged, without its text and without credentials, and is not sent again.
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
class Email:
    """An e-mail in plain text."""

    to: str
    subject: str
    text: str


class Sender(Protocol):
    """Delivers emails, one at a time; whatever it raises means that a email did not go out."""

    def send(self, email: Email) -> None:
        """Deliver a email; may take its time."""


class MailQueue:
    """Hands emails to a sender on a thread of its own, which starts with the first email."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._line: queue.Queue[Email | None] = queue.Queue(_LONGEST_LINE)
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()
        self._is_closed = False

    def post(self, email: Email) -> None:
        """Put a email into the line; one too many, or one after closing, is dropped and logged."""
        with self._turn:
            if self._is_closed:
                _log.warning("A letter came after the mail room was closed")
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()
        try:
            self._line.put_nowait(email)
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
        while (email := self._line.get()) is not None:
            try:
                self._sender.send(email)
            except Exception as error:  # noqa: BLE001 - whatever a server does, the next one goes out
                # Only the kind of the failure: servers repeat addresses and logins in theirs.
                _log.warning("A letter could not be sent: %s", type(error).__name__)
