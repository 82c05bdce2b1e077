"""The last frame of the program, which `callboard` shows at once while it starts.

Until it is shown, only `os`, `signal` and `termios` are imported: all that the program needs takes
ten times as long. Keys that are typed meanwhile are read by the program once it runs. It draws on
standard error, as Textual does.
"""

import os
import signal
import stat
import termios

ENTER_SCREEN = "\x1b[?1049h"
"""Shows the terminal's other screen, which programs draw on."""
MOST_BYTES = 64 << 10
SIGN = " from last time "
"""Shown at the right end of the first line, in place of the sync status."""

_LEAVE_SCREEN = b"\x1b[?25h\x1b[?1049l"
_HIDE_CURSOR = b"\x1b[?25l"
_BEGIN_FRAME, _END_FRAME = b"\x1b[?2026h", b"\x1b[?2026l"
"""Synchronized output: terminals that know it show the frame whole, others ignore it."""
_STREAMS = _KEYBOARD, _OUTPUT, _TERMINAL = range(3)
_IFLAG, _LFLAG = 0, 3
_KIND = (
    *("TERM", "COLORTERM", "NO_COLOR", "CALLBOARD_PROFILE"),
    *("LC_ALL", "LC_CTYPE", "LANG", "PYTHONIOENCODING"),
)
"""The variables that decide how a frame looks and which profile it shows."""
_MOST_IN_FILE = MOST_BYTES + 4096
"""The frame and its kind, which names variables of any length; a longer file is none of ours."""


class LastFrame:
    """The frame that is on the terminal until the program takes it over.

    `is_wanted` if this run is one that such a frame can be kept of for the next one. `rows` says
    what is on the terminal, see `tui.runtime.changed_cells`.
    """

    def __init__(self) -> None:
        self.is_wanted = False
        self.rows = b""
        self._mode: list[object] | None = None

    @property
    def path(self) -> str:
        """Its file: that of `Places.last_frame`, which would have to be imported."""
        if home := os.environ.get("CALLBOARD_HOME", "").strip():
            folder = os.path.join(os.path.abspath(os.path.expanduser(home)), "cache")
        else:
            caches = os.environ.get("XDG_CACHE_HOME", "").strip()
            folder = os.path.join(caches or os.path.expanduser("~/.cache"), "callboard")
        return os.path.join(folder, "last-frame")

    def show(self) -> None:
        """Show the frame, if it was made for a terminal like this one."""
        self.is_wanted = all(map(os.isatty, _STREAMS))
        if not self.is_wanted:
            return
        try:
            saved = _frame_and_rows(_content(self.path))
            if saved is None:
                return
            frame, self.rows = saved
            # In the background `tcsetattr` would stop the program by SIGTTOU.
            if os.tcgetpgrp(_KEYBOARD) != os.getpgrp():
                return
            self._mode, mode = termios.tcgetattr(_KEYBOARD), termios.tcgetattr(_KEYBOARD)
            # Keys that are typed now arrive as the program will read them: without echo, ctrl+c as
            # a key, Enter as a carriage return.
            mode[_LFLAG] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
            mode[_IFLAG] &= ~(termios.IXON | termios.ICRNL | termios.INLCR | termios.IGNCR)
            termios.tcsetattr(_KEYBOARD, termios.TCSANOW, mode)
            signal.signal(signal.SIGTERM, self._end)
            _write(ENTER_SCREEN.encode() + _HIDE_CURSOR + _BEGIN_FRAME + frame + _END_FRAME)
        except (OSError, ValueError, termios.error):
            self.take_back()

    def take_over(self) -> list[object] | None:
        """The mode that the terminal had before, if the frame is on it; it is the caller's now."""
        mode, self._mode = self._mode, None
        return mode

    def take_back(self) -> None:
        """Give the terminal back if the frame is still on it: the program does not start."""
        if (mode := self.take_over()) is not None:
            try:
                termios.tcsetattr(_KEYBOARD, termios.TCSANOW, mode)  # type: ignore[arg-type]  # its own
                _write(_LEAVE_SCREEN)
            except (OSError, termios.error):
                pass

    def _end(self, number: int, _frame: object) -> None:
        # Before the program handles SIGTERM itself, ending would leave the terminal in this mode.
        self.take_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def content(self, frame: str, rows: bytes) -> bytes:
        """What the file has to hold for the next start on a terminal like this one."""
        return b"%b%d\n%b%b" % (_kind(), len(frame.encode()), frame.encode(), rows)

    def forget(self) -> None:
        """Remove the frame, and keep none of this run."""
        self.is_wanted = False
        try:
            os.unlink(self.path)
        except OSError:
            pass


def _content(path: str) -> bytes:
    # Something else than a file of ours may be in its place: a pipe would never answer, and the
    # size of a device has no end.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        is_ours = stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_IN_FILE
        return os.read(descriptor, _MOST_IN_FILE) if is_ours else b""
    finally:
        os.close(descriptor)


def _frame_and_rows(content: bytes) -> tuple[bytes, bytes] | None:
    # None if it is of another kind of terminal, or damaged.
    kind, _, sized = content.partition(b"\n")
    size, _, body = sized.partition(b"\n")
    if kind + b"\n" != _kind() or not size.isdigit() or len(size) > len(str(MOST_BYTES)):
        return None
    length = int(size)
    return (body[:length], body[length:]) if length <= len(body) else None


def _kind() -> bytes:
    columns, lines = os.get_terminal_size(_TERMINAL)
    values = [os.environ.get(name, "") for name in _KIND]
    return f"1 {columns}x{lines} {values}\n".encode()


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(_TERMINAL, data) :]


last_frame = LastFrame()
"""The one of this process, as there is one terminal."""
