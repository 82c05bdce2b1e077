"""Checks an uploaded image by its content: its type, and its size in pixels (4.4, section 8).

Name and declared type are ignored. A picture must be in one of the listed formats, with a readable
width and height that programs can draw; so a small file that unpacks to gigabytes is refused.
Nothing is unpacked, and no more parts of a file are looked at than real pictures have: the time is
that of reading the file once, and the memory does not grow with it. A file that does not fit its
format raises `ValueError`, `struct.error` or `IndexError`.
"""

import re
import struct
from collections.abc import Callable, Mapping

from tui.schema.images import IMAGE_WORDS, image_type
from tui.service.errors import ServiceError, invalid

Size = tuple[int, int]

_NOT_A_FRAME = {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = {0x01, *range(0xD0, 0xD9)}
_MARKER = re.compile(rb"\xff++(.)", re.DOTALL)
_MOST_SEGMENTS, _MOST_BOXES, _MOST_ICONS = 2_000, 1_000, 1_000
_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_NUMBERS = {1: "B", 3: "H", 4: "I"}
_MOST_TAGS = 1000
_OLD_BITMAP_HEAD = 12
_ICON_ENTRY = 16
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_HEAD = 24
_META_BEGINS, _BOX_HEAD = 4, 8
LARGEST_FILE = 10 * 1024 * 1024
"""Bytes; the interface has no limit."""
LARGEST_SIDE = 30_000
MOST_PIXELS = 100_000_000
_FIELD = "file"


def png(data: bytes) -> Size:
    """The size in the first chunk."""
    if data[12:16] != b"IHDR":
        raise ValueError(data[12:16])
    return struct.unpack_from(">II", data, 16)


def gif(data: bytes) -> Size:
    """The size of the logical screen."""
    return struct.unpack_from("<HH", data, 6)


def bmp(data: bytes) -> Size:
    """The size in the header; a negative height means top-down."""
    if struct.unpack_from("<I", data, 14)[0] == _OLD_BITMAP_HEAD:
        return struct.unpack_from("<HH", data, 18)
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height)


def jpeg(data: bytes) -> Size:
    """The size in the first frame, after other segments."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        match = _MARKER.match(data, at)
        if match is None:
            raise ValueError(at)
        marker, at = match[1][0], match.end()
        if marker in _BARE_MARKERS:
            continue
        length = struct.unpack_from(">H", data, at)[0]
        if 0xC0 <= marker <= 0xCF and marker not in _NOT_A_FRAME:  # noqa: PLR2004 - the frames
            height, width = struct.unpack_from(">HH", data, at + 3)
            return width, height
        # The length counts its own two bytes.
        at += max(length, 2)
    raise ValueError(at)


def tiff(data: bytes) -> Size:
    """The size in the first directory."""
    order = "<" if data[:2] == b"II" else ">"
    at = struct.unpack_from(order + "I", data, 4)[0]
    count = struct.unpack_from(order + "H", data, at)[0]
    sides: dict[int, int] = {}
    for place in range(min(count, _MOST_TAGS)):
        entry = at + 2 + 12 * place
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        if tag in (_TIFF_WIDTH, _TIFF_HEIGHT) and kind in _TIFF_NUMBERS:
            sides[tag] = struct.unpack_from(order + _TIFF_NUMBERS[kind], data, entry + 8)[0]
    if len(sides) < 2:  # noqa: PLR2004 - a width and a height
        raise ValueError(sides)
    return sides[_TIFF_WIDTH], sides[_TIFF_HEIGHT]


def webp(data: bytes) -> Size:
    """The size of the canvas, in any of the format's three variants."""
    flavour = data[12:16]
    if flavour == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if flavour == b"VP8L":
        # Both sides are stored less one, in 14 bits each.
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if flavour == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError(flavour)


def heif(data: bytes) -> Size:
    """The largest size in an AVIF or HEIC file, tiles and grids included."""
    at, end = _meta_box(data)
    largest = (0, 0)
    for _ in range(_MOST_BOXES):
        at = data.find(b"ispe", at, end)
        if at < 0:
            return largest
        largest = max(largest, struct.unpack_from(">II", data, at + 8), key=_pixels)
        at += 4
    raise ValueError(at)


def ico(data: bytes) -> Size:
    """The largest icon of the file; each must be within it."""
    count = struct.unpack_from("<H", data, 4)[0]
    if count > _MOST_ICONS:
        raise ValueError(count)
    largest = (0, 0)
    for place in range(count):
        at = 6 + _ICON_ENTRY * place
        width, height = struct.unpack_from("<BB", data, at)
        length, begins = struct.unpack_from("<II", data, at + 8)
        if begins < 6 + _ICON_ENTRY * count or begins + length > len(data):
            raise ValueError(begins)
        icon = data[begins : begins + min(length, _PNG_HEAD)]
        # An icon of 256 pixels has 0 in its byte.
        size = png(icon) if icon.startswith(_PNG) else (width or 256, height or 256)
        largest = max(largest, size, key=_pixels)
    return largest


def _pixels(size: Size) -> int:
    return size[0] * size[1]


def _meta_box(data: bytes) -> tuple[int, int]:
    """Where the content of the file's outermost `meta` box begins and ends."""
    at = 0
    for _ in range(_MOST_BOXES):
        if at + _BOX_HEAD > len(data):
            break
        length = struct.unpack_from(">I", data, at)[0]
        head = _BOX_HEAD
        # 1 announces a length of 64 bits, 0 a box that ends with the file.
        if length == 1:
            length, head = struct.unpack_from(">Q", data, at + _BOX_HEAD)[0], 2 * _BOX_HEAD
        elif length == 0:
            length = len(data) - at
        if length < head:
            break
        if data[at + _META_BEGINS : at + _BOX_HEAD] == b"meta":
            return at + head, min(at + length, len(data))
        at += length
    raise ValueError(at)


_SIZES: Mapping[str, Callable[[bytes], Size]] = {
    "image/jpeg": jpeg,
    "image/gif": gif,
    "image/png": png,
    "image/bmp": bmp,
    "image/tiff": tiff,
    "image/webp": webp,
    "image/avif": heif,
    "image/x-icon": ico,
    "image/heic": heif,
}
"""What reads the size of an image, by its type."""


def media_type(content: bytes) -> str:
    """The MIME type of a picture.

    Raises `ServiceError` 413 for a file that is too large, 422 for one in no listed format, a
    damaged one, or one with too many pixels.
    """
    if len(content) > LARGEST_FILE:
        megabytes = LARGEST_FILE // 1024 // 1024
        raise ServiceError(
            413, "too_large", f"The image is too large: it may have at most {megabytes} MB."
        )
    kind = image_type(content)
    if kind is None:
        raise invalid(_FIELD, f"must be an image: {IMAGE_WORDS}")
    try:
        width, height = _SIZES[kind](content)
    except (ValueError, IndexError, struct.error) as error:
        raise invalid(_FIELD, "is a damaged image") from error
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        raise invalid(_FIELD, f"must be an image of at most {LARGEST_SIDE:,} pixels a side")
    if width * height > MOST_PIXELS:
        raise invalid(_FIELD, f"must be an image of at most {MOST_PIXELS:,} pixels")
    return kind
