"""A board that is fetched for the first time: what is drawn meanwhile, and what is said."""

import asyncio
from typing import cast

import pytest

from tests.store.faults import FaultyRemote
from tests.store.party import Party, until
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.client.documents import TasksArrived
from tui.client.errors import Unreachable
from tui.store.documents.shapes import Document
from tui.store.events import Loading
from tui.store.remote import Remote

_SIZE = 100_000


class SlowList(FaultyRemote):
    """Sends the tasks of a board in parts of a hundred, each when it is let, or fails."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.remote())
        self.steps: asyncio.Queue[bool] = asyncio.Queue()

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        tasks: list[Document] = await self.call("tasks", board_id)
        for start in range(0, len(tasks), 100):
            if not await self.steps.get():
                raise Unreachable("The service cannot be reached.")
            if arrived is not None:
                arrived(tasks[start : start + 100], (start + 100) * 1_000)
        return tasks


@pytest.fixture
def slow(party: Party, service: Service) -> SlowList:
    """The person begins to look at a board of 304 tasks."""
    service.add_many(150, OPEN)
    service.add_many(150, DOING)
    party.remote = slow = SlowList(service)
    return slow


def loading(party: Party) -> Loading | None:
    """How far the board is."""
    return party.store.status(BOARD).loading


async def test_the_first_cards_are_drawn_as_they_come(party: Party, slow: SlowList) -> None:
    party.store.connect(cast("Remote", slow))
    await party.store.open_board(BOARD)
    await until(party.store, lambda: loading(party) == Loading())
    assert party.store.board(BOARD) is None
    slow.steps.put_nowait(True)
    await until(party.store, lambda: loading(party) == Loading(100, _SIZE))
    assert not party.view.complete
    assert party.titles(OPEN)[:3] == ["Alpha", "Beta", "Gamma"]
    assert party.view.count(OPEN) + party.view.count(DOING) == 100
    slow.steps.put_nowait(True)
    await until(party.store, lambda: loading(party) == Loading(200, 2 * _SIZE))
    assert party.view.count(OPEN) + party.view.count(DOING) == 200
    for _ in range(2):
        slow.steps.put_nowait(True)
    await until(party.store, lambda: party.view.complete and loading(party) is None)
    assert party.view.count(OPEN) == 153


async def test_a_first_load_that_fails_says_so(party: Party, slow: SlowList) -> None:
    party.store.connect(cast("Remote", slow))
    await party.store.open_board(BOARD)
    slow.steps.put_nowait(True)
    slow.steps.put_nowait(False)
    await until(party.store, lambda: party.store.status(BOARD).problem)
    assert loading(party) == Loading(100, _SIZE, is_stopped=True)
    assert not party.view.complete
    for _ in range(4):
        slow.steps.put_nowait(True)
    await party.store.refresh(BOARD)
    assert (loading(party), party.view.complete) == (None, True)


async def test_a_board_that_is_known_stays_as_it_is_while_it_is_fetched(
    started: Party, service: Service
) -> None:
    slow = SlowList(service)
    started.store._core.connection.connect(cast("Remote", slow))
    asking = asyncio.create_task(started.store.refresh(BOARD))
    await until(started.store, lambda: started.store.status(BOARD).busy)
    assert (loading(started), started.view.complete) == (None, True)
    slow.steps.put_nowait(True)
    await asking
