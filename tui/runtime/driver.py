"""The driver of a terminal that may vanish, and of a program that may be stopped and continued.

It relies on private parts of Textual: tests/terminal/test_signals.py fails if they change.
"""

from contextlib import suppress
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Textual's driver, mended where a program would hang."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # Rich takes every dumb terminal for one of 80 by 25. The size that the terminal reports a
        # moment later would then come beside it, and Textual would lay out both in turn for ever.
        self._size = self._size or self._get_terminal_size()
        if self._file is not None:
            self._file = cast("TextIOWrapper", LastingOutput(self._file))

    def _sigcont_application(self, *_: object) -> None:
        """Take the terminal over again, as a shell may have used it.

        Textual does so only after ctrl+z. After any other stop it would read keys in two threads
        and end one of them, and would leave the terminal in its own mode.
        """
        if self._must_signal_resume or not self._auto_restart:
            super()._sigcont_application()
        else:  # not at once: the signal may come while something is being written
            self._loop.call_soon_threadsafe(self._take_over_again)

    def _take_over_again(self) -> None:
        thread = self._writer_thread
        if thread is not None and thread.is_alive():  # else it has not begun, or has been left
            self.suspend_application_mode()
            self._must_signal_resume = True
            self.resume_application_mode()


class LastingOutput:
    """An output to which nothing more is written once the terminal is gone.

    An error would end Textual's thread that writes, for which the program would wait for ever.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self.fileno = output.fileno

    def write(self, text: str) -> None:
        """Write a text, if anybody can see it."""
        with suppress(OSError):
            self._output.write(text)

    def flush(self) -> None:
        """Let what was written be seen."""
        with suppress(OSError):
            self._output.flush()
