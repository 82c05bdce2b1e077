"""The terminal that programs are run in by tests."""

import os
from itertools import count
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


def test_what_is_written_between_a_wait_and_the_end_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["/bin/sh", "-c", "read _; echo last"]
    with Terminal(command, environment={}, folder=tmp_path) as terminal:
        child = terminal._child
        is_alive, looks = child.isalive, count()

        def is_alive_when_looked_at() -> bool:
            if next(looks) == 1:  # the look after the wait
                child.send(b"\n")
                os.waitid(os.P_PID, child.pid or 0, os.WEXITED | os.WNOWAIT)
            return is_alive()

        monkeypatch.setattr(child, "isalive", is_alive_when_looked_at)
        terminal.ends()
    assert b"last" in terminal.written
