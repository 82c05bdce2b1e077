"""The labels of a board, and of its tasks (section 4.6)."""

from tui.client.endpoints import Endpoint, Route
from tui.client.records import LabelRecord
from tui.client.resources.listing import Listing, read_listing
from tui.client.resources.resource import Resource, member


class Labels(Resource):
    """The coloured words of a board. Every method may raise `ApiError`."""

    async def list(self, board_id: int) -> Listing[LabelRecord]:
        """The labels of a board (4.6). Raises `NotThere`, `NotAllowed`."""
        return await self._list(Endpoint.LIST_LABELS.at(board_id=board_id))

    async def create(self, board_id: int, title: str, *, color: str, bg_color: str) -> LabelRecord:
        """Make a label; colours of text and ground are hex, as `#1B2533` (4.6).

        Raises `Refused`, `NotAllowed`.
        """
        route = Endpoint.CREATE_LABEL.at(board_id=board_id)
        body = {"label": title, "color": color, "bg_color": bg_color}
        return self._one(route, await self._ask(route, body=body), LabelRecord, "label")

    async def update(
        self, board_id: int, label_id: int, *, title: str, color: str, bg_color: str
    ) -> LabelRecord:
        """Change a label's title and hex colours (4.6). Raises `Refused`, `NotThere`."""
        route = Endpoint.UPDATE_LABEL.at(board_id=board_id, label_id=label_id)
        body = {"label": title, "color": color, "bg_color": bg_color}
        return self._one(route, await self._ask(route, body=body), LabelRecord, "label")

    async def delete(self, board_id: int, label_id: int) -> None:
        """Delete a label from a board and its tasks (4.6). Raises `NotThere`, `NotAllowed`."""
        await self._ask(Endpoint.DELETE_LABEL.at(board_id=board_id, label_id=label_id))

    async def used(self, board_id: int) -> Listing[LabelRecord]:
        """The labels that at least one task of a board has (4.6)."""
        return await self._list(Endpoint.LIST_USED_LABELS.at(board_id=board_id))

    async def of_task(self, board_id: int, task_id: int) -> Listing[LabelRecord]:
        """The labels of a task (4.6). Some services answer an empty list for no such task."""
        return await self._list(Endpoint.LIST_TASK_LABELS.at(board_id=board_id, task_id=task_id))

    async def attach(self, board_id: int, task_id: int, label_id: int) -> LabelRecord:
        """Put a label on a task (4.6). Raises `Refused`, `NotThere`, `NotAllowed`."""
        route = Endpoint.ATTACH_LABEL.at(board_id=board_id)
        answer = await self._ask(route, body={"taskId": task_id, "labelId": label_id})
        return self._one(route, answer, LabelRecord, "label")

    async def detach(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task (4.6); one that is not on it is a success on most services."""
        ids = {"board_id": board_id, "task_id": task_id, "label_id": label_id}
        await self._ask(Endpoint.DETACH_LABEL.at(**ids))

    async def _list(self, route: Route) -> Listing[LabelRecord]:
        return await read_listing(member(route, await self._ask(route), "labels"), LabelRecord)
