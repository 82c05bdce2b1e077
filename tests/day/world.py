"""A person at the program on a service of one edition, with every request and byte counted."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from textual.screen import ModalScreen
from textual.worker import Worker, WorkerCancelled

from tests.day.held import Held, held
from tests.drivers.patience import patience
from tests.quirky.application import QuirkyService, base_url
from tests.quirky.breaking import Breaking
from tests.quirky.people import PASSWORD, give_passwords
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.screens.driving import Driver
from tests.service.pictures import png
from tui.app import CallboardApp
from tui.client.capabilities import Capabilities, Feature
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.editions.probing import is_administrator, probe, who_am_i
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.config.drafts import Drafts
from tui.config.paths import Places
from tui.config.preferences import Preferences
from tui.config.profiles import EMBEDDED
from tui.context import Context
from tui.model.board import BoardView
from tui.model.moving.cursor import find
from tui.model.people import Account
from tui.navigation import BoardRequested
from tui.profiles.local import LocalProfiles
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.service.accounts.accounts import create_account
from tui.service.database.base import Database
from tui.service.embedded import BASE_URL, Embedded, open_embedded
from tui.service.times import SiteClock, utc_now
from tui.store.clock import Clock
from tui.store.events import PendingChange, PendingState
from tui.store.store import LocalStore

LOGIN, COLLEAGUE, VIEWER = "ann", "bob", "vic"
BOARD, OTHER_BOARD = "Day", "Other"
_DATABASE = "boards.sqlite3"
_POLL_SECONDS = 3600.0
"""No poll comes between the requests of a step: what it costs is what the key costs."""
_UNDER_WAY = (PendingState.WAITING, PendingState.SENDING)
_LOOKING = ("search", "everybody", "reading", "completions", "form", "load")
"""The groups of the workers that a dialog or a list is filled by, or that send its answer."""
_CHANGING = ("dialog", "refresh")
"""Those of a screen, which wait for the person as long as a dialog is in front."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A service: its quirks (None for the embedded one), what it lacks, and who is at it.

    `timezone` is that of its site, as the profile names it. Requests at the routes of `broken` fail
    for ever, by a quirk or once the day is opened.
    """

    name: str
    quirks: Quirks | None = None
    lacks: frozenset[Feature] = frozenset()
    login: str = LOGIN
    timezone: str = ""
    broken: frozenset[str] = frozenset()


@dataclass(slots=True)
class Traffic:
    """What went over the wire."""

    requests: int = 0
    sent: int = 0
    received: int = 0
    last: bytes = b""
    """The body that was sent last."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """The method and the path of each request."""
    delay: float = 0.0
    """Seconds that each request takes longer."""

    @property
    def size(self) -> int:
        """Bytes of bodies, both ways."""
        return self.sent + self.received


@dataclass(frozen=True, slots=True)
class Counted:
    """An ASGI application whose requests are counted."""

    application: ASGIApp
    traffic: Traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        self.traffic.requests += 1
        self.traffic.asked.append((scope["method"], scope["path"]))

        async def counted_receive() -> Message:
            message = await receive()
            body = message.get("body", b"")
            self.traffic.sent += len(body)
            self.traffic.last = body or self.traffic.last
            return message

        async def counted_send(message: Message) -> None:
            self.traffic.received += len(message.get("body", b""))
            await send(message)

        await asyncio.sleep(self.traffic.delay)
        await self.application(scope, counted_receive, counted_send)


@dataclass(slots=True)
class HastyClock:
    """The machine's clock, but faster: the pauses between attempts take a fraction of the time."""

    speed: float = 20.0
    _begun: float = field(default_factory=time.monotonic)
    _begun_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def now(self) -> datetime:
        """The wall-clock time, aware, in UTC."""
        return self._begun_at + timedelta(seconds=self.elapsed())

    def elapsed(self) -> float:
        """Monotonic seconds."""
        return (time.monotonic() - self._begun) * self.speed

    async def sleep(self, seconds: float) -> None:
        """Sleep for this many seconds."""
        await asyncio.sleep(seconds / self.speed)


