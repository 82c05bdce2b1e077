"""Lifted subtasks: moved up and down, from group to group.

The groups of a task are lanes as the stages of a board are, and the value is the same
(`tui.model.lift`). Here they lie one below the other: a step beyond the end of a group goes to the
start of the next, an empty one too.
"""

from collections.abc import Mapping
from dataclasses import replace

from tui.model import lift
from tui.model.board import Board, BoardView, Stage
from tui.model.detail import TaskDetail
from tui.model.lift import Lift

DEFAULT_GROUP = "Default Subtask Group"
"""What the service calls the group that it makes for a first subtask."""


def lanes(detail: TaskDetail | None) -> BoardView:
    """The groups of a task as lanes, each under the id of its group."""
    groups = () if detail is None else detail.groups or ()
    board_id = detail.task.board_id if detail is not None else 0
    return BoardView(
        Board(board_id, detail.task.title if detail is not None else ""),
        tuple(Stage(group.id, board_id, group.title) for group in groups),
        {
            group.id: tuple(replace(subtask, stage_id=group.id) for subtask in group.subtasks)
            for group in groups
        },
    )


def step(lifted: Lift, shown: BoardView, by: int) -> Lift:
    """Carry so many places down, or up with less than 0, through one group after the other."""
    places = [
        (index, row)
        for index, lane in enumerate(shown.stages)
        for row in range(len(lift.others(lifted, shown, lane.id)) + 1)
    ]
    ids = [lane.id for lane in shown.stages]
    here = places.index((ids.index(lifted.stage_id), lifted.row))
    index, row = places[max(0, min(here + by, len(places) - 1))]
    return lift.to_stage(lifted, shown, index, row)


def to_end(lifted: Lift, shown: BoardView, *, last: bool) -> Lift:
    """Carry to the very first place, or to the very last one."""
    index = len(shown.stages) - 1 if last else 0
    row = len(lift.others(lifted, shown, shown.stages[index].id)) if last else 0
    return lift.to_stage(lifted, shown, index, row)


def to_group(lifted: Lift, shown: BoardView, by: int) -> Lift:
    """Carry to a group further down or up, keeping the row as far as it goes."""
    ids = [lane.id for lane in shown.stages]
    return lift.to_stage(lifted, shown, ids.index(lifted.stage_id) + by)


def new_ids(before: TaskDetail | None, after: TaskDetail | None) -> dict[int, int]:
    """Which local ids have got which ids of the service between two looks at a task.

    The new ids may be seen before anybody told of them: what had a local id and is gone is taken
    for what is new and called the same, in order.
    """
    if before is None or after is None:
        return {}
    return {
        **_paired(_groups(before), _groups(after)),
        **_paired(_subtasks(before), _subtasks(after)),
    }


def renamed(lifted: Lift, ids: Mapping[int, int]) -> Lift:
    """The same lift with everything by its new id."""
    return replace(
        lifted,
        tasks=tuple(
            replace(
                task,
                id=ids.get(task.id, task.id),
                stage_id=ids.get(task.stage_id or 0) or task.stage_id,
            )
            for task in lifted.tasks
        ),
        home_stage_id=ids.get(lifted.home_stage_id, lifted.home_stage_id),
        stage_id=ids.get(lifted.stage_id, lifted.stage_id),
    )


def _groups(detail: TaskDetail) -> dict[int, str]:
    return {group.id: group.title for group in detail.groups or ()}


def _subtasks(detail: TaskDetail) -> dict[int, str]:
    return {subtask.id: subtask.title for subtask in detail.subtasks()}


def _paired(before: Mapping[int, str], after: Mapping[int, str]) -> dict[int, int]:
    found: dict[int, int] = {}
    for old, title in before.items():
        if old >= 0 or old in after:
            continue
        new = (
            each
            for each, name in after.items()
            if each > 0 and each not in before and each not in found.values() and name == title
        )
        if (one := next(new, None)) is not None:
            found[old] = one
    return found
