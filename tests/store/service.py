"""The embedded service in memory: a board, what tests put on it, and ways to it for people."""

from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
from starlette.types import ASGIApp, Message, Scope

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.people import PASSWORD, give_passwords
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.service.world import BASE_URL, memory_database
from tests.store.faults import FaultyRemote
from tui.client.capabilities import UNKNOWN, Capabilities, ServiceSettings
from tui.client.client import Client
from tui.client.http.credentials import Credentials
from tui.client.http.session import Session
from tui.client.remote import RemoteService
from tui.service.accounts.accounts import create_account
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.times import Site, utc_now
from tui.store.remote import Document

T = TypeVar("T")
BOARD = 1
OPEN, DOING, DONE = 1, 2, 3
NAMES = {"me": "Me Myself", "ann": "Ann Miller", "ben": "Ben Cook"}
REPLAYED: ContextVar[list[str] | None] = ContextVar("REPLAYED", default=None)
"""Takes the paths of requests in this context that were answered with a kept reply."""
_ZONE = timezone(timedelta(hours=1))
_TASKS = f"/projects/{BOARD}/tasks"
_KEY_HEADER = "idempotency-key"
_REPLAYED_HEADER = "idempotent-replayed"
_FEATURES_HEADER = "callboard-features"


class InLoop(httpx.AsyncBaseTransport):
    """Carries requests to an application on the loop of whoever asks.

    A service that does not keep replies neither sees keys nor announces that it takes them.
    """

    def __init__(self, application: ASGIApp, *, keeps_replies: bool) -> None:
        self._application = application
        self._keeps_replies = keeps_replies

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self._keeps_replies:
            request.headers.pop(_KEY_HEADER, None)
        body = await request.aread()
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._application(_scope(request), receive, send)
        response = httpx.Response(
            sent[0]["status"],
            headers=sent[0]["headers"],
            content=b"".join(part.get("body", b"") for part in sent[1:]),
            request=request,
        )
        replayed = REPLAYED.get()
        if replayed is not None and _REPLAYED_HEADER in response.headers:
            replayed.append(request.url.path)
        if not self._keeps_replies:
            response.headers.pop(_FEATURES_HEADER, None)
        return response


