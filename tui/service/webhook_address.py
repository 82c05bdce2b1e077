"""The address at which others make tasks: /?callboard=1&route=task&hash=KEY (2.13, 6.1).

The rule it keeps: the key is all it takes, so nothing but the making of one task can be done here,
and nothing about the board is told. The answer is 200 with `{"success", "data": {"message",
"type"}}`, also for a refusal; a form, a query string and JSON say the same.
"""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tui.service.accounts import account
from tui.service.backing import Backing
from tui.service.call import Body, Document
from tui.service.changes import touch
from tui.service.errors import ServiceError, no_route
from tui.service.forms import parse_form
from tui.service.replies import Json, guarded, read_body
from tui.service.webhook_fields import HASH, MARKER, ROUTE
from tui.service.webhook_tasks import make_task

_PATH = "/"


def webhook_route(backing: Backing) -> Route:
    """POST / with the marker, the route and the key in the query; GET is refused in words."""

    async def answer(request: Request) -> Response:
        query = request.query_params
        if query.get(MARKER) != "1" or query.get(ROUTE) != "task":
            raise no_route()
        if request.method != "POST":
            return Json(_said("invalid_request_method", "The webhook takes POST only."))
        raw = await read_body(request)
        try:
            return Json(
                await run_in_threadpool(
                    backing.database.settled, lambda _: _receive(backing, request, raw)
                )
            )
        except ServiceError as refusal:
            return Json(_said(refusal.code, refusal.message))

    return Route(_PATH, guarded("webhook", answer), methods=["GET", "POST"])


def _receive(backing: Backing, request: Request, raw: bytes) -> Document:
    """Make the task that a request asks for. Raises `ServiceError` when it cannot be made."""
    with backing.transaction(writing=True) as (db, aftermath):
        hook = db.one(
            "select * from webhook where hash = :hash", hash=request.query_params.get(HASH, "")
        )
        if hook is None:
            raise ServiceError(404, "invalid_webhook_hash", "There is no webhook with this hash.")
        row = db.one("select * from account where id = :id", id=hook["created_by"])
        if row is None:
            raise ServiceError(404, "invalid_webhook_hash", "The webhook has no owner any more.")
        ids = {"board_id": hook["board_id"]}
        call = backing.called(request, account(row), db, aftermath, ids)
        sent = Body.parse(raw, request.headers.get("content-type", ""))
        call.body = sent.over(parse_form(request.url.query.encode()))
        task_id = make_task(call, hook)
        touch(call, hook["board_id"])
    return {
        "success": True,
        "data": {"message": "Task has been created", "type": "task_created", "task_id": task_id},
    }


def _said(kind: str, message: str) -> Document:
    """A refusal in the shape of this address."""
    return {"success": False, "data": {"message": message, "type": kind}}
