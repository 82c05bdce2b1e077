"""Tables of the command line."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, text, tuples

from tests.cli.conftest import Said
from tui.cli.output import Column, lines
from tui.text.cells import width

COLUMNS = (
    Column("Card", is_number=True),
    Column("Title", is_wide=True),
    Column("Stage"),
    Column("Labels"),
)
CARDS = [
    ("#9", "Fix the login redirect after single sign-on", "Doing", "bug, auth"),
    ("#412", "猫が机の上で寝ている", "Review", ""),
]


def test_the_title_is_cut_first_and_then_the_last_columns_are_left_out() -> None:
    assert lines(COLUMNS, CARDS, None) == [
        "  #9  Fix the login redirect after single sign-on  Doing   bug, auth",
        "#412  猫が机の上で寝ている                         Review",
    ]
    assert lines(COLUMNS, CARDS, 48) == [
        "Card  Title                    Stage   Labels",
        "  #9  Fix the login redirect…  Doing   bug, auth",
        "#412  猫が机の上で寝ている     Review",
    ]
    assert lines(COLUMNS, CARDS, 37) == [
        "Card  Title                    Stage",
        "  #9  Fix the login redirect…  Doing",
        "#412  猫が机の上で寝ている     Review",
    ]
    assert lines(COLUMNS, CARDS, 12) == ["Card  Title", "  #9  Fix t…", "#412  猫が…"]
    assert lines(COLUMNS, [], 12) == []


@given(lists(tuples(*[text(max_size=40)] * 4), max_size=5), integers(10, 120))
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, ...]], room: int) -> None:
    short = [(row[0][:2].strip(), *row[1:]) for row in rows]
    for line in lines(COLUMNS, short, room):
        assert width(line) <= room
        assert "\n" not in line


def test_a_terminal_gets_a_heading_and_what_fits(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    terminal = StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", terminal)
    assert said("tasks", "mine")[0] == 0
    assert terminal.getvalue().splitlines() == [
        "Card  Title  Stage        Board",
        "  #6  Mine   In Progress  Platform",
        "  #4  Mine   In Progress  Web shop",
        "  #2  Mine   In Progress  Website",
    ]
