"""Histories with the real service, reached through the real client, with and without quirks."""

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.quirky.quirks import Quirks
from tests.store.machine.rules import Machine
from tests.store.machine.wire import Recorder
from tests.store.machine.world import World
from tests.store.service import BOARD, DOING, OPEN, Service, one_board
from tui.client.client import Client
from tui.store.remote import Remote

_TITLES = ("Alpha", "Beta", "Gamma")


class RealWorld(World):
    """A history with the embedded service, which keeps its replies: two people at one board."""

    logins = ("me", "ann")
    quirks: Quirks | None = None

    def build(self, folder: Path) -> tuple[int, Sequence[object], Remote]:
        """A board with four tasks, of which two have something around them."""
        self._service = Service(first_tasks(), folder, keeps_replies=True, quirks=self.quirks)
        self._clients = [self._service.client(who) for who in (*self.logins, *self.logins)]
        *remotes, witness, other = (client for client in self._clients)
        self._witnesses = (witness, other)
        far_ends = [Recorder(remote, who, self.writes) for who, remote in enumerate(remotes)]
        return BOARD, far_ends, witness

    def witness_of(self, who: int) -> Remote:
        """The person themselves: everybody sees boards of their own."""
        return self._witnesses[who]

    def close(self) -> None:
        """Everybody goes home, and the service is closed."""
        try:
            for client in self._clients:
                self.loop.run_until_complete(client.aclose())
            super().close()
        finally:
            self._service.close()


class RealQuirkyWorld(RealWorld):
    """A history with the embedded service behind everything that real ones do wrong.

    Its edition is one that has subtasks.
    """

    hears_every_write = False
    tells_every_change = False
    dates_reopen = True
    quirks = Quirks.extended()


class RealMachine(Machine):
    """Two people at one board of the embedded service."""

    def make_world(self, folder: Path) -> World:
        """A world with the embedded service."""
        return RealWorld(folder)

    def _jump(self, who: int, a: int, b: int) -> None:
        """Nobody sets the clock: it could not be told how old a reply is."""


class RealQuirkyMachine(Machine):
    """Two people at one board of a real service that misbehaves."""

    def make_world(self, folder: Path) -> World:
        """A world with the quirky service."""
        return RealQuirkyWorld(folder)


@cache
def first_tasks() -> bytes:
    """The database that every history begins with."""
    service = Service(one_board(), Path())
    asyncio.run(_furnish(service.client()))
    content = service.content()
    service.close()
    return content


async def _furnish(client: Client) -> None:
    remote = client
    for title in ("Customer", "Place"):
        await client.create_field(BOARD, title, "text")
    cards = [await remote.create_task(BOARD, OPEN, title, "low") for title in _TITLES]
    await remote.create_task(BOARD, DOING, "Delta", "low")
    label = await remote.create_label(BOARD, "bug", "#ff0000", "#ffffff")
    for card in cards[:2]:
        await remote.add_label(BOARD, card["id"], label["id"])
        group = await remote.create_subtask_group(BOARD, card["id"], "Steps")
        for title in ("One", "Two"):
            await remote.create_subtask(
                BOARD, card["id"], group["id"], f"{title} of {card['title']}", on_top=False
            )
        for number in range(3):
            text = f"{number} about {card['title']}"
            await remote.create_comment(
                BOARD, card["id"], text, parent_id=None, image_ids=(), mentions=()
            )
    await client.aclose()
