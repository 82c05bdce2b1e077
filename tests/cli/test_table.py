"""Tables of the command line."""

import json
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, text, tuples

from tests.cli.conftest import Said
from tui.cli.output import has_style
from tui.cli.table import Cell, Colored, TableColumn, lines
from tui.text.cells import width

COLUMNS = (
    TableColumn("Card", is_number=True),
    TableColumn("Title", is_wide=True),
    TableColumn("Stage"),
    TableColumn("Labels"),
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


@given(
    lists(tuples(*[text(max_size=40)] * 4), min_size=1, max_size=3),
    integers(0, 3),
    sampled_from([None, 40, 120]),
    sampled_from(["x", "猫", "a\u0301", "\x1b[31m"]),
)
def test_no_cell_is_endless_whatever_was_written_into_it(
    rows: list[tuple[str, ...]], column: int, room: int | None, sign: str
) -> None:
    huge = tuple("#1" if at == 0 else each for at, each in enumerate(rows[0]))
    huge = (*huge[:column], sign * 20_000, *huge[column + 1 :]) if column else huge
    shown = lines(COLUMNS, [*rows, huge], room)
    assert len(shown) == len(rows) + (1 if room is None else 2)
    assert max(map(width, shown)) <= 1_000


def test_a_huge_field_hides_no_other_on_a_terminal() -> None:
    cards = [("#1", "Fix it", "S" * 1_000_000, "bug"), ("#2", "T" * 1_000_000, "Doing", "")]
    assert lines(COLUMNS, cards, 60) == [
        "Card  Title                     Stage                 Labels",
        "  #1  Fix it                    SSSSSSSSSSSSSSSSSSS…  bug",
        "  #2  TTTTTTTTTTTTTTTTTTTTTTT…  Doing",
    ]


def test_a_huge_title_is_cut_in_a_pipe_and_whole_in_json(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    title = "T" * 1_000
    assert said("edit", "6", "--title", title)[0] == 0
    code, text, _ = said("tasks", "--board", "platform")
    assert (code, max(map(len, text.splitlines())) < 300, "T…" in text) == (0, True, True)
    (card,) = json.loads(said("tasks", "label:bug", "--json")[1])
    assert card["title"] == title
    assert title in said("show", "6")[1]
    (tmp_path / "typed").write_text("cards\n", encoding="utf-8")
    with (tmp_path / "typed").open(encoding="utf-8") as typed:
        monkeypatch.setattr("sys.stdin", typed)
        code, text, _ = said("--plain", "--board", "platform")
    assert (code, max(map(len, text.splitlines())) < 300, "TT…, #6" in text) == (0, True, True)


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


def test_a_cell_has_its_colour_only_where_there_are_colours_and_stays_in_its_place() -> None:
    rows: list[tuple[Cell, ...]] = [
        ("#9", "Fix it", Colored("Doing", "1;31"), ""),
        ("#412", Colored("", "1"), "Review", "x"),
    ]
    plain = ["  #9  Fix it  Doing", "#412          Review  x"]
    assert lines(COLUMNS, rows, None) == plain
    colored = lines(COLUMNS, rows, None, has_colors=True)
    assert colored == ["  #9  Fix it  \x1b[1;31mDoing\x1b[0m", plain[1]]


def test_colours_are_left_out_as_the_environment_says() -> None:
    assert has_style({"TERM": "xterm"})
    assert not has_style({"TERM": "dumb"})
    assert not has_style({"NO_COLOR": "1"})
