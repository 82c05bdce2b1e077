"""A person's program on a morning: it saw the boards before, and reads their logs now."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.service.world import memory_database
from tests.standup.month import played
from tests.standup.script import BOARDS, FOUNDED
from tests.store.fake_clock import FakeClock
from tests.store.in_loop import InLoop
from tui.client.capabilities import UNKNOWN, Capabilities, Feature
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.session import HttpSession
from tui.errors import CallboardError
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.store.store import LocalStore


@dataclass(frozen=True, slots=True)
class Morning:
    """When a standup is held, in the zone of the user, and over which boards.

    The program looked at the boards at `looks`, the last time when it read the logs. A service that
    `is_silent` writes into no log that a card was moved or closed; of the log of the board
    `cut_off` the program gets only the latest activity.
    """

    name: str
    now: datetime
    boards: tuple[str, ...]
    looks: tuple[datetime, ...]
    limits: Mapping[str, int] = field(default_factory=dict)
    is_silent: bool = False
    cut_off: str = ""

    @property
    def board_ids(self) -> tuple[int, ...]:
        """The ids of the boards at the service."""
        return tuple(map(_id, self.boards))


def _id(board: str) -> int:
    return list(BOARDS).index(board) + 1


_FIRST = Morning(
    "first",
    datetime(2026, 11, 2, 8, 30, tzinfo=UTC),
    tuple(BOARDS),
    (datetime(2026, 11, 2, 8, 30, tzinfo=UTC),),
)
_MONDAY = Morning(
    "monday",
    datetime(2026, 11, 9, 9, 0, tzinfo=UTC),
    ("Website",),
    (datetime(2026, 11, 6, 8, 0, tzinfo=UTC), datetime(2026, 11, 9, 8, 55, tzinfo=UTC)),
)
_AUCKLAND = Morning(
    "auckland",
    datetime(2026, 11, 18, 8, 45, tzinfo=timezone(timedelta(hours=13))),
    ("Platform",),
    (datetime(2026, 11, 16, 20, 0, tzinfo=UTC), datetime(2026, 11, 17, 19, 45, tzinfo=UTC)),
)
_LOWER_BOUNDS = Morning(
    "lower_bounds",
    datetime(2026, 11, 24, 9, 0, tzinfo=UTC),
    tuple(BOARDS),
    (
        datetime(2026, 11, 18, 17, 30, tzinfo=UTC),
        datetime(2026, 11, 20, 17, 30, tzinfo=UTC),
        datetime(2026, 11, 24, 8, 40, tzinfo=UTC),
    ),
    is_silent=True,
    cut_off="Platform",
)
_AFTER_HOLIDAY = Morning(
    "after_holiday",
    datetime(2026, 11, 27, 9, 0, tzinfo=UTC),
    ("Website",),
    (datetime(2026, 11, 27, 9, 0, tzinfo=UTC),),
    limits={"Review": 2},
)
MORNINGS = (_FIRST, _MONDAY, _AUCKLAND, _LOWER_BOUNDS, _AFTER_HOLIDAY)
_LOOKS = tuple(look for morning in MORNINGS for look in morning.looks)


class _Service:
    """The service of the month, which goes on from one look to the next."""

    def __init__(self, morning: Morning, quirks: Quirks | None) -> None:
        self._morning = morning
        self._quirks = quirks
        self.clock = FakeClock()
        self.session = LocalSession("ann")
        self._is_begun = False
        self._database = memory_database()
        self._application: ASGIApp

    def go_to(self, moment: datetime) -> None:
        """Let the time be this one, and the boards be as they are then."""
        passed = (moment - self.clock.now()).total_seconds()
        (self.clock.advance if self._is_begun else self.clock.set)(passed)
        self._is_begun = True
        self.close()
        self._database = database = memory_database(played(_LOOKS)[moment])
        if self._morning.is_silent:
            with database.transaction(writing=True) as db:
                db.delete("activity", action="moved", column_name="stage")
                db.delete("activity", action="changed", column_name="status")
        self._application = create_application(
            database, clock=self.clock.now, zone=UTC, session=self.session
        )
        if self._quirks is not None:
            self._application = QuirkyService(self._application, self._quirks, every=1_000_000)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; only the first page of a log that is cut off, with one activity."""
        request = Request(scope)
        cut_off = self._morning.cut_off
        if cut_off and request.url.path.endswith(f"/projects/{_id(cut_off)}/activities"):
            if request.query_params["page"] != "1":
                await JSONResponse({"message": "Not found"}, 404)(scope, receive, send)
                return
            scope["query_string"] = urlencode({"page": 1, "per_page": 1}).encode()
        await self._application(scope, receive, send)


@asynccontextmanager
async def opened(
    morning: Morning, folder: Path, quirks: Quirks | None
) -> AsyncIterator[LocalStore]:
    """The store of the program, which has read what it can get of a service."""
    service = _Service(morning, quirks)
    session = HttpSession(
        base_url(quirks or Quirks.none()),
        Credentials(service.session.login, service.session.password),
        transport=InLoop(service, keeps_replies=quirks is None),
        allow_plaintext=True,
    )
    capabilities = Capabilities.embedded() if quirks is None else UNKNOWN
    if morning.is_silent:  # not our own service, which waits and writes everything into its log
        offered = capabilities.offered - {Feature.WAITING_FOR_CHANGES}
        capabilities = replace(capabilities, offered=offered)
    path_word = "service" if quirks is None else PATH_WORD
    store = LocalStore.open(
        folder / "cache", folder / "data", "default", clock=service.clock, watch_seconds=None
    )
    async with client_for(session, capabilities=capabilities, path_word=path_word) as client:
        for look in morning.looks:
            service.go_to(look)
            if not store.is_connected:
                store.connect(client)
            for board_id in morning.board_ids:
                await store.refresh(board_id, only_changes=True)
        for board_id in morning.board_ids:
            with suppress(CallboardError):  # a log that is cut off
                await store.read_history(board_id, FOUNDED)
                await store.read_archived(board_id, FOUNDED)
        service.clock.advance((morning.now - service.clock.now()).total_seconds())
        yield store
        await store.aclose()
    service.close()
