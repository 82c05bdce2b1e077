"""The smallest pictures of every format that is taken, made here byte by byte."""

import struct
from collections.abc import Callable


def png(width: int = 8, height: int = 8) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + head + b"\0\0\0\0"


def gif(width: int = 8, height: int = 8) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def bmp(width: int = 8, height: int = 8) -> bytes:
    head = struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head


def old_bmp(width: int = 8, height: int = 8) -> bytes:
    head = struct.pack("<IHHHH", 12, width, height, 1, 24)
    return b"BM" + struct.pack("<IHHI", 26, 0, 0, 26) + head


def jpeg(width: int = 8, height: int = 8) -> bytes:
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"\xff\xc0\xff\xc0"
    frame = b"\xff\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
    return b"\xff\xd8" + comment + frame + b"\xff\xd9"


def tiff(width: int = 8, height: int = 8, order: str = "<") -> bytes:
    mark = b"II" if order == "<" else b"MM"
    entries = struct.pack(order + "HHII", 256, 4, 1, width)
    entries += struct.pack(order + "HHIHH", 257, 3, 1, height, 0)
    return mark + struct.pack(order + "HIH", 42, 8, 2) + entries + bytes(4)


def big_endian_tiff(width: int = 8, height: int = 8) -> bytes:
    return tiff(width, height, ">")


def webp(width: int = 8, height: int = 8) -> bytes:
    canvas = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return _riff(b"VP8X" + struct.pack("<I", 10) + bytes(4) + canvas)


def lossy_webp(width: int = 8, height: int = 8) -> bytes:
    frame = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return _riff(b"VP8 " + struct.pack("<I", len(frame)) + frame)


def lossless_webp(width: int = 8, height: int = 8) -> bytes:
    bits = struct.pack("<BI", 0x2F, (width - 1) | (height - 1) << 14)
    return _riff(b"VP8L" + struct.pack("<I", len(bits)) + bits)


def avif(width: int = 8, height: int = 8) -> bytes:
    return _heif(b"avif", width, height)


def heic(width: int = 8, height: int = 8) -> bytes:
    return _heif(b"mif1", width, height, compatible=b"heic")


def ico(width: int = 8, height: int = 8) -> bytes:
    return _icon(struct.pack("<BB", width, height), b"\x28\0\0\0")


def png_ico(width: int = 8, height: int = 8) -> bytes:
    return _icon(b"\0\0", png(width, height))


TYPES: dict[Callable[..., bytes], str] = {
    png: "image/png",
    gif: "image/gif",
    bmp: "image/bmp",
    old_bmp: "image/bmp",
    jpeg: "image/jpeg",
    tiff: "image/tiff",
    big_endian_tiff: "image/tiff",
    webp: "image/webp",
    lossy_webp: "image/webp",
    lossless_webp: "image/webp",
    avif: "image/avif",
    heic: "image/heic",
    ico: "image/x-icon",
    png_ico: "image/x-icon",
}
"""The type that each of them is recognised as."""


def _riff(chunk: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + name + content


def _heif(brand: bytes, width: int, height: int, compatible: bytes = b"") -> bytes:
    small = _box(b"ispe", struct.pack(">III", 0, 1, 1))
    large = _box(b"ispe", struct.pack(">III", 0, width, height))
    properties = _box(b"iprp", _box(b"ipco", small + large))
    head = _box(b"ftyp", brand + bytes(4) + compatible)
    return head + _box(b"free", b"ispe") + _box(b"meta", bytes(4) + properties)


def _icon(size: bytes, content: bytes) -> bytes:
    entry = size + bytes(2) + struct.pack("<HHII", 1, 32, len(content), 22)
    return struct.pack("<HHH", 0, 1, 1) + entry + content
