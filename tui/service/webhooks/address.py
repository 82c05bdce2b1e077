"""The address at which others make tasks: /?callboard=1&route=task&hash=KEY (2.13, 6.1).

The key is the only credential, so a request can make one task and nothing else, and is told nothing
about the board. The reply is 200 with `{"success", "data": {"message", "type"}}`, also for a
refusal; the fields may come as a form, a query string or JSON.
"""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tui.service.accounts.accounts import Account, Role, account, role_on
from tui.service.call import Document
from tui.service.context import Context
from tui.service.database.base import Row, Transaction
from tui.service.errors import ServiceError, no_route
from tui.service.requests.body import Body
from tui.service.requests.forms import parse_form
from tui.service.requests.replies import Json, guarded, read_body
from tui.service.tables.changes import touch
from tui.service.webhooks.handlers import HASH, MARKER, ROUTE
from tui.service.webhooks.tasks import make_task

_PATH = "/"


def webhook_route(context: Context) -> Route:
    """POST / with the marker, the route and the key in the query; GET is refused in words."""

    async def answer(request: Request) -> Response:
        query = request.query_params
        if query.get(MARKER) != "1" or query.get(ROUTE) != "task":
            raise no_route()
        if request.method != "POST":
            return Json(_said("invalid_request_method", "The webhook takes POST only."))
        try:
            await run_in_threadpool(_check_key, context, request.query_params.get(HASH, ""))
        except ServiceError as refusal:
            return Json(_said(refusal.code, refusal.message))
        raw = await read_body(request)
        try:
            return Json(await run_in_threadpool(_receive, context, request, raw))
        except ServiceError as refusal:
            return Json(_said(refusal.code, refusal.message))

    return Route(_PATH, guarded("webhook", answer), methods=["GET", "POST"])


def _check_key(context: Context, key: str) -> None:
    """Raises `ServiceError` for a key that makes no tasks."""
    with context.transaction(writing=False) as (db, _):
        _hook(db, key)


def _hook(db: Transaction, key: str) -> tuple[Row, Account]:
    """The webhook with this key, and who made it and still may make tasks on its board.

    Raises `ServiceError` 404 when there is none, 403 when its maker may not.
    """
    hook = db.one("select * from webhook where hash = :hash", hash=key)
    if hook is None:
        raise ServiceError(404, "invalid_webhook_hash", "There is no webhook with this hash.")
    maker = account(db.all("select * from account where id = :id", id=hook["created_by"])[0])
    role = role_on(db, hook["board_id"], maker)
    if role is None or role < Role.MEMBER:
        raise ServiceError(
            403,
            "webhook_owner_lost_access",
            "Whoever made this webhook may not add tasks to its board any more. "
            "An admin of the board can make a new webhook.",
        )
    return hook, maker


def _receive(context: Context, request: Request, raw: bytes) -> Document:
    """Make the task that a request asks for. Raises `ServiceError` when it cannot be made."""
    sent = Body.parse(raw, request.headers.get("content-type", ""))
    body = sent.over(parse_form(request.url.query.encode()))

    def make(_alone: bool) -> int:
        with context.transaction(writing=True) as (db, after_commit):
            hook, maker = _hook(db, request.query_params.get(HASH, ""))
            ids = {"board_id": hook["board_id"]}
            call = context.called(request, maker, db, after_commit, ids)
            call.body = body
            task_id = make_task(call, hook)
            touch(call, hook["board_id"])
        return task_id

    task_id = context.database.settled(make)
    return {
        "success": True,
        "data": {"message": "Task has been created", "type": "task_created", "task_id": task_id},
    }


def _said(kind: str, message: str) -> Document:
    """A refusal in the shape of this address."""
    return {"success": False, "data": {"message": message, "type": kind}}
