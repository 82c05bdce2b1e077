"""The driver of a terminal that may vanish, stall or send anything.

It relies on private parts of Textual: tests/runtime/test_driver.py and tests/terminal fail if they
change.
"""

import asyncio
import fcntl
import os
import re
import select
import signal
import termios
import time
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, ClassVar, TextIO

from textual import events
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from tui.runtime.changed_cells import TerminalCells
from tui.runtime.last_frame import ENTER_SCREEN, last_frame

COLUMNS, LINES = 1_000, 500
"""The largest size that is drawn: more than the largest screen has in the smallest readable type.

A terminal may claim any size, and what is laid out and painted grows with it.
"""

_IFLAG, _LFLAG = 0, 3
_MOST_UNWRITTEN = 10
_STOPPED_WITHIN = 0.2
_MOST_UNHANDLED = 1_000
_ASK_EVERY = 256
_ESCAPE_SECONDS = ESCAPE_DELAY if "ESCDELAY" in os.environ else 0.05
"""How long to wait after an Esc for the rest of a key: a slow link may tear one apart."""
_SILENCE = 0.5
"""Seconds without input after which an unfinished answer counts as ended."""

_STRING = re.compile(r"\x1b(?:\]\d|P[\d>!$+=|]|_G)")
"""How the answers begin that contain a text: OSC, DCS, APC."""
_STRING_END = re.compile(r"\x07|\x1b\\|(?=\x1b[^\\])|(?=[\0-\6\x08-\x1a\x1c-\x1f])")
"""BEL or ST; an answer that was cut ends before the next sequence or control character."""
_NO_KEY = re.compile(
    r"\x1b\[(?:[?>=][\d;:]*(?:[A-Za-z]|\$[a-x])|[\d;:]+[cnx]|[0-?]{30,}[ -/]*[@-~]?)"
)
"""Reports that nobody asked for, and sequences that are too long for a key."""
_LONGEST_KEY = 2
"""How many characters of what begins an answer are a key by themselves: Esc, Alt+[."""
_BEGUN = re.compile(r"\x1b(?:[]P_]|\[[<?\d;:]*)?\Z")
_SEQUENCE = re.compile(r"\x1b\[<?\d[\d;:]*[A-Za-z~]")
"""A key or mouse report that nobody types by hand after Esc."""
_GO_ON = "\x1b[O]P_"
"""What begins a longer sequence after Esc; anything else came with Alt, or right behind Esc."""
_HALF = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which UTF-8 cannot encode."""


class Input(XTermParser):
    """Textual's parser, for whatever a terminal sends.

    An answer that was not asked for, or asked for by a program that is gone, types no keys, and
    numbers out of range end nothing. `clock` is monotonic; `has_more` waits so many seconds for
    more to read.
    """

    def __init__(
        self,
        debug: bool = False,
        clock: Callable[[], float] = time.monotonic,
        has_more: Callable[[float], bool] = bool,
    ) -> None:
        super().__init__(debug)
        self._clock = clock
        self._has_more = has_more
        self._fed_at = clock()
        self._is_in_string = False
        self._begun = ""
        self._torn = ""

    def feed(self, data: str) -> Iterable[Message]:
        # A slow link may tear a report apart: its beginning is typed as keys only if the new data
        # does not complete it.
        if data and not _SEQUENCE.match(self._begun + data):
            yield from self._late()
        if data and self._torn:
            # The beginning was given out as keys already; the other half must not be typed too.
            continuation = _SEQUENCE.match(self._torn + data)
            data = data if continuation is None else data[continuation.end() - len(self._torn) :]
            self._torn = ""
        typed = self._typed(data) if data else self._begun
        if typed:
            yield from super().feed(typed)
        if not data:
            yield from super().feed("")
        elif data == typed == "\x1b" and not self._has_more(_ESCAPE_SECONDS):
            self._torn, self._timeout_time = data, 0.0  # Textual would wait three times as long
            yield from super().tick()
        self._fed_at = self._clock()  # handling the keys may have taken long

    def tick(self) -> Iterable[Message]:
        yield from self._late()
        yield from super().tick()

    def _late(self) -> Iterable[Message]:
        # Types as keys what looked like the beginning of an answer but did not go on in time.
        wait = ESCAPE_DELAY if len(self._begun) <= _LONGEST_KEY else _SILENCE
        if self._begun and not self._is_in_string and self._clock() - self._fed_at > wait:
            prefix, self._begun = self._begun, ""
            self._torn = prefix
            yield from super().feed(prefix)
            if self._timeout_time is not None:
                self._timeout_time = 0.0  # it has waited here already
            yield from super().tick()

    def _typed(self, data: str) -> str:
        now = self._clock()
        # An answer that lost its end must not swallow keys for ever.
        if now - self._fed_at > _SILENCE:
            self._is_in_string = False
        self._fed_at = now
        data, self._begun = self._begun + data, ""
        parts = []
        while data:
            if self._is_in_string:
                end = _STRING_END.search(data)
                if end is None:
                    # This Esc may be the first half of the terminator ST, `ESC \`.
                    self._begun = "\x1b" if data.endswith("\x1b") else ""
                    break
                self._is_in_string = False
                data = data[end.end() :]
            else:
                start = _STRING.search(data)
                parts.append(data if start is None else data[: start.start()])
                self._is_in_string = start is not None
                data = "" if start is None else data[start.end() :]
        typed = _NO_KEY.sub("", "".join(parts))
        # A lone Esc goes to the parser at once: `feed` asks itself whether anything follows.
        if not self._is_in_string and len(typed) > 1 and (prefix := _BEGUN.search(typed)):
            self._begun = prefix[0]
            typed = typed[: prefix.start()]
        return typed

    def parse_mouse_code(self, code: str) -> Message | None:
        sizes = (self.terminal_size, self.terminal_pixel_size)
        if any(size is not None and not all(size) for size in sizes):
            self.mouse_pixels = False  # cells cannot be computed from a size of nothing
        return super().parse_mouse_code(code)

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        # Textual drops the Esc of most keys that follow it, and makes others of some.
        if len(sequence) == len("\x1b?") and sequence[0] == "\x1b" and sequence[1] not in _GO_ON:
            sequence, alt = sequence[1], True
        for key in super()._sequence_to_key_events(sequence, alt=alt):
            if alt and key.key != Keys.Ignore and not key.key.startswith("alt+"):
                yield events.Key(f"alt+{key.key}", key.character)
            else:
                yield key

    def _parse_extended_key(  # type: ignore[override]  # there it is cached
        self, sequence: str
    ) -> list[events.Key] | None:
        try:
            return super()._parse_extended_key(sequence)
        except (ValueError, OverflowError):  # no character has that number
            return [events.Key(Keys.Ignore, sequence)]


class Output(Thread):
    """Writes to the terminal in a thread, in place of Textual's writer.

    The event loop never waits for a terminal that reads slowly or not at all: `is_behind` says that
    frames should be left out, and `caught_up` is called once it has read the others. A program that
    shares the terminal may have set it to non-blocking. When it is gone, nothing is written.
    """

    last_seconds: ClassVar[float] = 2.0
    """How long to wait at the end for a terminal that does not read."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(daemon=True, name="textual-output")
        self._descriptor = file.fileno()
        self._encoding, self._errors = file.encoding, "replace"
        self._unwritten: SimpleQueue[str | None] = SimpleQueue()
        self._frame: list[str] = []
        self._has_left_out = False
        self._is_over = False
        self.caught_up: Callable[[], object] = bool

    @property
    def is_behind(self) -> bool:
        """Whether so much is unwritten that frames should be left out, until `caught_up`."""
        is_behind = self._unwritten.qsize() >= _MOST_UNWRITTEN
        if is_behind and not self._has_left_out:
            self._has_left_out = True
            # The thread may have emptied the queue meanwhile: this wakes it, so that it calls
            # `caught_up`.
            self._unwritten.put("")
        return is_behind

    def write(self, text: str) -> None:
        # The parts of a frame are handed over together, so that the thread wakes once.
        self._frame.append(text)
        if self._frame[0] != SYNC_START or text == SYNC_END:
            self._unwritten.put("".join(self._frame))
            self._frame.clear()

    def flush(self) -> None:
        pass  # all is written as soon as possible

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return True

    def stop(self) -> None:
        """Write the rest, but do not wait long for a terminal that does not read."""
        self._unwritten.put("".join(self._frame))
        self._unwritten.put(None)
        # The thread is a daemon, so one that is stuck in `write` does not keep the process alive.
        self.join(self.last_seconds)
        self._is_over = True

    def run(self) -> None:
        is_last = False
        while not is_last:
            texts = [self._unwritten.get()]
            with suppress(Empty):
                while texts[-1] is not None:
                    texts.append(self._unwritten.get_nowait())
            is_last = texts[-1] is None
            self._send("".join(filter(None, texts)).encode(self._encoding, self._errors))
            if self._has_left_out and self._unwritten.empty():
                self._has_left_out = False
                self.caught_up()

    def _send(self, data: bytes) -> None:
        unsent = memoryview(data)
        while unsent and not self._is_over:
            try:
                unsent = unsent[os.write(self._descriptor, unsent) :]
            except BlockingIOError:
                # Another program that shares the open terminal has set O_NONBLOCK on it.
                select.select([], [self._descriptor], [], 1.0)
            except OSError:
                self._is_over = True


