"""A small world for tests: a service in memory, a clock that stands still, people with roles.

Everybody speaks to the same database through an application of their own, with a session instead
of a password, so that no test waits for scrypt.
"""

import asyncio
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any

import httpx

from tests.store.in_loop import InLoop
from tui.service.accounts.accounts import Caller, account, create_account
from tui.service.accounts.auth import LocalSession, Throttle
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase
from tui.service.mail import MailQueue
from tui.service.times import SiteClock

BASE_URL = "http://embedded/v2"
ZONE = timezone(timedelta(hours=2))
PEOPLE = ("root", "ann", "bob", "vic", "sam")
_LABELS = {
    "green": "#4bce97",
    "yellow": "#f5cd47",
    "orange": "#fea362",
    "red": "#f87168",
    "purple": "#9f8fef",
}


@dataclass
class FrozenClock:
    """A clock that goes on only when it is told to."""

    moment: datetime = field(default_factory=lambda: datetime(2026, 11, 21, 11, 30, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **by: float) -> None:
        self.moment += timedelta(**by)


@dataclass(frozen=True)
class Form:
    """A body of form fields."""

    fields: Mapping[str, Any]


@dataclass(frozen=True)
class File:
    """A body with a file in it, as the field `field` of a multipart form."""

    content: bytes
    name: str = "p.png"
    type: str = "image/png"
    field: str = "file"


@dataclass(frozen=True)
class Answer:
    """A reply: its status and its JSON."""

    status: int
    body: Any

    def at(self, path: str) -> Any:
        """The value at a dotted path; numbers are places in a list, `#` is the length."""
        value = self.body
        for name in path.split("."):
            if name == "#":
                value = len(value)
            else:
                value = value[int(name)] if isinstance(value, list) else value[name]
        return value


def memory_database(content: bytes = b"") -> SqliteDatabase:
    """A database in memory, new or a copy of what another one held."""
    link = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if content:
        link.deserialize(content)
    link.execute("pragma foreign_keys = on")
    database = SqliteDatabase(link)
    database.migrate(MIGRATIONS)
    return database


@cache
def _furnished() -> bytes:
    """What a furnished world's database holds."""
    world = World()
    world.furnish()
    content = world.link.serialize()
    world.close()
    return content


def furnished_world(
    *,
    attachments: Attachments | None = None,
    mail: MailQueue | None = None,
    base_url: str = BASE_URL,
) -> "World":
    """A furnished world, made quickly; see `World.furnish`."""
    content = memory_database(_furnished())
    return World(content, attachments=attachments, mail=mail, base_url=base_url)


class World:
    """A service with one account for each of `PEOPLE`; the first, root, is an administrator."""

    def __init__(
        self,
        database: Database | None = None,
        *,
        attachments: Attachments | None = None,
        mail: MailQueue | None = None,
        base_url: str = BASE_URL,
        throttle: Throttle | None = None,
    ) -> None:
        self._throttle = throttle
        self.clock = FrozenClock()
        self.database = database or memory_database()
        self.attachments = attachments
        self.mail = mail
        self.base_url = base_url
        self.accounts: dict[str, Caller] = {}
        self._runner = asyncio.Runner()
        self._clients: dict[str, httpx.AsyncClient] = {}
        with self.database.transaction(writing=True) as db:
            known = {row["login"]: account(row) for row in db.all("select * from account")}
            for login in PEOPLE:
                self.accounts[login] = known.get(login) or create_account(
                    db, SiteClock(self.clock, ZONE), login=login, display_name=login.title()
                )

    def _client(self, who: str) -> httpx.AsyncClient:
        """The way of somebody, or of nobody; made when they first ask, for most never do."""
        if who not in self._clients:
            assert who in (*PEOPLE, "nobody"), f"{who} is none of {(*PEOPLE, 'nobody')}"
            self._clients[who] = self._new_client(LocalSession(who) if who in PEOPLE else None)
        return self._clients[who]

    def _new_client(self, session: LocalSession | None) -> httpx.AsyncClient:
        application = create_application(
            self.database,
            clock=self.clock,
            zone=ZONE,
            session=session,
            attachments=self.attachments,
            mail=self.mail,
            base_url=self.base_url,
            throttle=self._throttle,
        )
        return httpx.AsyncClient(
            transport=InLoop(application, keeps_replies=True),
            base_url=BASE_URL,
            auth=(session.login, session.password) if session else None,
        )

    def ask(
        self,
        who: str,
        method: str,
        path: str,
        body: object = None,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request as somebody."""
        sent: dict[str, Any] = {"json": body}
        if content is not None:
            headers = headers or {"content-type": "application/json"}
        if isinstance(body, Form):
            sent = {"data": body.fields}
        elif isinstance(body, File):
            sent = {"files": {body.field: (body.name, body.content, body.type)}}
        response = self.fetch(
            who, method, BASE_URL + path, content=content, headers=headers, **sent
        )
        return Answer(response.status_code, response.json())

    def fetch(self, who: str, method: str, address: str, **sent: Any) -> httpx.Response:
        """Send a request to any address of the service, and take whatever comes back."""
        asked = self._client(who).request(method, address, **sent)
        return self._runner.get_loop().run_until_complete(asked)

    @property
    def link(self) -> sqlite3.Connection:
        """The connection beneath a world on SQLite."""
        assert isinstance(self.database, SqliteDatabase), f"a world on {self.database} has none"
        return self.database._link

    def close(self) -> None:
        self.hang_up()
        self.database.close()

    def hang_up(self) -> None:
        """Close everything but the database."""
        for client in self._clients.values():
            self._runner.run(client.aclose())
        self._runner.close()

    def furnish(self) -> None:
        """Board 1 of ann with bob and vic; board 2 of sam alone.

        On board 1: stages 1, 2, 3, and 7 which is archived; tasks 1 and 2 in stage 1, task 3,
        which is archived; labels 1 to 5, the first on task 1; comment 1 by bob on task 1.
        """
        self.done("ann", "POST", "/projects", {"board": {"title": "Garden", "type": "to-do"}})
        self.done("sam", "POST", "/projects", {"board": {"title": "Attic", "type": "to-do"}})
        self.add_labels(1)
        self.add_labels(2)
        self.done("ann", "POST", "/projects/1/add-members", {"memberId": self.id("bob")})
        viewer = {"memberId": self.id("vic"), "isViewerOnly": "yes"}
        self.done("ann", "POST", "/projects/1/add-members", viewer)
        for title in ("Dig", "Sow", "Old"):
            task = {"title": title, "board_id": 1, "stage_id": 1}
            self.done("ann", "POST", "/projects/1/tasks", {"task": task})
        archive = {"property": "archived_at", "value": True}
        self.done("ann", "PUT", "/projects/1/tasks/3", archive)
        stage = self.done("ann", "POST", "/projects/1/stage-create", {"title": "Gone"})
        gone = stage.at("updatedStages.0.id")
        self.done("ann", "PUT", f"/projects/1/archive-stage/{gone}")
        self.done("ann", "POST", "/projects/1/labels/task", {"taskId": 1, "labelId": 1})
        comment = {"comment": "Mind the roots", "comment_type": "comment"}
        self.done("bob", "POST", "/projects/1/tasks/1/comments", comment)

    def add_labels(self, board_id: int) -> None:
        """Labels without a title, told by their colour, as old boards have them."""
        with self.database.transaction(writing=True) as db:
            stamp = db.value("select created_at from board where id = 1")
            for place, (name, color) in enumerate(_LABELS.items(), start=1):
                db.insert(
                    "label",
                    board_id=board_id,
                    slug=name,
                    position=place,
                    color="#1B2533",
                    bg_color=color,
                    created_at=stamp,
                    updated_at=stamp,
                )

    def done(self, who: str, method: str, path: str, body: object = None) -> Answer:
        """Send a request that must succeed."""
        answer = self.ask(who, method, path, body)
        assert answer.status in (200, 201), (method, path, answer)
        return answer

    def id(self, login: str) -> int:
        return self.accounts[login].id

    def tasks_in(self, stage_id: int, board_id: int = 1) -> list[int]:
        """The listed tasks of a stage in the order of the board."""
        tasks = self.done("root", "GET", f"/projects/{board_id}/tasks").body["tasks"]
        tasks.sort(key=lambda task: (task["position"], task["id"]))
        return [task["id"] for task in tasks if task["stage_id"] == stage_id]
