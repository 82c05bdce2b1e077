"""From one service to another and back, in one run of the program."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.drivers.program import FIRST, program, waiting
from tests.drivers.terminal import Terminal
from tests.server.launched import PASSWORD, launched, ran
from tui.config.settings import load_settings

pytestmark = pytest.mark.long


def test_a_person_logs_in_switches_and_logs_out_in_one_run(home: Path, tmp_path: Path) -> None:
    served = tmp_path / "served"
    served.mkdir()
    assert ran(served, "user", "add", "ann", told=f"{PASSWORD}\n").returncode == 0
    outbox = home / "data" / "team" / "outbox.sqlite3"
    # Wide, so that a path of the temporary folder stands on one line.
    with launched(served) as server, program(home, columns=200) as terminal:
        terminal.sees(FIRST)
        terminal.press("g", "p")
        terminal.sees("boards on this machine")
        terminal.press(
            "n", *server.address, "tab", *"ann", "tab", *"wrong", "tab", *"team", "enter"
        )
        terminal.sees("does not accept")
        terminal.press("up", "ctrl+u", *PASSWORD, "enter")
        terminal.sees("Logged in: team")
        terminal.press("enter")
        terminal.sees("Opened team")
        create_board(terminal, home)
        server.stop()
        terminal.press("n", *"Second board", "ctrl+s", "g", "p")
        terminal.sees("1 pending")
        terminal.press("j", "enter")
        terminal.sees("1 change of team waits until it is opened again")
        terminal.sees(FIRST)
        terminal.press("g", "p")
        terminal.sees("1 pending")
        terminal.press("k", "enter")
        terminal.sees("Opened team")
        terminal.press("g", "p")
        terminal.sees("open now")
        terminal.press("D")
        terminal.sees("1 unsent item of team", "Second board")
        terminal.press("k", "y")
        terminal.sees("Logged out of team; unsent changes are kept")
        terminal.sees(FIRST)
        with closing(sqlite3.connect(outbox)) as kept:
            assert kept.execute("select count(*) from entry").fetchone() == (1,)
        assert not (home / "config" / "passwords" / "team").exists()
        assert not (home / "cache" / "team").exists()
        see_that_it_cannot_be_opened(terminal, outbox.parent)
        terminal.press("g", "p")
        terminal.sees("1 pending")
        terminal.press("k", "D")
        terminal.sees("1 unsent item of team")
        terminal.press("d", "y")
        terminal.sees("Logged out of team")
        assert not (home / "data" / "team").exists()
        assert not load_settings(home / "config" / "config.toml").profiles
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert PASSWORD.encode() not in terminal.written
    assert not any(
        PASSWORD.encode() in path.read_bytes() for path in home.rglob("*") if path.is_file()
    )


def create_board(terminal: Terminal, home: Path) -> None:
    """Create a board, and wait until the service has it."""
    terminal.press("n", *"Launch", "ctrl+s")
    terminal.sees("1 board")
    terminal.until(lambda: waiting(home, "team") == 0, "the board at the service")


def see_that_it_cannot_be_opened(terminal: Terminal, folder: Path) -> None:
    """A profile whose folder is in the way is not opened, and the open one comes back."""
    aside = folder.rename(folder.with_name("aside"))
    folder.touch()
    terminal.press("g", "p")
    terminal.sees("open now", "team")
    terminal.press("k", "enter")
    terminal.sees(f"The folder {folder} cannot be used", FIRST)
    folder.unlink()
    aside.rename(folder)
