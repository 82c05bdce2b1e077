"""Bringing a picture to the service, for a comment to come.

The rule it keeps: the bytes are kept beside the outbox until they are delivered, so that a picture
that was chosen is sent even if its file has gone meanwhile. A picture that was uploaded and whose
reply was lost is uploaded again: nobody can find it, and services remove what no comment shows.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tui.client.errors import Refused
from tui.model.board import BoardView
from tui.model.comment import Image
from tui.model.ids import BoardId, ImageId, TaskId
from tui.model.picture_names import KeptPicture
from tui.model.task import Task
from tui.store.operations.base import Finding, Footing, Operation, Reply, operation
from tui.store.operations.comparing import made
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.wording import quoted
from tui.store.remote import BytesListener, Remote
from tui.text.clean import line


@operation("upload-image")
@dataclass(frozen=True, slots=True)
class UploadImage(Operation):
    """Upload a picture for a task's comments; its bytes are kept in the file `kept_at`.

    `image_id` is a local id, `size` is in words.
    """

    board_id: BoardId
    task_id: TaskId
    image_id: Creates[ImageId]
    name: str
    content_type: str
    size: str
    kept_at: str

    @classmethod
    def of(cls, task: Task, picture: KeptPicture) -> Self:
        """Upload a picture that was kept for a comment on `task`."""
        ids = (task.board_id, task.id, new_local_id())
        return cls(*ids, picture.name, picture.content_type, picture.size, str(picture.path))

    @property
    def image(self) -> Image:
        """The picture, to be named by a comment."""
        return Image(self.image_id, line(self.name), self.content_type, self.size)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the bytes that were kept."""
        del truth
        return await self.upload(remote)

    async def upload(self, remote: Remote, progress: BytesListener | None = None) -> Reply:
        """Send the bytes that were kept; `progress` hears of bytes sent and in all."""
        try:
            content = await asyncio.to_thread(Path(self.kept_at).read_bytes)
        except OSError as error:
            raise Refused(
                f"The picture {quoted(line(self.name))} is not kept here any more: "
                f"{error.strerror or 'it cannot be read'}.",
                hint="Attach it again.",
            ) from error
        image = await remote.upload_image(
            self.board_id, self.task_id, self.name, content, progress=progress
        )
        return made("image", image, self.task_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It is sent again: a picture that no comment shows does no harm."""
        del remote, footing
        return Finding(done=False)

    def describe(self) -> str:
        """The name of the file."""
        return f"Upload {quoted(line(self.name))}"
