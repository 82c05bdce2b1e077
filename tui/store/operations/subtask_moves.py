"""Putting subtasks into order, and copying them in it.

The rule it keeps: a place in a group is told by the neighbours, and becomes a number only at the
moment of sending, against the order the group has then. The order that results is looked at: a
move that did not happen is never taken for one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tui.client.errors import NotThere, Refused
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Status, Task
from tui.store.documents.flat import group_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, News, Nothing, Operation, Reply, operation
from tui.store.operations.comparing import found_new, made, same_words
from tui.store.operations.ids import About, Creates, Former, new_local_id
from tui.store.operations.looking import groups_as_they_are, subtasks_as_they_are
from tui.store.operations.reading import is_archived
from tui.store.operations.subtasks import DeleteSubtask, in_group
from tui.store.operations.wording import quoted
from tui.store.remote import Remote

_SUFFIX = " (cloned)"


@operation("move-subtask")
@dataclass(frozen=True, slots=True)
class MoveSubtask(Operation):
    """Put a subtask into a group at a place; `task_id` is the parent, `name` its own title.

    `from_group_id` is where it was when the person asked; `group_title` names the target in words
    and may be empty.
    """

    board_id: BoardId
    task_id: TaskId
    subtask_id: About[TaskId]
    name: str
    group_id: GroupId
    place: TaskPlace
    from_group_id: Former[GroupId | None] = None
    group_title: str = ""

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task, group_id: int, place: Place) -> Self:
        """Move a subtask of an opened task between the neighbours of `place`."""
        found, group = detail.place_of(subtask.id), detail.group(group_id)
        return cls(
            subtask.board_id,
            detail.task.id,
            subtask.id,
            subtask.title,
            group_id,
            place,
            found[0] if found else None,
            group.title if group else "",
        )

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the subtask at its new place."""
        if detail.place_of(self.subtask_id) is None:
            return detail
        subtask = detail.find(self.subtask_id)
        return (
            detail
            if subtask is None
            else detail.with_subtask_at(subtask, self.group_id, self.place)
        )

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Read the order the group has, send the number of the place in it, and see what comes."""
        del truth
        line = await self._line(remote)
        index = self.place.index_in(_ids_in_order(line, without=self.subtask_id)) + 1
        changed = await remote.place_subtask(self.board_id, self.subtask_id, self.group_id, index)
        by_id = {one["id"]: one for one in line}
        for subtask in changed:
            by_id[subtask["id"]] = {**by_id.get(subtask["id"], {}), **subtask}
        line = [one for one in by_id.values() if group_of(one) == self.group_id]
        if not self._is_in_place(line):
            line = await self._line(remote)
        if not self._is_in_place(line):
            raise Refused("The service did not put the subtask there.")
        return self._told(line)

    async def _line(self, remote: Remote) -> list[Document]:
        """The group with what is in it now; also an empty one."""
        for group in await groups_as_they_are(remote, self.board_id, self.task_id):
            if group["id"] == self.group_id:
                subtasks = group.get("subtasks") or ()
                return [in_group(one, self.task_id, self.group_id) for one in subtasks]
        raise NotThere("The group is not there any more.")

    def _is_in_place(self, line: Iterable[Document]) -> bool:
        ids = _ids_in_order(line)
        if self.subtask_id not in ids:
            return False
        others = [one for one in ids if one != self.subtask_id]
        return ids.index(self.subtask_id) == self.place.index_in(others)

    def _told(self, line: Iterable[Document]) -> Reply:
        return Reply(news=tuple(News("task", one["id"], one, self.task_id) for one in line))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the subtask is there; sending it again does no harm."""
        del footing
        try:
            line = await self._line(remote)
        except NotThere:
            return Finding(done=False)
        return Finding(self._is_in_place(line), self._told(line))

    def merged_with(self, later: Operation) -> Operation | None:
        """Only the last place counts, and none for a subtask that goes."""
        if isinstance(later, MoveSubtask):
            return replace(later, from_group_id=self.from_group_id)
        return later if isinstance(later, DeleteSubtask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Back to where it was."""
        del before
        found = None if detail is None else detail.place_of(self.subtask_id)
        if found is None or detail is None:
            return ()
        group_id, place = found
        group = detail.group(group_id)
        return (
            replace(
                self,
                group_id=group_id,
                place=place,
                from_group_id=self.group_id,
                group_title=group.title if group else "",
            ),
        )

    def describe(self) -> str:
        """The subtask and where it goes."""
        if self.from_group_id == self.group_id or not self.group_title:
            return f"Move the subtask {quoted(self.name)}"
        return f"Move the subtask {quoted(self.name)} to {quoted(self.group_title)}"


@operation("clone-subtask")
@dataclass(frozen=True, slots=True)
class CloneSubtask(Operation):
    """Copy a subtask, below itself; `subtask_id` is the new one, a local id, `source` the old."""

    board_id: BoardId
    task_id: TaskId
    subtask_id: Creates[TaskId]
    source: Task
    group_id: GroupId

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task) -> Self:
        """Copy a subtask of an opened task. Raises `LookupError` if it is not one."""
        found = detail.place_of(subtask.id)
        if found is None:
            raise LookupError(subtask.id)
        return cls(subtask.board_id, detail.task.id, new_local_id(), subtask, found[0])

    @property
    def _copy(self) -> Task:
        return replace(
            self.source,
            id=self.subtask_id,
            title=self.source.title + _SUFFIX,
            status=Status.OPEN,
            comments_count=0,
            created_at=None,
            updated_at=None,
        )

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the copy below the old one."""
        if detail.task.id != self.task_id or detail.find(self.subtask_id) is not None:
            return detail
        found = detail.place_of(self.source.id)
        group_id = self.group_id if found is None else found[0]
        return detail.with_subtask_at(self._copy, group_id, Place(above=self.source.id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        subtask = await remote.clone_subtask(self.board_id, self.source.id)
        return made("task", in_group(subtask, self.task_id, self.group_id), self.task_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the subtasks of the parent for exactly one new one called like a copy."""
        return found_new(
            "task",
            await subtasks_as_they_are(remote, self.board_id, self.task_id),
            lambda subtask: same_words(subtask.get("title"), self._copy.title),
            footing.newest_id,
            task_id=self.task_id,
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A copy that was never made need not be deleted."""
        return Nothing(self.board_id) if isinstance(later, DeleteSubtask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete the copy."""
        del before, detail
        copy = replace(self._copy, parent_id=self.task_id)
        return (DeleteSubtask(copy, self.group_id, Place(above=self.source.id)),)

    def describe(self) -> str:
        """The old subtask's title."""
        return f"Copy the subtask {quoted(self.source.title)}"


def _ids_in_order(line: Iterable[Document], *, without: int | None = None) -> list[int]:
    active = [one for one in line if not is_archived(one) and one["id"] != without]
    ordered = sorted(active, key=lambda one: (float(one.get("position") or 0.0), one["id"]))
    return [int(one["id"]) for one in ordered]
