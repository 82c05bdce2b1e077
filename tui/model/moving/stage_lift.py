"""A lifted stage: picked up and moved among the others on the screen, not yet dropped."""

from collections.abc import Mapping
from dataclasses import replace

from tui.model.board import BoardView, Place
from tui.record import record


@record
class StageLift:
    """A lifted stage, and its index among all stages."""

    stage_id: int
    index: int


def lift(view: BoardView, stage_id: int | None) -> StageLift | None:
    """Lift a stage where it is; None if the board does not have it."""
    ids = [stage.id for stage in view.stages]
    return StageLift(stage_id, ids.index(stage_id)) if stage_id in ids else None


def to_index(lifted: StageLift, view: BoardView, index: int) -> StageLift:
    """Move to an index among the stages; past an end means the end."""
    return replace(lifted, index=max(0, min(index, len(view.stages) - 1)))


def arranged(lifted: StageLift | None, view: BoardView) -> BoardView:
    """The board with the lifted stage at its index."""
    stage = view.stage(lifted.stage_id) if lifted is not None else None
    if lifted is None or stage is None:
        return view
    stages = [other for other in view.stages if other.id != stage.id]
    stages.insert(lifted.index, stage)
    return replace(view, stages=tuple(stages))


def settle(
    lifted: StageLift, previous: BoardView, current: BoardView, ids: Mapping[int, int]
) -> StageLift | None:
    """The same lift over a changed board, right of the same stage as far as that is still there.

    `ids` maps local ids to those of the service. None if the stage is gone; on a board that is
    still loading it may come yet.
    """
    stage_id = ids.get(lifted.stage_id, lifted.stage_id)
    settled = lift(current, stage_id)
    if settled is None:
        return None if current.complete else replace(lifted, stage_id=stage_id)
    if lifted.index == 0 or previous.stage(lifted.stage_id) is None:
        return to_index(settled, current, lifted.index)
    left_id = arranged(lifted, previous).stages[lifted.index - 1].id
    other_ids = [stage.id for stage in current.stages if stage.id != settled.stage_id]
    left_id = ids.get(left_id, left_id)
    return to_index(
        settled, current, other_ids.index(left_id) + 1 if left_id in other_ids else lifted.index
    )


def place(lifted: StageLift, view: BoardView) -> Place | None:
    """The place of the lifted stage, given by its neighbours; None if it was not moved."""
    after = arranged(lifted, view)
    return None if after.stages == view.stages else after.stage_place_of(lifted.stage_id)
