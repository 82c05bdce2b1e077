"""Histories with the real service, reached through the real client, with and without quirks."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from tests.client.suite.services import Running, embedded, quirky
from tests.quirky.quirks import Quirks
from tests.store.machine.rules import Machine
from tests.store.machine.wire import Recorder
from tests.store.machine.world import World
from tui.client.client import Client
from tui.client.remote import RemoteService
from tui.store.remote import Remote

_TRIPS_EVERY = 7
_TITLES = ("Alpha", "Beta", "Gamma")


class RealWorld(World):
    """A history with the embedded service: ann and bob at one board."""

    hears_every_write = False
    logins = ("ann", "bob")

    def build(self, folder: Path) -> tuple[int, Sequence[object], Remote]:
        """A board with three tasks, of which one has something around it."""
        self._open = ExitStack()
        running = self._open.enter_context(self.service(folder))
        if running.quirky is not None:
            running.quirky.telling.every = _TRIPS_EVERY
        board_id, stage_ids = running.new_board()
        self._clients = [running.client(running.session(who), who) for who in ("ann", "bob", "ann")]
        ann, bob, witness = (RemoteService(client) for client in self._clients)
        self._seers = (ann, bob)
        self.loop.run_until_complete(_first_tasks(witness, board_id, stage_ids[0]))
        far_ends = [Recorder(remote, who, self.writes) for who, remote in enumerate((ann, bob))]
        return board_id, far_ends, witness

    def service(self, folder: Path) -> AbstractContextManager[Running]:
        """The embedded service."""
        return embedded(folder)

    def witness_of(self, who: int) -> Remote:
        """The person themselves: everybody sees boards of their own."""
        return self._seers[who]

    def close(self) -> None:
        """Everybody goes home, and the service is closed."""
        try:
            self.loop.run_until_complete(_closed(self._clients))
            super().close()
        finally:
            self._open.close()


class RealQuirkyWorld(RealWorld):
    """A history with the embedded service behind everything that real ones do wrong."""

    tells_every_change = False

    def service(self, folder: Path) -> AbstractContextManager[Running]:
        """The quirky service, in the edition that has subtasks."""
        return quirky(Quirks.extended())(folder)


class RealMachine(Machine):
    """Two people at one board of the embedded service."""

    def make_world(self, folder: Path) -> World:
        """A world with the embedded service."""
        return RealWorld(folder)


class RealQuirkyMachine(Machine):
    """Two people at one board of a real service that misbehaves."""

    def make_world(self, folder: Path) -> World:
        """A world with the quirky service."""
        return RealQuirkyWorld(folder)


async def _first_tasks(remote: Remote, board_id: int, stage_id: int) -> None:
    tasks = [await remote.create_task(board_id, stage_id, title, "low") for title in _TITLES]
    alpha = tasks[0]["id"]
    group = await remote.create_subtask_group(board_id, alpha, "Steps")
    for title in ("One", "Two"):
        await remote.create_subtask(board_id, alpha, group["id"], title, on_top=False)


async def _closed(clients: Sequence[Client]) -> None:
    for client in clients:
        await client.aclose()
