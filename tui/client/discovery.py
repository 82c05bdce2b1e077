"""Finds a board service from any address of its site, without credentials.

A site's pages name its REST index in a `Link` header with `rel="https://api.w.org/"`; without
pretty URLs the index is at `/?rest_route=/`. It lists namespaces; that of the service ends in `/v2`
and answers `GET …/projects` with 401. A service that is part of no site is at `/v2`. Where a page
names no index, both are looked for in its folder and in those above it, the nearest first.

No request here carries credentials, so redirects to other hosts are followed; the caller decides by
`is_same_place` whether credentials may go there.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx

from tui.client.endpoints import RequestLine
from tui.client.errors import ApiError, BadAddress, NoService, ServerFault
from tui.client.http.address import ROUTE_PARAMETER, Address, is_loopback
from tui.client.http.connection import JSON, HttpConnection, Request, connect
from tui.client.http.error_bodies import plain_line
from tui.client.http.json_stream import UndecodableError, decode
from tui.client.http.retry import Timeouts
from tui.client.http.transport_errors import timed_out
from tui.client.site_time import UnknownZone, parse_zone
from tui.client.values import as_number, as_text
from tui.text import clean

_INDEX_RELATION = "https://api.w.org/"
_PRETTY_INDEX = "wp-json/"
_ALONE = "/v2"
"""The path of a service that is not part of a site."""
_INDEX_FIELDS = "name,gmt_offset,timezone_string,namespaces,authentication"
_ANY = "text/html, application/json;q=0.9, */*;q=0.5"
_LARGEST: Final = 8 * 1024 * 1024
_MOST_REDIRECTS = 5
_DEEPEST_FOLDER = 4
_MOST_BASES = 30
_LONGEST_NAME = 60
_LONGEST_PAGE = 300
_TIMEOUTS = Timeouts(connect=10.0, read=20.0, total=60.0)

_VERSION = re.compile(r"(?:/[^/?#]+)*?/v2(?=/|$)")
_NAMESPACE = re.compile(r"[\w.-]+(?:/[\w.-]+)*/v2")
_SITE_ITSELF = "wp/v2"
"""The namespace of the site's own content, which may include pages called projects."""


@dataclass(frozen=True, slots=True)
class SiteIndex:
    """A site's index; its texts are terminal-safe.

    `timezone` is a zone's name or an offset, as `parse_zone` reads it; `authorization` is the page
    where the user can create an application password. Both may be empty.
    """

    name: str
    namespaces: tuple[str, ...] = ()
    timezone: str = ""
    authorization: str = ""


@dataclass(frozen=True, slots=True)
class FoundService:
    """A service: its base URL, its path segment if known, and its site."""

    url: str
    path_word: str = ""
    site: SiteIndex | None = None


async def find_service(
    address: str,
    *,
    ca_file: Path | None = None,
    allow_plaintext: bool = False,
    transport: httpx.AsyncBaseTransport | None = None,
) -> FoundService:
    """Find the service behind an http(s) address: its base URL, or any page of its site.

    Raises `NoService` if there is none, or more than one; `BadAddress` if credentials would be sent
    in clear text without `allow_plaintext`; `ApiError` if there is no response.
    """
    # Plaintext is fine for looking, without credentials; the address that is found is checked.
    start = Address.parse(address, allow_plaintext=True).base
    async with _asking(start, ca_file, transport) as visitor:
        base = service_base(start)
        if base is not None:
            Address.parse(base, allow_plaintext=allow_plaintext)
            if await visitor.is_service(base):
                return await visitor.described(base)
        service = await visitor.nearest()
    Address.parse(service.url, allow_plaintext=allow_plaintext)
    return service


