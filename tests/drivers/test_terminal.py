"""The terminal that programs are run in by tests."""

from pathlib import Path

import pytest

from tests.drivers.terminal import Terminal

pytestmark = pytest.mark.long


@pytest.mark.parametrize("color", ["38", "38;5", "38;2;240;98"])
def test_a_color_that_a_kill_cut_off_before_other_words_is_ignored(
    tmp_path: Path, color: str
) -> None:
    command = ["printf", rf"kept \033[{color}Killed\nhere"]
    with Terminal(command, environment={}, folder=tmp_path) as terminal:
        terminal.ends()
        assert terminal.text.split() == ["kept", "illed", "here"]
