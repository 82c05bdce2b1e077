"""A program that makes changes and says so after each, until it is killed; run by a test."""

import asyncio
import itertools
import sys
from pathlib import Path

from tests.store.fake_remote import BOARD, OPEN, FakeRemote, FakeService
from tests.store.party import until
from tui.store.operations import CreateTask
from tui.store.store import LocalStore


async def work(folder: Path) -> None:
    """Make tasks for ever; every title printed has been drawn."""
    store = LocalStore.open(folder / "cache", folder / "data", "default")
    if store.board(BOARD) is None:
        store.connect(FakeRemote(FakeService()))
        await store.open_board(BOARD)
        await until(store, lambda: store.board(BOARD) is not None)
    for number in itertools.count():
        await store.submit(CreateTask.new(BOARD, OPEN, f"Task {number}"))
        view = store.board(BOARD)
        if view is not None and view.in_stage(OPEN)[-1].title == f"Task {number}":
            sys.stdout.write(f"Task {number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1])))
