"""Templates are left out of the counts of a service that counts them as open cards."""

from dataclasses import replace

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tui.cli.scripts.board_counts import without_templates
from tui.model.board import BoardView
from tui.model.task import Status


def board(tasks_count: int, completed_count: int) -> BoardView:
    """A board of three cards and two templates, one of them closed."""
    tasks = (
        task(1, "a", 1),
        task(2, "b", 1, status=Status.CLOSED),
        task(3, "c", 1),
        task(4, "Bug report", 1, is_template=True),
        task(5, "Old report", 1, is_template=True, status=Status.CLOSED),
    )
    view = small()
    counts = replace(view.board, tasks_count=tasks_count, completed_count=completed_count)
    return replace(view, board=counts, tasks={1: tasks, 2: (), 3: ()})


@pytest.mark.parametrize(
    ("tasks_count", "completed_count", "opened"),
    [(5, 2, 2), (3, 1, 2), (9, 2, 7)],
    ids=["a deployed service", "the embedded one", "a board of which not all is cached"],
)
async def test_templates_are_left_out_that_a_service_counts(
    tasks_count: int, completed_count: int, opened: int
) -> None:
    view = board(tasks_count, completed_count)
    (found,) = await without_templates(FakeStore(view), [view.board])
    assert found.tasks_count - found.completed_count == opened
