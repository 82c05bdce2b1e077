"""The subtasks of a task as rows by group, and moves of lifted ones.

A row is identified by what it shows, not by its index, so that updates keep the cursor on it.
Groups are lanes like the stages of a board (`lift`), but one below the other: a step
beyond the end of a group goes to the next one, even if it is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui.model.board import Board, BoardView, Stage
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift, RowKind
from tui.model.task import Task
from tui.record import record


class RowKey(NamedTuple):
    """The identity of a row: a subtask of a group, or the group itself."""

    group_id: int
    subtask_id: int | None = None

    def renamed(self, ids: Mapping[int, int]) -> "RowKey":
        """The same with ids replaced."""
        subtask_id = None if self.subtask_id is None else ids.get(self.subtask_id, self.subtask_id)
        return RowKey(ids.get(self.group_id, self.group_id), subtask_id)


class TitleSpot(NamedTuple):
    """Where a new title is typed: below a subtask, or on top of a group.

    Without a group it is on top of the first one; `is_group` is for the title of a group.
    """

    group_id: int | None = None
    above: int | None = None
    is_group: bool = False

    def renamed(self, ids: Mapping[int, int]) -> "TitleSpot":
        """The same with ids replaced."""
        group_id = None if self.group_id is None else ids.get(self.group_id, self.group_id)
        above = None if self.above is None else ids.get(self.above, self.above)
        return TitleSpot(group_id, above, self.is_group)


@record
class SubtaskRow:
    """A row: of a subtask, of a group without one, or of a title being typed (GAP)."""

    group: SubtaskGroup | None = None
    subtask: Task | None = None
    kind: RowKind = RowKind.CARD

    @property
    def is_heading(self) -> bool:
        """Whether it is the heading of a group."""
        return self.subtask is None and self.kind is RowKind.CARD

    @property
    def key(self) -> RowKey | None:
        """Its identity, if the cursor may be on it."""
        if self.group is None or self.kind in (RowKind.GAP, RowKind.OUTLINE):
            return None
        return RowKey(self.group.id, None if self.subtask is None else self.subtask.id)


def rows(
    detail: TaskDetail | None,
    shown: BoardView,
    lifted: Lift | None = None,
    gap: TitleSpot | None = None,
) -> tuple[SubtaskRow, ...]:
    """The rows of all groups and subtasks.

    A title being typed in a group that was deleted is last.
    """
    rows: list[SubtaskRow] = []
    typed = SubtaskRow(kind=RowKind.GAP)
    for group in (detail.groups or ()) if detail is not None else ():
        rows.append(SubtaskRow(group))
        lane = [SubtaskRow(group, row.task, row.kind) for row in lift.rows(lifted, shown, group.id)]
        if gap is not None and gap.group_id == group.id and not gap.is_group:
            ids = [subtask.id for subtask in group.subtasks]
            lane.insert(ids.index(gap.above) + 1 if gap.above in ids else 0, typed)
        rows.extend(lane)
    if gap is not None and typed not in rows:
        rows.append(typed)
    return tuple(rows)


def index_of(rows: Sequence[SubtaskRow], key: RowKey | None) -> int | None:
    """The index of a row; a subtask is found in any group."""
    if key is None:
        return None
    for index, row in enumerate(rows):
        if row.key is None:
            continue
        same = row.key.subtask_id == key.subtask_id is not None
        if same or row.key == key:
            return index
    return None


def nearest(rows: Sequence[SubtaskRow], index: int) -> int:
    """The valid row index nearest to an index."""
    return max(0, min(index, len(rows) - 1))


def lanes(detail: TaskDetail | None) -> BoardView:
    """The groups of a task as lanes, by group id."""
    groups = () if detail is None else detail.groups or ()
    board_id = detail.task.board_id if detail is not None else 0
    return BoardView(
        Board(board_id, detail.task.title if detail is not None else ""),
        tuple(Stage(group.id, board_id, group.in_words) for group in groups),
        {
            # Subtasks have no stage; their group stands for it, so that `lift` can move them.
            group.id: tuple(replace(subtask, stage_id=group.id) for subtask in group.subtasks)
            for group in groups
        },
    )


def to_group(lifted: Lift, shown: BoardView, by: int) -> Lift:
    """Move by so many groups, keeping the row as far as it goes."""
    ids = [lane.id for lane in shown.stages]
    return lift.to_stage(lifted, shown, ids.index(lifted.stage_id) + by)


def new_ids(previous: TaskDetail | None, current: TaskDetail | None) -> dict[int, int]:
    """The assigned ids of local ids, found by comparing two versions of a task.

    They may appear before they are announced: what had a local id and is gone is matched with new
    things of the same title, in order.
    """
    if previous is None or current is None:
        return {}
    return {
        **_paired(_groups(previous), _groups(current)),
        **_paired(_subtasks(previous), _subtasks(current)),
    }


def _groups(detail: TaskDetail) -> dict[int, str]:
    return {group.id: group.title for group in detail.groups or ()}


def _subtasks(detail: TaskDetail) -> dict[int, str]:
    return {subtask.id: subtask.title for subtask in detail.subtasks()}


def _paired(previous: Mapping[int, str], current: Mapping[int, str]) -> dict[int, int]:
    ids: dict[int, int] = {}
    for old, title in previous.items():
        if old >= 0 or old in current:
            continue
        # Each new id is used once, since several subtasks may have the same title.
        candidates = (
            candidate
            for candidate, name in current.items()
            if candidate > 0
            and candidate not in previous
            and candidate not in ids.values()
            and name == title
        )
        if (new_id := next(candidates, None)) is not None:
            ids[old] = new_id
    return ids
