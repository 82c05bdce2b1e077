"""Typing at the speed of hands that know the keys: nothing typed goes astray."""

import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from tests.drivers.program import (
    TOUR,
    column_of,
    counts,
    has_tour,
    is_settled,
    program,
    stored,
    waiting,
)
from tests.terminal.changes import start_typing

pytestmark = pytest.mark.long

TITLE = "Ask Dave, Lex and Anna"
"""Most of its letters are keys of the board: A archives, x closes, L moves."""

OTHER = "Add a Hex dump to Logs"
"""Another one of that kind."""


def test_what_is_typed_at_once_does_that_and_nothing_else(home: Path) -> None:
    """A new title, a changed one, a choice and a filter, one after another."""
    expected = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")

        terminal.press("n", *TITLE, "enter", "enter")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 1], "the new card")
        terminal.until(lambda: is_settled(terminal, home), "the card at the service")
        expected[0].insert(1, (TITLE, "low", "open"))
        assert stored(home) == expected

        terminal.press("g", "g", "e", "ctrl+u", *OTHER, "enter")
        terminal.until(lambda: column_of(terminal, OTHER) == 0, "the new title")
        terminal.until(lambda: stored(home)[0][0][0] == OTHER, "the title at the service")
        expected[0][0] = (OTHER, *expected[0][0][1:])
        assert stored(home) == expected

        terminal.press("p", "m")
        terminal.until(lambda: "Priority medium" in terminal.text, "the priority")
        terminal.until(lambda: is_settled(terminal, home), "the priority at the service")
        expected[0][0] = (OTHER, "medium", "open")
        assert stored(home) == expected

        terminal.press("/", *"Axe", "enter")
        terminal.until(lambda: "⌕ Axe" in terminal.lines[0], "the filter")
        terminal.until(lambda: is_settled(terminal, home), "the service")
    assert stored(home) == expected


@pytest.mark.parametrize(
    "tenths",
    [pytest.param(each, marks=[pytest.mark.exhaustive] * bool(each % 3)) for each in range(16)],
)
def test_keys_of_the_first_moments_mean_what_they_mean_later(new_home: Path, tenths: int) -> None:
    """Also those that are typed before the program reads the terminal."""
    with program(new_home) as terminal:
        moment = monotonic() + tenths / 10
        while (left := moment - monotonic()) > 0:
            terminal.read(left)
        terminal.press("g", "b", "n", "A", "A", "enter")
        terminal.sees("Added “AA”", "Boards   2 boards")
        terminal.until(lambda: waiting(new_home) == 0, "the board at the service")
    with closing(sqlite3.connect(new_home / "data" / "boards.sqlite3")) as boards:
        titles = boards.execute("select title from board order by id").fetchall()
        (archived,) = boards.execute("select count(*) from task where archived_at > 0").fetchone()
    assert titles == [("Start here",), ("AA",)]
    assert archived == 0


def test_a_paste_runs_nothing_and_its_lines_become_cards_after_asking(home: Path) -> None:
    before = stored(home)
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")

        terminal.paste("LLAxnDy\n")
        terminal.press("?")
        terminal.sees("Keys that work here")
        terminal.press("escape")
        terminal.misses("Keys that work here")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        assert stored(home) == before

        start_typing(terminal, "n")
        terminal.paste("first line\nsecond line\n")
        terminal.sees("2 cards")
        terminal.press("ctrl+s")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 2], "the new cards")
        terminal.until(lambda: is_settled(terminal, home), "the cards at the service")
    assert [title for title, _, _ in stored(home)[0]][1:3] == ["first line", "second line"]


def test_bytes_that_are_no_utf_8_are_read_as_latin_1(home: Path) -> None:
    """As in a Latin-1 locale, from 8-bit Meta keys, and from a mouse in its oldest form."""
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.send(b"\xea\xff\x9b\x1b[M \xe9\xa4\x1b[M#\xe9\xa4")
        start_typing(terminal, "n")
        terminal.send("Café déjà vu".encode("latin-1") + b"\r\r")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 1], "the new card")
        terminal.until(lambda: is_settled(terminal, home), "the card at the service")
        terminal.press("q")
        assert terminal.exit_code() == 0
    assert "Café déjà vu" in [title for title, _, _ in stored(home)[0]]
