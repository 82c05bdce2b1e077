"""Detects image types by the first bytes of a file (section 8), not by its name."""

IMAGE_WORDS = "JPEG, GIF, PNG, BMP, TIFF, WebP, AVIF, ICO or HEIC"
"""The types that may be uploaded, in words."""

_SIGNATURES = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"BM", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
)
_AVIF = frozenset({b"avif", b"avis"})
_HEIC = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
_BRANDS_END = 256
_FIRST_COMPATIBLE = 16


def image_type(content: bytes) -> str | None:
    """The MIME type of an image of these types; None for anything else."""
    for signature, kind in _SIGNATURES:
        if content.startswith(signature):
            return kind
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    brands = _brands(content)
    return "image/avif" if brands & _AVIF else "image/heic" if brands & _HEIC else None


def _brands(content: bytes) -> frozenset[bytes]:
    """The brands of an ISO media file; none for any other file."""
    if content[4:8] != b"ftyp":
        return frozenset()
    end = min(int.from_bytes(content[:4], "big"), _BRANDS_END, len(content))
    compatible = range(_FIRST_COMPATIBLE, end - 3, 4)
    return frozenset({content[8:12], *(content[at : at + 4] for at in compatible)})
