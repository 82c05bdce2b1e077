"""The least that a program of Python can be: no framework, only the standard library.

It draws a board of lines and moves a cursor over it: what it costs is Python and the terminal.
"""

import os
import termios
import tty

SHOWN = "Card 0 of the floor"
_LINES, _COLUMNS = 36, 118
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_KEYBOARD, _OUTPUT = 0, 1
_STEPS = {b"j": 1, b"k": -1}


def _line(number: int, *, is_here: bool) -> str:
    text = f" {SHOWN.replace('0', str(number)):{_COLUMNS}}"
    style = "\x1b[7m" if is_here else ""
    return f"\x1b[{number + 2};1H{style}{text}\x1b[m"


def main() -> None:
    """Draw, and follow the keys until `q`."""
    mode = termios.tcgetattr(_KEYBOARD)
    tty.setraw(_KEYBOARD)
    here = 0
    try:
        board = "".join(_line(number, is_here=number == here) for number in range(_LINES))
        os.write(_OUTPUT, f"{_ENTER}{board}".encode())
        while (key := os.read(_KEYBOARD, 1)) not in (b"", b"q"):
            before, here = here, min(max(here + _STEPS.get(key, 0), 0), _LINES - 1)
            changed = _line(before, is_here=False) + _line(here, is_here=True)
            os.write(_OUTPUT, changed.encode())
    finally:
        os.write(_OUTPUT, _LEAVE.encode())
        termios.tcsetattr(_KEYBOARD, termios.TCSANOW, mode)


if __name__ == "__main__":
    main()
