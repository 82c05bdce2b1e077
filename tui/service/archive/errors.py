"""What can be wrong with an archive.

The rule it keeps: the message names the file and the reason, and says that nothing was changed.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile

from tui.errors import CallboardError
from tui.text import clean

_DAMAGED = "is damaged or is no zip file"


class ArchiveUnusable(CallboardError):
    """An archive cannot be read or written as it is; nothing was changed by trying."""

    def __init__(self, path: Path, reason: str, *, hint: str = "") -> None:
        shown = clean.line(str(path))
        super().__init__(
            f"The archive {shown} {clean.line(reason)}. Nothing was changed.", hint=hint
        )
        self.path = path


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what goes wrong with the file at `path` into `ArchiveUnusable`."""
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeError) as error:
        raise ArchiveUnusable(path, _DAMAGED, hint="Take another copy of it.") from error
    except OSError as error:
        reason = (error.strerror or "the system refused").lower()
        raise ArchiveUnusable(path, f"cannot be used: {reason}") from error
