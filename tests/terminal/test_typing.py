"""Typing at the speed of hands that know the keys: nothing typed goes astray."""

from pathlib import Path

from tests.terminal.changes import start_typing
from tests.terminal.program import TOUR, column_of, counts, has_tour, is_settled, program, stored

TITLE = "Ask Dave, Lex and Anna"
"""Most of its letters are keys of the board: A archives, x closes, L moves."""


def test_a_title_typed_at_once_becomes_a_card_and_nothing_else(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("n", *TITLE, "enter")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 1], "the new card")
        terminal.until(lambda: is_settled(terminal, home), "the card at the service")
    before[0].insert(1, (TITLE, "low", "open"))
    assert stored(home) == before


def test_a_title_changed_at_once_changes_nothing_else(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("e", "ctrl+u", *TITLE, "enter")
        terminal.until(lambda: column_of(terminal, TITLE) == 0, "the new title")
        terminal.until(lambda: stored(home)[0][0][0] == TITLE, "the title at the service")
    before[0][0] = (TITLE, *before[0][0][1:])
    assert stored(home) == before


def test_a_filter_typed_at_once_changes_no_card(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("/", *"Axe", "enter")
        terminal.until(lambda: "⌕ Axe" in terminal.lines[0], "the filter")
        terminal.until(lambda: is_settled(terminal, home), "the service")
    assert stored(home) == before


def test_a_choice_made_at_once_is_the_one_that_was_typed(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("p", "m")
        terminal.until(lambda: "priority medium" in terminal.lines[-1], "the priority")
        terminal.until(lambda: is_settled(terminal, home), "the priority at the service")
    before[0][0] = (before[0][0][0], "medium", "open")
    assert stored(home) == before


def test_a_paste_on_the_board_runs_nothing(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.paste("LLAxnDy\n")
        terminal.press("?")
        terminal.sees("Keys that work here")
        terminal.press("escape")
        terminal.until(lambda: is_settled(terminal, home), "the service")
    assert stored(home) == before


def test_a_paste_of_several_lines_into_a_title_is_one_line(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        start_typing(terminal, "n")
        terminal.paste("first line\nsecond line")
        terminal.sees("first line")
        terminal.press("enter")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 1], "the new card")
        terminal.until(lambda: is_settled(terminal, home), "the card at the service")
    assert stored(home)[0][1][0].startswith("first line")