async def read_site(
    base_url: str,
    *,
    ca_file: Path | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> SiteIndex | None:
    """The site of the service at `base_url`; None if it has no index.

    Raises `ApiError` if there is no response.
    """
    index = _index_of(base_url)
    if index is None:
        return None
    async with _asking(index, ca_file, transport) as visitor:
        return await visitor.index(index)


def service_base(address: httpx.URL) -> str | None:
    """The address up to `/v2`, in its path or its `rest_route`; None if there is none."""
    route = address.params.get(ROUTE_PARAMETER)
    match = _VERSION.match(address.path if route is None else route)
    if match is None:
        return None
    bare = address.copy_with(path=address.path or "/", query=None, fragment=None)
    if route is None:
        return str(bare.copy_with(path=match[0]))
    return f"{bare}?{ROUTE_PARAMETER}={quote(match[0])}"


def is_same_place(typed: str, address: str) -> bool:
    """Whether `address` has the origin of `typed`, or is https on the same host typed with http."""
    url, target = httpx.URL(typed), httpx.URL(address)
    is_upgrade = (url.scheme, target.scheme) == ("http", "https")
    return url.host == target.host and (
        is_upgrade or (url.scheme == target.scheme and url.port == target.port)
    )


@asynccontextmanager
async def _asking(
    start: httpx.URL, ca_file: Path | None, transport: httpx.AsyncBaseTransport | None
) -> AsyncIterator["_Visitor"]:
    try:
        async with asyncio.timeout(_TIMEOUTS.total), AsyncExitStack() as stack:
            yield _Visitor(start, ca_file, transport, stack)
    except TimeoutError:
        trouble = timed_out(_route(start), _host(start))
    else:
        return
    raise trouble


@dataclass(frozen=True, slots=True)
class _Page:
    """A response after redirects, with its JSON value or None."""

    url: httpx.URL
    status: int
    headers: httpx.Headers
    value: Any


@dataclass(frozen=True, slots=True)
class _Visitor:
    """Makes requests without credentials, beginning at `start`."""

    start: httpx.URL
    ca_file: Path | None
    transport: httpx.AsyncBaseTransport | None
    stack: AsyncExitStack
    connections: dict[tuple[str, str, int | None], HttpConnection] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)
    """The base URLs that were tried."""

    async def is_service(self, base: str) -> bool:
        """Whether there is a service at a base URL: it requires credentials for its boards.

        Raises `ServerFault` for a temporary failure.
        """
        if base in self.bases or len(self.bases) >= _MOST_BASES:
            return False
        self.bases.add(base)
        url = Address.parse(base, allow_plaintext=True).url("/projects", {"per_page": "1"})
        page = await self._page(url, JSON)
        if page.status >= HTTPStatus.INTERNAL_SERVER_ERROR and page.value is None:
            raise ServerFault(
                f"{_host(url)} is failing at the moment ({page.status}).",
                hint="Try again later.",
                status=page.status,
            )
        # A page that asks for a login, of a proxy or web server, has this status too, but no JSON.
        if page.status == HTTPStatus.UNAUTHORIZED:
            return page.value is not None
        return page.status == HTTPStatus.OK and _member(page.value, "boards") is not None

    async def nearest(self) -> FoundService:
        """The service of the page at `start`, or of the nearest folder above it that has one.

        Raises `NoService` if there is none, or if a site has several.
        """
        page = await self._page(self.start, _ANY)
        typed = self.start  # as https if its page is there
        if typed.host == page.url.host:
            typed = typed.copy_with(scheme=page.url.scheme, port=page.url.port)
        places = [place for url in (page.url, typed) for place in _usual_places(url)]
        troubles: list[ApiError] = []
        for place in dict.fromkeys((*_named_places(page), *places)):
            try:
                if place.path.endswith(_ALONE):
                    if await self.is_service(str(place)):
                        return await self.described(str(place))
                    continue
                site = _site(page.value) if place == page.url else await self.index(place)
                if site is None:
                    continue
                bases = [_below(place, name) for name in site.namespaces if name != _SITE_ITSELF]
                services = [base for base in bases if await self.is_service(base)]
            except (BadAddress, ServerFault) as error:
                troubles.append(error)
                continue
            name = site.name or _host(place)
            if len(services) > 1:
                raise NoService(
                    f"{name} has several services that may hold boards.",
                    hint=f"Name one of them: {'  '.join(services)}",
                )
            if services:
                return FoundService(services[0], _path_word(services[0], site), site)
            troubles.append(
                NoService(
                    f"{name} answers, but it has no boards.",
                    hint="Check the address; if it is right, ask who runs the site.",
                )
            )
        raise next(iter(troubles), None) or NoService(
            f"No site with boards was found at {_host(self.start)}: {_in_words(page)}.",
            hint="Check the address. If this network has a sign-in page of its own, sign in with a"
            " browser and try again.",
        )

    async def described(self, base: str) -> FoundService:
        """The service at a base URL with its site, if it has one."""
        site = None
        with suppress(BadAddress):  # what is no index may lead anywhere
            site = await self.index(_index_of(base))
        return FoundService(base, _path_word(base, site), site)

    async def index(self, url: httpx.URL | None) -> SiteIndex | None:
        """The site whose index is at an address; None if there is none."""
        if url is None:
            return None
        return _site((await self._page(url.copy_add_param("_fields", _INDEX_FIELDS), JSON)).value)

    async def _page(self, url: httpx.URL, accept: str) -> _Page:
        """Request a page, following redirects. Raises `ApiError`."""
        for _ in range(_MOST_REDIRECTS):
            self._check(url)
            connection = await self._connection(url)
            async with connection.open(
                Request(_route(url), url, _LARGEST, accept=accept)
            ) as response:
                if response.target is None:
                    # Of a page only the headers matter, so its body is not read.
                    is_json = "json" in response.headers.get("content-type", "")
                    content = await response.whole() if is_json else b"null"
                    return _Page(url, response.status, response.headers, await _decoded(content))
                url = response.target
        raise BadAddress(f"{_host(url)} redirects in a loop.", hint="Check the address.")

    def _check(self, url: httpx.URL) -> None:
        """Raise `BadAddress` for targets that a page must not redirect to."""
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
            why = "which is no web address"
        elif url.scheme == "http" and self.start.scheme == "https":
            why = "which is not encrypted"
        elif is_loopback(url.host) and not is_loopback(self.start.host):
            why = "which is this machine"
        else:
            return
        shown = clean.line(str(url.copy_with(query=None, userinfo=b"")))[:_LONGEST_PAGE]
        raise BadAddress(
            f"{_host(self.start)} redirects to {shown}, {why}.", hint="Check the address."
        )

    async def _connection(self, url: httpx.URL) -> HttpConnection:
        origin = (url.scheme, url.host, url.port)
        connection = self.connections.get(origin)
        if connection is None:
            # The TLS context takes some 50 ms to make.
            connection = await asyncio.to_thread(
                connect, url, self.transport, _TIMEOUTS, self.ca_file
            )
            self.connections[origin] = connection
            self.stack.push_async_callback(connection.aclose)
        return connection


