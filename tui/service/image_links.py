"""The address of a picture, which needs no password but a signature (2.6: secure_url).

The content type is the one that was recognised when the picture was uploaded; a browser is told to
believe nothing else and to run nothing in it.
"""

from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tui.service.accounts.accounts import account, role_on
from tui.service.context import Context
from tui.service.database.base import Transaction
from tui.service.documents.images import IMAGES_PATH, is_over, is_signed
from tui.service.errors import ServiceError, forbidden, missing
from tui.service.requests.replies import HEADERS, guarded

_HEADERS = HEADERS | {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
}


def image_route(context: Context) -> Route:
    """GET /comment-images/{file_hash}?expires=&signature=, under the base URL."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(_image, context, request)

    path = IMAGES_PATH + "/{file_hash}"
    return Route(path, guarded(f"GET {path}", answer), methods=["GET"])


def _image(context: Context, request: Request) -> Response:
    """The picture.

    Raises 403 for a signature that is wrong or expired and for an account that may not see the
    picture's board any more, 404 for a picture that is gone.
    """
    file_hash = request.path_params["file_hash"]
    account_id, expires, signature = (
        request.query_params.get(name, "") for name in ("account", "expires", "signature")
    )
    with context.transaction(writing=False) as (db, _):
        if not is_signed(db, file_hash, account_id, expires, signature):
            raise forbidden("The address of this image is not valid.")
        if is_over(expires, context.site.now()):
            raise ServiceError(
                403, "link_expired", "The address of this image has expired; read it again."
            )
        row = db.one("select * from comment_image where file_hash = :hash", hash=file_hash)
        if row is not None and not _may_see(db, int(account_id), row["board_id"]):
            raise forbidden("You may not see the images of this board any more.")
    content = context.attachments and row and context.attachments.read(row["file_name"])
    if not content or not row:
        raise missing("image")
    name = quote(row["title"], safe="")
    return Response(
        content,
        media_type=row["attachment_type"],
        headers=_HEADERS | {"Content-Disposition": f"inline; filename*=UTF-8''{name}"},
    )


def _may_see(db: Transaction, account_id: int, board_id: int) -> bool:
    """Whether an account, which may have been removed, has any role on a board."""
    row = db.one("select * from account where id = :id", id=account_id)
    return row is not None and role_on(db, board_id, account(row)) is not None
