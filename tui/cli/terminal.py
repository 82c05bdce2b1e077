"""Whether there is a terminal to draw on."""

import os
import sys

from tui.errors import CallboardError

COLUMNS, LINES = 20, 6
"""The smallest terminal that a card can be read on."""


class NoTerminal(CallboardError):
    """There is no terminal, or it is too small to draw on."""


def check_terminal() -> None:
    """Raise `NoTerminal` where the program cannot be drawn."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal("callboard needs a terminal: run it in one, not in a pipe or a job.")
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    if columns < COLUMNS or lines < LINES:
        raise NoTerminal(
            f"this terminal is {columns}×{lines}; callboard needs at least {COLUMNS}×{LINES}."
        )
