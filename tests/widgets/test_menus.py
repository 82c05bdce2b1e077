"""Menus and empty lists where there is little room."""

from typing import Any

from textual.geometry import Size

from tui.screens.keys import menu_lines
from tui.text.cells import width
from tui.widgets.painted import Line
from tui.widgets.row_list import RowList

GOING = [("g", "first card"), ("u", "go to pending changes"), ("x", "go to archived cards")]


def words(line: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in line)


def test_where_there_is_room_for_one_column_keys_do_not_repeat_that_they_go_somewhere() -> None:
    wide = [words(line) for line in menu_lines(GOING, 80)]
    assert len(wide) == 1
    assert "u go to pending changes" in wide[0]
    narrow = [words(line) for line in menu_lines(GOING, 40)]
    assert narrow == [
        " g first card        x archived cards   ",
        " u pending changes                      ",
    ]


def test_an_empty_list_wraps_what_to_press() -> None:
    no_rows: Any = None
    rows = RowList(no_rows)
    rows.empty = ("no card is yours", "i on a card of a board assigns it to you and shows it here")
    for columns in (40, 20):
        lines = [words(line) for line in rows.lines_now(Size(columns, 15))]
        assert all(width(line) <= columns for line in lines)
        assert " ".join(" ".join(lines).split()) == (
            "No card is yours i on a card of a board assigns it to you and shows it here"
        )
