"""A terminal with a program in it: a pseudo-terminal, and a screen that its output is drawn on.

Nothing is waited for by time. Every wait reads what the program writes until
something is to be seen, and fails with the screen as it was when its deadline passes.
"""

import contextlib
import fcntl
import os
import select
import signal
import termios
import time
import warnings
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Self

import pexpect
import pyte

SECONDS = 30.0
"""How long anything may take, on a machine that is busy with other tests."""

READ_BYTES = 65536
POLL_SECONDS = 0.05
LOOKS = 20

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "space": " ",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "ctrl+@": "\0",
    **{f"ctrl+{letter}": chr(ord(letter) - 0x60) for letter in ascii_lowercase},
}
"""What a terminal sends for keys that are no character; every other key sends itself."""


_IS_SYNCHRONIZED = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
"""The query for synchronized output, and what a terminal says that has it."""

_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"
"""Around each frame of such output."""
_RESET = b"\x1bc"
"""Resets a terminal, which shows what it has then, also in the middle of a frame."""


def _end_with_the_terminal() -> None:
    # Whoever runs the tests may ignore that, as after `nohup`.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _mode_of_a_new_terminal() -> list[object]:
    # Not asked of the program's own terminal: on a busy machine the program may have changed its
    # mode before this process gets to ask.
    leader, follower = os.openpty()
    try:
        return list(termios.tcgetattr(leader))
    finally:
        os.close(leader)
        os.close(follower)


class _Screen(pyte.Screen):
    """A screen that ignores what it cannot erase, as terminals do.

    A kill may cut off the number of a color, of which the `K` of “Killed” is then the end.
    """

    def erase_in_line(self, how: int = 0, *rest: int, private: bool = False) -> None:
        if how in range(3) and not rest:
            super().erase_in_line(how, private=private)


