"""What holds for every operation on every board."""

from datetime import datetime

from hypothesis import given, settings, strategies as st

from tui.model.board import Board, BoardView, Place, Stage
from tui.model.task import Priority, Status, Task
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    MoveTask,
    Operation,
    set_description,
    set_due,
    set_priority,
    set_status,
    set_title,
)
from tui.store.outbox.codec import decode, encode
from tui.store.views.projection import project

_TEXTS = st.text(max_size=20)
_DATES = st.none() | st.datetimes(min_value=datetime(2000, 1, 1)).map(  # noqa: DTZ001  wall clock
    lambda moment: moment.replace(microsecond=0)
)


@st.composite
def views(draw: st.DrawFn) -> BoardView:
    """A board of up to three stages and twelve tasks."""
    stages = tuple(
        Stage(number, 1, f"Stage {number}", default_status=draw(st.sampled_from(Status)))
        for number in range(1, draw(st.integers(1, 3)) + 1)
    )
    lanes: dict[int, list[Task]] = {stage.id: [] for stage in stages}
    for number in range(1, draw(st.integers(1, 12)) + 1):
        stage_id = draw(st.sampled_from(stages)).id
        lanes[stage_id].append(
            Task(
                id=number,
                board_id=1,
                stage_id=stage_id,
                title=f"Task {number}",
                status=draw(st.sampled_from(Status)),
                priority=draw(st.sampled_from(Priority)),
                description=draw(st.sampled_from(["", "<p>Why</p>"])),
                due_at=draw(_DATES),
            )
        )
    return BoardView(Board(1, "Board"), stages, {key: tuple(lane) for key, lane in lanes.items()})


@st.composite
def views_and_operations(draw: st.DrawFn, most: int = 6) -> tuple[BoardView, list[Operation]]:
    """A board, and operations that were asked for on it one after another."""
    start = view = draw(views())
    operations = []
    for _ in range(draw(st.integers(1, most))):
        operation = draw(_operation(view))
        operations.append(operation)
        view = operation.apply(view)
    return start, operations


@st.composite
def _operation(draw: st.DrawFn, view: BoardView) -> Operation:
    tasks = list(view.all_tasks())
    stage_id = draw(st.sampled_from(view.stages)).id
    neighbour = st.none() | st.sampled_from([task.id for task in tasks] or [0])
    place = Place(draw(neighbour), draw(neighbour))
    if not tasks:
        return CreateTask(1, -draw(st.integers(1, 10**6)), stage_id, draw(_TEXTS))
    task = draw(st.sampled_from(tasks))
    found = view.place_of(task.id)
    here = found[1] if found else Place()
    choices: list[Operation] = [
        CreateTask(1, -draw(st.integers(1, 10**6)), stage_id, draw(_TEXTS)),
        set_title(task, draw(_TEXTS)),
        set_status(task, draw(st.sampled_from(Status))),
        set_priority(task, draw(st.sampled_from(Priority))),
        set_due(task, draw(_DATES)),
        set_description(task, draw(st.sampled_from(["", "<p>Other</p>"]))),
        MoveTask.on(task, stage_id, place),
        ArchiveTask.on(task, here),
        DeleteTask(task, here),
    ]
    return draw(st.sampled_from(choices))


def visible(view: BoardView) -> dict[int, list[tuple[object, ...]]]:
    """What undo promises to bring back."""
    return {
        stage.id: [
            (task.id, task.title, task.status, task.priority, task.due_at, task.description)
            for task in view.in_stage(stage.id)
        ]
        for stage in view.stages
    }


@settings(deadline=None)
@given(views_and_operations(most=1))
def test_an_inverse_restores_the_board(case: tuple[BoardView, list[Operation]]) -> None:
    before, (operation,) = case
    after = operation.apply(before)
    assert visible(project(after, operation.inverse(before))) == visible(before)


@settings(deadline=None)
@given(views_and_operations())
def test_a_history_taken_back_restores_the_board(case: tuple[BoardView, list[Operation]]) -> None:
    start, operations = case
    view, inverses = start, []
    for operation in operations:
        inverses.append(operation.inverse(view))
        view = operation.apply(view)
    for inverse in reversed(inverses):
        view = project(view, inverse)
    assert visible(view) == visible(start)


@settings(deadline=None)
@given(views_and_operations())
def test_operations_survive_json(case: tuple[BoardView, list[Operation]]) -> None:
    _, operations = case
    assert [decode(encode(operation)) for operation in operations] == operations


@settings(deadline=None)
@given(views_and_operations())
def test_no_task_is_ever_drawn_twice(case: tuple[BoardView, list[Operation]]) -> None:
    start, operations = case
    ids = [task.id for task in project(start, operations).all_tasks()]
    assert len(ids) == len(set(ids))
