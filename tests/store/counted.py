"""A store on a service whose requests and bytes are counted, with one clock for both.

The service is the embedded one, as it is or in a deployed edition. The board is written straight
into its database.
"""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.service.world import ZONE, memory_database
from tests.store.fake_clock import FakeClock
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.session import HttpSession
from tui.model.board import BoardView
from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.call import Call, Service
from tui.service.handlers.boards import create_board
from tui.service.handlers.labels import create_label
from tui.service.handlers.tasks import create_task
from tui.service.requests.body import Body
from tui.service.times import SiteClock
from tui.store.clock import sleep_or
from tui.store.store import LocalStore

_STEP = 5.0
_TURNS = 6
_DESCRIBED = 700
EDITIONS: dict[str, Quirks | None] = {
    "embedded": None,
    "recent free": Quirks.recent_free(),
    "older free": Quirks.older_free(),
    "old paid": Quirks.old_paid(),
}


@dataclass
class Counter(httpx.AsyncBaseTransport):
    """Carries requests to an application in this process, and counts them and their answers.

    Requests that wait for changes do so by the clock of the test.
    """

    application: ASGIApp
    clock: FakeClock
    asked: list[tuple[str, int]] = field(default_factory=list)
    in_flight: int = 0

    def __post_init__(self) -> None:
        self._asgi = httpx.ASGITransport(app=self.application)
        self._written = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        wait = float(request.url.params.get("wait", 0))
        request.url = request.url.copy_remove_param("wait")
        deadline = self.clock.elapsed() + wait
        while True:
            self._written.clear()
            response = await self._answer(request)
            left = deadline - self.clock.elapsed()
            if request.method != "GET":
                self._written.set()
            if not wait or left <= 0 or response.json().get("has_changes") is not False:
                return response
            self.asked.pop()
            await sleep_or(self._written, left, self.clock)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.in_flight += 1
        try:
            response = await self._asgi.handle_async_request(request)
            content = await response.aread()
        finally:
            self.in_flight -= 1
        path = request.url.params.get("rest_route", request.url.path).partition("/v2")[2]
        size = len(content) + len(await request.aread())
        self.asked.append((f"{request.method} {path}", size))
        return httpx.Response(
            response.status_code, headers=response.headers, content=content, request=request
        )


@dataclass(frozen=True)
class Count:
    """What was asked for, with the bytes of bodies sent and received."""

    asked: tuple[tuple[str, int], ...]

    @property
    def requests(self) -> int:
        return len(self.asked)

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.asked)

    @property
    def lists(self) -> int:
        """How often all tasks of a board were asked for."""
        asked = (what.partition(" ") for what, _ in self.asked)
        return sum(
            method == "GET" and path.startswith("/projects/") and path.endswith("/tasks")
            for method, _, path in asked
        )


class Counted:
    """A person at a board, who may start the program again."""

    def __init__(self, folder: Path, quirks: Quirks | None, tasks: int) -> None:
        self.clock = FakeClock()
        self._folder = folder
        self._quirks = quirks
        self._database = memory_database()
        session = LocalSession("ann")
        self._credentials = Credentials(session.login, session.password)
        application: ASGIApp = create_application(
            self._database, clock=self.clock.now, zone=ZONE, session=session
        )
        if quirks is not None:
            application = QuirkyService(application, quirks, every=1_000_000)
        self.counter = Counter(application, self.clock)
        self.board_id = self._seed(tasks)
        self._learnt = Capabilities.embedded() if quirks is None else UNKNOWN
        self.store: LocalStore

    def _seed(self, tasks: int) -> int:
        """Make a board with so many tasks, about 2 kB each, in its first stages."""
        site = SiteClock(self.clock.now, ZONE)
        with self._database.transaction(writing=True) as db:
            ann = create_account(db, site, login="ann", display_name="Ann")
            body = Body({"board": {"title": "Plans", "type": "to-do"}})
            board = create_board(
                Call(Service(self._database, site), db, ann, site.now(), body=body)
            )["board"]
            stages = [stage["id"] for stage in board["stages"]]
            words = zlib.compress(json.dumps(list(range(_DESCRIBED))).encode()).hex()
            task = {"title": "Model", "board_id": board["id"], "stage_id": stages[0]}
            call = Call(
                Service(self._database, site), db, ann, site.now(), {"board_id": board["id"]}
            )
            call.body = Body({"task": task})
            create_task(call)
            for title, color in (("Urgent", "#f87168"), ("Later", "#4bce97")):
                call.body = Body({"label": title, "color": "#1B2533", "bg_color": color})
                create_label(call)
            (model,) = db.all("select * from task")
            names = [name for name in model if name != "id"]
            values = ", ".join(f":{name}" for name in names)
            db.many(
                f"insert into task ({', '.join(names)}) values ({values})",  # noqa: S608 - ours
                [
                    model
                    | {
                        "title": f"Task {number}",
                        "description": f"<p>{number} {words}</p>"[:1_300],
                        "position": float(number + 1),
                        "stage_id": stages[number % 2],
                    }
                    for number in range(1, tasks)
                ],
            )
        return int(board["id"])

    async def start(self) -> None:
        """Start the program, look at the board and wait until nothing more is asked."""
        self.store = LocalStore.open(
            self._folder / "cache",
            self._folder / "data",
            "default",
            clock=self.clock,
            jitter=lambda: 0.5,
            watch_seconds=None,
        )
        quirks = self._quirks or Quirks.none()
        session = HttpSession(
            base_url(quirks), self._credentials, transport=self.counter, allow_plaintext=True
        )
        self._client = client_for(
            session,
            capabilities=self._learnt,
            path_word=PATH_WORD if quirks.own_path_word else "service",
            learned=self._learn,
        )
        self.store.connect(self._client)
        await self.store.open_board(self.board_id)
        await self.rest()

    def _learn(self, known: Capabilities) -> None:
        self._learnt = known

    async def end(self) -> None:
        """End the program."""
        await self.store.aclose()
        await self._client.aclose()

    async def aclose(self) -> None:
        """End everything."""
        await self.end()
        self._database.close()

    @property
    def view(self) -> BoardView:
        """The board as drawn."""
        view = self.store.board(self.board_id)
        assert view is not None, f"the store does not have the board {self.board_id}"
        return view

    async def rest(self) -> None:
        """Wait until nothing happens any more without time passing."""
        quiet = 0
        while quiet < _TURNS:
            before = len(self.counter.asked)
            await self.store._core.disk.run(int)
            is_asking = self.clock.next_wake is None or self.counter.in_flight
            is_at_work = is_asking or self.store.status(self.board_id).busy
            quiet = 0 if is_at_work or len(self.counter.asked) != before else quiet + 1

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, with everything that happens in it."""
        for _ in range(round(seconds / _STEP)):
            self.clock.advance(_STEP)
            await self.rest()

    async def counting(self, work: Callable[[], Awaitable[object]]) -> Count:
        """What is asked for while something is done."""
        before = len(self.counter.asked)
        await work()
        await self.rest()
        return Count(tuple(self.counter.asked[before:]))


@asynccontextmanager
async def counted(folder: Path, edition: str, tasks: int) -> AsyncIterator[Counted]:
    """A person at a board of so many tasks, at a service of an edition; not started yet."""
    one = Counted(folder, EDITIONS[edition], tasks)
    try:
        yield one
    finally:
        await one.aclose()
