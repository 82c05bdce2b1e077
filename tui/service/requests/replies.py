"""Replies and errors as JSON, and reading of request bodies.

All errors have one shape; a traceback goes to the log and never into a reply.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tui.service.errors import ServiceError, no_route
from tui.service.requests.forms import JSON_TYPE

LARGEST_UPLOAD = 16 * 1024 * 1024
"""The size limit of a body with a file, in bytes."""
LARGEST_BODY = 2 * 1024 * 1024
"""The size limit of any other body, in bytes: enough for the longest description."""
_LENGTH_DIGITS = 12
HEADERS = {
    "Callboard-Features": "idempotency-keys, archived-tasks, claims",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}
"""The headers of every reply. The first lists extensions of the interface."""
_encoded = json.JSONEncoder(separators=(",", ":")).encode
_log = logging.getLogger(__name__)


class RawJson(NamedTuple):
    """The text of a JSON document, in ASCII."""

    text: str


def json_reply(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A reply in JSON, in ASCII, so that encoding cannot fail."""
    text = content.text if isinstance(content, RawJson) else _encoded(content)
    return Response(text, status, HEADERS | dict(headers or {}), JSON_TYPE)


def refused(refusal: ServiceError) -> Response:
    """The reply for an error."""
    return json_reply(refusal.document(), refusal.status, refusal.headers)


def guarded(
    name: str, answer: Callable[[Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that converts exceptions of `answer` into replies; `name` is for the log."""

    async def respond(request: Request) -> Response:
        try:
            return await answer(request)
        except ServiceError as refusal:
            return refused(refusal)
        except Exception:  # noqa: BLE001 - whatever went wrong, the reply is JSON without a traceback
            _log.exception("%s failed", name)
            message = "The service failed; see its log."
            return refused(ServiceError(500, "internal_server_error", message))

    return respond


async def read_body(request: Request, limit: int = LARGEST_BODY) -> bytes:
    """The body of a request, at most `limit` bytes.

    Raises 413 for a longer one, 400 if it is truncated. A body above the limit is received and
    discarded, because a client whose connection is closed while it sends does not see the reply;
    but one longer than any limit is refused immediately.
    """
    # Only a hint, as the body may be sent without a length: what arrives is counted too.
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and (
        len(announced) > _LENGTH_DIGITS or int(announced) > LARGEST_UPLOAD
    ):
        raise _too_large(limit)
    raw = bytearray()
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > LARGEST_UPLOAD:
                break
            if size <= limit:
                raw += part
    except ClientDisconnect as error:
        raise ServiceError(400, "incomplete", "The request ended too soon.") from error
    if size > limit:
        raise _too_large(limit)
    return bytes(raw)


def _too_large(limit: int) -> ServiceError:
    return ServiceError(
        413, "too_large", f"The request has more than {limit // 1024**2} MiB, which is the limit."
    )


async def refuse_route(_request: Request, _error: Exception) -> Response:
    """The reply for an endpoint that does not exist."""
    return refused(no_route())
