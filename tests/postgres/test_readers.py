"""Readers answer while writers wait for a lock that somebody else holds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.postgres.server import Server
from tests.postgres.worlds import Worlds
from tui.service.accounts.accounts import create_account
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.database.postgres import open_postgres
from tui.service.http.application import served
from tui.service.times import SiteClock

pytestmark = pytest.mark.long

_WRITERS = 40
_TASK = {"task": {"title": "Rake", "board_id": 1, "stage_id": 1}}
_UPLOAD = "/v2/projects/1/tasks/1/comment-image-upload"
_WAITING = "select count(*) from pg_locks where locktype = 'advisory' and not granted"


class Arrivals:
    """An application that says when so many requests arrived whole."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._awaited = 0
        self._arrived = asyncio.Event()

    async def of(self, requests: list[asyncio.Task[httpx.Response]]) -> None:
        """Wait until all of these tasks' requests have arrived; they were not begun yet."""
        self._awaited = len(requests)
        await self._arrived.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receiving() -> Message:
            message = await receive()
            self._awaited -= not message.get("more_body", False)
            if not self._awaited:
                self._arrived.set()
            return message

        await self._app(scope, receiving, send)


@asynccontextmanager
async def _client(application: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://x", auth=("eve", "Secret99"), timeout=60
    ) as client:
        yield client


def _someone(database: Database) -> None:
    """An account with a password that is a member of both boards."""
    with database.transaction(writing=True) as db:
        person = create_account(
            db, SiteClock(), login="eve", display_name="Eve", password="Secret99"
        )
        for board_id in (1, 2):
            db.insert(
                "membership", board_id=board_id, account_id=person.id, role="admin", created_at=""
            )


@pytest.fixture
def name(worlds: Worlds) -> str:
    """The name of a furnished database."""
    return worlds.database()


def _await_a_waiter(server: Server, name: str) -> None:
    while not server.value(_WAITING, name):
        pass


async def test_readers_do_not_wait_for_writers_who_wait(
    name: str, server: Server, tmp_path: Path
) -> None:
    ours, theirs = (open_postgres(server.url(name)) for _ in range(2))
    _someone(ours)
    application = Arrivals(served(ours, Attachments(tmp_path)))
    async with _client(application) as client:
        assert (await client.get("/v2/projects/2")).status_code == 200
        with theirs.transaction(writing=True, board_id=1) as holder:
            assert holder.value("select title from board where id = 1")
            writers = [
                asyncio.create_task(client.post("/v2/projects/1/tasks", json=_TASK))
                for _ in range(_WRITERS)
            ]
            await application.of(writers)
            await asyncio.to_thread(_await_a_waiter, server, name)
            for path in ("/v2/projects/2", "/v2/projects/1/tasks", "/health"):
                assert (await client.get(path)).status_code == 200
            text = {"file": ("a.png", b"no picture")}
            assert (await client.post(_UPLOAD, files=text)).status_code == 422
            other = {"title": "Attic again"}
            assert (await client.put("/v2/projects/2", json=other)).status_code == 200
            assert not any(writer.done() for writer in writers)
        assert {reply.status_code for reply in await asyncio.gather(*writers)} == {200}
    ours.close()
    theirs.close()
