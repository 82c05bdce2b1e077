"""Homes to start the program in."""

import fcntl
import shutil
from pathlib import Path

import pytest

from tests.drivers.program import end_tutorial, has_tour, program


@pytest.fixture(scope="session")
def toured(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A home in which the program has been opened and left once: the tour has been made.

    The first worker that wants it makes it for all.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder, made = shared / "toured", shared / "toured.made"
    with (shared / "toured.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            folder.mkdir()
            with program(folder) as terminal:
                terminal.until(lambda: has_tour(terminal, folder), "the tour")
                terminal.press("q")
                terminal.ends_well()
            made.touch()
    return folder


@pytest.fixture
def home(toured: Path, tmp_path: Path) -> Path:
    """A home of one's own with the board of the tour.

    Nothing is on the screen before the program runs.
    """
    leave_out = shutil.ignore_patterns("last-frame")
    return Path(shutil.copytree(toured, tmp_path / "home", ignore=leave_out))


@pytest.fixture
def left(toured: Path, tmp_path: Path) -> Path:
    """A home in which the program was just left, on the board of the tour."""
    return Path(shutil.copytree(toured, tmp_path / "home"))


@pytest.fixture
def compact_home(home: Path) -> Path:
    """A home in which a card takes one line, so that all are in sight, and is no lesson."""
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("density = 1\n", "utf-8")
    with program(home) as terminal:
        end_tutorial(terminal, home)
        terminal.press("q")
        terminal.ends_well()
    for frame in home.rglob("last-frame"):
        frame.unlink()
    return home


@pytest.fixture
def new_home(tmp_path: Path) -> Path:
    """A home in which the program has never been."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder
