"""How often a request waits for the server, which is what the others on its board wait for."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.pq import Trace

from tests.postgres.worlds import Worlds
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.endpoints import ENDPOINTS, Endpoint
from tests.service.letters import Desk
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tests.service.world import World
from tui.service.database.postgres import PostgresDatabase
from tui.service.mail import MailQueue

pytestmark = pytest.mark.long

MOST = 6
"""Round trips of a write, with the commit and the wait for the disk after it."""
_BOARD = "/projects/{board_id:id}"
_TASK = _BOARD + "/tasks/{task_id:id}"
_MORE = {
    f"POST {_BOARD}/duplicate-board": (23, "each kind of part needs the ids of the copies before"),
    f"POST {_TASK}/clone-task": (21, "as a board; each comment needs the id of the one before"),
    f"POST {_TASK}/clone-subtask": (12, "as a board"),
    f"POST {_TASK}/move-subtask": (
        7,
        "one for each subtask, which needs the place of the one before",
    ),
    f"PUT {_TASK}/claim": (9, "it looks at the card again before it takes, labels and comments it"),
    f"PUT {_TASK}/convert-to-subtask": (9, "it looks at two places, the parent and the people"),
    "POST /managers/roles/{user_id:id}": (9, "some for each board"),
    "POST /admin/folders/{folder_id:id}/add-board": (11, "some for each board"),
    "POST /webhooks": (8, "rare"),
    "DELETE /remove-user-from-board": (8, "rare; the board is in the body"),
    f"POST {_TASK}/comment-image-upload": (7, "the account is looked at before a file is received"),
    "parent_id": (9, "as convert-to-subtask"),
}
"""Exceptions, with the reason."""
_TABLES = {"furnished": ENDPOINTS, "detailed": DETAIL_ENDPOINTS, "sharing": SHARING_ENDPOINTS}
_WRITES = [
    pytest.param(kind, endpoint, id=endpoint.route)
    for kind, endpoints in _TABLES.items()
    for endpoint in endpoints
    if endpoint.method != "GET"
]
_KEY = {"Idempotency-Key": "one"}
_OFTEN = {
    "move": ("PUT", "/projects/1/tasks/1/move-task", {"newStageId": 2, "newIndex": 1}),
    "comment": (
        "POST",
        "/projects/1/tasks/1/comments",
        {"comment": "x", "comment_type": "comment"},
    ),
}
_PROPERTIES: dict[str, object] = {
    "title": "Dig deep",
    "description": "<p>With a spade</p>",
    "status": "closed",
    "priority": "high",
    "due_at": "2026-12-01 10:00:00",
    "assignees": [2, 3],
    "archived_at": True,
    "is_watching": True,
    "is_template": True,
    "parent_id": 2,
}


class Wire:
    """What the driver sends to a server, as it is traced into files of a folder."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._files = ExitStack()
        self._paths: list[Path] = []

    def connect(self) -> psycopg.Connection[Any]:
        link = psycopg.connect(self._url, autocommit=True)
        path = self._folder / str(len(self._paths))
        self._paths.append(path)
        link.pgconn.trace(self._files.enter_context(path.open("wb")).fileno())
        link.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS | Trace.REGRESS_MODE)
        return link

    def round_trips(self) -> int:
        """How often the driver has asked for everything that the server has to say so far."""
        return sum(map(_waits, self._paths))

    def close(self) -> None:
        self._files.close()


def _waits(path: Path) -> int:
    """The messages that the driver sends and then waits."""
    sent = [line.split("\t") for line in path.read_text("latin-1").splitlines()]
    return sum(line[0] == "F" and line[2] in ("Query", "Sync", "Flush") for line in sent)


def _round_trips(
    worlds: Worlds,
    tmp_path: Path,
    kind: str,
    asked: tuple[str, str, str, object],
    *,
    headers: Mapping[str, str] = _KEY,
    desk: Desk | None = None,
) -> int:
    """How often a request waits; everybody has an e-mail address, and letters go to the desk."""
    renewed = worlds.renewed(kind).database
    with renewed.transaction(writing=True) as db:
        name = db.value("select current_database()")
        db.run("update account set email = login || '@example.org'")
    wire = Wire(worlds.server.url(name), tmp_path)
    room = MailQueue(desk or Desk())
    world = World(PostgresDatabase(wire.connect), attachments=worlds.attachments, mail=room)
    try:
        assert world.ask(asked[0], "GET", "/projects").status == 200  # the credentials are known
        before = wire.round_trips()
        reply = world.ask(*asked, headers=headers)
        assert reply.status in (200, 201), reply.body
        return wire.round_trips() - before
    finally:
        room.close()
        world.close()
        wire.close()


@pytest.mark.parametrize(("kind", "endpoint"), _WRITES)
def test_a_write_takes_few(worlds: Worlds, tmp_path: Path, kind: str, endpoint: Endpoint) -> None:
    most, _reason = _MORE.get(endpoint.route, (MOST, ""))
    asked = (endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    assert _round_trips(worlds, tmp_path, kind, asked) <= most


@pytest.mark.parametrize("name", _PROPERTIES)
def test_a_change_of_a_property_takes_few(worlds: Worlds, tmp_path: Path, name: str) -> None:
    body = {"property": name, "value": _PROPERTIES[name]}
    asked = ("bob", "PUT", "/projects/1/tasks/1", body)
    most, _reason = _MORE.get(name, (MOST, ""))
    assert _round_trips(worlds, tmp_path, "furnished", asked) <= most


@pytest.mark.parametrize("name", _OFTEN)
def test_the_most_frequent_writes_take_four(worlds: Worlds, tmp_path: Path, name: str) -> None:
    """Three under the lock: the parts named, what they depend on, the change; then the disk."""
    asked = ("bob", *_OFTEN[name])
    assert _round_trips(worlds, tmp_path, "furnished", asked, headers={}) <= 4


def test_who_gets_an_email_is_known_from_the_transaction(worlds: Worlds, tmp_path: Path) -> None:
    desk = Desk()
    asked = ("root", "PUT", "/projects/1/tasks/1", {"property": "assignees", "value": [2, 3]})
    assert _round_trips(worlds, tmp_path, "furnished", asked, desk=desk) <= MOST
    assert [letter.to for letter in desk.letters] == ["ann@example.org", "bob@example.org"]
