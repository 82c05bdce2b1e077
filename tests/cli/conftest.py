"""Commands run on a home with three boards of the embedded service."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.harness.zones import midday
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.model.board import Place
from tui.store.operations.tasks import ArchiveTask
from tui.workspace import Workspace

Said = Callable[..., tuple[int, str, str]]
"""Runs a command; the exit code, the output, and what is said beside it."""

WORK = '[profiles.work]\nurl = "https://example.org/x/v2"\nlogin = "me"\n'
"""A profile whose service cannot be reached, for want of a password."""


@pytest.fixture(autouse=True)
def _no_day_ends() -> Iterator[None]:
    with midday():
        yield


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the boards Website, in the folder Sites, Web shop and Platform.

    The card Mine of Platform has something of everything.
    """
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOGNAME", "me")
        make_home(home)
    return home


def make_home(home: Path) -> None:
    """Make that home in a folder."""
    asyncio.run(_make(Places.find({HOME_VARIABLE: str(home)})))


async def _make(places: Places) -> None:
    places.make()
    (places.data / "tour").write_text("made", encoding="utf-8")
    workspace = Workspace.open(places)
    await workspace.connect()
    remote = await workspace.store.service()
    folder = await remote.create_folder("Sites")
    for title in ("Website", "Web shop", "Platform"):
        within = folder["id"] if title == "Website" else None
        board = await remote.create_board(title, "", "to-do", folder_id=within)
        number, stages = board["id"], [stage["id"] for stage in board["stages"]]
        card = await remote.create_task(number, stages[1], f"Card of {title}", "high")
        other = await remote.create_task(number, stages[1], "Mine", "low")
        await remote.assign(number, other["id"], [board["created_by"]])
        await remote.set_task(number, card["id"], "status", "closed")
    label = await remote.create_label(number, "bug", "#ff0000", "#ffffff")
    await remote.add_label(number, other["id"], label["id"])
    await remote.set_task(number, other["id"], "due_at", "2037-11-06 17:00:00")
    text = "<p>Fix <b>it</b>\x1b[31m</p><ul><li>soon</li></ul>"
    await remote.set_task(number, other["id"], "description", text)
    group = await remote.create_subtask_group(number, other["id"], "Steps")
    await remote.create_subtask(number, other["id"], group["id"], "First", on_top=False)
    said = await remote.create_comment(
        number, other["id"], "Why?", parent_id=None, image_ids=(), mentions=()
    )
    await remote.create_comment(
        number, other["id"], "So.", parent_id=said["id"], image_ids=(), mentions=()
    )
    points = await remote.create_field(number, "Points", "number", options=())
    await remote.set_field_value(number, other["id"], points["id"], "5")
    await workspace.aclose()


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that home."""
    monkeypatch.setenv("LOGNAME", "me")
    return Path(shutil.copytree(made, tmp_path / "home"))


@pytest.fixture
def said(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs commands in that home."""
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("CALLBOARD_PROFILE", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as ended:  # of argparse
            code = int(ended.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def cached_for_work(home: Path, said: Said) -> None:
    """Let the profile `work` know what is known of the embedded service, without its service."""
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.toml").write_text(WORK, encoding="utf-8")
    said("-p", "work", "boards")  # makes its folders
    for folder in ("cache", "data"):
        kept = home / folder / "work"
        for file in kept.glob("*.sqlite3*"):  # a journal would be read with another file
            file.unlink()
        for file in (home / folder / "embedded").glob("*.sqlite3*"):
            shutil.copy(file, kept)


def ran_alone(script: str, home: Path) -> subprocess.CompletedProcess[str]:
    """A script in an interpreter of its own, without what a site adds to the start."""
    return subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{script}"],
        env={**os.environ, HOME_VARIABLE: str(home), "LOGNAME": "me"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def archive_mine(home: Path) -> None:
    """Archive the card Mine of Platform, which has been read."""

    async def archive() -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        await workspace.connect()
        view = await workspace.store.load_board(3)
        assert view is not None, "the board 3, Platform, is not cached"
        task = view.task(6)
        assert task is not None, f"the card 6, Mine, is not on {view.board.title}"
        await workspace.store.submit(ArchiveTask.on(task, Place()))
        await workspace.aclose()

    asyncio.run(archive())


def on_branch(folder: Path, name: str) -> None:
    """Let a branch be checked out in a folder, which becomes a git repository."""
    for command in (["init", "--quiet"], ["symbolic-ref", "HEAD", f"refs/heads/{name}"]):
        subprocess.run(  # noqa: S603 (fixed commands)
            ["git", "-C", str(folder), *command],  # noqa: S607
            check=True,
            timeout=60,
        )
