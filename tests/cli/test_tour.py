"""`callboard tour`, with and without a terminal."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tui.config.paths import HOME_VARIABLE
from tui.navigation import BoardRequested


@pytest.mark.long
def test_the_board_is_made_again_beside_the_others(said: Said) -> None:
    before = said("boards", "-q")[1]
    for number in (4, 5):
        told = f"created the board “Start here” ({number}); callboard --boards lists it\n"
        assert said("tour") == (0, told, "")
    assert said("boards", "-q")[1] == f"5\n4\n{before}"


def test_on_a_terminal_the_program_opens_on_the_board(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def run(*, request: Callable[[object], BoardRequested], **options: object) -> int:
        asked.append((request(None).board_id, options))
        return 0

    monkeypatch.setattr("tui.cli.program.run", run)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert said("--ascii", "tour")[0] == 0
    assert asked == [(4, {"ascii_only": True, "boards": False, "profile": ""})]


def test_without_a_service_no_board_is_made(said: Said, home: Path) -> None:
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "tour")
    assert (code, text) == (1, "")
    assert "no password for the profile work" in beside


def test_the_first_one_is_not_made_twice(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "new"))
    assert said("tour")[0] == 0
    assert said("boards", "-q")[1] == "1\n"
