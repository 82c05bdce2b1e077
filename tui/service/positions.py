"""The order of tasks in a stage: fractional positions that never run out.

The rule it keeps: the order of a stage is (position, id) of its active tasks. A task is put
between two others by taking the middle of their positions, so one row is written; when the gap
has become too small for that, the stage is numbered anew first, 1 to n.
"""

from dataclasses import dataclass

from tui.service.database import Transaction

SMALLEST_GAP = 1e-6
"""Half of it is still far above what a double can tell apart at the positions of a full stage."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position that is free; `renumbered` tells whether the others got new ones for it."""

    position: float
    renumbered: bool = False


def place_at(
    db: Transaction, stage_id: int, index: int | None, task_id: int | None = None
) -> Place:
    """A position in a stage at `index`, from 1 among its active tasks other than `task_id`.

    No index, or one past the end, is the end.
    """
    lower, upper = _neighbours(db, stage_id, index, task_id)
    if upper is None:
        return Place(lower + 1)
    if upper - lower > SMALLEST_GAP:
        return Place((lower + upper) / 2)
    renumber(db, stage_id)
    lower, upper = _neighbours(db, stage_id, index, task_id)
    middle = (lower + upper) / 2 if upper is not None else lower + 1
    return Place(middle, renumbered=True)


def renumber(db: Transaction, stage_id: int) -> None:
    """Give the active tasks of a stage the positions 1 to n in their present order."""
    db.run(
        """update task set position = ranked.place from (
            select id, row_number() over (order by position, id) as place from task
            where stage_id = :stage and archived_at is null and parent_id is null
        ) as ranked where task.id = ranked.id""",
        stage=stage_id,
    )


def active_ids(db: Transaction, stage_id: int) -> list[int]:
    """The active tasks of a stage, in order."""
    rows = db.all(
        """select id from task
        where stage_id = :stage and archived_at is null and parent_id is null
        order by position, id""",
        stage=stage_id,
    )
    return [row["id"] for row in rows]


def _neighbours(
    db: Transaction, stage_id: int, index: int | None, task_id: int | None
) -> tuple[float, float | None]:
    """The positions above and below a place: 0 above the first, none below the last."""
    if index is not None:
        rows = db.all(
            """select position from task
            where stage_id = :stage and archived_at is null and parent_id is null
                and id <> :task
            order by position, id limit 2 offset :above""",
            stage=stage_id,
            task=task_id or 0,
            above=max(index - 2, 0),
        )
        positions = [float(row["position"]) for row in rows]
        if index == 1 and positions:
            return 0.0, positions[0]
        if len(positions) == 2:  # noqa: PLR2004 - the two neighbours
            return positions[0], positions[1]
    last = db.value(
        """select max(position) from task
        where stage_id = :stage and archived_at is null and parent_id is null and id <> :task""",
        stage=stage_id,
        task=task_id or 0,
    )
    return float(last or 0.0), None
