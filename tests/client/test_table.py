"""One interface, three times: what the specification says, the client asks, the service serves."""

import re
from collections import Counter
from contextlib import suppress

import httpx
import pytest

from tests.client.recorded import METHODS
from tests.client.scripted import client, ok
from tests.client.section_4 import SPECIFICATION, rows_of, written_rows
from tests.lint import tables
from tui.client.endpoints import Endpoint
from tui.errors import CallboardError
from tui.service.routes import ROUTES

_TWICE = ("GET", "/projects/{board_id}/users")
_ALSO_SERVED = {
    ("GET", "/projects/{board_id}/has-data-changed"),
    ("PUT", "/projects/{board_id}/tasks/{task_id}/claim"),
}
_FORMS = {
    "POST /projects/{board_id}/custom-field",
    "PUT /projects/{board_id}/custom-field/{custom_field_id}",
    "PUT /projects/{board_id}/custom-field/{custom_field_id}/update-position",
    "POST /admin/folders",
    "PUT /admin/folders/{folder_id}",
    "POST /admin/folders/{folder_id}/remove-board",
}
_FILES = {"POST /projects/{board_id}/tasks/{task_id}/comment-image-upload"}


def _spelt(path: str) -> str:
    """A path with the names of its parts as the client's table has them."""
    plain = re.sub(r":id}", "}", path).replace("/webhooks/{id}", "/webhooks/{webhook_id}")
    return plain.replace("{path_word}", "service")


_SPECIFIED = {(method, _spelt(path)): section for method, path, section in reversed(written_rows())}


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the specification is not beside this")
def test_the_rows_are_those_of_the_specification() -> None:
    assert written_rows() == rows_of(SPECIFICATION)


def test_each_row_is_specified_once_but_one() -> None:
    rows = Counter((method, path) for method, path, _ in written_rows())
    assert [row for row, count in rows.items() if count > 1] == [_TWICE]
    assert sum(rows.values()) == 79


def test_the_embedded_service_serves_every_row() -> None:
    served = {(route.method, _spelt(route.path)) for route in ROUTES}
    unserved, more = _SPECIFIED.keys() - served, served - _SPECIFIED.keys()
    tables.check(
        tables.Edit(
            "Add a handler in tui/service/handlers, and to `ROUTES` in tui/service/routes.py:",
            sorted(f'Route("{method}", "{path}", ROLE, HANDLER),' for method, path in unserved),
        ),
        tables.missing(map(repr, more - _ALSO_SERVED), "`_ALSO_SERVED`", __file__),
        tables.obsolete(map(repr, _ALSO_SERVED - more), "`_ALSO_SERVED`", __file__),
    )


async def _asked(endpoint: Endpoint) -> tuple[str, httpx.Request]:
    """What the client asks for an endpoint: as a row, with names instead of ids, and as sent."""
    one, script = client(ok({}))
    names = [name for name in re.findall(r"{(\w+)}", endpoint.path) if name != "path_word"]
    ids = {name: number for number, name in enumerate(names, 1001)}
    with suppress(CallboardError):  # the answer is no record
        await METHODS[endpoint](one, **ids)
    await one.aclose()
    row = script.asked[0]
    for name, number in ids.items():
        row = row.replace(f"/{number}", f"/{{{name}}}")
    return row, script.requests[0]


async def test_the_client_asks_for_every_row_and_for_no_other_unless_it_is_missing() -> None:
    asked, twice = set[tuple[str, str]](), list[str]()
    for endpoint in (each for each in METHODS if not each.is_deployed_only):
        row, _ = await _asked(endpoint)
        if (row, endpoint.section) in asked:
            twice.append(f"{endpoint.name}: {row}")
        asked.add((row, endpoint.section))
    specified = {(f"{method} {path}", section) for (method, path), section in _SPECIFIED.items()}
    file = "tui/client/endpoints.py"
    lines = (f"NAME = {(*row.split(), section)}" for row, section in specified - asked)
    tables.check(
        tables.missing(lines, "`Endpoint`", file),
        tables.Edit(
            f"Mark with `is_deployed_only` what the specification does not have in {file}:",
            sorted(f"{row}, section {section}" for row, section in asked - specified),
        ),
        tables.Edit(
            f"Remove, as another endpoint asks the same, from `Endpoint` in {file}:", twice
        ),
    )


async def test_forms_and_files_go_where_the_specification_says() -> None:
    sent = {}
    for endpoint in (each for each in METHODS if not each.is_deployed_only):
        row, request = await _asked(endpoint)
        sent[row] = request.headers.get("content-type", "").partition(";")[0]
    forms = {row for row, kind in sent.items() if kind == "application/x-www-form-urlencoded"}
    files = {row for row, kind in sent.items() if kind == "multipart/form-data"}
    assert (forms, files) == (_FORMS, _FILES)
    assert set(sent.values()) - {"", "application/json"} == {
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    }
