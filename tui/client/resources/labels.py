"""Labels and custom fields of boards and tasks (sections 4.6 and 4.7)."""

from collections.abc import Sequence
from datetime import date, datetime

from tui.client.endpoints import Endpoint
from tui.client.records.boards import FieldRecord, FieldValueRecord, LabelRecord
from tui.client.resources.deletion import delete_once, is_unlisted
from tui.client.service import Service
from tui.client.site_time import WALL_FORMAT

FieldValue = str | bool | date | datetime | None
"""Text or an option of a select, a checkbox, a day or a wall time."""


class Labels:
    """Labels."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Sequence[LabelRecord]:
        """The labels of a board (4.6)."""
        answer = await self._service.ask(Endpoint.LIST_LABELS, board_id)
        return await answer.listing(LabelRecord, "labels")

    async def create(
        self, board_id: int, title: str, bg_color: str, text_color: str
    ) -> LabelRecord:
        """Create a label; colours are hex, as `#1B2533` (4.6)."""
        body = {"label": title, "color": text_color, "bg_color": bg_color}
        answer = await self._service.ask(Endpoint.CREATE_LABEL, board_id, body=body)
        return answer.record(LabelRecord, "label")

    async def update(
        self, board_id: int, label_id: int, title: str, bg_color: str, text_color: str
    ) -> LabelRecord:
        """Change a label's title and hex colours (4.6)."""
        body = {"label": title, "color": text_color, "bg_color": bg_color}
        answer = await self._service.ask(Endpoint.UPDATE_LABEL, board_id, label_id, body=body)
        return answer.record(LabelRecord, "label")

    async def delete(self, board_id: int, label_id: int) -> None:
        """Delete a label from a board and its tasks (4.6)."""
        await delete_once(
            self._service.ask(Endpoint.DELETE_LABEL, board_id, label_id),
            lambda: is_unlisted(self.list(board_id), label_id),
            is_trusted=self._service.is_trusted,
        )

    async def used(self, board_id: int) -> Sequence[LabelRecord]:
        """The labels used by at least one task of a board (4.6)."""
        answer = await self._service.ask(Endpoint.LIST_USED_LABELS, board_id)
        return await answer.listing(LabelRecord, "labels")

    async def of_task(self, board_id: int, task_id: int) -> Sequence[LabelRecord]:
        """The labels of a task (4.6). Some services return an empty list for a missing task."""
        answer = await self._service.ask(Endpoint.LIST_TASK_LABELS, board_id, task_id)
        return await answer.listing(LabelRecord, "labels")

    async def attach(self, board_id: int, task_id: int, label_id: int) -> LabelRecord:
        """Put a label on a task (4.6)."""
        body = {"taskId": task_id, "labelId": label_id}
        answer = await self._service.ask(Endpoint.ATTACH_LABEL, board_id, body=body)
        return answer.record(LabelRecord, "label")

    async def detach(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task, as one deletes it (4.6)."""
        await delete_once(
            self._service.ask(Endpoint.DETACH_LABEL, board_id, task_id, label_id),
            lambda: is_unlisted(self.of_task(board_id, task_id), label_id),
            is_trusted=self._service.is_trusted,
        )


class Fields:
    """Custom fields.

    Raises `NotOffered` if the service's edition has no custom fields.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Sequence[FieldRecord]:
        """The fields of a board (4.7)."""
        answer = await self._service.ask(Endpoint.LIST_FIELDS, board_id)
        return await answer.listing(FieldRecord, "customFields")

    async def create(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str] = ()
    ) -> FieldRecord:
        """Add a field of a type such as `text`, `select`, `checkbox` or `date` (4.7).

        `options` are those of a select.
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
        """Change a field; its title and type are always sent (4.7)."""
        body = _field(title, field_type, options)
        answer = await self._service.ask(Endpoint.UPDATE_FIELD, board_id, field_id, body=body)
        return answer.record(FieldRecord, "customField")

    async def reposition(self, board_id: int, field_id: int, index: int) -> None:
        """Move a field to a position, counted from 1 (4.7).

        Raises `ValueError` for a position below 1.
        """
        if index < 1:
            raise ValueError("a place among the fields is counted from 1")
        body = {"newIndex": index}
        await self._service.ask(Endpoint.REPOSITION_FIELD, board_id, field_id, body=body)

    async def delete(self, board_id: int, field_id: int) -> None:
        """Delete a field with its values (4.7)."""
        await delete_once(
            self._service.ask(Endpoint.DELETE_FIELD, board_id, field_id),
            lambda: is_unlisted(self.list(board_id), field_id),
            is_trusted=self._service.is_trusted,
        )

    async def values(self, board_id: int, task_id: int) -> Sequence[FieldValueRecord]:
        """The custom field values of a task (4.7)."""
        answer = await self._service.ask(Endpoint.LIST_FIELD_VALUES, board_id, task_id)
        return await answer.listing(FieldValueRecord, "customFields")

    async def set_value(
        self, board_id: int, task_id: int, field_id: int, value: FieldValue
    ) -> FieldRecord:
        """Set the value of a field, or clear it with None; returns the field (4.7)."""
        body = {"custom_field_id": field_id, "value": written_value(value)}
        answer = await self._service.ask(Endpoint.SET_FIELD_VALUE, board_id, task_id, body=body)
        return answer.record(FieldRecord, "customField")


def _field(title: str, field_type: str, options: Sequence[str]) -> dict[str, object]:
    more = {"options": list(options)} if options else {}
    return {"customField": {"title": title, "type": field_type, **more}}


def written_value(value: FieldValue) -> str:
    """A value as the service expects it: always text.

    A checkbox is `true` or `false`, a day or a time `YYYY-MM-DD HH:MM:SS` on the site's clock; some
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
