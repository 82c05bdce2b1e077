"""A queue of e-mails, and the thread that sends them.

Sending never delays a request or makes it fail. The queue has a limited length; a failed e-mail is
logged without text and credentials, and not sent again.
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


class MailSender(Protocol):
    """Delivers e-mails, one at a time; any exception means that it was not sent."""

    def send(self, email: Email) -> None:
        """Deliver an e-mail; may block."""


class MailQueue:
    """Sends e-mails on a thread, which is started with the first one."""

    def __init__(self, sender: MailSender) -> None:
        self._sender = sender
        self._line: queue.Queue[Email | None] = queue.Queue(_LONGEST_LINE)
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()
        self._is_closed = False

    def post(self, email: Email) -> None:
        """Queue an e-mail; if the queue is full or closed, it is dropped and logged."""
        with self._turn:
            if self._is_closed:
                _log.warning("A letter came after the mail room was closed")
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()
        try:
            # A request must not wait for a slow mail server.
            self._line.put_nowait(email)
        except queue.Full:
            _log.warning("Too many letters are waiting; one was dropped")

    def close(self, patience: float = _PATIENCE_SECONDS) -> None:
        """Send the queued e-mails, for at most `patience` seconds."""
        with self._turn:
            self._is_closed = True
            thread = self._thread
        if thread is None:
            return
        try:
            # It ends the thread after everything that was queued before.
            self._line.put(None, timeout=patience)
        except queue.Full:
            return
        thread.join(patience)

    def _work(self) -> None:
        while (email := self._line.get()) is not None:
            try:
                self._sender.send(email)
            except Exception as error:  # noqa: BLE001 - whatever a server does, the next one goes out
                # Only the error's class: messages of servers contain addresses and logins.
                _log.warning("A letter could not be sent: %s", type(error).__name__)