class Service:
    """A service whose board everybody of `NAMES` is on, with one stage that closes what enters.

    `keeps_replies` says whether it does that, `quirks` what it does wrong.
    """

    def __init__(
        self,
        content: bytes,
        folder: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        keeps_replies: bool = False,
        quirks: Quirks | None = None,
    ) -> None:
        self.database = memory_database(content)
        self._application = create_application(
            self.database, clock=clock, zone=_ZONE, attachments=Attachments(folder)
        )
        self._clients: list[Client] = []
        self._keeps_replies = keeps_replies
        self._quirks = quirks
        self._seen: ASGIApp = self._application
        if quirks is not None:
            self._seen = QuirkyService(self._application, quirks, every=7)

    def client(self, login: str = "me") -> Client:
        """The client of a person's program."""
        quirks = self._quirks or Quirks.none()
        session = Session(
            BASE_URL if self._quirks is None else base_url(quirks),
            Credentials(login, PASSWORD),
            transport=InLoop(self._seen, keeps_replies=self._keeps_replies),
            allow_plaintext=True,
        )
        return Client(
            session,
            capabilities=Capabilities.embedded() if self._quirks is None else UNKNOWN,
            settings=ServiceSettings(path_word=PATH_WORD if quirks.own_path_word else "service"),
        )

    def ask(self, method: str, path: str, body: object = None, *, who: str = "me") -> Any:
        """What the service answers somebody, who does it past every client."""
        request = httpx.Request(method, BASE_URL + path, json=body, headers=_basic(who))
        transport = InLoop(self._application, keeps_replies=True)
        response = _at_once(transport.handle_async_request(request))
        assert response.is_success, (method, path, response.text)
        return response.json()

    def connection(self) -> FaultyRemote:
        """A way to the service for one more program, on which calls go wrong as they are told."""
        client = self.client()
        self._clients.append(client)
        return FaultyRemote(RemoteService(client))

    def add(self, title: str, stage_id: int = OPEN) -> Document:
        """Make a task at the end of a stage."""
        task = {"title": title, "board_id": BOARD, "stage_id": stage_id}
        made: Document = self.ask("POST", f"/projects/{BOARD}/tasks", {"task": task})["task"]
        return made

    def set(self, task_id: int, name: str, value: object) -> None:
        """Set a property of a task."""
        self.ask("PUT", f"{_TASKS}/{task_id}", {"property": name, "value": value})

    def delete(self, task_id: int) -> None:
        """Delete a task."""
        self.ask("DELETE", f"{_TASKS}/{task_id}")

    def task(self, task_id: int) -> Document:
        """A task as it is."""
        task: Document = self.ask("GET", f"{_TASKS}/{task_id}")["task"]
        return task

    def tasks_made(self) -> int:
        """How many tasks were ever made."""
        with self.database.transaction(writing=False) as db:
            (row,) = db.all("select seq from sqlite_sequence where name = 'task'")
        return int(row["seq"])

    def lane(self, stage_id: int) -> list[Document]:
        """The active tasks of a stage, in order."""
        tasks = self.ask("GET", _TASKS)["tasks"]
        in_stage = (task for task in tasks if task["stage_id"] == stage_id)
        return sorted(in_stage, key=lambda task: (task["position"], task["id"]))

    def titles(self, stage_id: int) -> list[str]:
        return [task["title"] for task in self.lane(stage_id)]

    def said(self, task_id: int) -> list[str]:
        """The texts of a task's comments, oldest first."""
        comments = self.ask("GET", f"{_TASKS}/{task_id}/comments")["comments"]["data"]
        return [one["settings"]["raw_description"] for one in reversed(comments)]

    def stages(self) -> list[int]:
        """The stages of the board, in order."""
        stages = self.ask("GET", f"/projects/{BOARD}")["board"]["stages"]
        return [one["id"] for one in sorted(stages, key=lambda stage: stage["position"])]

    def rename_board(self, title: str) -> None:
        """Give the board another title."""
        self.ask("PUT", f"/projects/{BOARD}", {"title": title})

    def content(self) -> bytes:
        """What the database holds, for others to begin with."""
        return self.database._link.serialize()

    async def aclose(self) -> None:
        """Close the connections, and the service."""
        for client in self._clients:
            await client.aclose()
        self.close()

    def close(self) -> None:
        """Nobody asks any more."""
        self.database.close()


@cache
def four_tasks() -> bytes:
    """The database of a service with four tasks on its board."""
    service = Service(one_board(), Path())
    for title in ("Alpha", "Beta", "Gamma"):
        service.add(title, OPEN)
    service.add("Delta", DOING)
    content = service.content()
    service.close()
    return content


@cache
def one_board() -> bytes:
    """The database of a service with one board of three stages, and nothing on it."""
    database = memory_database()
    with database.transaction(writing=True) as db:
        for login, name in NAMES.items():
            create_account(db, Site(utc_now, _ZONE), login=login, display_name=name)
    give_passwords(database, *NAMES)
    service = Service(database._link.serialize(), Path())
    service.ask("POST", "/projects", {"board": {"title": "Relaunch", "type": "to-do"}})
    for stage_id, title in ((DOING, "Doing"), (DONE, "Done")):
        service.ask("PUT", f"/projects/{BOARD}/update-stage/{stage_id}", {"title": title})
    for member in range(2, len(NAMES) + 1):
        service.ask("POST", f"/projects/{BOARD}/add-members", {"memberId": member})
    content = service.content()
    service.close()
    database.close()
    return content


def _scope(request: httpx.Request) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.split(b"?")[0],
        "query_string": request.url.query,
        "server": (request.url.host, request.url.port),
        "client": ("127.0.0.1", 123),
        "root_path": "",
    }


def _basic(login: str) -> dict[str, str]:
    return {"authorization": httpx.BasicAuth(login, PASSWORD)._auth_header}


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of what never waits for anything."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("It waits for something.")
