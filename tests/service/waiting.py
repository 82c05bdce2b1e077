"""Requests that wait for a change, on the loop of the test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from tests.drivers.patience import patience
from tests.service.world import BASE_URL, ZONE, FrozenClock
from tests.store.party import rest
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.base import Database

BOARD = 1


@dataclass
class Asker:
    """Somebody who asks a service for changes of its first board."""

    http: httpx.AsyncClient
    since: str = ""

    async def refresh(self) -> None:
        """Take note of the state of the board."""
        self.since = (await self.http.get(f"/projects/{BOARD}")).json()["synced_at"]

    async def ask(self, wait: object = 25) -> Any:
        """The answer, which may take its time."""
        path = f"/projects/{BOARD}/has-data-changed?since={quote(self.since)}&wait={wait}"
        async with patience("an answer of the service"):
            return (await self.http.get(path)).json()

    async def waiting(self, wait: int = 25) -> "asyncio.Task[Any]":
        """A request that waits now, unless it is answered already."""
        asked = asyncio.create_task(self.ask(wait))
        await rest()
        return asked

    async def change(self, title: str = "Garden") -> None:
        """Change the board."""
        reply = await self.http.put(f"/projects/{BOARD}", json={"title": title})
        assert reply.is_success, reply.text


@asynccontextmanager
async def asking(
    database: Database, who: str = "ann", *, threads: bool = False
) -> AsyncIterator[Asker]:
    """Somebody of a furnished world in front of the service on its database."""
    session = LocalSession(who)
    application = create_application(
        database, clock=FrozenClock(), zone=ZONE, session=session, threads=threads
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=application),
        base_url=BASE_URL,
        auth=(session.login, session.password),
    ) as http:
        asker = Asker(http)
        await asker.refresh()
        yield asker
