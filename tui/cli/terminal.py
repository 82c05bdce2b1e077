"""The terminal the program runs in: whether it can be drawn on, odd bytes from it, and its end."""

import codecs
import os
import select
import sys
from collections.abc import Callable
from functools import partial

from tui.errors import CallboardError

COLUMNS, LINES = 20, 6
"""The smallest terminal that a card can be read on."""
_AS_LATIN_1 = "callboard-as-latin-1"
_DECODER_OF_DRIVER = "getincrementaldecoder"
_LOOK_EVERY = 1.0


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


def accept_any_byte() -> None:
    """Have Textual read a byte that is not UTF-8 as Latin-1.

    Some terminals send such bytes: in a Latin-1 locale, with 8-bit Meta keys, or as old mouse
    reports. Textual decodes strictly, in a thread that ends the program at the first of them.
    This replaces a name inside of Textual's driver for Linux and macOS, for want of a public way.
    Where the driver has no such name any more, nothing is changed and the program works as before.
    """
    from textual.drivers import linux_driver

    if hasattr(linux_driver, _DECODER_OF_DRIVER):
        codecs.register_error(_AS_LATIN_1, _as_latin_1)
        setattr(linux_driver, _DECODER_OF_DRIVER, _tolerant_decoder)


def _tolerant_decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors=_AS_LATIN_1)


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


def is_hung_up(descriptor: int) -> bool:
    """Whether the other side of a terminal is closed."""
    if not hasattr(select, "poll"):
        return False
    looking = select.poll()
    looking.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in looking.poll(0))


async def leave_when_hung_up(leave: Callable[[], None]) -> None:
    """Leave the program, as if somebody had left it, once its terminal is gone.

    The system tells most programs so by a signal, but not one that was started away from its
    terminal: that one would read an end of file for ever, as fast as it can.
    """
    import asyncio

    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_hung_up(sys.__stdin__.fileno() if sys.__stdin__ else -1):
            leave()
            return
