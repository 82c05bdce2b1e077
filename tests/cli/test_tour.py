"""`callboard tour` without a terminal."""

from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tui.config.paths import HOME_VARIABLE


def test_the_board_is_made_again_beside_the_others(said: Said) -> None:
    before = said("boards", "-q")[1]
    for number in (4, 5):
        told = f"made the board “Start here” ({number}); callboard --boards lists it\n"
        assert said("tour") == (0, told, "")
    assert said("boards", "-q")[1] == f"5\n4\n{before}"


def test_the_first_one_is_not_made_twice(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "new"))
    assert said("tour")[0] == 0
    assert said("boards", "-q")[1] == "1\n"
