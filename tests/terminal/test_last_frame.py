"""The last frame is on the screen at once, and the program takes it over."""

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.program import (
    FIRST,
    SECOND,
    TOUR,
    counts,
    has_tour,
    is_settled,
    program,
    stored,
)
from tests.drivers.terminal import Terminal
from tui.config.paths import Places
from tui.runtime.last_frame import SIGN

pytestmark = pytest.mark.long

OLD = SIGN.strip()
LAST = "? keys"
"""At the end of the frame, which may be read in parts."""
LIVE = "kept on this machine"
"""At the end of the bar, once the program runs."""


def file_below(home: Path) -> Path:
    return Places.find({"CALLBOARD_HOME": str(home)}).last_frame


def leave(terminal: Terminal) -> None:
    terminal.press("q")
    assert terminal.exit_code() == 0


def test_it_is_shown_at_once_and_the_board_takes_its_place(left: Path) -> None:
    assert file_below(left).stat().st_mode & 0o777 == 0o600
    with program(left) as terminal:
        terminal.sees(OLD, FIRST, LAST)
        shown = len(terminal.written)
        terminal.misses(OLD)
        terminal.sees(LIVE)
        assert terminal.written.count(b"\x1b[?1049h") == 1, "the terminal cleared it"
        before = terminal.written[: terminal.written.index(OLD.encode())]
        assert before.rfind(b"\x1b[?2026h") > before.rfind(b"\x1b[?2026l"), "it is not shown whole"
        assert len(terminal.written) - shown < 2_000, "the whole board was written again"
        leave(terminal)


def test_the_board_that_was_left_is_shown_after_a_kill(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("j", "enter")
        terminal.sees("Priority")
        terminal.until(file_below(home).exists, "the frame")
        terminal.kill()
    with program(home) as terminal:
        terminal.sees(OLD, FIRST, SECOND)
        terminal.misses(OLD)
        terminal.sees(LIVE)
        leave(terminal)


def test_a_dialog_is_not_on_it(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("?")
        terminal.sees("Keys that work here")
        terminal.press("escape")
        terminal.misses("Keys that work here")
        terminal.press("enter")
        terminal.sees("Priority")
        terminal.until(file_below(home).exists, "the frame")
        terminal.kill()
    with program(home) as terminal:
        terminal.sees(OLD, FIRST)
        assert "Keys that work here" not in terminal.text
        leave(terminal)


def test_keys_are_for_the_board_behind_it(left: Path) -> None:
    with program(left) as terminal:
        terminal.sees(OLD)
        terminal.press("j", "L")
        terminal.until(lambda: counts(terminal) == [TOUR[0] - 1, TOUR[1] + 1, 0], "the move")
        assert OLD not in terminal.text
        assert SECOND in terminal.text
        terminal.until(lambda: is_settled(terminal, left), "the move at the service")
        leave(terminal)
    assert [len(cards) for cards in stored(left)][:2] == [TOUR[0] - 1, TOUR[1] + 1]


@pytest.mark.parametrize(
    ("columns", "variables"),
    [
        (100, {}),
        (120, {"NO_COLOR": "1"}),
        (120, {"TERM": "screen"}),
        (120, {"LC_ALL": "de_DE.UTF-8"}),
    ],
)
def test_it_is_not_shown_on_another_terminal(
    left: Path, columns: int, variables: dict[str, Any]
) -> None:
    with program(left, columns=columns, **variables) as terminal:
        terminal.until(lambda: has_tour(terminal, left), "the tour")
        assert OLD.encode() not in terminal.written
        leave(terminal)


def test_it_is_not_shown_behind_a_command_that_was_named(left: Path) -> None:
    with program(left, "--boards") as terminal:
        terminal.sees("Boards", "Start here")
        leave(terminal)
        assert OLD.encode() not in terminal.written


def test_an_error_at_the_start_can_be_read(left: Path) -> None:
    settings = Places.find({"CALLBOARD_HOME": str(left)}).settings
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("density = 9\n", "utf-8")
    with program(left) as terminal:
        assert terminal.exit_code() == 2
        after = terminal.written.rpartition(b"\x1b[?1049l")[2]
        assert OLD.encode() in terminal.written
        assert b"callboard: " in after
        assert b"density" in after


def test_a_setting_turns_it_off(left: Path) -> None:
    settings = Places.find({"CALLBOARD_HOME": str(left)}).settings
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("last_frame = false\n", "utf-8")
    with program(left) as terminal:
        terminal.sees(OLD)
        terminal.misses(OLD)
        leave(terminal)
    assert not file_below(left).exists()


def test_a_program_that_is_asked_to_end_meanwhile_gives_the_terminal_back(left: Path) -> None:
    with program(left) as terminal:
        terminal.sees(OLD)
        terminal.signal(signal.SIGTERM)
        terminal.ends()
        assert terminal.written.endswith(b"\x1b[?1049l")


@pytest.mark.parametrize("damage", [b"", b"1 120x36\n", b"x" * 100, None])
def test_a_damaged_file_is_no_matter(left: Path, damage: bytes | None) -> None:
    file = file_below(left)
    kind, length, rest = file.read_bytes().split(b"\n", 2)
    size = int(length)
    file.write_bytes(b"\n".join((kind, length, rest[:size])) + b"{" if damage is None else damage)
    with program(left) as terminal:
        terminal.sees(LIVE)
        terminal.misses(OLD)
        assert counts(terminal) == TOUR
        leave(terminal)