class Terminal:
    """A program in a terminal of so many columns and lines.

    Its output is synchronized, as in most terminals of today: a frame is seen whole or not at all.
    Other queries of it go unanswered.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path,
        columns: int = 120,
        lines: int = 36,
    ) -> None:
        self.screen = _Screen(columns, lines)
        self.written = bytearray()
        self._is_asked = False
        self._answered = 0
        self._undrawn = b""
        self._cells: list[list[str]] | None = None
        self._text: str | None = None
        self._mode = _mode_of_a_new_terminal()
        self._stream = pyte.ByteStream(self.screen)
        with warnings.catch_warnings():
            # The child becomes another program at once, so threads of this one do not matter.
            warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
            self._child: pexpect.spawn[bytes] = pexpect.spawn(
                command[0],
                list(command[1:]),
                env=dict(environment),
                cwd=str(folder),
                dimensions=(lines, columns),
                echo=True,
                preexec_fn=_end_with_the_terminal,
            )
        self._child.delaybeforesend = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def cells(self) -> list[list[str]]:
        """The screen, cell by cell; the second cell of a wide character is empty."""
        if self._cells is None:
            buffer, across = self.screen.buffer, range(self.screen.columns)
            rows = (buffer[y] for y in range(self.screen.lines))
            self._cells = [[row[x].data for x in across] for row in rows]
        return self._cells

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        return ["".join(line) for line in self.cells]

    @property
    def text(self) -> str:
        """Everything on the screen."""
        if self._text is None:
            self._text = "\n".join(line.rstrip() for line in self.lines)
        return self._text

    @property
    def cursor(self) -> tuple[int, int]:
        """The column and line of the terminal's own cursor."""
        return self.screen.cursor.x, self.screen.cursor.y

    def draw(self) -> None:
        """Draw what the program has written so far."""
        self.read(0)

    def press(self, *keys: str) -> None:
        """Press these keys."""
        self.send("".join(KEYS.get(key, key) for key in keys))

    def paste(self, text: str) -> None:
        """Paste a text the way a terminal does, in brackets."""
        self.send(f"\x1b[200~{text}\x1b[201~")

    def drag(self, start: tuple[int, int], *path: tuple[int, int]) -> None:
        """Press the mouse in a cell (column, line; from 0), move it along a path and let go."""
        self.send(_mouse(0, start, "M"))
        for cell in path:
            self.send(_mouse(32, cell, "M"))
        self.send(_mouse(0, path[-1] if path else start, "m"))

    def send(self, data: str | bytes) -> None:
        """Send what a terminal would send, reading what comes back meanwhile."""
        self.read(0)
        self._child.send(data.encode() if isinstance(data, str) else data)

    def write_over(self, text: str) -> None:
        """Write what another program writes on the same terminal, at the top left."""
        self.read(0)
        self._stream.feed(f"\x1b7\x1b[H{text}\x1b8".encode())
        self._forget()

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size; its screen is blank until it is drawn anew."""
        self.read(0)
        self.screen.resize(lines, columns)
        self.screen.reset()
        self._forget()
        self._child.setwinsize(lines, columns)

    def until(self, holds: Callable[[], object], what: str, *, seconds: float = SECONDS) -> None:
        """Read until something holds; `what` says it in words, for when it never does."""
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"not seen in {seconds:g} s: {what}\n{self.text}")
            if not self.read(POLL_SECONDS) and not holds():
                raise AssertionError(f"the program ended before this: {what}\n{self.text}")

    def sees(self, *texts: str) -> None:
        """Read until all of these texts are on the screen."""
        for text in texts:
            self.until(lambda text=text: text in self.text, repr(text))  # type: ignore[misc]

    def misses(self, text: str) -> None:
        """Read until a text is no longer on the screen."""
        self.until(lambda: text not in self.text, f"no {text!r}")

    def writes(self, text: str) -> None:
        """Read until the program has written a text after the one that was waited for last.

        For what asks line by line: a question may be asked twice, and stays on the screen.
        """
        self.until(lambda: text.encode() in self.written[self._answered :], f"{text!r} is written")
        self._answered = self.written.index(text.encode(), self._answered) + len(text.encode())

    def signal(self, *numbers: int) -> None:
        """Send signals to the program."""
        for number in numbers:
            self._child.kill(number)

    def is_stopped(self) -> bool:
        """Whether the program is stopped, by itself or others."""
        looking = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._child.pid or 0, looking) is not None

    def kill(self) -> None:
        """Kill the program, now; it gets no chance to do anything."""
        if not self._child.closed:
            self._child.kill(signal.SIGKILL)
            self._child.wait()
            self._child.close()

    def hang_up(self) -> None:
        """Close the terminal on the program, as when its window is closed, and wait for its end."""
        with contextlib.suppress(pexpect.ExceptionPexpect):  # it has not ended at once
            self._child.close(force=False)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._child.pid or 0, 0)
        self._child.closed = True

    def ends(self, *, seconds: float = SECONDS) -> None:
        """Read until the program has ended, leaving the terminal's mode as it was."""
        deadline = time.monotonic() + seconds
        while self.read(POLL_SECONDS):
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {seconds:g} s\n{self.text}")
        self._child.wait()
        end = f"exit code {self._child.exitstatus}, signal {self._child.signalstatus}"
        mode = termios.tcgetattr(self._child.child_fd)
        assert mode == self._mode, f"{end}: mode {mode}, not {self._mode}\n{self.text}"

    def exit_code(self, *, seconds: float = SECONDS) -> int:
        """Read until the program has ended by itself, leaving the terminal's mode as it was."""
        self.ends(seconds=seconds)
        self._child.close()
        if self._child.exitstatus is None:
            raise AssertionError(f"ended by signal {self._child.signalstatus}\n{self.text}")
        return self._child.exitstatus

    def ends_well(self) -> None:
        """Read until the program has ended by itself, without an error."""
        code = self.exit_code()
        assert code == 0, f"the program ended with {code}\n{self.text}"

    def read(self, seconds: float) -> bool:
        """Draw what the program has written, waiting so long for more; whether it still runs."""
        with contextlib.suppress(pexpect.TIMEOUT):
            try:
                data = self._output(seconds)
            except pexpect.EOF:
                return False
            self.written += data
            self._answer()
            self._draw(data)
        return True

    def _output(self, seconds: float) -> bytes:
        try:
            return self._child.read_nonblocking(READ_BYTES, seconds)
        except pexpect.EOF:
            # Raised, too, if the program wrote and ended between the wait and the look at it.
            return self._child.read_nonblocking(READ_BYTES, 0)

    def _answer(self) -> None:
        """Answer the query for synchronized output, once."""
        query, answer = _IS_SYNCHRONIZED
        if not self._is_asked and query in self.written:
            self._is_asked = True
            self._child.send(answer)

    def _draw(self, data: bytes) -> None:
        """Draw these and earlier bytes, but for a frame at their end that is not whole."""
        data = self._undrawn + data
        begun = data.rfind(_BEGIN)
        if begun < 0 or _END in data[begun:] or _RESET in data[begun:]:
            last = data.rfind(_BEGIN[:1])
            begun = last if last >= 0 and _BEGIN.startswith(data[last:]) else len(data)
        self._undrawn = data[begun:]
        self._stream.feed(data[:begun])
        self._forget()

    def _forget(self) -> None:
        """The screen has changed: what was read off it is old."""
        self._cells = self._text = None


def stall(descriptor: int) -> None:
    """Have a program write, and read nothing, until it cannot write any more."""
    unread, looks = array("i", [0]), 0
    while looks < LOOKS:
        os.write(descriptor, b"jk" * 20)
        select.select([], [], [], POLL_SECONDS)
        before = unread[0]
        fcntl.ioctl(descriptor, termios.FIONREAD, unread)
        looks = looks + 1 if unread[0] == before else 0


def _mouse(button: int, cell: tuple[int, int], end: str) -> str:
    """What a terminal sends for the mouse, in SGR form."""
    return f"\x1b[<{button};{cell[0] + 1};{cell[1] + 1}{end}"
