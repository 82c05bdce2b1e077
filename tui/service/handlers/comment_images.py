"""Pictures in comments: uploaded first, then attached by their id (4.4).

A file is kept only after its content has been recognised; if anything goes wrong afterwards it is
taken away again. Only who uploaded a picture attaches it, once, on the board it was uploaded to.
"""

import secrets

from tui.service.call import Call, Document, answers
from tui.service.documents.images import ensure_key, image_document
from tui.service.errors import ServiceError, conflict, invalid, missing
from tui.service.lookups import task_of
from tui.service.records.base import DONE
from tui.service.records.tasks import Image
from tui.service.requests.image_formats import media_type

_MOST_WAITING = 50


@answers({"imageAttachment": Image} | DONE, refuses=(409,))
def upload_image(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/comment-image-upload: multipart, field `file`.

    The picture waits a day to be attached; fifty of a person may wait at a time. It may have 10
    MB. Whoever holds its signed address, which `public_url` is too, sees it for as long as the
    caller may. Raises 404, 409 when too many wait, 413 when it is too large, 422 when it is no
    picture, 503 where no files are kept, 507.
    """
    task_of(call)
    if call.upload is None:
        raise invalid("file", "is required and must be a file")
    if call.attachments is None:
        raise ServiceError(503, "no_attachments", "This service keeps no files.")
    kind = media_type(call.upload.content)
    _refuse_hoarding(call)
    attachments, name = call.attachments, call.attachments.keep(call.upload.content)
    call.after_commit.lost.append(lambda: attachments.remove(name))
    ensure_key(call.db)
    row = call.add(
        "comment_image",
        board_id=call.board_id,
        attachment_type=kind,
        title=call.upload.title,
        file_name=name,
        file_bytes=len(call.upload.content),
        file_hash=secrets.token_hex(16),
        created_by=call.user.id,
    )
    image = image_document(call, row)
    return {
        "message": "attachment has been added",
        "imageAttachment": image | {"public_url": image["secure_url"]},
    }


def _refuse_hoarding(call: Call) -> None:
    """Raises 409 when too many pictures of the caller wait for a comment."""
    waiting = call.db.value(
        """select count(*) from comment_image
        where comment_id is null and was_attached = 0 and created_by = :person""",
        person=call.user.id,
    )
    if waiting >= _MOST_WAITING:
        raise conflict("too_many_uploads", "Too many images wait to be attached to a comment.")


def set_images(call: Call, comment_id: int, wanted: list[int]) -> None:
    """Make these pictures, and no others, those of a comment.

    Raises 404 for one that is neither on the comment nor waiting for its uploader, the caller.
    """
    usable = call.db.value(
        """select count(*) from comment_image where id {in_ids} and (comment_id = :comment
            or (comment_id is null and was_attached = 0 and board_id = :board
                and created_by = :person))""",
        ids=wanted,
        comment=comment_id,
        board=call.board_id,
        person=call.user.id,
    )
    if usable != len(wanted):
        raise missing("image")
    call.db.run(
        """update comment_image set comment_id = null, updated_at = :now
        where comment_id = :comment and not id {in_ids}""",
        ids=wanted,
        comment=comment_id,
        now=call.stamp,
    )
    call.db.run(
        """update comment_image set comment_id = :comment, was_attached = 1, updated_at = :now
        where id {in_ids} and comment_id is null""",
        ids=wanted,
        comment=comment_id,
        now=call.stamp,
    )
