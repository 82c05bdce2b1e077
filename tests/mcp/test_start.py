"""The start of `callboard mcp`, and what it needs."""

import subprocess
import sys

import pytest

from tests.cli.conftest import Said


def test_without_the_extra_one_line_says_how_to_install_it(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    told = "callboard: the mcp extra is not installed: pip install 'callboard[mcp]'\n"
    assert said("mcp") == (2, "", told)


@pytest.mark.long
def test_the_sdk_is_imported_by_no_other_command() -> None:
    program = (
        "import sys, tui.cli.commands.table, tui.cli.plain, tui.cli.program, tui.cli.mcp.serving;"
        "print([name for name in sys.modules if name.startswith('mcp')])"
    )
    ran = subprocess.run(  # noqa: S603 - a fixed program
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == "[]\n"


def test_read_only_and_the_board_are_options_of_it(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    def serve(profile: str, board: str, *, is_read_only: bool) -> int:
        asked.append((profile, board, is_read_only))
        return 0

    monkeypatch.setattr("tui.cli.mcp.serving.serve", serve)
    for arguments in (
        ("mcp",),
        ("mcp", "--read-only", "--board", "platform"),
        ("-p", "work", "--read-only", "mcp"),
    ):
        assert said(*arguments)[0] == 0
    assert asked == [("", "", False), ("", "platform", True), ("work", "", True)]
