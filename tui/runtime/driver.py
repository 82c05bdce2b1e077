"""The driver of a terminal that may vanish or stall, and of a program that others stop.

It relies on private parts of Textual: tests/terminal/test_signals.py fails if they change.
"""

import fcntl
import os
import termios
from array import array
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

_IFLAG, _LFLAG = 0, 3


class TerminalDriver(LinuxDriver):
    """Textual's driver, mended where a program would hang or lose keys."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # Rich takes every dumb terminal for one of 80 by 25. The size that the terminal reports a
        # moment later would then come beside it, and Textual would lay out both in turn for ever.
        self._size = self._size or self._get_terminal_size()
        if self._file is not None:
            self._file = cast("TextIOWrapper", LastingOutput(self._file))

    def start_application_mode(self) -> None:
        """Take over the terminal, with what was typed before that.

        Until then the terminal's line editing turned Enter into a line feed, which is another key.
        """
        before = None
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(self.fileno) == os.getpgrp():
                before = termios.tcgetattr(self.fileno)
                if typed := self._typed_before(termios.tcgetattr(self.fileno)):
                    parser = XTermParser()
                    for event in (*parser.feed(typed.replace("\n", "\r")), *parser.feed("")):
                        self.process_message(event)
        super().start_application_mode()  # type: ignore[no-untyped-call]  # it has none
        self.attrs_before = before or self.attrs_before

    def _typed_before(self, mode: list[Any]) -> str:
        """What waits to be read; leaves the terminal without line editing."""
        mode[_LFLAG] = self._patch_lflag(mode[_LFLAG])
        mode[_IFLAG] = self._patch_iflag(mode[_IFLAG])
        termios.tcsetattr(self.fileno, termios.TCSANOW, mode)
        count = array("i", [0])
        fcntl.ioctl(self.fileno, termios.FIONREAD, count)
        typed = os.read(self.fileno, count[0]) if count[0] else b""
        try:
            return typed.decode()
        except UnicodeDecodeError:
            return typed.decode("latin-1")

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
