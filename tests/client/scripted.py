"""A service that answers from a script, and clients that talk to it."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import httpx

from tui.client.answers import gather
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.retry import Timeouts
from tui.client.http.session import HttpSession

BASE = "https://board.example/site/v2"
PASSWORD = "open sesame 1234"
CREDENTIALS = Credentials("ann", PASSWORD)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

Step = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def ok(value: object, status: int = 200) -> httpx.Response:
    """A JSON answer."""
    return httpx.Response(status, json=value)


class Script(httpx.AsyncBaseTransport):
    """Plays one step for each request, the last one again and again, and notes the requests."""

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        if isinstance(step, Exception):
            raise step
        if isinstance(step, httpx.Response):
            return httpx.Response(step.status_code, headers=step.headers, content=step.content)
        return step(request)

    @property
    def asked(self) -> list[str]:
        """Method and path of each request, below the base URL."""
        return [
            f"{request.method} {request.url.path.removeprefix('/site/v2')}"
            for request in self.requests
        ]

    @property
    def bodies(self) -> list[object]:
        """The JSON body of each request, None where there was none."""
        return [json.loads(request.content or b"null") for request in self.requests]


class Naps:
    """A sleep that takes no time and remembers how long it was asked for."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


class Heard(list[tuple[int, int | None]]):
    """A listener that notes how many bytes it was told of, and of how many."""

    def __call__(self, so_far: int, total: int | None) -> None:
        self.append((so_far, total))


def session(
    transport: httpx.AsyncBaseTransport | None,
    *,
    naps: Naps | None = None,
    timeouts: Timeouts | None = None,
    base: str = BASE,
    largest_answer: int = 1_000_000,
) -> HttpSession:
    """A session with a frozen clock, naps for sleeps and a middling jitter."""
    return HttpSession(
        base,
        CREDENTIALS,
        transport=transport,
        timeouts=timeouts or Timeouts(),
        clock=lambda: NOW,
        sleep=naps or Naps(),
        jitter=lambda: 0.5,
        largest_answer=largest_answer,
    )


def client(*steps: Step, known: Capabilities = UNKNOWN) -> tuple[Client, Script]:
    """A client, which knows so much of its service, and the script that answers it."""
    script = Script(*steps)
    return client_for(session(script), capabilities=known), script


def ids(documents: Iterable[Document]) -> list[int]:
    """The ids of some documents; those of people have another name."""
    return [document.get("ID") or document["id"] for document in documents]


async def all_comments(client: Client, board_id: int, task_id: int) -> list[Document]:
    """All comments of a task, from all pages."""
    return await gather(lambda page: client.comments(board_id, task_id, page))
