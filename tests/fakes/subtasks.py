"""A task with subtasks, for tests: two groups with something in them, and an empty one."""

from datetime import datetime

from tests.fakes.boards import ANN, MIRA, task
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.task import Priority, Status, Task


def subtask(number: int, title: str, parent: int = 11, **values: object) -> Task:
    """A subtask of a task of board 1."""
    return Task(number, 1, None, title, parent_id=parent, **values)  # type: ignore[arg-type]  # named by the caller


def detailed() -> TaskDetail:
    """Task 11 with p, q, r in Design, s and t in Build, and nothing in Later."""
    return TaskDetail(
        task(11, "a", subtasks_total=5),
        groups=(
            SubtaskGroup(1, "Design", (subtask(101, "p"), subtask(102, "q"), subtask(103, "r"))),
            SubtaskGroup(2, "Build", (subtask(201, "s"), subtask(202, "t"))),
            SubtaskGroup(3, "Later"),
        ),
    )


def pictured() -> TaskDetail:
    """Task 412 as in the pictures."""
    due = datetime(2026, 11, 21, 17, 0)  # noqa: DTZ001 (wall-clock time)
    closed = Status.CLOSED
    return TaskDetail(
        task(412, "Fix login redirect after SSO", subtasks_done=1, subtasks_total=4),
        groups=(
            SubtaskGroup(
                1,
                "Find out",
                (
                    subtask(901, "Reproduce with two providers", status=closed, assignees=(ANN,)),
                    subtask(902, "Read what the provider sends back", due_at=due),
                ),
            ),
            SubtaskGroup(
                2,
                "Build",
                (
                    subtask(903, "Keep the page in the state", priority=Priority.HIGH),
                    subtask(904, "日本語のタイトルも 🙂 [b]", assignees=(ANN, MIRA)),
                ),
            ),
            SubtaskGroup(3, "Later"),
        ),
        pending=frozenset({("task", 903)}),
    )
