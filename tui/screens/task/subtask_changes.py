"""Operations that create and move subtasks; pure functions.

A subtask is created at the spot where it was typed. If the task has no group, one is created in the
same step.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tui.model.board import Place
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift
from tui.model.moving.subtasks import DEFAULT_GROUP, Spot, lanes
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted


class Made(NamedTuple):
    """The operations that create subtasks, their group, and their local ids in order."""

    operations: list[Operation]
    group_id: int
    subtask_ids: list[int]


def made_at(
    detail: TaskDetail, spot: Spot, titles: Sequence[str], done: Iterable[int] = ()
) -> Made:
    """Create subtasks with these titles at a spot, in order; `done` are the indexes to close.

    If the group no longer exists, they go to the first group, or to a new one.
    """
    group = detail.group(spot.group_id or 0) or next(iter(detail.groups or ()), None)
    operations: list[Operation] = []
    if group is None:
        new = change.CreateGroup.new(detail.task, DEFAULT_GROUP)
        group = SubtaskGroup(new.group_id, DEFAULT_GROUP)
        operations.append(new)
    ids = [subtask.id for subtask in group.subtasks]
    on_top = bool(ids) and spot.above not in ids
    below = ids[ids.index(spot.above) + 1 :] if spot.above in ids else []
    made = [change.CreateSubtask.new(detail.task, group, title, on_top=on_top) for title in titles]
    operations.extend(reversed(made) if on_top else made)
    above = spot.above
    for creation in made:
        if below:
            place = Place(above, below[0])
            keys = (creation.board_id, creation.task_id, creation.subtask_id, creation.title)
            operations.append(change.MoveSubtask(*keys, group.id, place, group.id, group.title))
        above = creation.subtask_id
    for index in done:
        task_id, board_id, title = made[index].subtask_id, made[index].board_id, titles[index]
        subtask = Task(task_id, board_id, None, title, parent_id=detail.task.id)
        operations.append(change.set_status(subtask, Status.CLOSED))
    return Made(operations, group.id, [creation.subtask_id for creation in made])


def moves(detail: TaskDetail, lifted: Lift) -> list[Operation]:
    """The moves of dropped subtasks; none if they were dropped where they were."""
    shown = lanes(detail)
    if lift.is_at_home(lifted, shown, shown.in_stage(lifted.stage_id)):
        return []
    return [
        change.MoveSubtask.on(detail, subtask, lifted.stage_id, place)
        for subtask, place in lift.places(lifted, shown)
    ]


def moves_to_group(
    detail: TaskDetail, subtasks: Sequence[Task], group: SubtaskGroup
) -> list[Operation]:
    """The moves of subtasks to the end of a group, in their order; one if all are new there."""
    if len(subtasks) > 1 and not any(subtask in group.subtasks for subtask in subtasks):
        return [change.MoveSubtasks.on(detail, subtasks, group)]
    chosen = {subtask.id for subtask in subtasks}
    ids = [subtask.id for subtask in group.subtasks if subtask.id not in chosen]
    operations: list[Operation] = []
    above = ids[-1] if ids else None
    for subtask in subtasks:
        operations.append(change.MoveSubtask.on(detail, subtask, group.id, Place(above)))
        above = subtask.id
    return operations


def named(subtasks: Sequence[Task]) -> str:
    """Subtasks in a message: the title of one, the number of several."""
    return quoted(subtasks[0].title) if len(subtasks) == 1 else f"{len(subtasks)} subtasks"
