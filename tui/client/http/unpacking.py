"""Compressed answers, unpacked piece by piece.

However much a few bytes swell, no more than one piece is held, so that a limit
on the whole can be kept; an answer that ends before its compression does is not whole.
"""

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

from tui.text import clean

ACCEPTED: Final = "gzip, deflate"
"""What is told to services as `Accept-Encoding`."""

_PIECE = 64 * 1024
_EITHER_HEADER = 32 + zlib.MAX_WBITS
_NO_HEADER = -zlib.MAX_WBITS
_ZLIB_METHOD = 8
_GZIP_SIGN = 0x1F


class UnpackingError(ValueError):
    """An answer is not compressed the way it says, or not in a way that was asked for."""


class Unpacker(Protocol):
    """Takes an answer in as it comes."""

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What `packed` holds, in pieces of at most 64 kB. Raises `UnpackingError`."""
        ...

    def finish(self) -> None:
        """The end is there. Raises `UnpackingError` if something is missing."""
        ...


def unpacker(encoding: str) -> Unpacker:
    """What unpacks an answer with this `Content-Encoding`. Raises `UnpackingError`."""
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return _AsItIs()
    if name in {"gzip", "x-gzip", "deflate"}:
        return _Inflated()
    raise UnpackingError(f"packed as {clean.line(encoding)[:40]}")


class _AsItIs:
    def pieces(self, packed: bytes) -> Iterator[bytes]:
        for start in range(0, len(packed), _PIECE):
            yield packed[start : start + _PIECE]

    def finish(self) -> None:
        """Nothing can be missing here: the length is the connection's business."""


class _Inflated:
    """gzip and deflate; the latter with its header, and without, as some services send it."""

    def __init__(self) -> None:
        self._inflater: zlib._Decompress | None = None

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        if packed and self._inflater is None:
            self._inflater = zlib.decompressobj(_header(packed[0]))
        # zlib copies what it has not read yet, so it is given little at a time.
        for start in range(0, len(packed), _PIECE):
            yield from self._inflated(packed[start : start + _PIECE])

    def _inflated(self, packed: bytes) -> Iterator[bytes]:
        while self._inflater is not None and not self._inflater.eof:
            try:
                piece = self._inflater.decompress(packed, _PIECE)
            except zlib.error as error:
                raise UnpackingError(str(error)) from None
            packed = self._inflater.unconsumed_tail
            if piece:
                yield piece
            if not packed and len(piece) < _PIECE:
                return

    def finish(self) -> None:
        if self._inflater is not None and not self._inflater.eof:
            raise UnpackingError("its packing is cut short")


def _header(first: int) -> int:
    is_zlib_or_gzip = first == _GZIP_SIGN or first & 0x0F == _ZLIB_METHOD
    return _EITHER_HEADER if is_zlib_or_gzip else _NO_HEADER
