"""The folder of the program is deleted while it runs: that is said, not found out at the end."""

import shutil
from pathlib import Path

import pytest

from tests.drivers.program import has_tour, program
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, application
from tui.config.paths import Places
from tui.workspace import Workspace


async def test_a_workspace_tells_that_its_files_are_gone(tmp_path: Path) -> None:
    workspace = Workspace.open(Places(tmp_path / "config", tmp_path / "data", tmp_path / "cache"))
    assert workspace.deleted_folder() is None
    shutil.rmtree(tmp_path / "data")
    assert workspace.deleted_folder() == tmp_path / "data" / "embedded"
    await workspace.aclose()


async def test_it_is_said_once_no_dialog_is_in_front() -> None:
    app = application(FakeStore(small()))
    async with app.run_test(size=(160, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("p")
        assert not app.says_files_deleted(Path("/home/me/data"))
        await person.press("escape")
        assert app.says_files_deleted(Path("/home/me/data"))
        await person.press("j")
        assert (
            "Its folder was deleted: changes made now will be lost (/home/me/data)" in person.said
        )
        assert "copy what you need" in person.said


@pytest.mark.long
def test_the_running_program_says_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        shutil.rmtree(home / "data")
        terminal.sees("was deleted")
        terminal.press("escape", "q")
