"""A program that makes changes and says so after each, until it is killed; run by a test."""

import asyncio
import itertools
import sys
from pathlib import Path

from tui.store.operations import CreateTask
from tui.store.store import LocalStore

_BOARD = _OPEN = 1


async def work(folder: Path) -> None:
    """Make tasks for ever; every title printed has been drawn."""
    store = LocalStore.open(folder / "cache", folder / "data", "default")
    for number in itertools.count():
        await store.submit(CreateTask.new(_BOARD, _OPEN, f"Task {number}"))
        view = store.board(_BOARD)
        if view is not None and view.in_stage(_OPEN)[-1].title == f"Task {number}":
            sys.stdout.write(f"Task {number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1])))
