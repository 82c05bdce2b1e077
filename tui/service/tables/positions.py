"""The order of tasks in a stage and of subtasks in a group: positions that never run out.

The order of a line is (position, id) of its active tasks. A task is put between two others by
taking the middle of their positions, so one row is written; when the gap has become too small for
that, the tasks around it are spread first: as few as find enough room between those around them, or
else the whole line, 1 to n.
"""

from dataclasses import dataclass

from tui.service.database.base import Transaction

SMALLEST_GAP = 1e-6
"""Half of it is still far above what a double can tell apart at the positions of a full stage."""

_STAGE = "stage_id = :line and archived_at is null and parent_id is null"
_GROUP = "subtask_group_id = :line and archived_at is null"


_SPREADS = ((32, 32 * SMALLEST_GAP), (256, 512 * SMALLEST_GAP), (2048, 8192 * SMALLEST_GAP))
"""How many tasks to spread, and the gap they must get for it; the more, the wider, so that
thousands of tasks put to one place cost a few rows each."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position that is free; `renumbered` tells whether others got new ones for it."""

    position: float
    renumbered: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """Tasks that stand in one order: a condition in SQL and the id that it asks for as `:line`."""

    condition: str
    id: int

    def sql(self, text: str) -> str:
        """A statement about this line, which calls it `{line}`."""
        return text.replace("{line}", self.condition)


def place_at(
    db: Transaction, stage_id: int, index: int | None, task_id: int | None = None
) -> Place:
    """A position in a stage at `index`, from 1 among its active tasks other than `task_id`.

    No index, or one past the end, is the end.
    """
    return _place(db, _Line(_STAGE, stage_id), index, task_id)


def place_in_group(
    db: Transaction, group_id: int, index: int | None, subtask_id: int | None = None
) -> Place:
    """A position in a subtask group, told as in `place_at`."""
    return _place(db, _Line(_GROUP, group_id), index, subtask_id)


def active_ids(db: Transaction, stage_id: int) -> list[int]:
    """The active tasks of a stage, in order."""
    return _ids(db, _Line(_STAGE, stage_id))


def active_subtask_ids(db: Transaction, group_id: int) -> list[int]:
    """The active subtasks of a group, in order."""
    return _ids(db, _Line(_GROUP, group_id))


def _place(db: Transaction, line: _Line, index: int | None, task_id: int | None) -> Place:
    lower, upper = _neighbours(db, line, index, task_id)
    if upper is None or index is None:
        return Place(lower + 1)
    if upper - lower > SMALLEST_GAP:
        return Place((lower + upper) / 2)
    if not any(_spread(db, line, index, task_id, spread) for spread in _SPREADS):
        _renumber(db, line)
    lower, upper = _neighbours(db, line, index, task_id)
    middle = (lower + upper) / 2 if upper is not None else lower + 1
    return Place(middle, renumbered=True)


def _spread(
    db: Transaction, line: _Line, index: int, task_id: int | None, spread: tuple[int, float]
) -> bool:
    """Spread tasks around a place evenly: so many, if each gets a gap as large as that."""
    count, gap = spread
    first = max(index - 2 - count // 2, 0)
    rows = db.all(
        line.sql(
            """select id, position from task where {line} and id <> :task
            order by position, id limit :count offset :first"""
        ),
        line=line.id,
        task=task_id or 0,
        count=count + 2,
        first=first,
    )
    lower = 0.0 if first == 0 else float(rows.pop(0)["position"])
    step = 1.0
    if len(rows) > count:
        upper = float(rows.pop()["position"])
        step = (upper - lower) / (len(rows) + 1)
    if step < gap:
        return False
    db.many(
        "update task set position = :position where id = :id",
        [
            {"position": lower + place * step, "id": row["id"]}
            for place, row in enumerate(rows, start=1)
        ],
    )
    return True


def _renumber(db: Transaction, line: _Line) -> None:
    """Give the active tasks of a line the positions 1 to n in their present order."""
    db.run(
        line.sql(
            """update task set position = ranked.place from (
                select id, row_number() over (order by position, id) as place from task
                where {line}
            ) as ranked where task.id = ranked.id"""
        ),
        line=line.id,
    )


def _ids(db: Transaction, line: _Line) -> list[int]:
    rows = db.all(line.sql("select id from task where {line} order by position, id"), line=line.id)
    return [row["id"] for row in rows]


def _neighbours(
    db: Transaction, line: _Line, index: int | None, task_id: int | None
) -> tuple[float, float | None]:
    """The positions above and below a place: 0 above the first, none below the last."""
    if index is not None:
        rows = db.all(
            line.sql(
                """select position from task where {line} and id <> :task
                order by position, id limit 2 offset :above"""
            ),
            line=line.id,
            task=task_id or 0,
            above=max(index - 2, 0),
        )
        positions = [float(row["position"]) for row in rows]
        if index == 1 and positions:
            return 0.0, positions[0]
        if len(positions) == 2:  # noqa: PLR2004 - the two neighbours
            return positions[0], positions[1]
    last = db.value(
        line.sql("select max(position) from task where {line} and id <> :task"),
        line=line.id,
        task=task_id or 0,
    )
    return float(last or 0.0), None
