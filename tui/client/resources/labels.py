"""The labels of a board, and of its tasks (section 4.6)."""

from tui.client.answers import Listing
from tui.client.endpoints import Endpoint
from tui.client.records import LabelRecord
from tui.client.resources.deletion import delete_once, lacks
from tui.client.service import Service


class Labels:
    """The coloured words of a board. Every method may raise `ApiError`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Listing[LabelRecord]:
        """The labels of a board (4.6). Raises `NotThere`, `NotAllowed`."""
        answer = await self._service.ask(Endpoint.LIST_LABELS, board_id)
        return await answer.listing(LabelRecord, "labels")

    async def create(
        self, board_id: int, title: str, bg_color: str, text_color: str
    ) -> LabelRecord:
        """Make a label; colours of ground and text are hex, as `#1B2533` (4.6).

        Raises `Refused`, `NotAllowed`.
        """
        body = {"label": title, "color": text_color, "bg_color": bg_color}
        answer = await self._service.ask(Endpoint.CREATE_LABEL, board_id, body=body)
        return answer.record(LabelRecord, "label")

    async def update(
        self, board_id: int, label_id: int, title: str, bg_color: str, text_color: str
    ) -> LabelRecord:
        """Change a label's title and hex colours (4.6). Raises `Refused`, `NotThere`."""
        body = {"label": title, "color": text_color, "bg_color": bg_color}
        answer = await self._service.ask(Endpoint.UPDATE_LABEL, board_id, label_id, body=body)
        return answer.record(LabelRecord, "label")

    async def delete(self, board_id: int, label_id: int) -> None:
        """Delete a label from a board and its tasks; one that is gone is a success (4.6).

        Raises `ServerFault` if it is still there, `NotAllowed`.
        """

        async def is_gone() -> bool:
            return lacks((await self.list(board_id)).records, label_id)

        await delete_once(
            self._service.ask(Endpoint.DELETE_LABEL, board_id, label_id),
            is_gone,
            is_trusted=self._service.is_trusted,
        )

    async def used(self, board_id: int) -> Listing[LabelRecord]:
        """The labels that at least one task of a board has (4.6)."""
        answer = await self._service.ask(Endpoint.LIST_USED_LABELS, board_id)
        return await answer.listing(LabelRecord, "labels")

    async def of_task(self, board_id: int, task_id: int) -> Listing[LabelRecord]:
        """The labels of a task (4.6). Some services answer an empty list for no such task."""
        answer = await self._service.ask(Endpoint.LIST_TASK_LABELS, board_id, task_id)
        return await answer.listing(LabelRecord, "labels")

    async def attach(self, board_id: int, task_id: int, label_id: int) -> LabelRecord:
        """Put a label on a task (4.6). Raises `Refused`, `NotThere`, `NotAllowed`."""
        body = {"taskId": task_id, "labelId": label_id}
        answer = await self._service.ask(Endpoint.ATTACH_LABEL, board_id, body=body)
        return answer.record(LabelRecord, "label")

    async def detach(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task; one that is not on it is a success (4.6).

        Raises `ServerFault` if it is still on it, `NotAllowed`.
        """

        async def is_gone() -> bool:
            return lacks((await self.of_task(board_id, task_id)).records, label_id)

        await delete_once(
            self._service.ask(Endpoint.DETACH_LABEL, board_id, task_id, label_id),
            is_gone,
            is_trusted=self._service.is_trusted,
        )
