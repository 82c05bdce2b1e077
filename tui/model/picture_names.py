"""Pictures waiting for upload, and safe file names for pictures.

A name from a service cannot leave the folder, hide the file, or contain special characters of a
terminal or shell.
"""

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import NamedTuple

_LONGEST = 100
_UNNAMED = "picture"
_SUFFIXES = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
    "image/avif": ".avif",
    "image/heic": ".heic",
    "image/x-icon": ".ico",
}
PICTURE_SUFFIXES = frozenset({*_SUFFIXES.values(), ".jpeg", ".tif", ".heif"})
"""The file name extensions of pictures, in lower case."""


class KeptPicture(NamedTuple):
    """A picture stored for upload; `size` is text."""

    name: str
    content_type: str
    size: str
    path: Path


def file_name(title: str, content_type: str = "") -> str:
    """A file name for a picture, without a folder."""
    safe = "".join(sign if sign.isalnum() or sign in " -_.()+@" else "_" for sign in title)
    path = PurePath(" ".join(safe.split()).strip(" ."))
    suffix = path.suffix if path.suffix.lower() in PICTURE_SUFFIXES else ""
    stem = str(path).removesuffix(suffix).strip(" .")[: _LONGEST - len(suffix)].strip(" .")
    return (stem or _UNNAMED) + (suffix or _SUFFIXES.get(content_type, ""))


def free_name(name: str, is_taken: Callable[[str], bool]) -> str:
    """The name, with a number added if it is taken."""
    path = PurePath(name)
    number, free = 1, name
    while is_taken(free):
        number += 1
        free = f"{path.stem} ({number}){path.suffix}"
    return free
