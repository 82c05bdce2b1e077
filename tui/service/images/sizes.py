"""The width and height that the head of a picture claims, in pixels, one function a format.

The rule it keeps: only what is needed to tell the size is read, nothing is unpacked. Whatever does
not fit the format raises `ValueError` or `struct.error`, or ends in `IndexError`.
"""

import struct

Size = tuple[int, int]

_NOT_A_FRAME = {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = {0x01, *range(0xD0, 0xD9)}
_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_NUMBERS = {1: "B", 3: "H", 4: "I"}
_MOST_TAGS = 1000
_OLD_BITMAP_HEAD = 12
_ICON_ENTRY = 16
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_HEAD = 24
_META_BEGINS, _BOX_HEAD = 4, 8


def png(data: bytes) -> Size:
    """The size in the first chunk."""
    if data[12:16] != b"IHDR":
        raise ValueError(data[12:16])
    return struct.unpack_from(">II", data, 16)


def gif(data: bytes) -> Size:
    """The size of the screen that all pictures are drawn on."""
    return struct.unpack_from("<HH", data, 6)


def bmp(data: bytes) -> Size:
    """The size in the head; a negative height only says which line comes first."""
    if struct.unpack_from("<I", data, 14)[0] == _OLD_BITMAP_HEAD:
        return struct.unpack_from("<HH", data, 18)
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height)


def jpeg(data: bytes) -> Size:
    """The size in the first frame, behind any number of other segments."""
    at = 2
    while True:
        if data[at] != 0xFF:  # noqa: PLR2004 - every marker begins so
            raise ValueError(at)
        while data[at] == 0xFF:  # noqa: PLR2004 - and may be padded with more of them
            at += 1
        marker = data[at]
        at += 1
        if marker in _BARE_MARKERS:
            continue
        length = struct.unpack_from(">H", data, at)[0]
        if 0xC0 <= marker <= 0xCF and marker not in _NOT_A_FRAME:  # noqa: PLR2004 - the frames
            height, width = struct.unpack_from(">HH", data, at + 3)
            return width, height
        at += max(length, 2)


def tiff(data: bytes) -> Size:
    """The size in the first directory."""
    order = "<" if data[:2] == b"II" else ">"
    at = struct.unpack_from(order + "I", data, 4)[0]
    count = struct.unpack_from(order + "H", data, at)[0]
    found: dict[int, int] = {}
    for place in range(min(count, _MOST_TAGS)):
        entry = at + 2 + 12 * place
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        if tag in (_TIFF_WIDTH, _TIFF_HEIGHT) and kind in _TIFF_NUMBERS:
            found[tag] = struct.unpack_from(order + _TIFF_NUMBERS[kind], data, entry + 8)[0]
    if len(found) < 2:  # noqa: PLR2004 - a width and a height
        raise ValueError(found)
    return found[_TIFF_WIDTH], found[_TIFF_HEIGHT]


def webp(data: bytes) -> Size:
    """The size of the canvas, in any of the format's three flavours."""
    flavour = data[12:16]
    if flavour == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if flavour == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if flavour == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError(flavour)


def heif(data: bytes) -> Size:
    """The largest size that any picture of an AVIF or HEIC file claims, tiles and grids too."""
    meta = _meta_box(data)
    sizes: list[Size] = []
    at = meta.find(b"ispe")
    while at >= 0:
        sizes.append(struct.unpack_from(">II", meta, at + 8))
        at = meta.find(b"ispe", at + 4)
    return max(sizes, key=lambda size: size[0] * size[1])


def ico(data: bytes) -> Size:
    """The largest icon of the file; each must lie within it."""
    count = struct.unpack_from("<H", data, 4)[0]
    sizes: list[Size] = []
    for place in range(count):
        at = 6 + _ICON_ENTRY * place
        width, height = struct.unpack_from("<BB", data, at)
        length, begins = struct.unpack_from("<II", data, at + 8)
        if begins < 6 + _ICON_ENTRY * count or begins + length > len(data):
            raise ValueError(begins)
        icon = data[begins : begins + min(length, _PNG_HEAD)]
        sizes.append(png(icon) if icon.startswith(_PNG) else (width or 256, height or 256))
    return max(sizes, key=lambda size: size[0] * size[1])


def _meta_box(data: bytes) -> bytes:
    """What is in the file's outermost `meta` box."""
    at = 0
    while at + _BOX_HEAD <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        head = _BOX_HEAD
        if length == 1:
            length, head = struct.unpack_from(">Q", data, at + _BOX_HEAD)[0], 2 * _BOX_HEAD
        elif length == 0:
            length = len(data) - at
        if length < head:
            break
        if data[at + _META_BEGINS : at + _BOX_HEAD] == b"meta":
            return data[at + head : at + length]
        at += length
    raise ValueError(at)
