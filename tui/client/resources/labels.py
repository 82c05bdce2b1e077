"""The labels of a board, and of its tasks (section 4.6)."""

from tui.client.endpoints import Endpoint, Route
from tui.client.records import LabelRecord
from tui.client.resources.answers import Listing, read_listing
from tui.client.resources.deletion import delete_once
from tui.client.service import Service, member, record


class Labels:
    """The coloured words of a board. Every method may raise `ApiError`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Listing[LabelRecord]:
        """The labels of a board (4.6). Raises `NotThere`, `NotAllowed`."""
        return await self._list(Endpoint.LIST_LABELS.at(board_id=board_id))

    async def create(self, board_id: int, title: str, *, color: str, bg_color: str) -> LabelRecord:
        """Make a label; colours of text and ground are hex, as `#1B2533` (4.6).

        Raises `Refused`, `NotAllowed`.
        """
        route = Endpoint.CREATE_LABEL.at(board_id=board_id)
        body = {"label": title, "color": color, "bg_color": bg_color}
        return record(route, await self._service.ask(route, body=body), LabelRecord, "label")

    async def update(
        self, board_id: int, label_id: int, *, title: str, color: str, bg_color: str
    ) -> LabelRecord:
        """Change a label's title and hex colours (4.6). Raises `Refused`, `NotThere`."""
        route = Endpoint.UPDATE_LABEL.at(board_id=board_id, label_id=label_id)
        body = {"label": title, "color": color, "bg_color": bg_color}
        return record(route, await self._service.ask(route, body=body), LabelRecord, "label")

    async def delete(self, board_id: int, label_id: int) -> None:
        """Delete a label from a board and its tasks; one that is gone is a success (4.6).

        Raises `ServerFault` if it is still there, `NotAllowed`.
        """

        async def is_gone() -> bool:
            labels = (await self.list(board_id)).records
            return all(label.id != label_id for label in labels)

        await delete_once(
            lambda: self._delete(board_id, label_id),
            is_gone,
            is_trusted=self._service.is_trusted,
        )

    async def used(self, board_id: int) -> Listing[LabelRecord]:
        """The labels that at least one task of a board has (4.6)."""
        return await self._list(Endpoint.LIST_USED_LABELS.at(board_id=board_id))

    async def of_task(self, board_id: int, task_id: int) -> Listing[LabelRecord]:
        """The labels of a task (4.6). Some services answer an empty list for no such task."""
        return await self._list(Endpoint.LIST_TASK_LABELS.at(board_id=board_id, task_id=task_id))

    async def attach(self, board_id: int, task_id: int, label_id: int) -> LabelRecord:
        """Put a label on a task (4.6). Raises `Refused`, `NotThere`, `NotAllowed`."""
        route = Endpoint.ATTACH_LABEL.at(board_id=board_id)
        answer = await self._service.ask(route, body={"taskId": task_id, "labelId": label_id})
        return record(route, answer, LabelRecord, "label")

    async def detach(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task; one that is not on it is a success (4.6).

        Raises `ServerFault` if it is still on it, `NotAllowed`.
        """

        async def is_gone() -> bool:
            labels = (await self.of_task(board_id, task_id)).records
            return all(label.id != label_id for label in labels)

        await delete_once(
            lambda: self._detach(board_id, task_id, label_id),
            is_gone,
            is_trusted=self._service.is_trusted,
        )

    async def _list(self, route: Route) -> Listing[LabelRecord]:
        answer = await self._service.ask(route)
        return await read_listing(member(route, answer, "labels"), LabelRecord)

    async def _delete(self, board_id: int, label_id: int) -> None:
        await self._service.ask(Endpoint.DELETE_LABEL.at(board_id=board_id, label_id=label_id))

    async def _detach(self, board_id: int, task_id: int, label_id: int) -> None:
        ids = {"board_id": board_id, "task_id": task_id, "label_id": label_id}
        await self._service.ask(Endpoint.DETACH_LABEL.at(**ids))
