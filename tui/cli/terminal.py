"""Checks of the terminal: whether it can be drawn on, and whether it is gone."""

import os
import select
import sys
from collections.abc import Callable
from time import monotonic

from tui.errors import WrongInput

COLUMNS, LINES = 20, 6
"""The smallest terminal that a card can be read on."""
BROWSER = "tui.runtime.browser_driver:BrowserDriver"
"""The driver of the program while `callboard web` runs it."""
_USUAL = {"COLUMNS": "80", "LINES": "24"}
"""The size of a terminal that does not know its own."""
_LOOK_EVERY = 1.0


def check_terminal() -> None:
    """Raise `WrongInput` if the program cannot be drawn: it draws on standard error.

    A terminal of unknown size, as over some serial lines, is accepted; in a browser none is needed.
    """
    if os.environ.get("TEXTUAL_DRIVER") == BROWSER:
        return
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise WrongInput("Callboard needs an interactive terminal, not a pipe or a job.")
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    if 0 < columns < COLUMNS or 0 < lines < LINES:
        raise WrongInput(
            f"this terminal is {columns}×{lines}; callboard needs at least {COLUMNS}×{LINES}."
        )
    if not (columns and lines):
        os.environ.update(_USUAL)


def is_hung_up(descriptor: int) -> bool:
    """Whether the other side of a terminal, or of a pipe, is closed."""
    # Not all operating systems have it.
    if not hasattr(select, "poll"):
        return False
    looking = select.poll()
    # Hang-ups and errors are reported even if no event is asked for.
    looking.register(descriptor, 0)
    return any(
        event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in looking.poll(0)
    )


async def leave_when_hung_up(leave: Callable[[], None]) -> None:
    """Call `leave` once the terminal is gone.

    Most programs get a signal then, but not one that was started away from its terminal: it would
    read end-of-file in a busy loop.
    """
    import asyncio

    from tui.runtime.input_priority import until_beat

    while True:
        await asyncio.sleep(until_beat(_LOOK_EVERY, monotonic()))
        if is_hung_up(sys.__stdin__.fileno() if sys.__stdin__ else -1):
            leave()
            return
