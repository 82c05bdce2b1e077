"""An error of the program itself: what the person is told, and what is kept."""

import sys
from pathlib import Path

import pytest

from tests.drivers.program import FIRST, environment
from tests.drivers.terminal import Terminal

pytestmark = pytest.mark.long

WITH_AN_ERROR = """
import sys
from tui.cli.main import main
from tui.dialogs.editor.text import TextEditor
from tui.workspace import Workspace
from textual.drivers.linux_driver import LinuxDriver

def fail(*_, **__):
    password = "".join(("hush", "hush"))
    raise RuntimeError("an error of ours")

{broken} = fail
sys.exit(main())
"""


def started(home: Path, broken: str) -> Terminal:
    """The program, in which a function fails."""
    return Terminal(
        [sys.executable, "-c", WITH_AN_ERROR.format(broken=broken)],
        environment=environment(home),
        folder=home,
    )


def see_end(terminal: Terminal, log: Path) -> None:
    """The program ends with one line about the log, which has the error and no values."""
    assert terminal.exit_code() == 1
    _, _, said = terminal.written.decode().rpartition("callboard: ")
    assert "".join(said.split()).endswith(str(log))
    assert "Traceback" not in terminal.written.decode()
    details = log.read_text("utf-8")
    assert "RuntimeError: an error of ours" in details
    assert "hushhush" not in details
    assert log.stat().st_mode & 0o777 == 0o600


def test_what_was_being_typed_is_kept(home: Path) -> None:
    with started(home, "TextEditor.action_preview") as terminal:
        terminal.sees(FIRST)
        terminal.press("c")
        terminal.sees("Comment on")
        terminal.press(*"not sent yet", "ctrl+r")
        see_end(terminal, home / "data" / "embedded" / "crash.log")
    (draft,) = (home / "data" / "drafts").iterdir()
    assert draft.read_text("utf-8") == "not sent yet"


@pytest.mark.parametrize(
    ("broken", "folder"),
    [
        ("LinuxDriver.process_message", "data/embedded"),
        ("Workspace.aclose", "data/embedded"),
        ("Workspace.open", "data"),
    ],
)
def test_whatever_fails_is_told_in_one_line(home: Path, broken: str, folder: str) -> None:
    with started(home, broken) as terminal:
        if "aclose" in broken:  # the others fail without a key
            terminal.sees(FIRST)
            terminal.press("q")
        see_end(terminal, home / folder / "crash.log")