@dataclass(slots=True)
class Day:
    """The program in front of a person, and the service behind it.

    `breaking` is the part of an emulated service that breaks down. Changes in `stuck` are not
    waited for any more. `shown` is what was on the screen after each key of a step, if anything
    is broken.
    """

    edition: Edition
    person: Driver
    store: LocalStore
    database: Database
    board_id: int
    traffic: Traffic
    folder: Path
    breaking: Breaking | None = None
    stuck: set[int] = field(default_factory=set)
    shown: list[str] = field(default_factory=list)
    before: Held = field(default_factory=Held)
    after: Held = field(default_factory=Held)

    @property
    def app(self) -> CallboardApp:
        """The program."""
        return self.person.app

    @property
    def board(self) -> BoardView:
        """The board as it is drawn."""
        view = self.store.board(self.board_id)
        assert view is not None, (
            f"the store does not have the board {self.board_id}\n{self.shows()}"
        )
        return view

    @property
    def said(self) -> str:
        """The status line."""
        return self.person.said

    def held(self) -> Held:
        """What the service holds now."""
        return held(self.database)

    async def press(self, keys: str) -> None:
        """Press keys written with blanks between; `~` begins a text, in which `_` is a blank.

        Each comes when what is looked for has been found: nobody chooses among what is not there.
        """
        for key in keys.split():
            await self._finish(*_LOOKING)
            if key[0] == "~":
                typed = key[1:].replace("_", " ").replace("{folder}", str(self.folder))
                await self.person.type(typed)
            else:
                await self.person.press(key)
            if self.edition.broken:
                self.shown.append(self.person.text)

    async def go_to_board(self) -> None:
        """Leave whatever is open, until the board is in front and nothing is begun there."""
        for _ in range(8):
            screen = self.app.screen
            if isinstance(screen, BoardScreen):
                if screen.filter.words or screen.deck.marks or screen.deck.is_lifting:
                    await self.person.press("escape")
                    continue
                return
            if isinstance(screen, BoardsScreen):
                screen.post_message(BoardRequested(self.board_id))
                await self.person.pilot.pause()
            else:
                await self.person.press("escape")
        raise AssertionError(f"the board did not come back: {self.app.screen}: {self.said}")

    async def visit_other_board(self) -> None:
        """Open the other board once, so that its stages are known."""
        other = next(board.id for board in self.store.boards() if board.title == OTHER_BOARD)
        for board_id in (other, self.board_id):
            self.app.screen.post_message(BoardRequested(board_id))
            await self.person.pilot.pause()
            # mypy does not infer a lambda with a default, which binds the board of this turn.
            await self.until(lambda b=board_id: self._is_known(b), "the board")  # type: ignore[misc]

    def _is_known(self, board_id: int) -> bool:
        view = self.store.board(board_id)
        return view is not None and view.complete and bool(view.stages)

    async def go_to_card(self, title: str) -> None:
        """Put the cursor of the board on a card."""
        deck = self.person.deck
        cards = list(deck.shown.all_tasks())
        card = next((task for task in cards if task.title == title), None)
        titles = [task.title for task in cards]
        assert card is not None, f"the card {title!r} is none of {titles}\n{self.shows()}"
        cursor = find(deck.grid.cells, card.id)
        assert cursor is not None, f"the card {title!r} is in no cell of the board\n{self.shows()}"
        deck.move_cursor(cursor)
        await self.person.pilot.pause()

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something is so, looking whenever the store tells of something."""
        happened = asyncio.Event()
        end = self.store.subscribe(lambda _: happened.set())
        try:
            async with patience(what, self.shows):
                while not condition():
                    happened.clear()
                    await happened.wait()
                    await self.person.pilot.pause()  # what the store tells is drawn a little later
        finally:
            end()
        await self.person.pilot.pause()

    async def settled(self) -> None:
        """Wait until every change has been accepted, and nothing more comes of what was pressed.

        Fails if a change was not accepted, or if a dialog in front waits for an answer.
        """
        await self.answered()
        assert not self._is_asking, f"a dialog waits for an answer\n{self.shows()}"
        others = [one for one in self.store.pending() if one.id not in self.stuck]
        assert not others, f"a change was not accepted\n{self.shows()}"

    async def answered(self) -> None:
        """Wait until every change has been answered, whatever the answer was.

        A dialog that is in front then waits for the person.
        """
        while not self._is_answered():
            await self._finish(*_LOOKING)
            if not self._is_asking:
                await self._finish(*_CHANGING)
            await self.until(self._are_changes_answered, "an answer to every change")

    @property
    def _is_asking(self) -> bool:
        return isinstance(self.app.screen, ModalScreen)

    def _is_answered(self) -> bool:
        groups = _LOOKING if self._is_asking else _LOOKING + _CHANGING
        return not running(self.app, *groups) and self._are_changes_answered()

    def _are_changes_answered(self) -> bool:
        boards = (self.board_id, *(board.id for board in self.store.boards()))
        return not self.under_way() and not any(self.store.status(one).busy for one in boards)

    async def _finish(self, *groups: str) -> None:
        if running(self.app, *groups):
            async with patience(f"the end of {running(self.app, *groups)}", self.shows):
                await finished(self.app, *groups)
            await self.person.pilot.pause()

    def shows(self) -> str:
        """The status line, the changes that are not accepted yet, and the screen."""
        changes = [
            f"{one.operation.describe()}: {one.state} {one.reason}".rstrip()
            for one in self.store.pending()
        ]
        status = f"{self.app.screen} says: {self.said.strip() or 'nothing'}"
        return "\n".join([status, *(changes or ["no change is pending"]), self.person.text])

    def under_way(self) -> list[PendingChange]:
        """The changes that have no answer yet, without those that are stuck."""
        return [
            change
            for change in self.store.pending()
            if change.state in _UNDER_WAY and change.id not in self.stuck
        ]


async def finished(app: CallboardApp, *groups: str) -> None:
    """Wait for the workers of groups, and for those that run in place of cancelled ones."""
    while workers := running(app, *groups):
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete(workers)


def running(app: CallboardApp, *groups: str) -> list[Worker[Any]]:
    """The workers of groups that have not ended."""
    return [one for one in app.workers if one.group in groups and not one.is_finished]


@asynccontextmanager
async def opened_day(
    edition: Edition,
    folder: Path,
    furnish: Callable[[Client], Awaitable[int]],
    clock: Clock | None = None,
) -> AsyncIterator[Day]:
    """The program on a board of a service, ready for keys; `furnish` makes what the day needs.

    A folder that was furnished is used as it is.
    """
    is_furnished = (folder / _DATABASE).exists()
    service = _opened_service(folder)
    board_id = _board(service) if is_furnished else await _furnished(service, furnish)
    (folder / "dot.png").write_bytes(png(1, 1))
    traffic = Traffic()
    store = LocalStore.open(
        folder / "cache",
        folder / "data",
        "day",
        clock=clock,
        poll_seconds=_POLL_SECONDS,
        watch_seconds=None,
    )
    client, breaking = _client(edition, service, traffic)

    async def connect() -> int | None:
        await probe(client, board_id)  # as logging in does
        user_id = await who_am_i(client, edition.login)
        has_rights = await is_administrator(client, user_id or 0)
        store.set_account(Account(edition.login, user_id, has_rights))
        store.connect(client)
        return None

    context = Context(
        store,
        preferences=Preferences(folder / "preferences.json"),
        drafts=Drafts(folder / "drafts"),
        profiles=LocalProfiles(
            Places(folder / "config", folder / "data", folder / "cache"), EMBEDDED
        ),
    )
    app = CallboardApp(context, connect=connect, board_id=board_id)
    try:
        async with app.run_test(size=(120, 36)) as pilot:
            driver = Driver(app, pilot)
            day = Day(edition, driver, store, service.database, board_id, traffic, folder, breaking)
            await day.until(store.boards, "the boards")
            await day.visit_other_board()
            if breaking is not None:
                breaking.routes |= edition.broken
            try:
                yield day
            except AssertionError as failure:
                failure.add_note(day.shows())
                raise
    finally:
        await store.aclose()
        await client.aclose()
        service.close()


async def furnish_folder(folder: Path, furnish: Callable[[Client], Awaitable[int]]) -> None:
    """Make in a folder what the days that are opened on copies of it need."""
    service = _opened_service(folder)
    await _furnished(service, furnish)
    service.close()


def _opened_service(folder: Path) -> Embedded:
    return open_embedded(folder / _DATABASE, login=LOGIN, display_name="Ann Miller")


async def _furnished(service: Embedded, furnish: Callable[[Client], Awaitable[int]]) -> int:
    site = SiteClock(utc_now, None)
    with service.database.transaction(writing=True) as db:
        create_account(db, site, login=COLLEAGUE, display_name="Bob Cook")
        create_account(db, site, login=VIEWER, display_name="Vic Stone")
    give_passwords(service.database, LOGIN, COLLEAGUE, VIEWER)
    transport = InProcessTransport(service.application)
    credentials = Credentials(service.login, service.password)
    session = HttpSession(BASE_URL, credentials, transport=transport)
    async with client_for(session, capabilities=Capabilities.embedded()) as client:
        return await furnish(client)


def _board(service: Embedded) -> int:
    with service.database.transaction(writing=False) as db:
        return int(db.value("select id from board where title = :title", title=BOARD))


def _client(
    edition: Edition, service: Embedded, traffic: Traffic
) -> tuple[Client, Breaking | None]:
    """A client of the edition that knows nothing but what a profile says.

    Where members carry no logins, the profile says who the person is.
    """
    if edition.quirks is None:
        transport = InProcessTransport(Counted(service.application, traffic))
        credentials = Credentials(service.login, service.password)
        session = HttpSession(BASE_URL, credentials, transport=transport)
        return client_for(session, capabilities=Capabilities.embedded()), None
    quirky = QuirkyService(service.application, edition.quirks, every=1_000_000)
    transport = InProcessTransport(Counted(quirky, traffic))
    session = HttpSession(
        base_url(edition.quirks), Credentials(edition.login, PASSWORD), transport=transport
    )
    word = PATH_WORD if edition.quirks.own_path_word else "service"
    known = Capabilities()
    if edition.quirks.no_user_logins:
        with service.database.transaction(writing=False) as db:
            user_id = db.value("select id from account where login = :login", login=edition.login)
        known = Capabilities(user_id=user_id, user_login=edition.login)
    client = client_for(session, capabilities=known, path_word=word, timezone=edition.timezone)
    return client, quirky.breaking
