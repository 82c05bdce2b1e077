"""`callboard export` and `callboard import`."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from subprocess import run

import pytest

from tests.service.archives import content, export, full_world
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.connecting.connections import open_embedded
from tui.service.database.sqlite import open_database
from tui.store.operations import CreateTask
from tui.store.outbox.file import open_outbox

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A home of one's own, without boards yet."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return Places.find()


def _make_boards(places: Places) -> None:
    async def make() -> None:
        connection = open_embedded(places.boards, "ann")
        await connection.remote.create_board("Garden", "", "to-do")
        await connection.aclose()

    asyncio.run(make())


def _titles(places: Places) -> list[str]:
    async def ask() -> list[str]:
        connection = open_embedded(places.boards, "ann")
        boards = await connection.remote.boards()
        await connection.aclose()
        return [board["title"] for board in boards]

    return asyncio.run(ask())


def test_one_s_own_boards_go_out_and_come_back(
    places: Places, tmp_path: Path, capsys: Captured
) -> None:
    _make_boards(places)
    file = tmp_path / "a.zip"
    assert main(["export", str(file)]) == 0
    assert f"{file} holds 1 board, 0 tasks, 0 comments, 1 account" in capsys.readouterr().out
    assert main(["import", str(file)]) == 2
    said = capsys.readouterr().err
    assert "was left unchanged" in said
    assert "move this one away" in said
    for part in places.boards.parent.glob("boards.sqlite3*"):
        part.unlink()
    assert main(["import", str(file)]) == 0
    assert f"{places.boards} now holds 1 board" in capsys.readouterr().out
    assert _titles(places) == ["Garden"]


def test_another_database_is_named(places: Places, tmp_path: Path) -> None:
    world = full_world(tmp_path / "old")
    before = content(world.database)
    world.close()
    file, new = tmp_path / "a.zip", tmp_path / "new" / "c"
    assert main(["export", str(file), "--database", str(tmp_path / "old" / "b")]) == 0
    folder = ["--attachments", str(tmp_path / "pictures")]
    assert main(["import", str(file), "--database", str(new), *folder]) == 0
    database = open_database(new)
    assert content(database) == before
    database.close()
    assert len(list((tmp_path / "pictures").iterdir())) == 1
    assert not places.data.exists()


def test_without_boards_nothing_is_made(places: Places, tmp_path: Path, capsys: Captured) -> None:
    assert main(["export", str(tmp_path / "a.zip")]) == 2
    assert "there are no boards in" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "a.zip")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert not places.data.exists()


def test_waiting_changes_keep_one_s_own_boards_from_being_copied(
    places: Places, tmp_path: Path, capsys: Captured
) -> None:
    _make_boards(places)
    outbox, _ = open_outbox(places.data / EMBEDDED / "outbox.sqlite3", datetime.now(UTC))
    change = (CreateTask.new(1, 1, "Waiting"), ())
    outbox.add(1, [change], datetime.now(UTC))
    outbox.close()
    assert main(["export", str(tmp_path / "a.zip")]) == 2
    assert "1 of your changes are not saved yet" in capsys.readouterr().err
    assert not (tmp_path / "a.zip").exists()


def test_boards_of_a_service_are_not_taken_for_one_s_own(
    places: Places, tmp_path: Path, capsys: Captured
) -> None:
    world = full_world(tmp_path)
    file = export(world, tmp_path / "a.zip")
    world.close()
    assert main(["import", str(file)]) == 2
    assert "none of its accounts is yours" in capsys.readouterr().err
    assert not places.boards.exists()


def test_help_says_what_is_in_an_archive_and_loads_nothing_heavy() -> None:
    code = """
import contextlib, sys
from tui.cli.main import main
with contextlib.suppress(SystemExit):
    main(["export", "--help"])
print(*[name for name in ("textual", "httpx", "sqlite3", "zipfile") if name in sys.modules])
"""
    ran = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 (our own)
    assert "hashes of their passwords" in " ".join(ran.stdout.split())
    assert ran.stdout.splitlines()[-1] == ""