async def _decoded(content: bytes) -> Any:
    try:
        return await decode(content)
    except UndecodableError:
        return None


def _in_words(page: _Page) -> str:
    if page.value is not None:
        return "what answers there is another kind of program"
    if page.status >= HTTPStatus.BAD_REQUEST:
        return f"it answers with the error {page.status}"
    return "it answers with an ordinary web page"


def _site(value: Any) -> SiteIndex | None:
    namespaces = _member(value, "namespaces")
    if not isinstance(namespaces, list):
        return None
    short = (name for name in namespaces if isinstance(name, str) and len(name) <= _LONGEST_NAME)
    return SiteIndex(
        plain_line(as_text(_member(value, "name")) or "")[:_LONGEST_NAME],
        tuple(dict.fromkeys(name for name in short if _NAMESPACE.fullmatch(name))),
        _timezone(_member(value, "timezone_string"), _member(value, "gmt_offset")),
        _authorization(value),
    )


def _timezone(name: Any, hours: Any) -> str:
    """The zone of a site: its name, or its offset in hours, `"5.5"` being +05:30."""
    zone, offset = (as_text(name) or "").strip(), as_number(hours)
    if not zone and offset is not None:
        minutes = abs(round(offset * 60))
        zone = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
    with suppress(UnknownZone):
        parse_zone(zone)
        return zone
    return ""


def _authorization(value: Any) -> str:
    """The page where the user can create an application password for this program."""
    node: Any = value
    for member in ("authentication", "application-passwords", "endpoints", "authorization"):
        node = _member(node, member)
    if not isinstance(node, str):
        return ""
    try:
        page = httpx.URL(node).copy_set_param("app_name", "Callboard")
    except (httpx.InvalidURL, ValueError):
        return ""
    shown = str(page)
    is_web = page.scheme in {"http", "https"} and bool(page.host) and not page.userinfo
    return shown if is_web and clean.line(shown) == shown and len(shown) <= _LONGEST_PAGE else ""


def _member(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _named_places(page: _Page) -> Iterator[httpx.URL]:
    """The addresses that a page names for its site's index; its own, if it is one."""
    if _site(page.value):
        yield page.url
    links = httpx.Response(page.status, headers=page.headers).links
    with suppress(KeyError, httpx.InvalidURL, ValueError):
        yield page.url.join(links[_INDEX_RELATION]["url"])


def _usual_places(page: httpx.URL) -> Iterator[httpx.URL]:
    """The usual addresses of an index and of a service on its own, from the page's folder up."""
    bare = page.copy_with(query=None, fragment=None)
    folders = [part for part in page.path.split("/") if part][:_DEEPEST_FOLDER]
    for depth in range(len(folders), -1, -1):
        folder = "/" + "".join(f"{part}/" for part in folders[:depth])
        yield bare.copy_with(path=folder + _PRETTY_INDEX)
        yield bare.copy_with(path=folder, params={ROUTE_PARAMETER: "/"})
        yield bare.copy_with(path=folder.rstrip("/") + _ALONE)


def _index_of(base: str) -> httpx.URL | None:
    return Address.parse(base, allow_plaintext=True).in_index("/")


def _below(index: httpx.URL, namespace: str) -> str:
    """The base URL of a namespace of an index."""
    route = index.params.get(ROUTE_PARAMETER)
    bare = index.copy_with(query=None, fragment=None)
    if route is None:
        return str(bare.copy_with(path=f"{index.path.rstrip('/')}/{namespace}"))
    return f"{bare}?{ROUTE_PARAMETER}={quote(route.rstrip('/') + '/' + namespace)}"


def _path_word(base: str, site: SiteIndex | None) -> str:
    """The segment before the version, if the index lists it as a namespace."""
    if site is None:
        return ""
    namespace = next((name for name in site.namespaces if base.endswith("/" + name)), "")
    return namespace.removesuffix("/v2").rpartition("/")[2]


def _route(url: httpx.URL) -> RequestLine:
    return RequestLine("GET", url.path, is_safe=True)


def _host(url: httpx.URL) -> str:
    return clean.line(url.host)
