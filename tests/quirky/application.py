"""The embedded service with quirks, as an ASGI application.

Whatever is not a quirk that is switched on passes through untouched. Pictures
and the webhook address, which bring keys of their own, pass in any case.
"""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.quirky.asking import Answer, Asked, Layer, Onward, Service, no_route
from tests.quirky.breaking import Breaking
from tests.quirky.commenting import Commenting
from tests.quirky.deleting import Deleting
from tests.quirky.errors import PAGE, Errors
from tests.quirky.news import News
from tests.quirky.permissions import Permissions
from tests.quirky.positions import Positions
from tests.quirky.properties import Properties
from tests.quirky.quirks import Quirks
from tests.quirky.reading import Reading
from tests.quirky.routes import Routes
from tests.quirky.site_people import SitePeople
from tests.quirky.subtasking import Subtasking
from tests.quirky.telling import Telling
from tests.quirky.texts import Texts
from tests.quirky.values import Values
from tui.service.idempotency import KEY_HEADER

_SITE = "http://quirky.example/"
BASE_URL = _SITE + "v2"
SITE_BASE_URL = _SITE + "api/boards/v2"
QUERY_BASE_URL = _SITE + "?rest_route=/boards/v2"
_LINKS_OF_OURS = b"http://embedded/"
_VERSION = "/v2"
_ROUTE = "rest_route"
_INDEX = "/api"
_OF_SERVICE = "/boards/v2"


def base_url(quirks: Quirks) -> str:
    """The address of a service with these quirks."""
    if quirks.query_addresses:
        return QUERY_BASE_URL
    return SITE_BASE_URL if quirks.on_site else BASE_URL


class QuirkyService:
    """Wraps the application of the real service; `every` so-many-th write fails once written.

    Requests at the routes of `breaking` fail for ever.
    """

    def __init__(self, application: ASGIApp, quirks: Quirks, *, every: int = 5) -> None:
        self._quirks = quirks
        self._service = Service(application)
        self._site_people = SitePeople(self._service)
        self.telling = Telling(quirks, every)
        self.breaking = Breaking(quirks)
        layers: list[Layer] = [
            self.breaking,
            Texts(quirks),
            Routes(quirks),
            Errors(quirks),
            Permissions(quirks),
            Values(quirks),
            News(quirks),
            Reading(quirks),
            Subtasking(quirks),
            Deleting(quirks),
            self.telling,
            Commenting(quirks),
            Properties(quirks),
            Positions(quirks),
        ]
        self._answer: Onward = self._service
        for layer in reversed(layers):
            self._answer = partial(layer, onward=self._answer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request over HTTP."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        answer = await self._reached(request, await request.body())
        content = answer.raw().replace(_LINKS_OF_OURS, _SITE.encode())
        response = Response(
            content, answer.status, dict(answer.headers), media_type=answer.media_type
        )
        await response(scope, receive, send)

    async def _reached(self, request: Request, content: bytes) -> Answer:
        """Find the path below the base URL, and answer what is asked there."""
        query = dict(request.query_params)
        headers = dict(request.headers)
        headers.pop("idempotency-key", None)  # which no deployed service knows
        headers.pop(KEY_HEADER.lower(), None)
        path = request.url.path
        if self._quirks.on_site and path.startswith(_INDEX):
            route = path.removeprefix(_INDEX)
        else:
            route = query.pop(_ROUTE, "") if self._quirks.query_addresses else ""
        if route.startswith(_OF_SERVICE):
            path = _VERSION + route.removeprefix(_OF_SERVICE)
        elif route and self._quirks.on_site:
            asked = Asked(request.method, route, query, headers, content)
            self.breaking.asked.append(f"{asked.method} {asked.path}")
            return await self._site_people(asked)
        elif route:
            return no_route()
        elif self._quirks.query_addresses and _needs_account(path):
            return Answer(404, content=PAGE, media_type="text/html")
        if not _needs_account(path):
            outside = Asked(request.method, path, query, headers, content)
            return await self._service.at(path, outside)
        below = path.removeprefix(_VERSION)
        return await self._answer(Asked(request.method, below, query, headers, content))


def _needs_account(path: str) -> bool:
    """Whether an address is that of an endpoint, not of a picture or a webhook."""
    return path.startswith(_VERSION) and not path.startswith(_VERSION + "/comment-images/")
