"""Moving a task: within its stage or to another, told by its neighbours.

The rule it keeps: a place is spoken of by the tasks above and below, and becomes a number only at
the moment of sending, against the service's present order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.task import Status, Task
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.reading import is_archived, task_as_it_is
from tui.store.operations.setting import SetStatus
from tui.store.operations.wording import quoted
from tui.store.remote import Document, Remote


@dataclass(frozen=True, slots=True)
class MoveTask:
    """Put a task into a stage at a place.

    `from_stage_id` is where it was when the person asked; `stage_title` names the target in words
    and may be empty.
    """

    board_id: int
    task_id: int
    name: str
    stage_id: int
    place: Place
    from_stage_id: int | None = None
    stage_title: str = ""

    @classmethod
    def on(cls, task: Task, stage_id: int, place: Place, *, stage_title: str = "") -> Self:
        """Move `task` to `stage_id`, between the neighbours of `place`."""
        return cls(task.board_id, task.id, task.title, stage_id, place, task.stage_id, stage_title)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task at its new place."""
        task = view.task(self.task_id)
        return view if task is None else view.with_task_at(task, self.stage_id, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send the number the place has now, from 1 among the other active tasks."""
        others = [
            (task.id, task.position)
            for task in truth.in_stage(self.stage_id)
            if task.id != self.task_id
        ]
        index = self.place.index_in([task_id for task_id, _ in others]) + 1
        return await remote.move_task(self.board_id, self.task_id, self.stage_id, index, others)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Tell by the stage; within one stage, by the neighbours.

        Sending a move within a stage again does no harm, so that is what an unclear order means.
        """
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        if now is None:
            return Finding(done=False)
        stage_before = footing.task.get("stage_id") if footing.task else None
        stage_now = now.get("stage_id")
        if stage_now == self.stage_id and stage_before != self.stage_id:
            return Finding(done=True, task=now)
        if stage_now == self.stage_id:
            return Finding(done=await self._is_in_place(remote), task=now)
        return Finding(done=False if stage_now == stage_before else None, task=now)

    async def _is_in_place(self, remote: Remote) -> bool:
        lane = [
            (task.get("position") or 0.0, task["id"])
            for task in await remote.tasks(self.board_id)
            if task.get("stage_id") == self.stage_id and not is_archived(task)
        ]
        ids = [task_id for _, task_id in sorted(lane)]
        if self.task_id not in ids:
            return False
        others = [task_id for task_id in ids if task_id != self.task_id]
        return ids.index(self.task_id) == self.place.index_in(others)

    def fits(self, reply: Document, truth: BoardView) -> bool:
        """Whether the position that came back means the place that was asked for.

        It does not if the service numbered the stage anew, or did not move the task at all.
        """
        others = [task for task in truth.in_stage(self.stage_id) if task.id != self.task_id]
        position = (float(reply.get("position") or 0.0), self.task_id)
        index = sum((task.position, task.id) < position for task in others)
        return index == self.place.index_in([task.id for task in others])

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """Back to where it was, and open or closed as it was."""
        task = before.task(self.task_id)
        found = before.place_of(self.task_id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        origin, target = before.stage(stage_id), before.stage(self.stage_id)
        back = replace(
            self,
            stage_id=stage_id,
            place=place,
            from_stage_id=self.stage_id,
            stage_title=origin.title if origin else "",
        )
        closed_on_the_way = stage_id != self.stage_id and any(
            stage is not None and stage.default_status is Status.CLOSED
            for stage in (origin, target)
        )
        if closed_on_the_way and not task.is_closed:
            return (back, SetStatus.on(task, Status.OPEN))
        return (back,)

    def named(self, view: BoardView) -> Self:
        """The same change with the target stage's title, for its words."""
        stage = view.stage(self.stage_id)
        if stage is None or self.stage_title:
            return self
        return replace(self, stage_title=stage.title)

    def describe(self) -> str:
        """The task and where it goes."""
        if self.from_stage_id == self.stage_id:
            return f"Move {quoted(self.name)} within its stage"
        target = quoted(self.stage_title) if self.stage_title else "another stage"
        return f"Move {quoted(self.name)} to {target}"

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with the task and its neighbours by their new ids."""
        return replace(
            self,
            task_id=ids.get(self.task_id, self.task_id),
            place=renamed_place(self.place, ids),
        )


def renamed_place(place: Place, ids: Mapping[int, int]) -> Place:
    """The same place with local ids replaced by those the service gave."""
    above, below = place.above, place.below
    return Place(
        above if above is None else ids.get(above, above),
        below if below is None else ids.get(below, below),
    )
