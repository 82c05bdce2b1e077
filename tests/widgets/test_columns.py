"""The columns of a list: as wide as there is room, whatever is in them."""

import pytest

from tui.widgets.painted import Line, line_width
from tui.widgets.row_list import TABLE_WIDTH, ListColumn, columns_line, number

COLUMNS = (
    ListColumn("sample", width=2, role="high"),
    ListColumn("title", gap=1),
    ListColumn("place", role="meta", least=40),
    ListColumn("used", width=9, role="count", align="right", gap=1, least=30),
)


def text(line: Line) -> str:
    return "".join(span for span, _ in line)


def test_columns_share_the_room_and_are_left_out_where_there_is_little() -> None:
    cells = ("*", "A title", "here", "3 cards")
    assert text(columns_line(COLUMNS, cells, 40)) == "* A title       here            3 cards "
    assert text(columns_line(COLUMNS, cells, 30)) == "* A title             3 cards "
    assert text(columns_line(COLUMNS, cells, 12)) == "* A title   "


@pytest.mark.parametrize("title", ["", "山田太郎" * 30, "An extraordinarily long name" * 9])
def test_a_row_is_as_wide_as_the_list_whatever_is_in_it(title: str) -> None:
    for width in (20, 40, 80, TABLE_WIDTH):
        assert line_width(columns_line(COLUMNS, ("*", title, title, title), width)) == width


def test_a_cell_of_several_roles_is_filled_in_its_last_one() -> None:
    cells: tuple[str | Line, ...] = ("", (("Ann", "text"), (" (you)", "quiet")), "", "")
    line = columns_line(COLUMNS, cells, 20)
    assert [role for span, role in line if span.strip()] == ["text", "quiet"]
    assert text(line) == "  Ann (you)         "


def test_a_column_takes_the_rest_up_to_its_limit_and_the_row_ends_in_blanks() -> None:
    columns = (ListColumn("title", limit=10, gap=1), ListColumn("used", width=3, align="right"))
    heads = text(columns_line(columns, ("title", "no"), 20))
    assert heads == "title      no       "
    assert text(columns_line(columns, ("title", number(0)), 9)) == "title   ·"


def test_a_wide_list_gives_columns_more_room_and_spreads_what_no_column_takes() -> None:
    columns = (
        ListColumn("#", width=5, gap=1),
        ListColumn("title", gap=1),
        ListColumn("stage", width=20, wide=60),
    )
    heads = ("#", "title", "stage")
    assert text(columns_line(columns, heads, 179)).index("stage") == 159
    assert text(columns_line(columns, heads, 180)).index("stage") == 120
    limited = (
        *columns[:1],
        ListColumn("title", limit=20),
        ListColumn("due", width=8),
        ListColumn("age", width=5),
    )
    lines = [
        text(columns_line(limited, ("#", "title", "due", "age"), width)) for width in (179, 199)
    ]
    assert [line.index("title") for line in lines] == [5, 5]
    assert [line.index("due") for line in lines] == [25, 41]
    assert [line.index("age") for line in lines] == [33, 65]
    assert [len(line) for line in lines] == [179, 199]