# Textual's driver makes them itself.
setattr(linux_driver, "XTermParser", Input)  # noqa: B010  mypy knows it as something that is not set
setattr(linux_driver, "WriterThread", Output)  # noqa: B010  as above


class NotSuspended(Message):
    """The program could not be stopped, because no shell would continue it."""


class TerminalDriver(LinuxDriver):
    """Textual's driver, mended where a program would hang or lose keys."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.cells = TerminalCells()
        super().__init__(*given, **named)
        setattr(linux_driver, "XTermParser", partial(Input, has_more=self._has_more))  # noqa: B010
        # Rich takes every dumb terminal for one of 80 by 25. The size that the terminal reports a
        # moment later would then come beside it, and Textual would lay out both in turn for ever.
        self._size = self._size or self._get_terminal_size()
        self._sent = 0
        self._was_continued = False
        self._has_frame = False

    @property
    def is_behind(self) -> bool:
        """Whether the terminal reads so slowly that frames should be left out."""
        output: object = self._writer_thread
        return isinstance(output, Output) and output.is_behind

    def start_application_mode(self) -> None:
        # The mode to restore at the end is read first: the last frame has changed it, and so do
        # `_typed_before` and Textual.
        previous_mode = last_frame.take_over()
        self._has_frame = previous_mode is not None
        with suppress(OSError, termios.error):
            # In the background `tcsetattr` would stop the program by SIGTTOU.
            if os.tcgetpgrp(self.fileno) == os.getpgrp():
                previous_mode = previous_mode or termios.tcgetattr(self.fileno)
                if typed := self._typed_before(termios.tcgetattr(self.fileno)):
                    # Line editing turned Enter into a line feed, which is another key.
                    parser = Input()
                    for event in (*parser.feed(typed.replace("\n", "\r")), *parser.feed("")):
                        self.process_message(event)
        # A signal handler may interrupt itself: Textual's would report the older of two sizes last.
        # The event loop calls it once after the other; until then a change of size waits.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGWINCH,))
        try:
            super().start_application_mode()  # type: ignore[no-untyped-call]  # it has none
            handler = signal.getsignal(signal.SIGWINCH)
            if callable(handler):
                self._loop.add_signal_handler(signal.SIGWINCH, handler, signal.SIGWINCH, None)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGWINCH,))
        if self._has_frame:
            self.cells.read(last_frame.rows)
        self.attrs_before = previous_mode or self.attrs_before
        output: object = self._writer_thread
        if isinstance(output, Output):
            # It is called in the output thread, where nothing of Textual may be touched.
            output.caught_up = lambda: self._loop.call_soon_threadsafe(self._app.refresh)

    def _has_more(self, seconds: float) -> bool:
        return bool(select.select([self.fileno], [], [], seconds)[0])

    def write(self, data: str) -> None:
        if data == ENTER_SCREEN and self._has_frame:
            return  # the terminal would clear it
        super().write(data)

    def _typed_before(self, mode: list[Any]) -> str:
        # While line editing is on, an unfinished line cannot be read; so it is left switched off.
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

    def _fills_what_it_erases(self) -> bool:
        try:
            import _curses
        except ImportError:
            return False
        try:
            _curses.setupterm(None, self.fileno)
        except _curses.error:
            return False
        return _curses.tigetflag("bce") > 0

    def _get_terminal_size(self) -> tuple[int, int]:
        # Textual asks when it takes the terminal, which others may have used, and at a new size.
        self.cells.lose()
        columns, lines = super()._get_terminal_size()
        return min(columns, COLUMNS), min(lines, LINES)

    def process_message(self, message: Message) -> None:
        if isinstance(message, TerminalSupportsSynchronizedOutput):
            # A terminal with synchronized output is a recent one. Older multiplexers and emulators
            # do not fill what they erase, whatever TERM says.
            self.cells.erases = self._fills_what_it_erases()
        if isinstance(message, events.Resize):
            columns, lines = message.size
            # Without in-band reports (mode 2048) sizes come by SIGWINCH, and nobody asked for this.
            if not (self._in_band_window_resize and columns and lines):
                return
            size = Size(min(columns, COLUMNS), min(lines, LINES))
            if size != self._size:  # some terminals tell it at the start, too
                self.cells.lose()
            self._size = size
            message = events.Resize(size, size, pixel_size=message.pixel_size)
        if isinstance(message, events.Key) and _HALF.search(message.character or ""):
            return  # it can be neither written nor stored
        super().process_message(message)

    def send_message(self, message: Message) -> None:
        sending = asyncio.run_coroutine_threadsafe(self._app._post_message(message), self._loop)  # noqa: SLF001
        self._sent += 1
        if self._sent % _ASK_EVERY:
            return
        # Stop reading while the message queue is over its limit: a terminal may send events faster
        # than the program handles them.
        while not self.exit_event.is_set() and (
            not sending.done() or self._app.message_queue_size > _MOST_UNHANDLED
        ):
            time.sleep(0.01)

    def _sigtstp_application(self, *_: object) -> None:
        # Process 0 is the whole group: a shell waits until all of its job is stopped. The kernel
        # ignores SIGTSTP in an orphaned group, which no shell would continue; the program then goes
        # on and says so.
        if self._auto_restart:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self._was_continued = False
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0 if self._auto_restart else os.getpid(), signal.SIGTSTP)
        # Whether the process was stopped is known only by the SIGCONT that continues it.
        until = time.monotonic() + _STOPPED_WITHIN
        while not self._was_continued and time.monotonic() < until:
            time.sleep(_STOPPED_WITHIN / 10)
        signal.signal(signal.SIGTSTP, handler)
        if not self._was_continued and self._auto_restart:
            self.resume_application_mode()
            self._app.post_message(NotSuspended())

    def _sigcont_application(self, *_: object) -> None:
        # A shell may have used the terminal. Textual takes it over again only after ctrl+z; after
        # any other stop it would read keys in two threads and end one of them, and would leave the
        # terminal in its own mode.
        self._was_continued = True
        if self._must_signal_resume or not self._auto_restart:
            super()._sigcont_application()
        else:  # not at once: the signal may come while something is being written
            self._loop.call_soon_threadsafe(self._take_over_again)

    def _take_over_again(self) -> None:
        # A shell also continues whom it hangs up on: once the program ends, a thread that begins to
        # read would never be told to stop.
        thread = self._writer_thread
        if not self._app.is_running:
            return
        if thread is not None and thread.is_alive():  # else it has not begun, or has been left
            self.suspend_application_mode()
            self._must_signal_resume = True
            self.resume_application_mode()
