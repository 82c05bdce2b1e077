"""Starting: what is loaded before the first paint, and what happens when something breaks."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.drivers.quiet import until_work_ends
from tests.fakes.boards import NOW, small
from tests.fakes.store import FakeStore
from tests.screens.driving import application, screen_text
from tui.app import Connect, only_board
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board
from tui.screens.board.screen import BoardScreen
from tui.store.events import BoardsChanged

HEAVY = (
    "httpx",
    "pydantic",
    "starlette",
    "tui.service",
    "tui.client.http",
    "tui.connecting",
    "tui.notifications",
)

PAINT = """
import asyncio, sys
from datetime import UTC, datetime
BEGAN = datetime.now(UTC)
from tui.app import CallboardApp
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.context import Context
from tui.workspace import Workspace

async def until_checked(store, board_id):
    while store.status(board_id).checked_at is None or store.status(board_id).checked_at < BEGAN:
        await asyncio.sleep(0.01)

async def start():
    workspace = Workspace.open(Places.find(), {profile})
    seen = []
    async def connect():
        seen.extend(name for name in {heavy!r} if name in sys.modules)
        board_id = await workspace.connect() or 1
        if {waits}:
            await workspace.store.open_board(board_id)
            await until_checked(workspace.store, None)
            await until_checked(workspace.store, board_id)
        seen.append("service" if "starlette" in sys.modules else "no service")
        seen.append("client" if "httpx" in sys.modules else "no client")
        app.exit()
    app = CallboardApp(Context(workspace.store), connect=connect, board_id=1)
    await app.run_async(headless=True, size=(80, 24))
    await workspace.aclose()
    print(seen)

asyncio.run(start())
"""


MODULES = 188
"""Modules of the program that are imported before the first paint; each costs 0.2 ms or more."""
ONLY_OURS = {"gc", "json", "sqlite3"}
"""What the first paint needs besides the program and a bare Textual application."""

IMPORTED = """
import sys
from textual import app, widgets
from textual.drivers import linux_driver
from textual.widgets import Static
Static, app.App.run
bare = {name.partition(".")[0] for name in sys.modules}
from tui.cli import main, program
from tui.runtime import driver
now = {name.partition(".")[0] for name in sys.modules}
print(sum(name.startswith("tui.") for name in sys.modules), *sorted(now - bare - {"tui"}))
"""


def python(code: str, home: Path) -> str:
    """What a program prints in a fresh interpreter."""
    ran = subprocess.run(  # noqa: S603 (our own interpreter and program)
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "CALLBOARD_HOME": str(home), "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


@pytest.mark.long
@pytest.mark.parametrize(
    ("profile", "loaded"),
    [
        ("None", "['service', 'client']"),
        (
            "Profile('work', url='http://127.0.0.1:9/v2', login='a', password_command='echo x')",
            "['no service', 'client']",
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_the_first_paint(
    tmp_path: Path, profile: str, loaded: str
) -> None:
    assert python(PAINT.format(heavy=HEAVY, profile=profile, waits=False), tmp_path) == loaded


@pytest.mark.long
def test_a_second_start_on_boards_that_did_not_change_loads_nothing_heavy(tmp_path: Path) -> None:
    start = PAINT.format(heavy=HEAVY, profile="None", waits=True)
    assert python(start, tmp_path) == "['service', 'client']"
    assert python(start, tmp_path) == "['no service', 'no client']"


@pytest.mark.long
def test_few_modules_are_imported_before_the_first_paint(tmp_path: Path) -> None:
    count, *others = python(IMPORTED, tmp_path).split()
    assert int(count) <= MODULES, (
        f"{count} modules instead of {MODULES}: import within functions, or below `TYPE_CHECKING`,"
        " what the first paint does not need"
    )
    more = {each for each in others if not each.startswith("_")} - ONLY_OURS
    assert not more, f"import {', '.join(sorted(more))} within the functions that need it"


@pytest.mark.long
def test_help_loads_neither_the_program_nor_its_libraries(tmp_path: Path) -> None:
    code = """
import contextlib, io, sys
from tui.cli.main import main
with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
    main(["--help"])
assert "callboard" in shown.getvalue()
print([name for name in ("textual", "httpx", "sqlite3", "tui.store") if name in sys.modules])
"""
    assert python(code, tmp_path) == "[]"


async def test_what_the_program_cannot_go_on_without_ends_it() -> None:
    app = application(FakeStore(small()), connect=failing(CannotGoOn("The boards are damaged.")))
    await app.run_async(headless=True, size=(80, 24))
    assert app.failure is not None
    assert app.failure.message == "The boards are damaged."
    assert app.return_code == 1


async def test_a_service_that_is_away_is_said_and_the_board_stays() -> None:
    store = FakeStore(small())
    app = application(store, connect=failing(CallboardError("The service [b] is away.")))
    async with app.run_test(size=(100, 30)) as pilot:
        await until_work_ends(app)
        await pilot.pause()
        assert "The service [b] is away." in screen_text(app)
        await pilot.press("L")
        assert len(store.submitted) == 1


@pytest.mark.parametrize("keys", [[], ["g", "v"]], ids=["the list", "another screen"])
async def test_the_only_board_of_a_service_is_opened_when_it_is_known(keys: list[str]) -> None:
    board = small()
    store = FakeStore(board)
    store.views.clear()
    app = application(store, board_id=None, opens_only_board=True)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press(*keys)
        store.views[1] = board
        store.notify(BoardsChanged())
        await until_work_ends(app)
        await pilot.pause()
        assert isinstance(app.screen, BoardScreen) is (not keys)
        # What is there later is opened by the user.
        store.notify(BoardsChanged())
        await pilot.press("g", "b")
        await pilot.pause()
        assert not isinstance(app.screen, BoardScreen)


def test_of_several_boards_none_is_opened() -> None:
    store = FakeStore(small())
    assert only_board(store) == 1
    other = replace(small(), board=Board(2, "Other"))
    store.views[2] = other
    assert only_board(store) is None
    store.views[2] = replace(other, board=replace(other.board, archived_at=NOW))
    assert only_board(store) == 1


def failing(error: CallboardError) -> Connect:
    """A connection that fails."""

    async def connect() -> int | None:
        raise error

    return connect
