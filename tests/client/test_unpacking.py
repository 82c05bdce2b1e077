"""Compressed answers, unpacked piece by piece."""

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from tui.client.http.responses import BodyUnpacker, UnpackingError


def _raw_deflate(content: bytes) -> bytes:
    return zlib.compress(content)[2:-4]


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    " X-GZIP ": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": _raw_deflate,
}


def _unpacked(encoding: str, packed: bytes, step: int) -> bytes:
    one = BodyUnpacker(encoding)
    content = b"".join(
        piece
        for start in range(0, len(packed), step)
        for piece in one.pieces(packed[start : start + step])
    )
    one.finish()
    return content


@settings(deadline=None)
@given(st.sampled_from(list(PACKINGS)), st.binary(), st.integers(1, 3_000), st.integers(1, 99))
def test_whatever_was_packed_comes_out(encoding: str, seed: bytes, times: int, step: int) -> None:
    content = seed * times
    assert _unpacked(encoding, PACKINGS[encoding](content), step * 7) == content


def test_a_bomb_comes_in_pieces() -> None:
    pieces = BodyUnpacker("gzip").pieces(gzip.compress(bytes(5_000_000)))
    assert {len(piece) for piece in pieces} <= {65_536, 5_000_000 % 65_536}


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_what_is_cut_short_is_noticed(encoding: str) -> None:
    packed = PACKINGS[encoding](b"some words" * 100)
    with pytest.raises(UnpackingError, match="cut short"):
        _unpacked(encoding, packed[:-5], 64)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "\x1b[2J"])
def test_what_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(UnpackingError) as caught:
        BodyUnpacker(encoding)
    assert "\x1b" not in str(caught.value)


def test_an_empty_answer_needs_no_packing() -> None:
    assert _unpacked("gzip", b"", 1) == b""
