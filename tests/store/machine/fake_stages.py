"""Stages and all their tasks, in a connection to a fake service."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from tui.client.documents import Document

_PRIORITIES = ("high", "medium", "low")


class FakeStageCalls:
    """Calls for stages, and for all tasks of one."""

    service: Any

    @abstractmethod
    def _call(self, name: str, work: Callable[[], Any]) -> Any: ...

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        def restore() -> Document:
            stages = self.service.stages[board_id]
            stage: Document = next(one for one in stages if one["id"] == stage_id)
            stage["position"] = max(one["position"] for one in stages) + 1.0
            stage["archived_at"] = None
            for position, task_id in enumerate(order, start=1):
                self.service.by_id[task_id]["position"] = float(position)
            return dict(stage)

        restored: Document = self._call("restore_stage", restore)
        return restored

    async def archived_stages(self, board_id: int) -> list[Document]:
        stages: list[Document] = self._call(
            "archived_stages",
            lambda: [dict(one) for one in self.service.stages[board_id] if one["archived_at"]],
        )
        return stages

    async def set_stage_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        def write() -> Document:
            stage = next(one for one in self.service.stages[board_id] if one["id"] == stage_id)
            stage.update(title=title, settings={**stage["settings"], name: value})
            return dict(stage)

        stage: Document = self._call("set_stage_setting", write)
        return stage

    async def set_stage_color(
        self, board_id: int, stage_id: int, title: str, color: str
    ) -> Document:
        def write() -> Document:
            stage = next(one for one in self.service.stages[board_id] if one["id"] == stage_id)
            stage.update(title=title, bg_color=color or None)
            return dict(stage)

        stage: Document = self._call("set_stage_color", write)
        return stage

    async def sort_tasks(
        self, board_id: int, stage_id: int, *, by: str, direction: str
    ) -> list[Document]:
        del board_id
        return self._lane("sort_tasks", lambda: _sorted(self.service.lane(stage_id), by, direction))

    async def order_tasks(
        self, board_id: int, stage_id: int, order: Sequence[int]
    ) -> list[Document]:
        del board_id

        def put() -> list[Document]:
            lane: list[Document] = self.service.lane(stage_id)
            rank = {task_id: number for number, task_id in enumerate(order)}
            named = sorted((one for one in lane if one["id"] in rank), key=lambda t: rank[t["id"]])
            rest = iter(named)
            return _numbered([next(rest) if one["id"] in rank else one for one in lane])

        return self._lane("order_tasks", put)

    async def archive_tasks(self, board_id: int, stage_id: int) -> list[Document]:
        del board_id

        def archive() -> list[Document]:
            lane: list[Document] = self.service.lane(stage_id)
            for task in lane:
                task.update(archived_at="2026-11-20 09:00:00", position=0.0)
            return lane

        return self._lane("archive_tasks", archive)

    def _lane(self, name: str, work: Callable[[], list[Document]]) -> list[Document]:
        return [dict(task) for task in self._call(name, work)]


def _sorted(lane: list[Document], by: str, direction: str) -> list[Document]:
    is_descending = direction == "DESC"
    if by == "position":
        return _numbered(lane[::-1] if is_descending else lane)
    keyed = [task for task in lane if task.get(by) is not None]
    keyed.sort(
        key=lambda task: (
            _PRIORITIES.index(task[by]) if by == "priority" else str(task[by]).casefold()
        ),
        reverse=is_descending,
    )
    return _numbered([*keyed, *(task for task in lane if task.get(by) is None)])


def _numbered(lane: list[Document]) -> list[Document]:
    for position, task in enumerate(lane, start=1):
        task["position"] = float(position)
    return lane
