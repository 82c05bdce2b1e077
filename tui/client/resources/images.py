"""Images for comments (section 4.4, POST …/comment-image-upload)."""

from tui.client.endpoints import Endpoint
from tui.client.errors import Refused, TooLarge
from tui.client.http.bodies import ProgressListener, Upload
from tui.client.records import ImageRecord
from tui.client.resources.image_types import IMAGE_WORDS, image_type
from tui.client.service import Service
from tui.text import clean

LARGEST_IMAGE = 10 * 1024 * 1024
"""Bytes; the specification names no limit, and services have smaller ones of their own."""

_MEGA = 1024 * 1024
_SHOWN = 80


class Images:
    """Images that comments show. Every method may raise `ApiError`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def upload(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        largest: int = LARGEST_IMAGE,
        progress: ProgressListener | None = None,
    ) -> ImageRecord:
        """Upload an image; give its id in `images` to a comment of the task (4.4).

        `progress` hears how many bytes are sent. Raises `Refused` before sending what is no image
        by its content, or empty, and `TooLarge` what has more bytes than `largest`; from the
        service `Refused`, `TooLarge`, `NotThere`, `NotAllowed`. Never repeat it blindly.
        """
        kind = _checked(name, content, largest)
        answer = await self._service.ask(
            Endpoint.UPLOAD_COMMENT_IMAGE,
            board_id,
            task_id,
            body=Upload(name, kind, content),
            progress=progress,
        )
        return answer.record(ImageRecord, "imageAttachment")


def _checked(name: str, content: bytes, largest: int) -> str:
    """The MIME type of what may be sent."""
    kind, shown = image_type(content), clean.line(name)[:_SHOWN]
    if kind is None:
        raise Refused(
            f"{shown} is not an image that can be uploaded.",
            params={"file": f"must be {IMAGE_WORDS}"},
            hint=f"Choose a file that is {IMAGE_WORDS}. Nothing was sent.",
        )
    if len(content) > largest:
        raise TooLarge(
            f"{shown} has {len(content) / _MEGA:.1f} MB; "
            f"an image may have at most {largest / _MEGA:.1f} MB.",
            hint="Make it smaller and try again. Nothing was sent.",
        )
    return kind
