"""The lines of subtasks: exactly as wide as asked, every state with a sign."""

from datetime import timedelta

from hypothesis import given, strategies as st

from tests.boards import ANN, JON, MIRA, NOW
from tests.subtasks import pictured, subtask
from tui.model.detail import Part, SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import RowKind
from tui.model.moving.subtasks import SubtaskRow, lanes
from tui.model.task import Priority, Status, Task
from tui.screens.task.subtask_list import moving_line
from tui.screens.task.subtask_view import SubtaskState, SubtaskView, subtask_line
from tui.text.cells import width as cell_width
from tui.text.clean import line
from tui.widgets.painted import Line

PLAIN = SubtaskState()


def words(line: Line) -> str:
    """A line as plain text."""
    return "".join(text for text, _ in line)


def drawn(one: Task, width: int = 60, state: SubtaskState = PLAIN) -> str:
    """The line of a subtask."""
    return words(subtask_line(SubtaskRow(SubtaskGroup(1, "g"), one), width, NOW, state))


@given(
    st.text().map(line),
    st.integers(8, 90),
    st.sampled_from(RowKind),
    st.builds(SubtaskState, st.booleans(), st.booleans(), st.booleans()),
    st.booleans(),
)
def test_every_line_is_exactly_as_wide_as_asked(
    title: str, width: int, kind: RowKind, state: SubtaskState, is_full: bool
) -> None:
    one = subtask(
        1, title, due_at=NOW, priority=Priority.HIGH, assignees=(ANN, MIRA, JON) * is_full
    )
    group = SubtaskGroup(1, title, (one,) * is_full)
    for row in (SubtaskRow(group, one, kind), SubtaskRow(group)):
        assert sum(cell_width(text) for text, _ in subtask_line(row, width, NOW, state)) == width


def test_a_line_says_what_there_is_to_say() -> None:
    late, soon = NOW - timedelta(days=2), NOW + timedelta(days=1)
    assert drawn(subtask(1, "one")).rstrip() == "    ◦ one"
    assert drawn(subtask(1, "one", status=Status.CLOSED, due_at=late)).rstrip() == "    ✓ one"
    full = subtask(1, "one", priority=Priority.HIGH, due_at=late, assignees=(ANN, MIRA, JON))
    assert drawn(full, state=SubtaskState(is_pending=True)).split() == [
        *["◦", "one", "↑", "▲", "·2d", "late·", "AK", "MN+1"]
    ]
    assert "tomorrow" in drawn(subtask(1, "one", due_at=soon, priority=Priority.MEDIUM))
    assert drawn(full, 20).split() == ["◦", "one", "▲"]
    assert drawn(full, state=SubtaskState(is_current=True))[0] == "▌"
    assert drawn(full, state=SubtaskState(is_marked=True))[0] == "◆"


def test_a_heading_tells_how_much_is_done() -> None:
    group = (pictured().groups or ())[0]
    heading = subtask_line(SubtaskRow(group), 60, NOW, SubtaskState(is_pending=True))
    assert words(heading).rstrip() == "  Find out 1/2 ━━━━━╌╌╌╌╌ ↑"
    assert words(subtask_line(SubtaskRow(group), 30, NOW, PLAIN)).rstrip() == "  Find out 1/2"
    empty = subtask_line(SubtaskRow(SubtaskGroup(1, "Later")), 60, NOW, PLAIN)
    assert words(empty).rstrip() == "  Later empty"


def test_the_line_below_tells_what_is_carried_where() -> None:
    shown = lanes(pictured())
    lifted = lift.lift(shown, [902], 902)
    assert lifted is not None
    over = lift.to_stage(lifted, shown, 1)
    said = words(moving_line(over, shown, 120))
    assert said.startswith(" MOVING “Read what the provider sends back”  →  Build 2/3   from Find")
    narrow = words(moving_line(over, shown, 80))
    assert narrow.startswith(" MOVING “Read what the pr…”  →  Build 2/3   from Find out 2")
    assert narrow.endswith("esc cancel")
    assert cell_width(narrow) <= 80
    many = lift.lift(shown, [902, 903], 902)
    assert many is not None
    assert "MOVING 2 subtasks" in words(moving_line(many, shown, 120))


def test_why_there_is_nothing_is_said() -> None:
    shown = SubtaskView(lambda: NOW)
    assert shown.words == "loading subtasks …"
    task = pictured().task
    shown.detail = TaskDetail(task, why={Part.SUBTASKS: "This edition has none."})
    assert shown.words == "This edition has none."
    shown.detail = TaskDetail(task, groups=())
    assert "n makes one" in shown.words
