"""The store with answers that nobody foresees: what was known stays, and nothing is done twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fakes.boards import titles_of
from tests.quirky.application import QuirkyService, base_url
from tests.quirky.oddities import ODDITIES, Oddity, OddService
from tests.quirky.quirks import Quirks
from tests.store.party import new_board, until
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.service.embedded import open_embedded
from tui.store import operations as change
from tui.store.events import PendingState
from tui.store.store import LocalStore

pytestmark = pytest.mark.long

WRITES = frozenset({"POST", "PUT", "DELETE"})
_MOST_ASKED = 40
QUIRKS = Quirks.recent_free()
"""Such a service keeps no keys: what it did is looked for."""


class Desk:
    """A board with the cards A, B and C, at a service that can become odd."""

    def __init__(self, store: LocalStore, service: OddService, board_id: int) -> None:
        self.store, self.service, self.board_id = store, service, board_id

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        assert view is not None
        return view

    def titles(self) -> list[list[str]]:
        """The titles drawn, stage by stage."""
        return titles_of(self.view)

    async def refresh(self) -> None:
        for board_id in (self.board_id, None):
            with suppress(CallboardError):
                await self.store.refresh(board_id)

    async def change(self) -> None:
        """Rename the first card, and add another one."""
        first = next(task for task in self.view.all_tasks() if task.title == "A")
        new = change.CreateTask.new(self.board_id, self.view.stages[1].id, "D")
        await self.store.submit(change.set_title(first, "A2"), new)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    embedded = open_embedded(tmp_path / "boards.sqlite3", login="ann", display_name="Ann Ex")
    service = OddService(QuirkyService(embedded.application, QUIRKS, every=1_000_000))
    session = HttpSession(
        base_url(QUIRKS),
        Credentials(embedded.login, embedded.password),
        transport=InProcessTransport(service),
        sleep=lambda _: asyncio.sleep(0),
    )
    async with client_for(session, path_word="boards") as client:
        store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
        store.connect(client)
        board_id = await new_board(store, "Website")
        await store.open_board(board_id)
        desk = Desk(store, service, board_id)
        first = desk.view.stages[0].id
        await store.submit(*(change.CreateTask.new(board_id, first, title) for title in "ABC"))
        await until(store, lambda: not store.pending())
        yield desk
        await store.aclose()
    embedded.close()


@pytest.mark.parametrize("oddity", ODDITIES)
async def test_what_is_known_stays_when_a_read_is_answered_oddly(
    desk: Desk, oddity: Oddity
) -> None:
    before = desk.titles()
    desk.service.oddity = oddity
    desk.service.asked.clear()
    await desk.refresh()
    assert len(desk.service.asked) < _MOST_ASKED
    assert desk.titles() == before
    await desk.change()
    assert desk.titles() == [["A2", "B", "C"], ["D"], []]
    desk.service.oddity = None
    await settled(desk)
    assert desk.titles() == [["A2", "B", "C"], ["D"], []]


@pytest.mark.parametrize("oddity", ODDITIES)
async def test_what_a_write_did_is_done_once_when_it_is_answered_oddly(
    desk: Desk, oddity: Oddity
) -> None:
    desk.service.oddity, desk.service.methods = oddity, WRITES
    await desk.change()
    await until(desk.store, lambda: not desk.store.pending() or _is_odd(desk))
    assert desk.titles() == [["A2", "B", "C"], ["D"], []]
    desk.service.oddity = None
    await settled(desk)
    assert desk.titles() == [["A2", "B", "C"], ["D"], []]


def _is_odd(desk: Desk) -> bool:
    return any(waiting.reason for waiting in desk.store.pending())


async def settled(desk: Desk) -> None:
    """The service is well again: everything is sent, and read back."""
    await desk.refresh()
    for waiting in desk.store.pending():
        if waiting.state is PendingState.WAITING:
            await desk.store.retry(waiting.id)
    await until(desk.store, lambda: not desk.store.pending())
    await desk.refresh()
