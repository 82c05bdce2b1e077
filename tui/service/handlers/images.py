"""Pictures in comments: upload, attach, serve at signed addresses, delete (2.6, 4.4).

A file is stored after its content has been recognised, before the transaction, which would hold
everybody until it is on the disk, and removed if anything fails afterwards.
Only its uploader can attach a picture, once, on the board it was uploaded to. Row and file are
deleted with the comment or board, and if it is not attached within a day.

An address needs no password (2.6: secure_url): its signature covers the picture, the account it was
given to and the expiry time, with a key that is generated once and stays in the database. The query
of the address changes once an hour, so that reading a comment twice returns equal data. The content
type is the one recognised at the upload; browsers are told not to sniff it and not to run anything
in it.
"""

import hmac
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tui.schema.base import DONE, filled
from tui.schema.tasks import Image
from tui.service.accounts.accounts import account, role_on
from tui.service.attachments import StoredFile
from tui.service.call import Call, Document, Service, answers
from tui.service.database.base import Later, Step, Transaction, Written, first, grouped
from tui.service.errors import ServiceError, conflict, forbidden, invalid, missing
from tui.service.lookups import task_of
from tui.service.requests.forms import UploadedFile
from tui.service.requests.image_formats import media_type
from tui.service.requests.replies import HEADERS, guarded
from tui.service.times import iso
from tui.text.clean import size_in_words

IMAGES_PATH = "/comment-images"

_WAITING = timedelta(days=1)
_HOUR = 3600
_VALID_HOURS = 24
_KEY_NAME = "image_links"
_MOST_WAITING = 50
_HEADERS = HEADERS | {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
}


def image_documents(call: Call, comment_ids: list[int]) -> Later[dict[int, list[Document]]]:
    """The pictures of comments and of replies to them, by their id, in the order of upload."""
    rows = call.db.all(
        """select * from comment_image where comment_id {in_ids}
            or comment_id in (select id from comment where parent_id {in_ids}) order by id""",
        ids=comment_ids,
    )
    key = _key(call.db)
    return lambda: grouped(rows, "comment_id", lambda row: _image_document(call, row, key()))


