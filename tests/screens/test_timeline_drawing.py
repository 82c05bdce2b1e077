"""The lines of a timeline: all of one width, with today in one place and bars on their days."""

from datetime import date, timedelta

from hypothesis import example, given, strategies as st

from tests.fakes.boards import NOW
from tests.model.timeline.cards import SCALES, cards
from tui.model.task import Label, Task
from tui.model.timeline.bars import bar_of
from tui.model.timeline.scale import Scale, Zoom
from tui.screens.timeline.drawing import TimelineDrawing, left_width
from tui.text.cells import split, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, line_width
from tui.widgets.row_list import Heading

WIDTHS = st.sampled_from([60, 80, 99, 100, 120, 200])


def drawing_of(scale: Scale, width: int) -> tuple[TimelineDrawing, Scale]:
    """What draws the days of a scale in a terminal of a width."""
    own = Scale(scale.first, scale.zoom, width - left_width(width), scale.is_narrow)
    return TimelineDrawing(own, NOW, width, is_free=_is_weekend), own


def _is_weekend(day: date) -> bool:
    return day.weekday() in (5, 6)


def text(line: Line) -> str:
    """The characters of a line."""
    return "".join(words for words, _ in line)


@given(SCALES, WIDTHS, st.lists(cards(), max_size=4))
def test_all_lines_have_one_width_and_today_in_one_place(
    scale: Scale, width: int, tasks: list[Task]
) -> None:
    drawing, own = drawing_of(scale, width)
    lines = [drawing.blank, drawing.heading(Heading("Doing", beside="3")), *drawing.head]
    rows = [drawing.row(task) for task in tasks]
    assert {line_width(line) for line in lines} == {width}
    # The list puts the edge before a row.
    assert {line_width(row) for row in rows} <= {width - 1}
    assert (drawing.today is None) is not own.is_in_sight(NOW.date())
    if drawing.today is not None:
        assert text(lines[0])[drawing.today] == glyphs.TODAY
        assert text(lines[1])[drawing.today] == glyphs.TODAY


@example(Scale(date(2026, 11, 6), Zoom.DAYS, 0), 60, Task(1, 1, 1, "", due_at=NOW - timedelta(15)))
@given(SCALES, WIDTHS, cards())
def test_the_ends_of_a_bar_are_at_its_days_and_nothing_is_beside_it(
    scale: Scale, width: int, card: Task
) -> None:
    drawing, own = drawing_of(scale, width)
    bar = bar_of(card, own, NOW)
    left, area = split(text(drawing.row(card)), left_width(width) - 1)
    assert cell_width(left) == left_width(width) - 1
    assert len(area) == own.width
    if bar is None:
        assert set(area) <= {" ", glyphs.TODAY}
    elif bar.is_point and 0 <= bar.end < own.width:
        assert area[bar.end] == glyphs.MARK
    elif bar.end < 0 and not bar.is_open_ended:
        assert area[0] == glyphs.LEFT
    elif bar.begin >= own.width:
        assert area[-1] == glyphs.RIGHT
    elif not bar.is_point and not bar.is_open_ended:
        if bar.begin >= 0:
            assert area[bar.begin] == glyphs.START
        if bar.end < own.width:
            assert area[bar.end] == glyphs.END
        # Beside its ends there are only signs of today, of delay, and words.
        assert glyphs.FRAME.across not in area[: max(0, bar.begin)] + area[bar.end + 1 :]


@given(SCALES, cards())
def test_a_blocked_card_says_so_where_there_is_room(scale: Scale, card: Task) -> None:
    blocked = Task(card.id, 1, 1, "b", due_at=card.due_at, labels=(Label(1, "Blocked"),))
    drawing, own = drawing_of(scale, 120)
    bar, line = bar_of(blocked, own, NOW), drawing.row(blocked)
    if bar is not None and 0 <= bar.end < own.width // 2 and bar.late_until is None:
        assert (f" {glyphs.BLOCKED} blocked ", "blocked") in line
    assert line_width(line) == 119
