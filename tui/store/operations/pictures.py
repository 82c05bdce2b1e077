"""The operation that uploads a picture for a comment.

The bytes are kept beside the outbox until they are delivered. After a lost response they are
uploaded again: uploads cannot be listed, and services remove those that no comment uses.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tui.client.documents import BytesListener
from tui.client.errors import Refused
from tui.model.board import BoardView
from tui.model.comment import Image
from tui.model.ids import BoardId, ImageId, TaskId
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.store.operations.base import Baseline, Finding, Reply, operation
from tui.store.operations.creation import Creation
from tui.store.operations.ids import About, new_local_id
from tui.store.remote import Remote
from tui.text.clean import line, quoted


@operation("upload-image")
@dataclass(frozen=True, slots=True)
class UploadImage(Creation):
    """Upload a picture for a task's comments; its bytes are in the file `kept_at`.

    `image_id` is a local id, `size` is text.
    """

    board_id: BoardId
    task_id: TaskId
    image_id: About[ImageId]
    name: str
    content_type: str
    size: str
    kept_at: str

    @classmethod
    def of(cls, task: Task, picture: KeptPicture) -> Self:
        """Upload a picture stored for a comment on `task`."""
        ids = (task.board_id, task.id, new_local_id())
        return cls(*ids, picture.name, picture.content_type, picture.size, str(picture.path))

    @property
    def image(self) -> Image:
        return Image(self.image_id, line(self.name), self.content_type, self.size)

    async def deliver(
        self, remote: Remote, truth: BoardView, progress: BytesListener | None = None
    ) -> Reply:
        """Send the bytes; `progress` is called with bytes sent and in all."""
        try:
            content = await asyncio.to_thread(Path(self.kept_at).read_bytes)
        except OSError as error:
            raise Refused(
                f"The picture {quoted(line(self.name))} is no longer stored here: "
                f"{error.strerror or 'it cannot be read'}.",
                hint="Attach it again.",
            ) from error
        image = await remote.upload_image(
            self.board_id, self.task_id, self.name, content, progress=progress
        )
        return self.reply_created(image)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Always send again: an unused upload does no harm."""
        return Finding(done=False)

    def describe(self) -> str:
        return f"Upload {quoted(line(self.name))}"
