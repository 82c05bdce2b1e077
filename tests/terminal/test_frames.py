"""What comes to the front is written once: over a slow line every frame is seen to arrive."""

import re
from pathlib import Path

import pytest

from tests.drivers.program import (
    SECOND,
    TOUR,
    columns,
    counts,
    has_tour,
    is_settled,
    program,
)
from tests.drivers.terminal import Terminal

pytestmark = pytest.mark.long


def test_what_comes_to_the_front_is_written_once(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        a_task_and_the_board_behind_it(terminal)
        a_dialog_and_the_board_behind_it(terminal)
        a_click_and_the_cards_it_changes(terminal)
        a_move_and_the_cards_it_changes(terminal, home)
    with program(home, columns=80, lines=24) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour again, in a smaller terminal")
        a_message_and_the_rows_it_covers(terminal)


@pytest.mark.parametrize(("term", "erases"), [("xterm-256color", True), ("screen-256color", False)])
def test_blanks_are_erased_if_the_terminal_fills_them(
    home: Path, term: str, *, erases: bool
) -> None:
    with program(home, TERM=term) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("enter")
        terminal.sees(" empty", "no comments")
        assert (re.search(rb"\x1b\[\d+X", terminal.written) is not None) == erases


def a_task_and_the_board_behind_it(terminal: Terminal) -> None:
    for opened in range(1, 4):
        begun = len(terminal.written)
        terminal.press("enter")
        terminal.sees(" empty", "no comments")
        terminal.press("escape")
        terminal.sees("In progress")
        terminal.misses(" empty")
        frames = bytes(terminal.written[begun:])
        if opened > 1:  # the first time, what the service answers may come in between
            assert (frames.count(b" empty"), frames.count(b"In progress")) == (1, 1)
            assert len(frames) < 4_500


def a_dialog_and_the_board_behind_it(terminal: Terminal) -> None:
    terminal.press("p")
    terminal.sees("Medium")
    begun = len(terminal.written)
    terminal.press("escape")
    terminal.misses("Medium")
    terminal.press("?")
    terminal.sees("Keys that work here")
    dialog_and_board = bytes(terminal.written[begun:])
    assert dialog_and_board.count(b"Start here") <= 2, "the board, and the board behind the dialog"


def a_click_and_the_cards_it_changes(terminal: Terminal) -> None:
    terminal.press("escape")
    terminal.until(lambda: counts(terminal) == TOUR, "the board behind the dialog, drawn whole")
    # The first step is ticked off, which may be drawn by itself later.
    terminal.press("j")
    terminal.sees(f"▌{SECOND}", "3 of 17 done")
    terminal.press("k")
    terminal.misses(f"▌{SECOND}")
    line = next(y for y, text in enumerate(terminal.lines) if SECOND in text)
    begun = len(terminal.written)
    terminal.drag((8, line))
    terminal.until(lambda: f"▌{SECOND}" in terminal.text, "the cursor where the mouse is")
    terminal.press("j")
    terminal.misses(f"▌{SECOND}")
    assert len(terminal.written) - begun < 500, "the whole board was written"


def a_move_and_the_cards_it_changes(terminal: Terminal, home: Path) -> None:
    before = [column.cards for column in columns(terminal)]
    begun = len(terminal.written)
    terminal.press("J")
    terminal.until(lambda: (now := columns(terminal)) and now[0].cards != before[0], "the move")
    terminal.until(lambda: is_settled(terminal, home), "the move at the service")
    assert len(terminal.written) - begun < 1_000, "the whole board was written"


def a_message_and_the_rows_it_covers(terminal: Terminal) -> None:
    terminal.sees("of 17 done")
    before = terminal.lines[:-1]
    begun = len(terminal.written)
    terminal.press("o")
    terminal.sees("No link here")
    assert terminal.lines[:-3] == before[:-2]
    terminal.press("h")  # there is no column to go to
    terminal.until(lambda: terminal.lines[:-1] == before, "what was there before")
    assert len(terminal.written) - begun < 600, "more than these two rows was written"
