"""The subtasks of a task as rows: a heading for each group, and its subtasks below it.

A row is identified by what it shows, never by its number, so that updates do not move the cursor
off it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tui.model import lift
from tui.model.board import BoardView
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.lift import Lift, RowKind
from tui.model.task import Task


class RowKey(NamedTuple):
    """What a row stands for: a subtask of a group, or the group itself."""

    group_id: int
    subtask_id: int | None = None

    def renamed(self, ids: Mapping[int, int]) -> "RowKey":
        """The same by its new ids."""
        subtask_id = None if self.subtask_id is None else ids.get(self.subtask_id, self.subtask_id)
        return RowKey(ids.get(self.group_id, self.group_id), subtask_id)


class Spot(NamedTuple):
    """Where a subtask is typed: below another one, or on top of a group.

    Without a group it goes on top of the first one; `is_group` is for the title of a group.
    """

    group_id: int | None = None
    above: int | None = None
    is_group: bool = False

    def renamed(self, ids: Mapping[int, int]) -> "Spot":
        """The same by its new ids."""
        group_id = None if self.group_id is None else ids.get(self.group_id, self.group_id)
        above = None if self.above is None else ids.get(self.above, self.above)
        return Spot(group_id, above, self.is_group)


@dataclass(frozen=True, slots=True)
class SubtaskRow:
    """A row: of a subtask, of a group where there is none, or of a title being typed (GAP)."""

    group: SubtaskGroup | None = None
    subtask: Task | None = None
    kind: RowKind = RowKind.CARD

    @property
    def is_heading(self) -> bool:
        """Whether it is the heading of a group."""
        return self.subtask is None and self.kind is RowKind.CARD

    @property
    def key(self) -> RowKey | None:
        """What it stands for, where the cursor may be on it."""
        if self.group is None or self.kind in (RowKind.GAP, RowKind.OUTLINE):
            return None
        return RowKey(self.group.id, None if self.subtask is None else self.subtask.id)


def rows(
    detail: TaskDetail | None, shown: BoardView, lifted: Lift | None = None, gap: Spot | None = None
) -> tuple[SubtaskRow, ...]:
    """Everything that is drawn of the subtasks, group by group.

    What is typed in a group that went meanwhile stands behind everything.
    """
    found: list[SubtaskRow] = []
    typed = SubtaskRow(kind=RowKind.GAP)
    for group in (detail.groups or ()) if detail is not None else ():
        found.append(SubtaskRow(group))
        lane = [SubtaskRow(group, row.task, row.kind) for row in lift.rows(lifted, shown, group.id)]
        if gap is not None and gap.group_id == group.id and not gap.is_group:
            ids = [subtask.id for subtask in group.subtasks]
            lane.insert(ids.index(gap.above) + 1 if gap.above in ids else 0, typed)
        found.extend(lane)
    if gap is not None and typed not in found:
        found.append(typed)
    return tuple(found)


def index_of(found: Sequence[SubtaskRow], key: RowKey | None) -> int | None:
    """The number of the row that stands for something; a subtask is found in any group."""
    if key is None:
        return None
    for index, row in enumerate(found):
        if row.key is None:
            continue
        same = row.key.subtask_id == key.subtask_id is not None
        if same or row.key == key:
            return index
    return None


def nearest(found: Sequence[SubtaskRow], index: int) -> int:
    """The number of the row nearest to a number, as far as the rows go."""
    return max(0, min(index, len(found) - 1))
