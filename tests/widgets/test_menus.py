"""Menus and empty lists where there is little room."""

from textual.geometry import Size

from tui.screens.keys import menu_lines
from tui.text.cells import width
from tui.widgets.painted import Line
from tui.widgets.row_list import empty_lines

GOING = [("g", "first card"), ("u", "pending changes"), ("x", "archived cards")]


def words(line: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in line)


def test_a_menu_has_as_many_columns_as_fit() -> None:
    assert len(menu_lines(GOING, 80)) == 1
    narrow = [words(line) for line in menu_lines(GOING, 40)]
    assert narrow == [
        "  g first card        x archived cards  ",
        "  u pending changes                     ",
    ]
    assert len(menu_lines(GOING, 30)) == 3


def test_an_empty_list_wraps_what_to_press() -> None:
    empty = ("no card is yours", "i on a card of a board to assign it to you and shows it here")
    for columns in (40, 20):
        lines = [words(line) for line in empty_lines(*empty, Size(columns, 15))]
        assert lines[0] == "", "it is in the middle"
        assert all(width(line) <= columns for line in lines)
        assert " ".join(" ".join(lines).split()) == (
            "No card is yours i on a card of a board to assign it to you and shows it here"
        )
