"""One interface, four times: specification, table of endpoints, methods of the client, service."""

import inspect
import re
from collections import Counter
from collections.abc import Coroutine

import pytest

from tests.client.recorded import METHODS
from tests.client.scripted import client, ok
from tests.client.section_4 import SPECIFICATION, rows_of, written_rows
from tui.client.endpoints import Encoding, Endpoint
from tui.service.routes import ROUTES

_TWICE = ("GET", "/projects/{board_id}/users")
_ALSO_SERVED = {("GET", "/projects/{board_id}/has-data-changed")}


def _spelt(path: str) -> str:
    """A path with the names of its parts as the client's table has them."""
    plain = re.sub(r":id}", "}", path).replace("/webhooks/{id}", "/webhooks/{webhook_id}")
    return plain.replace("{path_word}", "service")


_SPECIFIED = {(method, _spelt(path)): section for method, path, section in reversed(written_rows())}
_TABLE = {
    (endpoint.method, _spelt(endpoint.path)): endpoint.section
    for endpoint in Endpoint
    if not endpoint.is_deployed_only
}


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the specification is not beside this")
def test_the_rows_are_those_of_the_specification() -> None:
    assert written_rows() == rows_of(SPECIFICATION)


def test_the_table_has_every_row_of_the_specification_and_no_other() -> None:
    assert _TABLE == _SPECIFIED
    rows = Counter((method, path) for method, path, _ in written_rows())
    assert [row for row, count in rows.items() if count > 1] == [_TWICE]
    assert sum(rows.values()) == 79


def test_the_embedded_service_serves_every_row() -> None:
    served = {(route.method, _spelt(route.path)) for route in ROUTES}
    assert set(_SPECIFIED) <= served
    assert served - set(_SPECIFIED) == _ALSO_SERVED


def test_forms_and_files_go_where_the_specification_says() -> None:
    forms = {endpoint.name for endpoint in Endpoint if endpoint.encoding is Encoding.FORM}
    files = {endpoint.name for endpoint in Endpoint if endpoint.encoding is Encoding.MULTIPART}
    assert forms == {
        "CREATE_FIELD",
        "UPDATE_FIELD",
        "REPOSITION_FIELD",
        "CREATE_FOLDER",
        "UPDATE_FOLDER",
        "REMOVE_BOARD_FROM_FOLDER",
    }
    assert files == {"UPLOAD_COMMENT_IMAGE"}


class _Probe:
    """Notes which method of which resource was called."""

    def __init__(self, place: str = "") -> None:
        self._place = place
        self.called: list[str] = []

    def __getattr__(self, name: str) -> "_Probe":
        inner = _Probe(f"{self._place}.{name}".lstrip("."))
        inner.called = self.called
        return inner

    def __call__(self, *_arguments: object, **_named: object) -> None:
        self.called.append(self._place)


def _method_of(endpoint: Endpoint) -> str:
    probe = _Probe()
    names = re.findall(r"{(\w+)}", endpoint.path)
    outcome = METHODS[endpoint](probe, **{name: 1 for name in names if name != "path_word"})
    if isinstance(outcome, Coroutine):
        outcome.close()
    (called,) = probe.called
    return called


def test_each_endpoint_has_a_method_of_its_own() -> None:
    specified = [endpoint for endpoint in Endpoint if not endpoint.is_deployed_only]
    methods = {_method_of(endpoint) for endpoint in specified}
    assert len(methods) == len(specified)


async def test_each_endpoint_is_asked_by_a_method_that_is_there() -> None:
    one, _ = client(ok({}))
    resources = {
        name: value
        for name, value in vars(one).items()
        if type(value).__module__.startswith("tui.client.resources.")
    }
    methods = {
        f"{place}.{name}"
        for place, resource in resources.items()
        for name, _ in inspect.getmembers(resource, callable)
        if not name.startswith("__")
    }
    asked = {_method_of(endpoint) for endpoint in Endpoint}
    assert asked <= methods
    await one.aclose()
