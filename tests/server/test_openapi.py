"""The description of the service is whole; `tests.service.trials` holds every reply against it."""

import re

import pytest

from tests.lint import tables
from tests.service.described import DOCUMENT, mistakes
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.endpoints import ENDPOINTS
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tui.service.call import Route
from tui.service.http.openapi import refusals
from tui.service.routes import ROUTES

_ROUTES = {f"{route.method} {route.path}": route for route in ROUTES}
_RAISED = re.compile(r"Raises ([^.]*)\.")
_STATUS = re.compile(r"\b[45][0-9]{2}\b")


def _docstring(route: Route) -> str:
    return " ".join((route.handler.function.__doc__ or "").split())


def test_every_route_is_described_and_nothing_else() -> None:
    under_base = {
        f"{method.upper()} {path.removeprefix('/v2')}"
        for path, methods in DOCUMENT["paths"].items()
        for method in methods
        if path.startswith("/v2/") and "comment-images" not in path
    }
    routes = {route.replace(":id", "") for route in _ROUTES}
    tables.check(
        tables.Edit("Describe in tui/service/http/openapi.py:", sorted(routes - under_base)),
        tables.Edit("No longer describe there, as no route is so:", sorted(under_base - routes)),
    )


def test_operations_have_names_of_their_own() -> None:
    names = [
        operation["operationId"]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
    ]
    assert len(names) == len(set(names))


def test_everything_referred_to_is_there_and_everything_there_is_referred_to() -> None:
    referred = set(re.findall(r"'\$ref': '#/components/(\w+/[\w-]+)'", str(DOCUMENT)))
    parts = DOCUMENT["components"]
    kinds = set(parts) - {"securitySchemes"}
    held = {f"{kind}/{name}" for kind in kinds for name in parts[kind]}
    assert referred == held


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_what_a_handler_says_it_raises_is_described(route: Route) -> None:
    told = {
        int(status)
        for part in _RAISED.findall(_docstring(route))
        for status in _STATUS.findall(part)
    }
    undeclared = told - set(refusals(route))
    assert not undeclared, (
        f"add {undeclared} to `refuses` of the handler of {route.method} {route.path}, or correct"
        " “Raises …” in its docstring"
    )


def test_what_is_described_of_a_handler_is_told_of_or_was_seen() -> None:
    seen = {
        (endpoint.route, refusal.status)
        for endpoint in (*ENDPOINTS, *DETAIL_ENDPOINTS, *SHARING_ENDPOINTS)
        for refusal in endpoint.refusals
    }
    unfounded = {
        (name, status)
        for name, route in _ROUTES.items()
        for status in route.handler.refuses
        if str(status) not in _docstring(route) and (name, status) not in seen
    }
    tables.check(
        tables.Edit(
            "Say “Raises …” in the docstring of the handler, add a `Refusal` to its endpoint in"
            " tests/service, or remove from its `refuses`:",
            sorted(f"{name}: {status}" for name, status in unfounded),
        )
    )


def test_a_reply_that_lacks_a_field_is_a_mistake() -> None:
    route = "GET /projects/{board_id:id}/labels"
    assert mistakes(route, 200, {"labels": [{"id": 1}]})
    assert mistakes(route, 418, {})
    assert not mistakes(route, 200, {"labels": []})
