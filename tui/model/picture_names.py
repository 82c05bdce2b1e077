"""Pictures that wait to be sent, and names of pictures as names of files.

A name that came from a service never leads out of a folder, hides a file or holds what a terminal
or a shell would take for more than a name.
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
"""What the names of pictures end with, in lower case."""


class KeptPicture(NamedTuple):
    """A picture that was kept: its name and type, its size in words, and where its bytes are."""

    name: str
    content_type: str
    size: str
    path: Path


def file_name(title: str, content_type: str = "") -> str:
    """A name for a file with a picture of that title, without any folder."""
    kept = "".join(sign if sign.isalnum() or sign in " -_.()+@" else "_" for sign in title)
    path = PurePath(" ".join(kept.split()).strip(" ."))
    suffix = path.suffix if path.suffix.lower() in PICTURE_SUFFIXES else ""
    stem = str(path).removesuffix(suffix).strip(" .")[: _LONGEST - len(suffix)].strip(" .")
    return (stem or _UNNAMED) + (suffix or _SUFFIXES.get(content_type, ""))


def free_name(name: str, is_taken: Callable[[str], bool]) -> str:
    """The name, or the name with the first number that makes it one nothing has yet."""
    path = PurePath(name)
    number, free = 1, name
    while is_taken(free):
        number += 1
        free = f"{path.stem} ({number}){path.suffix}"
    return free
