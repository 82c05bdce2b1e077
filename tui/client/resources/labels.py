"""Labels and custom fields of a board, and what its tasks have of them (sections 4.6 and 4.7)."""

from collections.abc import Sequence
from datetime import date, datetime

from tui.client.answers import Listing
from tui.client.endpoints import Endpoint
from tui.client.records import FieldRecord, FieldValueRecord, LabelRecord
from tui.client.resources.deletion import delete_once, lacks
from tui.client.service import Service
from tui.client.site_time import WALL_FORMAT

FieldValue = str | bool | date | datetime | None
"""What a field can be given: text or an option of a select, a check, a day or a wall time."""


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


class Fields:
    """The fields that a board adds to its tasks. Every method may raise `ApiError`.

    Raises `NotOffered` everywhere where the service's edition has no custom fields.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Listing[FieldRecord]:
        """The fields of a board (4.7). Raises `NotThere`, `NotAllowed`."""
        answer = await self._service.ask(Endpoint.LIST_FIELDS, board_id)
        return await answer.listing(FieldRecord, "customFields")

    async def create(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str] = ()
    ) -> FieldRecord:
        """Add a field of type `text`, `select`, `checkbox` or `date` (4.7).

        `options` are what a select offers. Raises `Refused`, `NotAllowed`. Never repeat it blindly.
        """
        body = _field(title, field_type, options)
        answer = await self._service.ask(Endpoint.CREATE_FIELD, board_id, body=body)
        return answer.record(FieldRecord, "customField")

    async def update(
        self,
        board_id: int,
        field_id: int,
        *,
        title: str,
        field_type: str,
        options: Sequence[str] = (),
    ) -> FieldRecord:
        """Change a field; its title and type are always sent (4.7).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        body = _field(title, field_type, options)
        answer = await self._service.ask(Endpoint.UPDATE_FIELD, board_id, field_id, body=body)
        return answer.record(FieldRecord, "customField")

    async def reposition(self, board_id: int, field_id: int, index: int) -> None:
        """Put a field at a place, counted from 1 (4.7).

        Raises `ValueError` for a place below 1, `Refused`, `NotThere`, `NotAllowed`.
        """
        if index < 1:
            raise ValueError("a place among the fields is counted from 1")
        body = {"newIndex": index}
        await self._service.ask(Endpoint.REPOSITION_FIELD, board_id, field_id, body=body)

    async def delete(self, board_id: int, field_id: int) -> None:
        """Delete a field with its values (4.7). Raises `NotThere` if it is already gone."""
        await self._service.ask(Endpoint.DELETE_FIELD, board_id, field_id)

    async def values(self, board_id: int, task_id: int) -> Listing[FieldValueRecord]:
        """What a task has in the fields of its board (4.7). Raises `NotThere`, `NotAllowed`."""
        answer = await self._service.ask(Endpoint.LIST_FIELD_VALUES, board_id, task_id)
        return await answer.listing(FieldValueRecord, "customFields")

    async def set_value(
        self, board_id: int, task_id: int, field_id: int, value: FieldValue
    ) -> FieldRecord:
        """Give a task a value in a field, None for no value; returns the field (4.7).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        body = {"custom_field_id": field_id, "value": written_value(value)}
        answer = await self._service.ask(Endpoint.SET_FIELD_VALUE, board_id, task_id, body=body)
        return answer.record(FieldRecord, "customField")


def _field(title: str, field_type: str, options: Sequence[str]) -> dict[str, object]:
    more = {"options": list(options)} if options else {}
    return {"customField": {"title": title, "type": field_type, **more}}


def written_value(value: FieldValue) -> str:
    """A value as the service wants it: always text.

    A check is `true` or `false`, a day or a time `YYYY-MM-DD HH:MM:SS` on the site's wall; some
    services cannot read a day without a time. No value is empty text.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.strftime(WALL_FORMAT)
    if isinstance(value, date):
        return f"{value.isoformat()} 00:00:00"
    return value
