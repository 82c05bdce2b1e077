"""Answers that nobody foresees: what a site, a plugin or a proxy makes of those of the service."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.quirky.errors import PAGE


@dataclass(slots=True)
class Reply:
    """An answer on its way: its status, its headers and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def every(self, change: Callable[[Any], Any]) -> None:
        """Change every value in the JSON, the outer ones first."""
        self.body = json.dumps(_changed(json.loads(self.body), change)).encode()


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    value = change(value)
    if isinstance(value, dict):
        return {name: _changed(inner, change) for name, inner in value.items()}
    return [_changed(inner, change) for inner in value] if isinstance(value, list) else value


Oddity = Callable[[Reply], None]


def truncated(reply: Reply) -> None:
    reply.body = reply.body[:-7]


def login_page(reply: Reply) -> None:
    reply.headers["content-type"], reply.body = "text/html", PAGE


def empty(reply: Reply) -> None:
    reply.body = b""


def no_content(reply: Reply) -> None:
    reply.status, reply.body = 204, b""


def nothing(reply: Reply) -> None:
    reply.body = b"null"


def warning_before(reply: Reply) -> None:
    reply.body = b"<br />\n<b>Warning</b>: Undefined index in <b>/x.php</b><br />\n" + reply.body


def comment_behind(reply: Reply) -> None:
    reply.body += b"\n<!-- cached -->"


def mark_before(reply: Reply) -> None:
    reply.body = b"\xef\xbb\xbf" + reply.body


def half_packed(reply: Reply) -> None:
    reply.headers["content-encoding"], reply.body = "gzip", gzip.compress(reply.body)[:-9]


def not_packed(reply: Reply) -> None:
    reply.headers["content-encoding"] = "gzip"


def too_many_until_a_date(reply: Reply) -> None:
    reply.status, reply.body = 429, PAGE
    reply.headers |= {"content-type": "text/html", "retry-after": "Sun, 23 Nov 2036 10:00:00 GMT"}


def sent_elsewhere(reply: Reply) -> None:
    reply.status, reply.body = 302, b""
    reply.headers["location"] = "https://login.example/"


def null_lists(reply: Reply) -> None:
    reply.every(lambda value: None if isinstance(value, list) else value)


def null_lists_in_records(reply: Reply) -> None:
    def without(value: Any) -> Any:
        if not isinstance(value, dict) or "id" not in value:
            return value
        return {name: None if isinstance(it, list) else it for name, it in value.items()}

    reply.every(without)


def words_for_lists(reply: Reply) -> None:
    reply.every(lambda value: "none" if isinstance(value, list) else value)


def objects_for_lists(reply: Reply) -> None:
    reply.every(
        lambda value: dict(enumerate(value, 3)) if isinstance(value, list) and value else value
    )


def doubled(reply: Reply) -> None:
    reply.every(lambda value: [*value, *value] if isinstance(value, list) else value)


def without_ids(reply: Reply) -> None:
    reply.every(
        lambda value: (
            {name: it for name, it in value.items() if name not in ("id", "ID")}
            if isinstance(value, dict)
            else value
        )
    )


def numbers_as_text(reply: Reply) -> None:
    reply.every(lambda value: str(value) if type(value) in (int, float) else value)


def endless_pages(reply: Reply) -> None:
    reply.every(
        lambda value: (
            {**value, "last_page": 10**6, "total": 10**7}
            if isinstance(value, dict) and "last_page" in value
            else value
        )
    )


def wrapped(reply: Reply) -> None:
    reply.body = b'{"success": true, "data": ' + reply.body + b"}"


def in_the_future(reply: Reply) -> None:
    reply.every(
        lambda value: (
            {
                name: "2999-01-01 00:00:00" if name.endswith("_at") and it else it
                for name, it in value.items()
            }
            if isinstance(value, dict)
            else value
        )
    )


ODDITIES: tuple[Oddity, ...] = (
    *(truncated, login_page, empty, no_content, nothing, warning_before, comment_behind),
    *(mark_before, half_packed, not_packed, too_many_until_a_date, sent_elsewhere, null_lists),
    *(null_lists_in_records, words_for_lists, objects_for_lists, doubled, without_ids),
    *(numbers_as_text, endless_pages, wrapped, in_the_future),
)


@dataclass(slots=True)
class OddService:
    """Makes something odd of the good answers to requests of these `methods`."""

    application: ASGIApp
    oddity: Oddity | None = None
    methods: frozenset[str] = frozenset({"GET"})
    asked: list[str] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request over HTTP."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self.application(scope, receive, keep)
        self.asked.append(f"{scope['method']} {scope['path']}")
        start, *pieces = messages
        headers = {name.decode(): text.decode() for name, text in start["headers"]}
        headers.pop("content-length", None)
        body = b"".join(piece.get("body", b"") for piece in pieces)
        reply = Reply(start["status"], headers, body)
        is_good = reply.status < 400 and reply.body
        if self.oddity and is_good and scope["method"] in self.methods:
            self.oddity(reply)
        pairs = [(name.encode(), text.encode()) for name, text in reply.headers.items()]
        await send({**start, "status": reply.status, "headers": pairs})
        await send({"type": "http.response.body", "body": reply.body})
