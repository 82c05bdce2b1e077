"""The lines of subtasks: exactly as wide as asked, every state with a sign."""

from datetime import timedelta

from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, NOW
from tests.fakes.subtasks import pictured, subtask
from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import RowKind
from tui.model.moving.subtasks import SubtaskRow, lanes
from tui.model.people import NO_INITIALS
from tui.model.task import Priority, Status, Task
from tui.screens.task.subtask_lines import SubtaskFace, moving_line, why_empty
from tui.text.cells import width as cell_width
from tui.text.clean import line
from tui.widgets.painted import Line


def words(line: Line) -> str:
    """A line as plain text."""
    return "".join(text for text, _ in line)


def drawn(one: Task, width: int = 60, **state: bool) -> str:
    """The line of a subtask."""
    return row_text(SubtaskRow(SubtaskGroup(1, "g"), one), width, **state)


def row_text(row: SubtaskRow, width: int = 60, **state: bool) -> str:
    """The line of a row."""
    (line,) = SubtaskFace(row, width, NOW, NO_INITIALS, **state).lines()
    return words(line)


@given(
    st.text().map(line),
    st.integers(8, 90),
    st.sampled_from(RowKind),
    st.fixed_dictionaries(dict.fromkeys(("is_current", "is_marked", "is_pending"), st.booleans())),
    st.booleans(),
)
def test_every_line_is_exactly_as_wide_as_asked(
    title: str, width: int, kind: RowKind, state: dict[str, bool], is_full: bool
) -> None:
    one = subtask(
        1, title, due_at=NOW, priority=Priority.HIGH, assignees=(ANN, MIRA, JON) * is_full
    )
    group = SubtaskGroup(1, title, (one,) * is_full)
    for row in (SubtaskRow(group, one, kind), SubtaskRow(group)):
        assert cell_width(row_text(row, width, **state)) == width


def test_a_line_says_what_there_is_to_say() -> None:
    late, soon = NOW - timedelta(days=2), NOW + timedelta(days=1)
    assert drawn(subtask(1, "one")).rstrip() == " ◦ one"
    assert drawn(subtask(1, "one", status=Status.CLOSED, due_at=late)).rstrip() == " ✓ one"
    full = subtask(1, "one", priority=Priority.HIGH, due_at=late, assignees=(ANN, MIRA, JON))
    assert drawn(full, is_pending=True).split() == [
        *["◦", "one", "↑", "▲", "·2d", "overdue·", "AK", "MN+1"]
    ]
    assert "tomorrow" in drawn(subtask(1, "one", due_at=soon, priority=Priority.MEDIUM))
    assert drawn(full, 20).split() == ["◦", "one", "▲"]
    assert drawn(full, is_current=True)[0] == "▌"
    assert drawn(full, is_marked=True)[0] == "◆"


def test_a_heading_tells_how_much_is_done() -> None:
    group = (pictured().groups or ())[0]
    assert row_text(SubtaskRow(group), is_pending=True).rstrip() == " Find out 1/2 ━━━━━╌╌╌╌╌ ↑"
    assert row_text(SubtaskRow(group), 30).rstrip() == " Find out 1/2"
    assert row_text(SubtaskRow(SubtaskGroup(1, "Later"))).rstrip() == " Later empty"


def test_the_line_below_tells_what_is_carried_where() -> None:
    shown = lanes(pictured())
    lifted = lift.lift(shown, [902], 902)
    assert lifted is not None
    over = lift.to_stage(lifted, shown, 1)
    said = words(moving_line(over, shown, 120))
    assert said.startswith(" ◆ Moving “Read what the provider sends back” → Build 2/3   from Find")
    narrow = words(moving_line(over, shown, 80))
    assert narrow.startswith(" ◆ Moving “Read what the pr…” → Build 2/3   from Find out 2")
    assert narrow.endswith("esc cancel")
    assert cell_width(narrow) <= 80
    many = lift.lift(shown, [902, 903], 902)
    assert many is not None
    assert "◆ Moving 2 subtasks" in words(moving_line(many, shown, 120))


def test_why_there_is_nothing_is_said() -> None:
    assert why_empty(None) == "loading subtasks …"
    task = pictured().task
    lacking = TaskDetail(task, why={DetailPart.SUBTASKS: "This edition has none."})
    assert why_empty(lacking) == "This edition has none."
    assert "n to add one" in why_empty(TaskDetail(task, groups=()))
