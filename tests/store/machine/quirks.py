"""A fake service that misbehaves as real ones do, as far as that reaches the store.

What the client makes up for by itself, such as assignees that toggle, is tried with the client: see
`tests.store.machine.real`.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from tests.store.machine.fake_remote import FakeService
from tui.client.documents import Document
from tui.client.errors import NotFound, ServerFault

_TRIPS_EVERY = 5
_STAYS_EVERY = 4
_LOSES_EVERY = 7


class Quirky:
    """A `Remote` on a fake service.

    Every so many writes it fails after writing; deleting always does, and deleting what is gone
    fails as well. Every so many moves within a stage it moves nothing and says nothing, or gives
    all tasks of the stage the same position. Replies to settings hold what was set and nothing
    else. A closed task that gets a date is open again. It cannot tell whether anything changed.
    """

    def __init__(self, service: FakeService, remote: Any) -> None:
        self._service = service
        self._remote = remote
        self._writes = 0
        self._moves = 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method: Callable[..., Awaitable[Any]] = getattr(self._remote, name)
        if not name.startswith(("create_", "update_", "rename_", "add_", "remove_")):
            return method

        async def tripping(*args: Any, **kwargs: Any) -> Any:
            answer = await method(*args, **kwargs)
            self._trip()
            return answer

        return tripping

    async def changes_since(self, board_id: int, since: str) -> None:
        """It does not know."""
        del board_id, since

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set it, and answer with hardly more than what was set."""
        was_closed = self._service.task(task_id)["status"] == "closed"
        task: Document = await self._remote.set_task(board_id, task_id, name, value)
        if name == "due_at" and was_closed:
            self._service.set(task_id, "status", "open")
        self._trip()
        names = ("id", "board_id", "stage_id", "position", "archived_at", "parent_id", name)
        return {one: task.get(one) for one in names}

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[tuple[int, float]] = (),
    ) -> Document:
        """Move it, mostly."""
        self._moves += 1
        task = self._service.task(task_id)
        if task["stage_id"] == stage_id and not self._moves % _STAYS_EVERY:
            return dict(task)
        moved: Document = await self._remote.move_task(board_id, task_id, stage_id, index, others)
        if not self._moves % _LOSES_EVERY:
            for one in self._service.lane(stage_id):
                one["position"] = 0.0
        return {**moved, "position": self._service.task(task_id)["position"]}

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete it, and fail."""
        await self._failing("delete_task", board_id, task_id)

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete it, and fail."""
        await self._failing("delete_subtask", board_id, subtask_id)

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete it, and fail."""
        await self._failing("delete_label", board_id, label_id)

    async def delete_field(self, board_id: int, field_id: int) -> None:
        """Delete it, and fail."""
        await self._failing("delete_field", board_id, field_id)

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None
    ) -> None:
        """Delete it, and fail."""
        await self._failing("delete_comment", board_id, task_id, comment_id, parent_id=parent_id)

    async def _failing(self, name: str, *ids: int, **more: int | None) -> None:
        with suppress(LookupError, NotFound):  # what is gone already makes it fail as well
            await getattr(self._remote, name)(*ids, **more)
        raise _fault()

    def _trip(self) -> None:
        self._writes += 1
        if not self._writes % _TRIPS_EVERY:
            raise _fault()


def _fault() -> ServerFault:
    return ServerFault("The service failed.", status=500, may_have_happened=True)
