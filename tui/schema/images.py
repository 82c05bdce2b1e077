"""The images that a comment may hold (section 8): their types, by the first bytes of a file."""

IMAGE_WORDS = "JPEG, GIF, PNG, BMP, TIFF, WebP, AVIF, ICO or HEIC"
"""The types in words."""

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
_BRANDS = {
    **dict.fromkeys((b"avif", b"avis"), "image/avif"),
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), "image/heic"),
}
"""The types of ISO media files, which name the major brand first."""
_BRANDS_END = 256
_FIRST_COMPATIBLE = 16


def image_type(content: bytes) -> str | None:
    """The MIME type of an image of these types; None for anything else."""
    for signature, kind in _SIGNATURES:
        if content.startswith(signature):
            return kind
    # RIFF is a container of sound and video as well; its length comes before the form.
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] != b"ftyp":
        return None
    # The major brand at 8 may be general, such as `mif1`; its version follows, then the compatible
    # brands, of which one tells the format.
    end = min(int.from_bytes(content[:4], "big"), _BRANDS_END, len(content))
    compatible = range(_FIRST_COMPATIBLE, end - 3, 4)
    brands = [content[8:12], *(content[at : at + 4] for at in compatible)]
    return next((_BRANDS[brand] for brand in brands if brand in _BRANDS), None)
