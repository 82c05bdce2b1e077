"""The pictures of an archive, written into the folder of the attachments.

The rule it keeps: no file that was there is changed; what was written is taken away again when the
rest of the import fails. A picture that is there already, as after an import that was killed, is
as good as one that was written.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tui.service.archive.errors import told
from tui.service.archive.reading import Archive

_CHUNK = 1024 * 1024


@contextmanager
def put_pictures(archive: Archive, folder: Path) -> Iterator[None]:
    """Write every picture below `folder`; if the block fails, take them back.

    Raises `ArchiveUnusable`.
    """
    written: list[Path] = []
    try:
        with told(archive.path):
            for name in archive.manifest.files:
                _put(archive, name, folder, written)
        yield
    except BaseException:
        for path in written:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise


def _put(archive: Archive, name: str, folder: Path, written: list[Path]) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    if not path.exists():
        written.append(path)
        _write(archive, name, path)
    elif not _is_same(archive, name, path):
        raise archive.unusable(f"holds a picture that is there with other bytes: {path}")


def _write(archive: Archive, name: str, path: Path) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for part in archive.file(name):
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


def _is_same(archive: Archive, name: str, path: Path) -> bool:
    with path.open("rb") as file:
        return all(file.read(len(part)) == part for part in archive.file(name)) and not file.read(1)
