"""Heads of pictures: the size that is read, and bytes that are no head at all."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.attack.corpus import PICTURES
from tests.service import pictures
from tui.service.errors import ServiceError
from tui.service.requests import image_formats as image_sizes
from tui.service.requests.image_formats import LARGEST_FILE, media_type

_MOST_LINES = 50_000
_MOST_BYTES = 64 * 1024

_READERS: dict[Callable[..., bytes], Callable[[bytes], tuple[int, int]]] = {
    pictures.png: image_sizes.png,
    pictures.gif: image_sizes.gif,
    pictures.bmp: image_sizes.bmp,
    pictures.old_bmp: image_sizes.bmp,
    pictures.jpeg: image_sizes.jpeg,
    pictures.tiff: image_sizes.tiff,
    pictures.big_endian_tiff: image_sizes.tiff,
    pictures.webp: image_sizes.webp,
    pictures.lossy_webp: image_sizes.webp,
    pictures.lossless_webp: image_sizes.webp,
    pictures.avif: image_sizes.heif,
    pictures.heic: image_sizes.heif,
    pictures.ico: image_sizes.ico,
    pictures.png_ico: image_sizes.ico,
}


@pytest.mark.parametrize("picture", pictures.TYPES, ids=lambda picture: str(picture.__name__))
def test_width_and_height_are_told_apart(picture: Callable[..., bytes]) -> None:
    assert _READERS[picture](picture(200, 100)) == (200, 100)


def _refusal(content: bytes) -> ServiceError | None:
    """What is said of some content; None when it is taken."""
    try:
        assert media_type(content).startswith("image/")
    except ServiceError as refusal:
        return refusal
    return None


@settings(deadline=None)
@given(
    picture=st.sampled_from(list(pictures.TYPES)),
    size=st.tuples(st.integers(1, 255), st.integers(1, 255)),
    junk=st.binary(max_size=80),
    cut=st.integers(0, 120),
)
def test_broken_pictures_are_refused_in_words(
    picture: Callable[..., bytes], size: tuple[int, int], junk: bytes, cut: int
) -> None:
    whole = picture(*size)
    for broken in (whole[:cut], whole[:12] + junk, whole[:cut] + junk + whole[cut:]):
        refusal = _refusal(broken)
        if refusal is not None:
            assert (refusal.status, list(refusal.params)) == (422, ["file"])


@settings(deadline=None)
@given(content=st.binary(max_size=200))
def test_random_bytes_are_refused_in_words(content: bytes) -> None:
    refusal = _refusal(content)
    assert refusal is None or refusal.status == 422


def test_more_icons_than_anybody_draws_are_refused() -> None:
    count = 65_535
    begins = 6 + 16 * count
    entry = bytes(8) + (10_000).to_bytes(4, "little") + begins.to_bytes(4, "little")
    icons = b"\0\0\1\0" + count.to_bytes(2, "little") + entry * count + bytes(10_000)
    assert _refusal(icons) is not None


def _lines_and_bytes(content: bytes) -> tuple[int, int]:
    """How many lines of the program recognise a picture, and the most memory they hold."""
    lines = 0

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    tracemalloc.start()
    before = sys.gettrace()
    sys.settrace(count)
    try:
        _refusal(content)
    finally:
        sys.settrace(before)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return lines, most


@pytest.mark.parametrize("pattern", PICTURES)
def test_the_largest_picture_costs_as_little_as_a_small_one(pattern: str) -> None:
    content = PICTURES[pattern](LARGEST_FILE).encode("latin-1")
    lines, most = _lines_and_bytes(content)
    assert lines < _MOST_LINES
    assert most < _MOST_BYTES


def test_a_jpeg_of_endless_padding_ends() -> None:
    with pytest.raises(ServiceError):
        media_type(b"\xff\xd8\xff" + b"\xff" * 1_000_000)
