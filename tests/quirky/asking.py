"""Requests and replies as the layers of the quirky service pass them on.

A layer gets what is asked and the way onward; it may change the request, the
reply, or answer by itself. A path is the one below the base URL.
"""

import base64
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Scope

_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def is_writing(self) -> bool:
        """Whether it may change something."""
        return self.method not in ("GET", "HEAD")

    @property
    def login(self) -> str:
        """Who asks."""
        encoded = self.headers.get("authorization", "").partition(" ")[2]
        return base64.b64decode(encoded).decode(errors="replace").partition(":")[0]

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object that was sent; an empty one if there was none."""
        try:
            body = json.loads(self.content or b"{}")
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    def ids(self, method: str, template: str) -> dict[str, int] | None:
        """The ids in the path, named as in `template`; None for another method or path."""
        found = _pattern(template).fullmatch(self.path)
        if found is None or method != self.method:
            return None
        return {name: int(digits) for name, digits in found.groupdict().items()}

    def saying(self, body: Mapping[str, object]) -> "Asked":
        """The same request with another JSON body."""
        content = json.dumps(body).encode()
        headers = {**self.headers, "content-type": _JSON}
        return replace(self, content=content, headers=headers)

    def looking(self, **changed: str | None) -> "Asked":
        """The same request with other values in its query; None takes one away."""
        merged = {**self.query, **changed}
        return replace(
            self, query={name: text for name, text in merged.items() if text is not None}
        )

    def instead(self, method: str, path: str, body: Mapping[str, object] | None = None) -> "Asked":
        """Another request of the same person."""
        other = replace(self, method=method, path=path, query={}, content=b"")
        return other if body is None else other.saying(body)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9]+)", template))


@dataclass(slots=True)
class Answer:
    """A reply: its status and its JSON, or content of another type."""

    status: int
    body: Any = None
    content: bytes = b""
    media_type: str = _JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    is_breakdown: bool = False
    """Whether the service broke down, so that a site that keeps details back says nothing."""

    @property
    def is_json(self) -> bool:
        """Whether `body` is what is said, not `content`."""
        return self.media_type == _JSON and not self.content

    @property
    def is_success(self) -> bool:
        """Whether the request was carried out, as far as it says."""
        return self.status < HTTPStatus.BAD_REQUEST

    @property
    def code(self) -> str:
        """The word that an error in the first shape is known by."""
        body = self.body
        return str(body.get("code", "")) if isinstance(body, dict) else ""

    def raw(self) -> bytes:
        """The reply as it goes over the wire."""
        return json.dumps(self.body).encode() if self.is_json else self.content


Onward = Callable[[Asked], Awaitable[Answer]]


class Layer(Protocol):
    """Changes what is asked or what is answered."""

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        """Answer a request, mostly by asking onward."""
        ...


class Service:
    """The real service at the end of all layers."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, asked: Asked) -> Answer:
        """Ask below the base URL."""
        return await self.at("/v2" + asked.path, asked)

    async def at(self, path: str, asked: Asked) -> Answer:
        """Ask at any path."""
        said: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": asked.content, "more_body": False}

        async def send(message: Message) -> None:
            said.append(message)

        await self._application(_scope(path, asked), receive, send)
        content = b"".join(message.get("body", b"") for message in said)
        headers = Headers(raw=said[0]["headers"])
        media_type = headers.get("content-type", "").partition(";")[0]
        if media_type == _JSON:
            return Answer(said[0]["status"], json.loads(content))
        return Answer(said[0]["status"], content=content, media_type=media_type)


def _scope(path: str, asked: Asked) -> Scope:
    """A request as a server hands it to an application."""
    headers = {**asked.headers, "content-length": str(len(asked.content))}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": urlencode(asked.query).encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "server": ("embedded", 80),
        "client": ("127.0.0.1", 1),
    }


def refused(status: int, code: str, message: str, **data: object) -> Answer:
    """An error in the shape of the specification's service."""
    return Answer(status, {"code": code, "message": message, "data": {"status": status, **data}})


def no_route() -> Answer:
    """What an endpoint answers that is not there."""
    message = "No route was found matching the URL and request method."
    return refused(404, "rest_no_route", message, detail={"env": "production"})


def fault(message: str, status: int = 500) -> Answer:
    """The error that a plain mistake of the user becomes on deployed services."""
    return Answer(status, {"code": "plugin_exception", "data": [], "message": message})


def breakdown(message: str) -> Answer:
    """The error of a fault inside the service, as a site says it that shows details."""
    answer = fault(message)
    answer.is_breakdown = True
    return answer


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Every object within a document, the outer ones first."""
    if isinstance(value, dict):
        yield value
        for inner in list(value.values()):
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def is_task(record: Mapping[str, object]) -> bool:
    """Whether an object is a task as a whole."""
    return "lead_value" in record and "stage_id" in record
