"""Positions as deployed services keep them: decimal(10,2), until no room is left.

The real service says which tasks a stage has; where they stand is kept here.
A task that is first seen stands at the end of its stage.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, breakdown, is_task, objects
from tests.quirky.quirks import Quirks

_TASKS = "/projects/{board}/tasks"
_TASK = _TASKS + "/{task}"
_STAGE = "/projects/{board}/stage/{stage}"
_MAKING = ("/tasks", "/clone-task", "/move-to-board")
_CENT = Decimal("0.01")
_Held = tuple[Decimal, int]


def rounded(position: Decimal) -> Decimal:
    """A position as a column of decimal(10,2) keeps it."""
    return position.quantize(_CENT, ROUND_HALF_UP)


def placed(others: list[Decimal], index: int) -> Decimal:
    """The position of a task that is put at a place, from 1, among others in order."""
    if not others:
        return Decimal(1)
    if index == 1:
        return rounded(others[0] / 2)
    if index > len(others):
        return rounded(others[-1] + 1)
    return rounded((others[index - 2] + others[index - 1]) / 2)


@dataclass(slots=True)
class Positions:
    """Where tasks stand, by id."""

    quirks: Quirks
    _held: dict[int, Decimal] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if not (self.quirks.positions_run_out or self.quirks.stage_restore_loses_order):
            return await self._moved_simply(asked, onward)
        answer = await self._answer(asked, onward)
        if answer.is_success and answer.is_json:
            if asked.ids("GET", _TASKS):
                self._adopt(answer.body["tasks"])
            elif asked.ids("POST", _TASKS) or asked.path.endswith(
                ("/clone-task", "/move-to-board")
            ):
                await self._tasks(asked, int(asked.path.split("/")[2]), onward)
            self._show(answer.body)
        return answer

    async def _answer(self, asked: Asked, onward: Onward) -> Answer:
        moved = asked.ids("PUT", _TASK + "/move-task")
        if moved:
            return await self._move(asked, moved, onward)
        sorted_stage = asked.ids("PUT", _STAGE + "/sort-task")
        if sorted_stage:
            return await self._sort(asked, sorted_stage, onward)
        stage = asked.ids("PUT", "/projects/{board}/restore-stage/{stage}")
        if stage:
            return await self._restore_stage(asked, stage, onward)
        task = asked.ids("PUT", _TASK)
        if task and asked.body.get("property") == "archived_at":
            return await self._archive(asked, task, onward)
        answer = await onward(asked)
        if answer.is_success and asked.ids("PUT", _STAGE + "/archive-all-task"):
            self._held |= {task["id"]: Decimal(0) for task in answer.body["updatedTasks"]}
        return answer

    async def _moved_simply(self, asked: Asked, onward: Onward) -> Answer:
        """A move on a service that keeps positions as the specification's does."""
        ids = asked.ids("PUT", _TASK + "/move-task")
        if not ids or "newIndex" not in asked.body:
            return await onward(asked)
        if self.quirks.bad_index_fails and not _is_place(asked.body["newIndex"]):
            return breakdown("Unsupported operand types: string - int")
        stage = int(asked.body.get("newStageId", 0))
        tasks = await self._tasks(asked, ids["board"], onward)
        others = [t for t in tasks if t["stage_id"] == stage and t["id"] != ids["task"]]
        if self.quirks.past_end_is_top and asked.body["newIndex"] > len(others) + 1:
            return await onward(asked.saying(asked.body | {"newIndex": 1}))
        return await onward(asked)

    async def _move(self, asked: Asked, ids: dict[str, int], onward: Onward) -> Answer:
        index = asked.body.get("newIndex")
        if self.quirks.bad_index_fails and not _is_place(index):
            return breakdown("Unsupported operand types: string - int")
        others = await self._others(
            asked, ids, onward, stage_id=int(asked.body.get("newStageId", 0))
        )
        end = len(others) + 1
        place = index if isinstance(index, int) else end
        if place > end:
            place = 1 if self.quirks.past_end_is_top else end
        answer = await onward(asked.saying({**asked.body, "newIndex": place}))
        if answer.is_success:
            self._held[ids["task"]] = placed([position for position, _ in others], place)
        return answer

    async def _sort(self, asked: Asked, ids: dict[str, int], onward: Onward) -> Answer:
        direction = asked.body.get("orderBy")
        tasks = await self._others(asked, ids, onward, stage_id=ids["stage"])
        answer = await onward(asked)
        if not answer.is_success:
            return answer
        order = [task_id for _, task_id in tasks]
        if asked.body.get("order") != "position":
            order = [task["id"] for task in answer.body["updatedTasks"]]
        elif direction == "DESC":
            order.reverse()
        self._held |= {task_id: Decimal(place) for place, task_id in enumerate(order, start=1)}
        return answer

    async def _restore_stage(self, asked: Asked, ids: dict[str, int], onward: Onward) -> Answer:
        answer = await onward(asked)
        if answer.is_success and self.quirks.stage_restore_loses_order:
            tasks = await self._others(asked, ids, onward, stage_id=ids["stage"])
            self._held |= {task_id: Decimal(0) for _, task_id in tasks}
        return answer

    async def _archive(self, asked: Asked, ids: dict[str, int], onward: Onward) -> Answer:
        """Archived, a task stands at 0; it comes back on top of its stage."""
        answer = await onward(asked)
        if not answer.is_success:
            return answer
        if asked.body.get("value"):
            self._held[ids["task"]] = Decimal(0)
            return answer
        stage_id = answer.body["task"]["stage_id"]
        if stage_id is not None:
            others = await self._others(asked, ids, onward, stage_id=stage_id)
            self._held[ids["task"]] = placed([position for position, _ in others], 1)
        return answer

    async def _others(
        self, asked: Asked, ids: dict[str, int], onward: Onward, *, stage_id: int
    ) -> list[_Held]:
        """The active tasks of a stage in order, but for that of the path."""
        tasks = await self._tasks(asked, ids["board"], onward)
        return sorted(
            (self._held[task["id"]], task["id"])
            for task in tasks
            if task["stage_id"] == stage_id and task["id"] != ids.get("task")
        )

    async def _tasks(self, asked: Asked, board_id: int, onward: Onward) -> list[dict[str, Any]]:
        answer = await onward(asked.instead("GET", f"/projects/{board_id}/tasks"))
        tasks: list[dict[str, Any]] = answer.body["tasks"] if answer.is_success else []
        self._adopt(tasks)
        return tasks

    def _adopt(self, tasks: Iterable[dict[str, Any]]) -> None:
        """Give tasks that are new here a place at the end of their stage."""
        ends: dict[Any, Decimal] = {}
        listed = sorted(tasks, key=lambda task: (task["position"], task["id"]))
        for task in listed:
            held = self._held.get(task["id"], Decimal(0))
            ends[task["stage_id"]] = max(ends.get(task["stage_id"], Decimal(0)), held)
        for task in listed:
            if task["id"] not in self._held:
                ends[task["stage_id"]] = rounded(ends[task["stage_id"]] + 1)
                self._held[task["id"]] = ends[task["stage_id"]]

    def _show(self, document: object) -> None:
        for record in objects(document):
            if is_task(record) and record["id"] in self._held:
                record["position"] = float(self._held[record["id"]])


def _is_place(index: object) -> bool:
    """Whether a service can count with this; none at all is the end."""
    return index is None or (isinstance(index, int) and not isinstance(index, bool) and index >= 1)
