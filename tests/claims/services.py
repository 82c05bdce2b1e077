"""The services that agents contend on: our own on SQLite or PostgreSQL, and deployed editions."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from tests.claims.contest import Contest, Slow, contest, make_board
from tests.day.editions import EDITIONS
from tests.quirky.application import QuirkyService, base_url
from tests.quirky.people import PASSWORD, give_passwords
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.editions.claiming import CheckedClaims
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import Application, InProcessTransport
from tui.client.http.session import HttpSession
from tui.service.accounts.accounts import create_account
from tui.service.application import create_application
from tui.service.database.base import Database
from tui.service.databases import open_at
from tui.service.embedded import BASE_URL
from tui.service.times import SiteClock

LOGIN = "ann"
DEPLOYED = ("recent-free", "older-free", "old-paid", "recent-paid")
"""The editions, by their names in `EDITIONS`."""


class _Shared(httpx.AsyncBaseTransport):
    """A transport that several sessions share, so that none of them closes it."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transport.handle_async_request(request)


async def on_databases(
    settings: Sequence[str], agents: int, cards: int, *, seconds: float = 0.0
) -> Contest:
    """Agents on our own service, each of whose processes opens the database at one setting."""
    async with AsyncExitStack() as stack:
        databases = [open_at(setting) for setting in settings]
        for database in databases:
            stack.callback(database.close)
        person_id = _person(databases[0])
        transports = [_reached(stack, create_application(one)) for one in databases]
        clients = [
            await stack.enter_async_context(
                _client(transports[number % len(transports)], seconds=seconds, seed=number)
            )
            for number in range(agents)
        ]
        return await contest(clients, await make_board(clients[0], cards), person_id)


async def on_edition(
    name: str, folder: Path, agents: int, cards: int, *, seconds: float, pause: float
) -> Contest:
    """Agents on the emulation of a deployed edition, which wait so long to read back."""
    quirks = EDITIONS[name].quirks or Quirks.none()
    async with AsyncExitStack() as stack:
        database = open_at(str(folder / "boards.sqlite3"))
        stack.callback(database.close)
        person_id = _person(database)
        application = create_application(database)
        async with _client(_reached(stack, application)) as client:
            board_id = await make_board(client, cards)
        transport = _reached(stack, QuirkyService(application, quirks, every=1_000_000))
        clients = [
            await stack.enter_async_context(
                _client(transport, quirks, person_id, seconds=seconds, seed=number)
            )
            for number in range(agents)
        ]
        for client in clients:
            assert isinstance(client, CheckedClaims), f"{client} does not read back"
            client.claim_pause = pause
        return await contest(clients, board_id, person_id)


def _person(database: Database) -> int:
    with database.transaction(writing=True) as db:
        account = create_account(db, SiteClock(), login=LOGIN, display_name="Ann Miller")
    give_passwords(database, LOGIN)
    return account.id


def _reached(stack: AsyncExitStack, application: Application) -> httpx.AsyncBaseTransport:
    transport = InProcessTransport(application)
    stack.push_async_callback(transport.aclose)
    return _Shared(transport)


def _client(
    transport: httpx.AsyncBaseTransport,
    quirks: Quirks | None = None,
    person_id: int | None = None,
    *,
    seconds: float = 0.0,
    seed: int = 0,
) -> Client:
    address = base_url(quirks) if quirks else BASE_URL
    session = HttpSession(
        address,
        Credentials(LOGIN, PASSWORD),
        transport=Slow(transport, seconds, seed),
        allow_plaintext=True,
    )
    word = PATH_WORD if quirks and quirks.own_path_word else "service"
    known = Capabilities(user_id=person_id, user_login=LOGIN if person_id else None)
    return client_for(session, capabilities=known, path_word=word)
