"""What crosses the client's border: ids are integers, wall times the user's, wherever they stand.

Every recorded success is replayed with all its ids as text, and with all its wall times set.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.client.lossless import documents
from tests.client.recorded import HERE, METHODS, WHOLE, Exchange, known_to_ask, load
from tests.client.scripted import session
from tests.harness.cases import mostly_long
from tui.client.decoding import KINDS, wall_times
from tui.client.editions.client import client_for
from tui.client.endpoints import Endpoint

_FOLDERS = (HERE, WHOLE)
_ID_NAME = re.compile(r"id|ID|\w+_(ids?|by|assignees)|[a-z]+Ids?")
_SITE, _USERS = "2031-05-05 12:00:00", "2031-05-05 04:00:00"
_WALL_TIMES = {name for kind in KINDS for name in wall_times(kind)}


def _successes(folder: Path) -> list[Exchange]:
    if not folder.is_dir():
        pytest.skip("these recordings lie beside the project, and are not here")
    return [exchange for exchange in load(folder) if exchange.status < 400]


def _changed(value: Any, change: Callable[[str, Any], Any], name: str = "") -> Any:
    """A body with a change made to each of its members that is no object or list."""
    if isinstance(value, dict):
        return {key: _changed(inner, change, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_changed(element, change, name) for element in value]
    return change(name, value)


def _with_body(exchange: Exchange, change: Callable[[str, Any], Any]) -> Exchange:
    return replace(exchange, content=json.dumps(_changed(exchange.body, change)).encode())


async def _documents(exchange: Exchange, timezone: str = "") -> list[dict[str, Any]]:
    endpoint, ids = exchange.endpoint() or (Endpoint.LIST_BOARDS, {})
    transport = httpx.MockTransport(exchange.answer)
    client = client_for(session(transport), capabilities=known_to_ask(endpoint), timezone=timezone)
    async with client:
        return documents(await METHODS[endpoint](client, **ids))


def _ids_as_text(name: str, value: Any) -> Any:
    is_id = _ID_NAME.fullmatch(name) and isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_id else value


def _ids_as_numbers(name: str, value: Any) -> Any:
    is_id = _ID_NAME.fullmatch(name) and isinstance(value, str) and value.isdigit()
    return int(value) if is_id else value


@mostly_long("folder", _FOLDERS, every=2, ids=["chosen", "all"])
async def test_an_id_that_comes_as_text_is_an_integer(folder: Path) -> None:
    for exchange in _successes(folder):
        expected = await _documents(_with_body(exchange, _ids_as_numbers))
        assert await _documents(_with_body(exchange, _ids_as_text)) == expected, exchange.name


@pytest.fixture
def machine_in_utc() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def _with_wall_times(name: str, value: Any) -> Any:
    return _SITE if name in _WALL_TIMES else value


def _wall_times(value: Any) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name in _WALL_TIMES:
            yield name, inner
        yield from _wall_times(inner)
    for element in value if isinstance(value, list) else ():
        yield from _wall_times(element)


@mostly_long("folder", _FOLDERS, every=2, ids=["chosen", "all"])
@pytest.mark.usefixtures("machine_in_utc")
async def test_a_wall_time_of_the_site_is_the_users(folder: Path) -> None:
    for exchange in _successes(folder):
        read = await _documents(_with_body(exchange, _with_wall_times), timezone="+08:00")
        assert {wall for _, wall in _wall_times(read)} <= {_USERS}, exchange.name