def _image_document(call: Call, row: Written, key: bytes) -> Document:
    # Its address is valid for 24 to 25 hours.
    ends = (int(call.now.timestamp()) // _HOUR + 1 + _VALID_HOURS) * _HOUR
    signature = _signature(key, row["file_hash"], str(call.user.id), str(ends))
    query = urlencode({"account": call.user.id, "expires": ends, "signature": signature})
    address = f"{call.service.base_url}{IMAGES_PATH}/{row['file_hash']}?{query}"
    return filled(
        Image,
        row,
        object_id=row["comment_id"] or 0,
        object_type="comment_image",
        file_path=row["file_name"],
        full_url=address,
        file_size=size_in_words(row["file_bytes"]),
        settings="",
        driver="local",
        status="ACTIVE",
        secure_url=address,
    )


def remove_loose_images(call: Call) -> None:
    """Delete pictures without a comment: orphaned ones, and those not attached in time."""
    rows = call.db.all(
        """delete from comment_image
        where comment_id is null and (was_attached = 1 or created_at < :limit
            or not exists (select 1 from board where board.id = comment_image.board_id))
        returning file_name""",
        limit=iso(call.now - _WAITING),
    )

    def remove_files() -> None:
        if (attachments := call.service.attachments) is None:
            return
        with ExitStack() as removals:  # which goes on after one that fails
            for row in rows:
                removals.callback(attachments.remove, row["file_name"])

    call.db.after_commit.append(remove_files)


def _key(db: Transaction) -> Later[bytes]:
    # A random one while there is none.
    rows = db.tuples("select value from service_key where name = :name", name=_KEY_NAME)
    return lambda: bytes.fromhex(rows[0][0] if rows else secrets.token_hex(32))


def _signature(key: bytes, file_hash: str, account_id: str, expires: str) -> str:
    return hmac.digest(
        key,
        f"{file_hash}\0{account_id}\0{expires}".encode(errors="replace"),
        "sha256",
    ).hex()


@contextmanager
def stored_picture(service: Service, upload: UploadedFile) -> Iterator[StoredFile]:
    """An uploaded picture in the attachments, for the duration of its request.

    Raises 413 when it is too large, 422 when it is no picture, 503 where no files are kept, 507.
    """
    attachments = service.attachments
    if attachments is None:
        raise ServiceError(503, "no_attachments", "This service keeps no files.")
    kind = media_type(upload.content)
    name = attachments.keep(upload.content)
    file = StoredFile(name, upload.title, len(upload.content), kind)
    try:
        yield file
    finally:
        if not file.is_wanted:
            attachments.remove(name)


@answers({"imageAttachment": Image} | DONE, refuses=(409,))
def upload_image(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/comment-image-upload: multipart, field `file`.

    The picture waits a day to be attached; fifty of a person may wait at a time. It may have 10
    MB. Anybody with its signed address, which `public_url` is too, sees it for as long as the
    caller may. Raises 404, 409 when too many wait, 413 when it is too large, 422 when it is no
    picture, 503 where no files are kept, 507.
    """
    task_of(call)
    file = call.file
    if file is None:
        raise invalid("file", "is required and must be a file")
    loose = {"comment_id": None, "was_attached": 0}
    waiting = call.db.select("comment_image", **loose, created_by=call.user.id)
    call.db.after_commit.append(file.want)
    # A key that another upload has stored is kept.
    call.db.insert_missing("service_key", name=_KEY_NAME, value=secrets.token_hex(32))
    row = call.add(
        "comment_image",
        board_id=call.board_id,
        attachment_type=file.media_type,
        title=file.title,
        file_name=file.name,
        file_bytes=file.size,
        file_hash=secrets.token_hex(16),
        created_by=call.user.id,
    )
    image = _image_document(call, row, _key(call.db)())
    # Read after the insertion, which a refusal rolls back: earlier it would be a round trip more.
    if len(waiting) >= _MOST_WAITING:
        raise conflict(
            "too_many_uploads", "Too many uploaded images are not attached to a comment."
        )
    return {
        "message": "attachment has been added",
        "imageAttachment": image | {"public_url": image["secure_url"]},
    }


def set_images(call: Call, comment_id: int, wanted: list[int]) -> Step:
    """Set the pictures of a comment; the result is to be called, as a check.

    It raises 404 for one that is neither on the comment nor uploaded by the caller and not attached
    yet.
    """
    usable = call.db.tuples(
        """select count(*) from comment_image where id {in_ids} and (comment_id = :comment
            or (comment_id is null and was_attached = 0 and board_id = :board
                and created_by = :person))""",
        ids=wanted,
        comment=comment_id,
        board=call.board_id,
        person=call.user.id,
    )
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

    def check() -> None:
        # Read last, with the rows of other queries; a refusal rolls back what was written.
        if usable[0][0] != len(wanted):
            raise missing("image")

    return check


def image_route(service: Service) -> Route:
    """GET /comment-images/{file_hash}?expires=&signature=, under the base URL."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(_image, service, request)

    path = IMAGES_PATH + "/{file_hash}"
    return Route(path, guarded(f"GET {path}", answer), methods=["GET"])


def _image(service: Service, request: Request) -> Response:
    file_hash = request.path_params["file_hash"]
    account_id, expires, signature = (
        request.query_params.get(name, "") for name in ("account", "expires", "signature")
    )
    with service.database.transaction(writing=False) as db:
        rows = db.select("comment_image", file_hash=file_hash)
        expected = _signature(_key(db)(), file_hash, account_id, expires).encode()
        if not hmac.compare_digest(expected, signature.encode(errors="replace")):
            raise forbidden("The address of this image is not valid.")
        # Signed, so these are our own numbers.
        if int(expires) <= service.site.now().timestamp():
            raise ServiceError(
                403, "link_expired", "The address of this image has expired; read it again."
            )
        row = first(rows)
        reader = db.find("account", id=int(account_id))
        # An address ends with the membership of the one it was given to.
        if row and not (reader and role_on(db, row["board_id"], account(reader))):
            raise forbidden("You may not see the images of this board any more.")
    content = service.attachments and row and service.attachments.read(row["file_name"])
    if not content or not row:
        raise missing("image")
    name = quote(row["title"], safe="")
    return Response(
        content,
        media_type=row["attachment_type"],
        headers=_HEADERS | {"Content-Disposition": f"inline; filename*=UTF-8''{name}"},
    )
