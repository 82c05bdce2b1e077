"""Whether there is a terminal to draw on."""

import os
import sys

from tui.errors import CallboardError

COLUMNS, LINES = 20, 6
"""The smallest terminal that a card can be read on."""


class NoTerminal(CallboardError):
    """There is no terminal, or it is too small to draw on."""


def check_terminal() -> None:
    """Raise `NoTerminal` where the program cannot be drawn: it draws on standard error.

    A terminal that does not know its size, as over some serial lines, is drawn on all the same.
    """
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NoTerminal("this needs a terminal: run it in one, not in a pipe or a job.")
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    if 0 < columns < COLUMNS or 0 < lines < LINES:
        raise NoTerminal(
            f"this terminal is {columns}×{lines}; callboard needs at least {COLUMNS}×{LINES}."
        )
