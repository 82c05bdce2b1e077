"""What an uploaded file is, told from its content alone (4.4, section 8).

The rule it keeps: neither the name nor the type that was sent with a file is believed. A picture
is one of the listed formats, its head can be read, and its size in pixels is one that programs can
draw; so a small file that unpacks to gigabytes is refused.
"""

import struct
from collections.abc import Callable

from tui.service.errors import ServiceError, invalid
from tui.service.images import sizes as image_sizes
from tui.service.images.sizes import Size

LARGEST_FILE = 10 * 1024 * 1024
"""Bytes; the interface names no limit."""
LARGEST_SIDE = 30_000
MOST_PIXELS = 100_000_000

_FIELD = "file"
_SIGNATURES: tuple[tuple[bytes, str, Callable[[bytes], Size]], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png", image_sizes.png),
    (b"\xff\xd8\xff", "image/jpeg", image_sizes.jpeg),
    (b"GIF87a", "image/gif", image_sizes.gif),
    (b"GIF89a", "image/gif", image_sizes.gif),
    (b"BM", "image/bmp", image_sizes.bmp),
    (b"II*\x00", "image/tiff", image_sizes.tiff),
    (b"MM\x00*", "image/tiff", image_sizes.tiff),
    (b"\x00\x00\x01\x00", "image/x-icon", image_sizes.ico),
)
_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), "image/heic"),
}
_LARGEST_BRAND_LIST = 256


def media_type(content: bytes) -> str:
    """The MIME type of a picture.

    Raises `ServiceError` 413 for a file that is too large, 422 for one that is no picture of the
    listed formats, is broken, or claims more pixels than can be drawn.
    """
    if len(content) > LARGEST_FILE:
        megabytes = LARGEST_FILE // 1024 // 1024
        raise ServiceError(
            413, "too_large", f"The image is too large: it may have at most {megabytes} MB."
        )
    kind, read_size = _format(content)
    try:
        width, height = read_size(content)
    except (ValueError, IndexError, struct.error) as error:
        raise invalid(_FIELD, "is a damaged image") from error
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        raise invalid(_FIELD, f"must be an image of at most {LARGEST_SIDE:,} pixels a side")
    if width * height > MOST_PIXELS:
        raise invalid(_FIELD, f"must be an image of at most {MOST_PIXELS:,} pixels")
    return kind


def _format(content: bytes) -> tuple[str, Callable[[bytes], Size]]:
    for signature, kind, read_size in _SIGNATURES:
        if content.startswith(signature):
            return kind, read_size
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp", image_sizes.webp
    for brand in _brands(content):
        if brand in _BRANDS:
            return _BRANDS[brand], image_sizes.heif
    raise invalid(_FIELD, "must be an image: JPEG, GIF, PNG, BMP, TIFF, WebP, AVIF, ICO or HEIC")


def _brands(content: bytes) -> list[bytes]:
    """The brands of a file of boxes, the chief one first; none for any other file."""
    if content[4:8] != b"ftyp":
        return []
    length = min(int.from_bytes(content[:4], "big"), _LARGEST_BRAND_LIST)
    compatible = range(16, min(length, len(content)) - 3, 4)
    return [content[8:12], *(content[at : at + 4] for at in compatible)]
