"""Pictures of comments as replies show them (2.6), and when they are deleted.

A picture belongs to a comment or waits for one. Its row and its file are deleted when its comment
or its board is deleted, and when nobody attached it within a day.
"""

from collections import defaultdict
from datetime import timedelta
from functools import partial

from tui.service.call import Call, Document
from tui.service.database.base import Row
from tui.service.images.signing import signed_query
from tui.service.times import iso

IMAGES_PATH = "/comment-images"

_WAITING = timedelta(days=1)
_KILO = 1024


def image_documents(call: Call, comment_ids: list[int]) -> dict[int, list[Document]]:
    """The pictures of comments, by comment id, in the order they came."""
    rows = call.db.all(
        "select * from comment_image where comment_id {in_ids} order by id", ids=comment_ids
    )
    images: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        images[row["comment_id"]].append(image_document(call, row))
    return images


def image_document(call: Call, row: Row) -> Document:
    """A row of `comment_image` as an Image attachment record, with an address for the caller."""
    query = signed_query(call.db, row["file_hash"], call.user.id, call.now)
    address = f"{call.base}{IMAGES_PATH}/{row['file_hash']}?{query}"
    return {
        "id": row["id"],
        "object_id": row["comment_id"] or 0,
        "object_type": "comment_image",
        "attachment_type": row["attachment_type"],
        "title": row["title"],
        "file_path": row["file_name"],
        "full_url": address,
        "file_size": _readable(row["file_bytes"]),
        "settings": "",
        "driver": "local",
        "file_hash": row["file_hash"],
        "status": "ACTIVE",
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "secure_url": address,
    }


def remove_loose_images(call: Call) -> None:
    """Delete pictures without a comment: those that lost it or their board, or waited too long."""
    rows = call.db.all(
        """select id, file_name from comment_image
        where comment_id is null and (was_attached = 1 or created_at < :limit
            or not exists (select 1 from board where board.id = comment_image.board_id))""",
        limit=iso(call.now - _WAITING),
    )
    if not rows:
        return
    call.db.run("delete from comment_image where id {in_ids}", ids=[row["id"] for row in rows])
    names = [row["file_name"] for row in rows]
    attachments = call.attachments
    if attachments is not None:
        call.aftermath.kept.extend(partial(attachments.remove, name) for name in names)


def _readable(size: int) -> str:
    """A number of bytes for people."""
    if size < _KILO:
        return f"{size} B"
    if size < _KILO * _KILO:
        return f"{size / _KILO:.0f} KB"
    return f"{size / _KILO / _KILO:.1f} MB"
