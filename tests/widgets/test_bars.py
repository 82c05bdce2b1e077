"""The lines above and below a board, and the last wall before the terminal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st
from rich.segment import Segment
from textual.color import Color

from tests.fakes.boards import NOW, relaunch, small
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import grid
from tui.screens.board_lines import age, board_line, moving_notice
from tui.store.events import SyncStatus
from tui.text import clean
from tui.text.cells import width as cell_width
from tui.widgets.bars import Notice, aligned, hint_line
from tui.widgets.line_filters import CleanFilter
from tui.widgets.painted import Line, line_width

BLACK = Color(0, 0, 0)
CHECKED = NOW.astimezone(UTC) - timedelta(seconds=14)


def words(line: Line) -> str:
    """A line as plain text."""
    return "".join(text for text, _ in line)


def bar(view: BoardView, status: SyncStatus, width: int = 120, **more: Any) -> tuple[str, str]:
    """The two sides of the bar above a board."""
    left, right = board_line(view, status, more.pop("chips", ()), NOW, width, **more)
    return words(left), words(right)


def test_the_board_line_says_how_the_board_stands() -> None:
    status = SyncStatus(checked_at=CHECKED)
    left, right = bar(relaunch(), status, chips=[("label:bug ", "cursor")], marks=2, news=4)
    assert left == " Website relaunch  11 open  1 overdue  2 due this week"
    assert right == "◆ 2 marked  ● 4 new  label:bug ✓ synced "
    left, right = bar(relaunch(), status, 40, marks=2, news=4)
    assert left == " Website relaunch "
    assert right == "◆2  ●4  ✓ synced "


def test_a_board_that_is_not_read_whole_counts_only_its_cards() -> None:
    view = replace(relaunch(), complete=False, totals={1: 400})
    known = sum(len(view.in_stage(stage.id)) for stage in view.stages[1:])
    left, _ = bar(view, SyncStatus(checked_at=CHECKED))
    assert left.endswith(f" {400 + known} cards")


def test_what_is_on_its_way_and_refused_is_counted() -> None:
    status = SyncStatus(pending=3, refused=1, checked_at=CHECKED)
    assert bar(small(), status)[1] == "⚠ 1 needs attention ↑ 3 pending  "
    assert bar(small(), SyncStatus(pending=12, to_send=20, sent=8, checked_at=CHECKED))[
        1
    ].startswith("↑ 8 of 20")


def test_a_service_that_is_away_is_never_shown_as_fresh() -> None:
    status = SyncStatus(checked_at=CHECKED, problem="The service cannot be reached.")
    assert bar(small(), status)[1] == " offline 10s  "
    assert bar(small(), status._replace(is_reached=True))[1] == " not synced 10s  "
    assert "from the cache" in bar(small(), SyncStatus())[1]


def test_the_age_of_the_data_is_shown_when_it_is_old() -> None:
    late = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    for minutes, shown in ((9, "✓ synced "), (120, "✓ 2h ago ")):
        # By the wall clock: a time of the service is converted to the zone of the machine.
        now = late.astimezone().replace(tzinfo=None) + timedelta(minutes=minutes)
        assert words(board_line(small(), SyncStatus(checked_at=late), (), now, 120)[1]) == shown


def test_ages_are_said_in_one_unit() -> None:
    said = [age(seconds) for seconds in (-5, 0, 59, 60, 3599, 3600, 86_399, 86_400 * 3)]
    assert said == ["0s", "0s", "55s", "1m", "59m", "1h", "23h", "3d"]


def test_the_notice_of_a_move_says_what_goes_where_in_one_line() -> None:
    lifted = lift.lift(small(), [11], 11)
    assert lifted is not None
    lifted = lift.to_stage(lifted, small(), 1)
    notice = moving_notice(lifted, grid(small()), small())
    assert notice.words == " ◆ Moving “a”  To do 1 → Doing 1"
    long = replace(small().stages[1], title="A stage with a name that is much too long")
    board = replace(small(), stages=(small().stages[0], long, *small().stages[2:]))
    (line,) = moving_notice(lifted, grid(board), board, width=40).lines(40)
    assert line_width((*line[0], *line[1])) <= 40
    assert "→ A stage" in words(line[1])
    assert "To do 1" not in words(line[1])


_LONG = "Refused: only managers move cards to Review. It is back in In Progress."


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (120, [(f" ⚠ {_LONG}", "  g u show ")]),
        (
            80,
            [
                (" ⚠ Refused: only managers move cards to Review. It is back in In", "  g u show "),
                ("   Progress.", ""),
            ],
        ),
        (
            40,
            [
                (" ⚠ Refused: only managers", "  g u show "),
                ("   move cards to Review. It is back in…", ""),
            ],
        ),
        (20, [(" ⚠ Refused: only", ""), ("   manag…", "  g u show ")]),
    ],
)
def test_a_notice_that_does_not_fit_is_wrapped_beside_its_keys(
    width: int, lines: list[tuple[str, str]]
) -> None:
    notice = Notice.of(_LONG, "{go.waiting:g u} show", sign=("⚠", "bad"), role="bad")
    assert [(words(left), words(right)) for left, right in notice.lines(width)] == lines
    assert ("g u", "key") in notice.keys


@given(st.text(max_size=300), st.integers(4, 90), st.booleans())
def test_a_notice_has_at_most_two_lines_and_whole_keys(
    text: str, width: int, has_sign: bool
) -> None:
    sign = ("!", "bad") if has_sign else None
    lines = Notice.of(clean.line(text), "{board.undo:u} x", sign=sign).lines(width)
    assert len(lines) <= 2
    assert sum("u x" in words(right) for _, right in lines) == 1
    if width > 12:
        assert all(line_width((*left, *right)) <= width for left, right in lines)


def test_the_title_stays_when_changes_wait_and_the_service_is_away() -> None:
    away = SyncStatus(pending=3, refused=1, checked_at=CHECKED, problem="Away.")
    for width, title in ((120, " Small "), (60, " Small "), (40, " Small "), (30, " Small ")):
        left, right = board_line(small(), away, (), NOW, width, marks=2, news=4)
        assert words(aligned(left, right, width)).startswith(title), width
        assert "offline" in words(right)
    assert "⚠1 ↑3  offline " in words(right)
    assert "◆2" not in words(right), "marks are on the cards"


def test_the_bar_counts_what_a_filter_shows() -> None:
    left, _ = board_line(small(), SyncStatus(), (), NOW, 80, shown=(2, 5))
    assert words(left) == " Small  2 of 5 shown"


def test_a_board_without_cards_says_so() -> None:
    nothing = replace(small(), tasks={stage.id: () for stage in small().stages})
    assert words(board_line(nothing, SyncStatus(), (), NOW, 80)[0]) == " Small  no cards yet"


@given(st.text(max_size=60), st.booleans())
def test_no_control_character_passes_and_no_width_changes(text: str, ascii_only: bool) -> None:
    (passed,) = CleanFilter(ascii_only=ascii_only).apply([Segment(text)], BLACK)
    assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in passed.text)
    assert cell_width(passed.text) == cell_width(text)


def test_every_sign_of_ours_has_a_stand_in_of_the_same_width() -> None:
    text = "╭─╮│╰╯╔═╗║╚╝┌╌┐╎└┘▌◆▸■▲▵✓☑✎↑⚠●○⊘◐▐⌕→━…·“x”‘y’"
    (passed,) = CleanFilter(ascii_only=True).apply([Segment(text)], BLACK)
    assert passed.text.isascii()
    assert len(passed.text) == len(text)


def test_where_the_right_part_takes_most_of_a_line_its_quiet_parts_make_room_for_the_left() -> None:
    right = (("offline", "bad"), (" seen 3 hours ago", "quiet"))
    left = (("Website relaunch", "name"),)
    assert words(aligned(left, right, 60)).endswith("offline seen 3 hours ago")
    assert words(aligned(left, right, 30)) == "Website relaunch       offline"
    assert words(aligned(left, right, 16)) == "Website… offline"


@given(st.lists(st.text("abc", min_size=1, max_size=9), max_size=6), st.data())
def test_a_hint_is_there_in_full_or_not_at_all(labels: list[str], data: st.DataObject) -> None:
    hints, ways = [("k", label) for label in labels], (("│", "line"),)
    full = line_width(hint_line(hints, 200))
    width = data.draw(st.integers(1, full + 3), "the width of the line")
    shown = hint_line(hints, width - 1)
    line = words(aligned(shown, ways, width))
    names = line.partition("│")[0].split()[1::2]
    assert names == labels[: len(names)] == labels[: len(shown) // 2]
    if names != labels:
        least = sum(len(label) + 4 for label in labels[: len(names) + 1])
        assert least > width - 1
