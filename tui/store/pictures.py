"""Pictures in comments: those waiting for upload, and the cache of downloaded ones.

A picture to upload is on disk beside the outbox, readable by its owner alone, before the operation
that needs it is submitted. Downloaded ones are an LRU cache of limited size. Addresses may be
signed and expire, so the comment is fetched again before a picture counts as gone.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from tui.client.documents import BytesListener
from tui.client.errors import NotAllowed, NotFound
from tui.config.paths import write_file
from tui.errors import CallboardError
from tui.model.comment import every
from tui.model.picture_names import KeptPicture
from tui.schema.images import IMAGE_WORDS, image_type
from tui.store import operations as change
from tui.store.core import Core
from tui.store.documents.assemble_detail import image_of
from tui.store.files.database import disk_hint
from tui.store.views.details import Details
from tui.text.clean import line, size_in_words

LARGEST = 10 * 1024 * 1024
"""In bytes; services have limits of their own, most of them lower."""

LIMIT_MB = 64
_MEGABYTE = 1 << 20


class PictureFolder:
    """The cache of downloaded pictures, one file each by id, up to `limit_mb`."""

    def __init__(self, folder: Path, limit_mb: int = LIMIT_MB) -> None:
        self._folder = folder
        self._limit = limit_mb * _MEGABYTE

    def get(self, image_id: int) -> bytes | None:
        """The bytes of a picture, if cached."""
        path = self._path(image_id)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        # `put` evicts by the time of the last use.
        with suppress(OSError):
            os.utime(path)
        return content or None

    def put(self, image_id: int, content: bytes) -> None:
        """Cache a picture, evicting the least recently used; a full disk caches none.

        The file appears complete or not at all, even if several programs write it.
        """
        if len(content) > self._limit:
            return
        with suppress(OSError):
            write_file(self._path(image_id), content)
        room = self._limit
        with suppress(OSError):  # another program may be evicting too
            files = [(path.stat(), path) for path in self._folder.iterdir()]
            for stat, path in sorted(files, key=lambda file: file[0].st_mtime_ns, reverse=True):
                room -= stat.st_size
                if room < 0:
                    path.unlink(missing_ok=True)

    def _path(self, image_id: int) -> Path:
        return self._folder / str(image_id)


class Pictures:
    """Returns the bytes of a picture from the outbox, the cache or the service."""

    def __init__(self, core: Core, details: Details) -> None:
        self._folder = PictureFolder(core.cache_dir / "pictures")
        self._queue = core.queue
        self._details = details
        self._cache = core.cache
        self._disk = core.disk
        self._connection = core.connection

    async def content(
        self, task_id: int, image_id: int, progress: BytesListener | None = None
    ) -> bytes:
        """The bytes of a picture in a comment on a task. Raises `CallboardError`."""
        task_id = self._queue.current_id(task_id)
        image_id = self._queue.current_id(image_id)
        if image_id < 0:
            return await self._upload(image_id)
        cached = await self._disk.run(self._folder.get, image_id)
        if cached is not None:
            return cached
        content = await self._fetched(task_id, image_id, progress)
        await self._disk.run(self._folder.put, image_id, content)
        return content

    async def _upload(self, image_id: int) -> bytes:
        maker = self._queue.maker_of(image_id)
        if maker is None or not isinstance(maker.operation, change.UploadImage):
            raise CallboardError("The picture is no longer available.", hint="Attach it again.")
        try:
            return await self._disk.run(Path(maker.operation.kept_at).read_bytes)
        except OSError as error:
            raise CallboardError(
                f"The picture cannot be read: {error.strerror or 'the system refused'}.",
                hint="Attach it again.",
            ) from error

    async def _fetched(self, task_id: int, image_id: int, progress: BytesListener | None) -> bytes:
        url = await self._address(task_id, image_id)
        remote = await self._connection.required()
        try:
            return await remote.picture(url, progress)
        except (NotAllowed, NotFound):
            # A signed address may have expired: the comment, fetched again, has a new one.
            await self._details.refresh(task_id)
            current_url = await self._address(task_id, image_id)
            if current_url == url:
                raise
        return await remote.picture(current_url, progress)

    async def _address(self, task_id: int, image_id: int) -> str:
        detail = self._details.detail(task_id)
        comments = every((detail and detail.comments) or ())
        images = (image for comment in comments for image in comment.images)
        url = next((image.url for image in images if image.id == image_id), "")
        # The comment that shows an uploaded picture may not have been fetched yet.
        if not url:
            uploaded = await self._disk.run(self._cache.sections.find, "image", image_id)
            url = "" if uploaded is None else image_of(uploaded).url
        if not url:
            raise CallboardError(
                "The service does not say where this picture is.",
                hint="Refresh the card and try again.",
            )
        return url


class Uploads:
    """The folder of pictures waiting for upload."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_file(self, path: Path) -> KeptPicture:
        """Copy a file. Raises `CallboardError` for what cannot be read or sent."""
        try:
            # One byte more than allowed tells that it is too large, whatever its size.
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise CallboardError(
                f"{line(str(path))} cannot be read: {error.strerror or 'the system refused'}.",
                hint="Check that it is a file you may read.",
            ) from error
        return self.keep(path.name, content)

    def keep(self, name: str, content: bytes) -> KeptPicture:
        """Store these bytes. Raises `CallboardError` for what the service would not accept."""
        shown = line(name)
        kind = image_type(content)
        if kind is None:
            raise CallboardError(
                f"{shown} is not a picture that can be attached.",
                hint=f"Choose a file that is {IMAGE_WORDS}.",
            )
        if len(content) > LARGEST:
            raise CallboardError(
                f"{shown} is too large: a picture may have at most {size_in_words(LARGEST)}.",
                hint="Make it smaller and attach it again.",
            )
        # A name that occurs nowhere else: `sweep` looks for it in the text of stored changes.
        path = self._folder / os.urandom(16).hex()
        try:
            write_file(path, content, is_durable=True)
        except OSError as error:
            raise CallboardError(
                f"{shown} cannot be stored for upload: {error.strerror or 'the system refused'}. "
                "Nothing was attached.",
                hint=disk_hint(error),
            ) from error
        return KeptPicture(shown, kind, size_in_words(len(content)), path)

    def sweep(self, is_needed: Callable[[str], bool], *, stored_before: datetime) -> None:
        """Remove pictures, stored before a time, that `is_needed` rejects by name.

        Newer ones may belong to a draft in another program. `stored_before` is an aware time.
        """
        with suppress(OSError):
            for path in self._folder.iterdir():
                if path.stat().st_mtime < stored_before.timestamp() and not is_needed(path.name):
                    path.unlink(missing_ok=True)
