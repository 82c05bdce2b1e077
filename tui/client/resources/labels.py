"""Labels and custom fields of boards and tasks (sections 4.6 and 4.7)."""

from collections.abc import Sequence
from datetime import date, datetime

from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.service import RemoteService
from tui.client.site_time import WALL_FORMAT
from tui.schema.boards import CustomField, FieldValue, Label

Value = str | bool | date | datetime | None
"""Text or an option of a select, a checkbox, a day or a wall time."""


class Labels:
    """Labels of boards and tasks (section 4.6); colours are hex, as `#1B2533`."""

    service: RemoteService

    async def labels(self, board_id: int) -> list[Document]:
        """The labels of a board (4.6)."""
        answer = await self.service.ask(Endpoint.LIST_LABELS, board_id)
        return await answer.documents(Label, "labels")

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Create a label (4.6)."""
        body = {"label": title, "color": text_color, "bg_color": color}
        answer = await self.service.ask(Endpoint.CREATE_LABEL, board_id, body=body)
        return answer.document(Label, "label")

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours (4.6)."""
        body = {"label": title, "color": text_color, "bg_color": color}
        answer = await self.service.ask(Endpoint.UPDATE_LABEL, board_id, label_id, body=body)
        return answer.document(Label, "label")

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label from a board and its tasks (4.6)."""
        await self.service.delete(Endpoint.DELETE_LABEL, board_id, label_id)

    async def used_labels(self, board_id: int) -> list[Document]:
        """The labels used by at least one task of a board (4.6)."""
        answer = await self.service.ask(Endpoint.LIST_USED_LABELS, board_id)
        return await answer.documents(Label, "labels")

    async def labels_of(self, board_id: int, task_id: int) -> list[Document]:
        """The labels of a task (4.6). Some services return an empty list for a missing task."""
        answer = await self.service.ask(Endpoint.LIST_TASK_LABELS, board_id, task_id)
        return await answer.documents(Label, "labels")

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns the task's labels (4.6)."""
        await self._attach_label(board_id, task_id, label_id)
        return await self.labels_of(board_id, task_id)

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns the task's labels (4.6)."""
        await self._detach_label(board_id, task_id, label_id)
        return await self.labels_of(board_id, task_id)

    async def _attach_label(self, board_id: int, task_id: int, label_id: int) -> Document:
        body = {"taskId": task_id, "labelId": label_id}
        answer = await self.service.ask(Endpoint.ATTACH_LABEL, board_id, body=body)
        return answer.document(Label, "label")

    async def _detach_label(self, board_id: int, task_id: int, label_id: int) -> None:
        await self.service.delete(Endpoint.DETACH_LABEL, board_id, task_id, label_id)


class Fields:
    """Custom fields of boards and tasks, which only some editions have (section 4.7)."""

    service: RemoteService

    async def fields(self, board_id: int) -> list[Document]:
        """The fields of a board (4.7)."""
        answer = await self.service.ask(Endpoint.LIST_FIELDS, board_id)
        return await answer.documents(CustomField, "customFields")

    async def create_field(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str] = ()
    ) -> Document:
        """Add a field of a type such as `text`, `select`, `checkbox` or `date` (4.7).

        `options` are those of a select.
        """
        body = _field(title, field_type, options)
        answer = await self.service.ask(Endpoint.CREATE_FIELD, board_id, body=body)
        return answer.document(CustomField, "customField")

    async def update_field(
        self,
        board_id: int,
        field_id: int,
        *,
        title: str,
        field_type: str,
        options: Sequence[str] = (),
    ) -> Document:
        """Change a field; its title and type are always sent (4.7)."""
        body = _field(title, field_type, options)
        answer = await self.service.ask(Endpoint.UPDATE_FIELD, board_id, field_id, body=body)
        return answer.document(CustomField, "customField")

    async def reposition_field(self, board_id: int, field_id: int, index: int) -> None:
        """Move a field to a position, counted from 1 (4.7).

        Raises `ValueError` for a position below 1.
        """
        if index < 1:
            raise ValueError("a place among the fields is counted from 1")
        body = {"newIndex": index}
        await self.service.ask(Endpoint.REPOSITION_FIELD, board_id, field_id, body=body)

    async def delete_field(self, board_id: int, field_id: int) -> None:
        """Delete a field with its values (4.7)."""
        await self.service.delete(Endpoint.DELETE_FIELD, board_id, field_id)

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        """The custom field values of a task (4.7)."""
        answer = await self.service.ask(Endpoint.LIST_FIELD_VALUES, board_id, task_id)
        return await answer.documents(FieldValue, "customFields")

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: Value
    ) -> Document:
        """Set the value of a field, or clear it with None; returns the field (4.7)."""
        body = {"custom_field_id": field_id, "value": written_value(value)}
        answer = await self.service.ask(Endpoint.SET_FIELD_VALUE, board_id, task_id, body=body)
        return answer.document(CustomField, "customField")


def _field(title: str, field_type: str, options: Sequence[str]) -> dict[str, object]:
    more = {"options": list(options)} if options else {}
    return {"customField": {"title": title, "type": field_type, **more}}


def written_value(value: Value) -> str:
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
