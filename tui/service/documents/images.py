"""Pictures of comments as replies show them (2.6), with signed addresses, and their deletion.

A picture belongs to a comment or waits for one. Its row and its file are deleted when its comment
or its board is deleted, and when nobody attached it within a day.

An address needs no password to be opened (2.6: secure_url): a signature covers the picture, the
account it was given to and the time at which it expires, under a key that is made once and never
leaves the database. The query is a part of the address; it stays the same for an hour, so that
reading a comment twice shows no difference where there is none.
"""

import hmac
import secrets
from collections import defaultdict
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlencode

from tui.service.call import Call, Document
from tui.service.database.base import Row, Transaction
from tui.service.records.base import filled
from tui.service.records.tasks import Image
from tui.service.times import iso

IMAGES_PATH = "/comment-images"

_WAITING = timedelta(days=1)
_KILO = 1024
_HOUR = 3600
_VALID_HOURS = 24
_KEY_NAME = "image_links"


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
    return filled(
        Image,
        row,
        object_id=row["comment_id"] or 0,
        object_type="comment_image",
        file_path=row["file_name"],
        full_url=address,
        file_size=_readable(row["file_bytes"]),
        settings="",
        driver="local",
        status="ACTIVE",
        secure_url=address,
    )


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
        call.after_commit.kept.extend(partial(attachments.remove, name) for name in names)


def _readable(size: int) -> str:
    """A number of bytes for people."""
    if size < _KILO:
        return f"{size} B"
    if size < _KILO * _KILO:
        return f"{size / _KILO:.0f} KB"
    return f"{size / _KILO / _KILO:.1f} MB"


def ensure_key(db: Transaction) -> None:
    """Make the key if there is none yet."""
    db.run(
        "insert into service_key (name, value) values (:name, :value) on conflict do nothing",
        name=_KEY_NAME,
        value=secrets.token_hex(32),
    )


def signed_query(db: Transaction, file_hash: str, account_id: int, now: datetime) -> str:
    """The query of an address for one account that is valid for 24 to 25 hours."""
    ends = (int(now.timestamp()) // _HOUR + 1 + _VALID_HOURS) * _HOUR
    signature = _signature(db, file_hash, str(account_id), str(ends))
    return urlencode({"account": account_id, "expires": ends, "signature": signature})


def is_signed(
    db: Transaction, file_hash: str, account_id: str, expires: str, signature: str
) -> bool:
    """Whether a signature is ours and covers this picture, account and end."""
    expected = _signature(db, file_hash, account_id, expires)
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))


def is_over(expires: str, now: datetime) -> bool:
    """Whether a signed end has come."""
    return int(expires) <= now.timestamp()


def _signature(db: Transaction, file_hash: str, account_id: str, expires: str) -> str:
    key = db.value("select value from service_key where name = :name", name=_KEY_NAME)
    return hmac.digest(
        bytes.fromhex(key or secrets.token_hex(32)),
        f"{file_hash}\0{account_id}\0{expires}".encode(errors="replace"),
        "sha256",
    ).hex()
