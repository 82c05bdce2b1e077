"""The lanes of a board, put together in the plainest way."""

from collections.abc import Iterable

from tui.model.task import Task


def lanes(tasks: Iterable[Task]) -> dict[int, tuple[Task, ...]]:
    """Tasks by stage, each stage ordered by position and id."""
    by_stage: dict[int, list[Task]] = {}
    for task in tasks:
        if task.stage_id is not None:
            by_stage.setdefault(task.stage_id, []).append(task)
    return {
        stage_id: tuple(sorted(lane, key=lambda task: (task.position, task.id)))
        for stage_id, lane in by_stage.items()
    }
