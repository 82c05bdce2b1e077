"""The served application: what it adds to the service, asked in this process."""

import base64
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.service import pictures
from tests.service.quick import LOGIN, PASSWORD, quick_content
from tests.service.world import memory_database
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.http.application import REQUESTS, AccessLog, JsonFormatter, served

pytestmark = pytest.mark.long

_AUTH = (LOGIN, PASSWORD)


@pytest.fixture
def database() -> Iterator[Database]:
    database = memory_database(quick_content())
    yield database
    database.close()


@asynccontextmanager
async def _asking(application: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://proxy.example") as client:
        yield client


async def test_health_says_when_the_database_does_not_answer(database: Database) -> None:
    async with _asking(served(database)) as client:
        assert (await client.get("/health")).status_code == 200
        database.close()
        reply = await client.get("/health")
        assert (reply.status_code, reply.json()["code"]) == (503, "closed")


@pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("POST", "/health")])
async def test_what_is_not_there_is_told_in_the_shape_of_errors(
    database: Database, method: str, path: str
) -> None:
    async with _asking(served(database)) as client:
        reply = await client.request(method, path)
        assert (reply.status_code, reply.json()["code"]) == (404, "rest_no_route")


async def test_links_begin_with_the_public_url_whatever_host_is_named(
    database: Database, tmp_path: Path
) -> None:
    application = served(
        database,
        Attachments(tmp_path),
        base_url="https://boards.example/team/v2",
        behind_proxy=True,
    )
    headers = {"X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example", "Host": "a.example"}
    async with _asking(application) as client:

        async def ask(method: str, path: str, **sent: Any) -> Any:
            reply = await client.request(method, path, auth=_AUTH, headers=headers, **sent)
            assert "a.example" not in reply.text
            assert "evil.example" not in reply.text
            return reply.json()

        boards = (await ask("GET", "/v2/projects?per_page=1"))["boards"]
        assert boards["path"] == "https://boards.example/team/v2/projects"
        assert boards["next_page_url"].startswith("https://boards.example/team/v2/projects?")
        hook = {"name": "Mail", "board": 1, "stage": 1}
        made = await ask("POST", "/v2/webhooks", json=hook)
        assert made["webhook"]["url"].startswith("https://boards.example/team/?callboard=1")
        files = {"file": ("p.png", pictures.png(), "image/png")}
        path = "/v2/projects/1/tasks/1/comment-image-upload"
        image = (await ask("POST", path, files=files))["imageAttachment"]
        assert image["secure_url"].startswith("https://boards.example/team/v2/comment-images/")


async def test_guesses_are_counted_by_the_address_that_the_nearest_proxy_saw(
    database: Database,
) -> None:
    async with _asking(served(database, behind_proxy=True)) as client:

        async def guess(login: str, forwarded: str) -> int:
            headers = {"X-Forwarded-For": forwarded}
            auth = (login, "wrong guess")
            return (await client.get("/v2/projects", auth=auth, headers=headers)).status_code

        for number in range(20):
            assert await guess(f"person {number}", f"192.0.2.{number}, 198.51.100.1") == 401
        assert await guess("somebody", "192.0.2.99, 198.51.100.1") == 429
        assert await guess("somebody", "198.51.100.1, 192.0.2.99") == 401


async def test_a_request_that_was_cut_short_is_no_fault(database: Database) -> None:
    sent = []

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    token = base64.b64encode(f"{LOGIN}:{PASSWORD}".encode())
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v2/projects",
        "query_string": b"",
        "headers": [(b"authorization", b"Basic " + token)],
    }
    await served(database)(scope, receive, send)  # type: ignore[arg-type] # any mapping will do
    assert sent[0]["status"] == 400


def _timer(*moments: float) -> Callable[[], float]:
    return iter(moments).__next__


async def test_the_log_has_one_line_a_request(caplog: pytest.LogCaptureFixture) -> None:
    async def application(scope: Scope, _receive: Receive, send: Send) -> None:
        scope["state"]["account_id"] = 7
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"abc", "more_body": True})
        await send({"type": "http.response.body", "body": b"de"})

    with caplog.at_level(logging.INFO, REQUESTS):
        async with _asking(AccessLog(application, _timer(1.0, 1.25))) as client:
            await client.get("/a%0A%1b[31m?hash=hidden", auth=_AUTH)
    assert len(caplog.records) == 1
    line = JsonFormatter().format(caplog.records[0])
    assert line.isascii()
    assert line.isprintable()
    assert "hidden" not in line
    facts = {name: json.loads(line)[name] for name in ("status", "ms", "bytes", "account")}
    assert facts == {"status": 200, "ms": 250.0, "bytes": 5, "account": 7}


async def test_a_request_that_fails_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    async def application(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError

    with caplog.at_level(logging.INFO, REQUESTS):
        async with _asking(AccessLog(application, _timer(1.0, 2.0))) as client:
            with pytest.raises(RuntimeError):
                await client.get("/a")
    assert json.loads(JsonFormatter().format(caplog.records[0]))["status"] == 0


def test_a_fault_is_logged_with_its_traceback() -> None:
    try:
        int("line\nbreak")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "%s", ("failed",), sys.exc_info())
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["traceback"]
