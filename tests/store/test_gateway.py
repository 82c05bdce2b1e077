"""The store against the embedded service, through the client."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.store.party import Party, until
from tui.api.client import Client
from tui.api.credentials import Credentials
from tui.api.errors import NotThere
from tui.api.inprocess import InProcessTransport
from tui.api.session import Session
from tui.model.board import Place
from tui.model.task import Status, Task
from tui.service.embedded import BASE_URL, open_embedded
from tui.store.gateway import Gateway
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    SetDue,
    SetStatus,
    SetTitle,
)
from tui.store.store import LocalStore


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Gateway]:
    """The embedded service, reached."""
    embedded = open_embedded(tmp_path / "boards.sqlite3", login="ann", display_name="Ann Ex")
    transport = InProcessTransport(embedded.application)
    session = Session(
        BASE_URL, Credentials(embedded.login, embedded.password), transport=transport
    )
    async with Client(session) as client:
        yield Gateway(client)
    embedded.close()


@pytest.fixture
async def store(tmp_path: Path, gateway: Gateway) -> AsyncIterator[LocalStore]:
    store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    store.connect(gateway)
    yield store
    await store.aclose()


async def test_smoke(store: LocalStore, gateway: Gateway) -> None:
    board_id = await store.create_board("Website")
    await store.open_board(board_id)
    view = store.board(board_id)
    print(view)
    first = view.stages[0]
    made = CreateTask.new(board_id, first.id, "First")
    await store.submit(made)
    await until(store, lambda: not store.waiting())
    print(store.board(board_id))
    task = next(store.board(board_id).all_tasks())
    await store.submit(MoveTask.on(task, view.stages[2].id, Place()))
    await until(store, lambda: not store.waiting())
    print(store.board(board_id).in_stage(view.stages[2].id))
    await store.undo(board_id)
    await until(store, lambda: not store.waiting())
    print(store.board(board_id))
    doc = await gateway.board(board_id)
    print(doc)
    print(await gateway.tasks(board_id))
    print(await gateway.has_changed(board_id, doc["synced_at"]))
    print(store.status(board_id), store.boards())
    assert 0
