"""A fake service that refuses what a real one refuses."""

from collections.abc import Sequence

from tests.store.machine.fake_remote import FakeRemote
from tui.client.documents import Document
from tui.client.errors import Conflict, NotFound
from tui.model.task import Person


class StrictRemote(FakeRemote):
    """A connection to a fake service that lets nothing into an archived stage.

    Nor does it take a reply to what is not there.
    """

    def _refuse_archived(self, board_id: int, stage_id: int) -> None:
        stages = self.service.stages.get(board_id, [])
        stage = next((one for one in stages if one["id"] == stage_id), None)
        if stage is None:
            raise NotFound("There is no such stage.", status=404)
        if stage["archived_at"]:
            raise Conflict("The stage is archived; restore it first.", status=409)

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        self._refuse_archived(board_id, stage_id)
        return await super().create_task(board_id, stage_id, title, priority)

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[tuple[int, float]] = (),
    ) -> Document:
        self._refuse_archived(board_id, stage_id)
        return await super().move_task(board_id, task_id, stage_id, index, others)

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        self._refuse_archived(board_id, stage_id)
        return await super().clone_task(board_id, task_id, stage_id, title, parts)

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        self._refuse_archived(board_id, stage_id)
        return await super().subtask_to_task(board_id, subtask_id, stage_id)

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int],
        mentions: Sequence[Person],
    ) -> Document:
        said = {one["id"] for one in self.service.comments.get(task_id, [])}
        if parent_id is not None and parent_id not in said:
            raise NotFound("There is no such comment.", status=404)
        return await super().create_comment(
            board_id,
            task_id,
            text,
            parent_id=parent_id,
            image_ids=image_ids,
            mentions=mentions,
        )
