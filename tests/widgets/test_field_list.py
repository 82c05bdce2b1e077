"""The fields of a task as lines, and the cursor among them."""

from datetime import datetime

from hypothesis import given, settings, strategies as st
from textual.app import App, ComposeResult

from tests.fakes.boards import ANN, AUTH, BUG, NOW, relaunch, task
from tests.screens.driving import screen_text
from tui.model.custom_field import CustomField
from tui.model.detail import TaskDetail, TaskField
from tui.model.fields.rows import FieldRow, RowPiece, task_rows
from tui.screens.task.field_list import MOST_LINES, EntryFace, FieldList, label_width, wrapped
from tui.text.cells import width as cell_width
from tui.theme import DARK
from tui.widgets.painted import Line

LONG = "a value of very many words that is longer than the few lines that there are for it"


def words(line: Line) -> str:
    """A line as plain text."""
    return "".join(text for text, _ in line)


def row(said: str, label: str = "field", **values: object) -> FieldRow:
    """A row that says something."""
    field = CustomField(sum(map(ord, label)), 1, label)
    return FieldRow(TaskField.CUSTOM, (RowPiece(said),), field=field, **values)  # type: ignore[arg-type]  # named by the caller


def test_a_long_value_takes_three_lines_and_is_cut() -> None:
    lines = EntryFace(row(LONG), 24, 6, NOW).lines()
    assert [words(line) for line in lines] == [
        " field   a value of very",
        "         many words that",
        "         is longer than…",
    ]


def test_how_far_off_a_time_is_stays_together_where_it_can() -> None:
    at = FieldRow(TaskField.START, at=datetime(2026, 11, 22, 10))  # noqa: DTZ001
    for width, lines in (
        (35, ["Sun 22 Nov 10:00 ·", "in 2 days"]),
        (15, ["Sun 22", "Nov", "10:00…"]),
    ):
        told = [words(line)[9:].strip() for line in EntryFace(at, width, 6, NOW).lines()]
        assert told == lines


def test_the_cursor_and_a_change_on_its_way_are_signs() -> None:
    (line,) = EntryFace(row("yes", is_pending=True), 24, 6, NOW, is_current=True).lines()
    assert words(line) == "▌field ↑ yes            "
    assert {role for _, role in line} == {"cursor"}


def test_chips_have_their_colours_but_under_the_cursor() -> None:
    detail = TaskDetail(task(1, "a", labels=(BUG, AUTH)))
    labels = next(one for one in task_rows(relaunch(), detail) if one.of is TaskField.LABELS)
    (line,) = EntryFace(labels, 40, 9, NOW).lines()
    assert "■bug ■auth" in words(line)
    assert [role for text, role in line if text == "■"] == [BUG.color, AUTH.color]
    (line,) = EntryFace(labels, 40, 9, NOW, is_current=True).lines()
    assert "■bug ■auth" in words(line)
    assert {role for _, role in line} == {"cursor"}


@settings(deadline=None)
@given(
    st.text(max_size=80),
    st.text(max_size=12),
    st.integers(12, 60),
    st.booleans(),
    st.sampled_from(["", "#4bce97"]),
)
def test_every_line_is_exactly_as_wide_as_asked(
    said: str, label: str, width: int, here: bool, chip: str
) -> None:
    pieces = (RowPiece(said, "title", chip), RowPiece("end"))
    any_row = FieldRow(TaskField.CUSTOM, pieces, field=CustomField(1, 1, label))
    lines = EntryFace(any_row, width, label_width([any_row], width), NOW, is_current=here).lines()
    assert 1 <= len(lines) <= MOST_LINES
    assert {cell_width(words(line)) for line in lines} == {width}


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(2, 20), st.integers(1, 4))
def test_wrapping_loses_only_what_it_says_it_cuts(said: str, width: int, most: int) -> None:
    lines = [words(line) for line in wrapped([RowPiece(said)], width, most)]
    assert all(cell_width(line) <= width for line in lines)
    kept = "".join("".join(lines).split())
    whole = "".join(said.split()).replace("\u200d", "")
    assert kept.replace("\u200d", "") == whole or kept.endswith("…")


class Alone(App[None]):
    """A list of fields by itself."""

    CSS = "FieldList { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.fields = FieldList()
        self.asked: list[str] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK.variables

    def compose(self) -> ComposeResult:
        yield self.fields

    def on_mount(self) -> None:
        self.fields.focus()

    def on_field_list_edit_requested(self, event: FieldList.EditRequested) -> None:
        self.asked.append(event.row.label)


async def test_the_cursor_moves_scrolls_and_stays_on_its_field() -> None:
    app = Alone()
    async with app.run_test(size=(24, 8)) as pilot:
        await pilot.press("enter", "j", "G")
        assert app.asked == []
        rows = [row(LONG if n == 3 else "x", f"f{n}") for n in range(12)]
        app.fields.show(rows, NOW)
        await pilot.press("enter", "j", "down", "enter", "j", "enter", "k", "up", "k", "k", "enter")
        assert app.asked == ["f0", "f2", "f3", "f0"]
        assert "f8" not in screen_text(app)
        assert app.fields.out_of_sight == 6
        await pilot.press("end", "enter", "pageup", "enter", "pagedown", "down", "enter")
        assert app.asked[4:] == ["f11", "f7", "f11"]
        shown = screen_text(app)
        assert "f11" in shown
        assert "f1 " not in shown
        assert app.fields.out_of_sight == 0
        app.fields.show([row("new", "f"), *rows[5:]], NOW)
        assert isinstance(app.fields.row, FieldRow)
        assert app.fields.row.label == "f11"
        app.fields.show(rows[:2], NOW)
        await pilot.press("enter")
        assert app.asked[-1] == "f1"
        await pilot.click(FieldList, offset=(3, 0), times=2)
        assert app.asked[-1] == "f0"


async def test_it_can_be_narrow_and_is_drawn_for_the_moment() -> None:
    app = Alone()
    detail = TaskDetail(task(412, "a", due_at=NOW, assignees=(ANN,), labels=(BUG,)))
    async with app.run_test(size=(50, 10)) as pilot:
        rows = task_rows(relaunch(), detail)
        app.fields.show(rows, NOW)
        await pilot.pause()
        assert "09:00 · now" in screen_text(app)
        app.fields.show(rows, datetime(2026, 11, 22, 9))  # noqa: DTZ001
        await pilot.pause()
        assert "overdue by 2 days" in " ".join(screen_text(app).split())
        await pilot.resize_terminal(11, 5)
        await pilot.press("j")
        assert not screen_text(app).strip()
        await pilot.resize_terminal(24, 5)
        await pilot.pause()
        assert all(cell_width(line) == 24 for line in screen_text(app).splitlines())
