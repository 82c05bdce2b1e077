"""A board of ann's, with bob as a member, on one of the services."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps

import pytest

from tests.client.suite.services import Running
from tui.client import errors
from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.http.session import HttpSession

Act = Callable[["Scene"], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """A board with three stages, the last of which closes what is moved into it.

    Everybody has a client; eve is not a member. `session` is ann's.
    """

    service: Running
    session: HttpSession
    ann: Client
    bob: Client
    eve: Client
    board_id: int
    stages: tuple[int, ...]

    def id(self, login: str) -> int:
        """The id of somebody."""
        return self.service.ids[login]

    async def label(self) -> Document:
        """A new label on the board."""
        return await self.ann.create_label(
            self.board_id, "Urgent", text_color="#000000", color="#ffff00"
        )

    async def make(self, *titles: str, stage: int = 0) -> list[int]:
        """Make tasks at the end of a stage; returns their ids."""
        stage_id = self.stages[stage]
        return [
            (await self.ann.create_task(self.board_id, stage_id, title))["id"] for title in titles
        ]

    async def task(self, task_id: int) -> Document:
        """A task as it is now."""
        return await self.ann.task(self.board_id, task_id)

    async def lane(self, stage: int = 0) -> list[tuple[int, float]]:
        """The tasks of a stage in order, with their positions."""
        tasks = await self.ann.tasks(self.board_id)
        lane = [task for task in tasks if task["stage_id"] == self.stages[stage]]
        return sorted(((task["id"], task["position"]) for task in lane), key=lambda one: one[::-1])

    async def order(self, stage: int = 0) -> list[int]:
        """The tasks of a stage from top to bottom."""
        return [task_id for task_id, _ in await self.lane(stage)]

    async def place(self, task_id: int, index: int, stage: int = 0) -> None:
        """Put a task at a place, from 1, as somebody does who sees the stage."""
        others = [one for one in await self.lane(stage) if one[0] != task_id]
        await self.ann.move_task(self.board_id, task_id, self.stages[stage], index, others)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Have every write answer 500 after it was written, where the service can do that."""
        if self.service.quirky is None:
            yield
            return
        telling = self.service.quirky.telling
        usual, telling.every = telling.every, 1
        try:
            yield
        finally:
            telling.every = usual


def needs(feature: Feature) -> Callable[[Act], Act]:
    """A test of a feature; where it is not offered, it must end with the reason in words."""

    def around(act: Act) -> Act:
        @wraps(act)
        async def either(scene: Scene) -> None:
            if feature not in scene.service.missing:
                await act(scene)
                return
            with pytest.raises(errors.NotOffered, match="edition does not offer") as refused:
                await act(scene)
            assert refused.value.hint, f"no hint says what to do: {refused.value}"
            with pytest.raises(errors.NotOffered, match="edition does not offer"):
                scene.ann.service.require(feature)

        return either

    return around
