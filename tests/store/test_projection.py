"""Drawing many changes at once comes to the same as drawing one after the other."""

from functools import reduce

from hypothesis import given, settings, strategies as st

from tests.store.opened_tasks import Opened, opened, operations
from tests.store.test_operation_properties import views_and_operations
from tui.model.board import BoardView
from tui.store.operations import Operation
from tui.store.views.projection import project


def one_by_one(view: BoardView, changes: list[Operation]) -> BoardView:
    return reduce(lambda now, operation: operation.apply(now), changes, view)


@settings(deadline=None)
@given(views_and_operations(most=12))
def test_changes_of_tasks(case: tuple[BoardView, list[Operation]]) -> None:
    view, changes = case
    drawn = project(view, changes)
    assert drawn.tasks == one_by_one(view, changes).tasks
    assert drawn.pending == {operation.task_id for operation in changes}


@st.composite
def sessions(draw: st.DrawFn) -> tuple[BoardView, list[Operation]]:
    """A board, and what somebody did to it and to its first task, whatever it was."""
    start = draw(opened())
    now: Opened = start
    changes = []
    for _ in range(draw(st.integers(1, 4))):
        operation = draw(operations(now))
        changes.append(operation)
        view, detail = operation.apply(now[0]), operation.apply_detail(now[1])
        if view.task(detail.task.id) is None:
            break
        now = view, detail
    return start[0], changes


@settings(deadline=None)
@given(sessions())
def test_changes_of_every_kind(case: tuple[BoardView, list[Operation]]) -> None:
    view, changes = case
    before = {stage_id: tuple(lane) for stage_id, lane in view.tasks.items()}
    assert project(view, changes).tasks == one_by_one(view, changes).tasks
    assert view.tasks == before, "what a board was made of is left alone"
