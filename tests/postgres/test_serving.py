"""`callboard serve` and its accounts on PostgreSQL, in processes of their own."""

from pathlib import Path

import httpx
import pytest

from tests.postgres.server import Server
from tests.server.launched import PASSWORD, launched, ran

pytestmark = pytest.mark.long

_BOARD = {"board": {"title": "Garden", "type": "to-do"}}


def test_accounts_and_boards_are_on_the_server(server: Server, tmp_path: Path) -> None:
    where = ("--database", server.url(server.create()))
    for name in ("ann", "bob"):
        made = ran(tmp_path, "user", "add", name, *where, told=f"{PASSWORD}\n")
        assert (made.returncode, made.stderr) == (0, "")
    folder = ("--attachments", str(tmp_path / "attachments"))
    with launched(tmp_path, *where, *folder) as running:
        with httpx.Client(base_url=running.address, auth=("bob", PASSWORD)) as client:
            assert client.post("/projects", json=_BOARD).status_code == 201
        removed = ran(tmp_path, "user", "remove", "bob", *where)
        assert removed.stdout.splitlines()[-1] == "ann is now admin of: Garden."
        address = f"{running.address}/projects"
        assert httpx.get(address, auth=("bob", PASSWORD)).status_code == 401
        found = httpx.get(address, auth=("ann", PASSWORD)).json()["boards"]["data"]
        assert [user["user_login"] for user in found[0]["users"]] == ["ann"]
        assert running.stop() == 0
