"""The homes of a first minute, each made once for all workers."""

import asyncio
import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drivers.program import program
from tests.terminal.first_minute.furnished import BOARD, CARD, furnish_home
from tests.terminal.first_minute.in_conflict import bring_into_conflict

Home = Callable[[], Path]
"""Makes another copy of a home."""


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder with the homes that are copied."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "first-minute"
    folder.mkdir(exist_ok=True)
    return folder


def made(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """The home of a name, made by the first worker that wants it."""
    home, mark = folder / name, folder / f"{name}.made"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            make(home)
            mark.touch()
    return home


@pytest.fixture(scope="session")
def furnished(homes: Path) -> Path:
    """A home with something of everything, in which the program was left on its board."""

    def make(home: Path) -> None:
        asyncio.run(furnish_home(home))
        with program(home) as terminal:
            terminal.sees(BOARD)
            terminal.press("/", BOARD, "enter", "enter")
            terminal.sees(CARD)
            terminal.press("q")
            terminal.ends_well()

    return made(homes, "furnished", make)


@pytest.fixture(scope="session")
def in_conflict(homes: Path) -> Path:
    """A home with a change that somebody else made differently, and a service that is away."""
    return made(homes, "in-conflict", bring_into_conflict)
