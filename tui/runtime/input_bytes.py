"""Bytes on the terminal's input that are not UTF-8.

Some terminals send them: in a Latin-1 locale, with 8-bit Meta keys, or as old mouse reports.
Textual decodes its input strictly, in a thread that ends the program at the first such byte.
"""

import codecs
from functools import partial

_AS_LATIN_1 = "callboard-as-latin-1"
_DECODER_OF_DRIVER = "getincrementaldecoder"


def accept_any_byte() -> None:
    """Have Textual read a byte that is not UTF-8 as Latin-1.

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
