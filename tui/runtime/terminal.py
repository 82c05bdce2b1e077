"""Guards against the terminal: input bytes that are not UTF-8, and a terminal that is gone."""

import asyncio
import codecs
import select
import sys
from collections.abc import Callable
from functools import partial

_AS_LATIN_1 = "callboard-as-latin-1"
_DECODER_OF_DRIVER = "getincrementaldecoder"
_LOOK_EVERY = 1.0


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
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_hung_up(sys.__stdin__.fileno() if sys.__stdin__ else -1):
            leave()
            return
