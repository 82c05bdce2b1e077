"""A site that holds a quirky service: pages, an index of namespaces, and people of its own."""

import base64
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.quirky.routes import PATH_WORD

NO_ROUTE = {
    "code": "rest_no_route",
    "message": "No route was found matching the URL and request method.",
    "data": {"status": 404},
}
FORBIDDEN = {
    "code": "rest_not_logged_in",
    "message": "You are not currently logged in.",
    "data": {"status": 401},
}
_VERSION = "/v2"
_INDEX = "/wp-json"
_ROUTE = "rest_route"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How a site is set up.

    `folder` is its path on its host; `has_link` tells whether pages name the index;
    `home` is what a page redirects to; `people` are the logins with id and name, `emails` the
    logins by the addresses that may be used instead of them.
    """

    folder: str = ""
    is_pretty: bool = True
    has_link: bool = True
    home: str = ""
    name: str = "Crew &amp; Co"
    timezone_string: str = "Asia/Dhaka"
    gmt_offset: str = "6"
    namespaces: tuple[str, ...] = ("oembed/1.0", "other/v2", f"{PATH_WORD}/v2", "wp/v2")
    authorization: str = ""
    people: dict[str, tuple[int, str]] = field(default_factory=dict)
    emails: dict[str, str] = field(default_factory=dict)
    is_behind_portal: bool = False


class Site:
    """The site as an ASGI application; `asked` are the requests, with the login that came along."""

    def __init__(self, service: ASGIApp, shape: Shape) -> None:
        self._service = service
        self.shape = shape
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request over HTTP."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        self.asked.append((f"{request.method} {request.url.path}", _login(request)))
        route = self._route(request)
        if self.shape.is_behind_portal:
            answer: Response | None = HTMLResponse("<html><title>Sign in</title></html>")
        elif route is None:
            answer = self._page(request)
        elif route == "/":
            answer = JSONResponse(self._index(request))
        elif route == "/wp/v2/users/me":
            answer = await self._me(request)
        elif route.startswith(f"/{PATH_WORD}{_VERSION}"):
            answer = None
            below = route.removeprefix(f"/{PATH_WORD}")
            await self._service(self._onward(scope, below), receive, send)
        else:
            answer = JSONResponse(NO_ROUTE, 404, headers=self._headers(request))
        if answer is not None:
            await answer(scope, receive, send)

    def _route(self, request: Request) -> str | None:
        """The path below the index; None for a page."""
        path = request.url.path.removeprefix(self.shape.folder)
        if not self.shape.is_pretty:
            return request.query_params.get(_ROUTE) if path in ("", "/") else None
        if path == _INDEX or path.startswith(_INDEX + "/"):
            return path.removeprefix(_INDEX) or "/"
        return None

    def _page(self, request: Request) -> Response:
        if self.shape.home:
            return Response(status_code=302, headers={"location": self.shape.home})
        is_there = request.url.path.startswith(self.shape.folder)
        text = f"<html><title>{self.shape.name}</title><body>Welcome</body></html>"
        return HTMLResponse(text, 200 if is_there else 404, headers=self._headers(request))

    def _headers(self, request: Request) -> dict[str, str]:
        if not self.shape.has_link:
            return {}
        index = f"{self._home(request)}{_INDEX}/"
        if not self.shape.is_pretty:
            index = f"{self._home(request)}/?{_ROUTE}=/"
        return {"link": f'<{index}>; rel="https://api.w.org/", <{index}>; rel=shortlink'}

    def _home(self, request: Request) -> str:
        return f"{request.url.scheme}://{request.url.netloc}{self.shape.folder}"

    def _index(self, request: Request) -> dict[str, Any]:
        shape = self.shape
        endpoints = {"endpoints": {"authorization": shape.authorization}}
        wanted = dict(parse_qsl(request.url.query)).get("_fields", "")
        said = {
            "name": shape.name,
            "url": self._home(request),
            "gmt_offset": shape.gmt_offset,
            "timezone_string": shape.timezone_string,
            "namespaces": list(shape.namespaces),
            "authentication": {"application-passwords": endpoints} if shape.authorization else [],
            "routes": {"/": {"methods": ["GET"]}},
        }
        return {
            name: value for name, value in said.items() if not wanted or name in wanted.split(",")
        }

    async def _me(self, request: Request) -> Response:
        """The person of the credentials, if the service believes them."""
        login = self.shape.emails.get(_login(request), _login(request))
        is_known = login in self.shape.people and await self._is_believed(request)
        if not is_known:
            return JSONResponse(FORBIDDEN, 401)
        person_id, name = self.shape.people[login]
        return JSONResponse({"id": person_id, "name": name, "slug": login, "link": "", "meta": []})

    async def _is_believed(self, request: Request) -> bool:
        said: list[int] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                said.append(message["status"])

        await self._service(self._onward(request.scope, "/v2/projects"), receive, send)
        return said == [200]

    def _onward(self, scope: Scope, path: str) -> Scope:
        """A request as the service takes it: at its own path, with the login of an e-mail."""
        query = dict(parse_qsl(scope["query_string"].decode()))
        query.pop(_ROUTE, None)
        headers = [
            (name, self._with_login(value) if name == b"authorization" else value)
            for name, value in scope["headers"]
        ]
        more = {"path": path, "raw_path": path.encode(), "query_string": urlencode(query).encode()}
        return {**scope, **more, "headers": headers}

    def _with_login(self, header: bytes) -> bytes:
        login, _, password = _decoded(header.decode()).partition(":")
        pair = f"{self.shape.emails.get(login, login)}:{password}"
        return b"Basic " + base64.b64encode(pair.encode())


def _login(request: Request) -> str:
    """The login name that came with a request; empty without credentials."""
    return _decoded(request.headers.get("authorization", "")).partition(":")[0]


def _decoded(header: str) -> str:
    return base64.b64decode(header.partition(" ")[2]).decode(errors="replace")
