"""Custom fields of a board, and what tasks have in them (section 4.7)."""

from collections.abc import Sequence
from datetime import date, datetime

from tui.client.endpoints import Endpoint, Route
from tui.client.records import FieldRecord, FieldValueRecord
from tui.client.records.values import as_flag, as_text, as_wall_time
from tui.client.resources.answers import Listing, read_listing
from tui.client.service import Service, member, record

FieldValue = str | bool | date | datetime | None
"""What a field can be given: text or an option of a select, a check, a day or a wall time."""

_WALL = "%Y-%m-%d %H:%M:%S"


class Fields:
    """The fields that a board adds to its tasks. Every method may raise `ApiError`.

    Raises `NotOffered` everywhere where the service's edition has no custom fields.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, board_id: int) -> Listing[FieldRecord]:
        """The fields of a board (4.7). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_FIELDS.at(board_id=board_id)
        answer = await self._service.ask(route)
        return await read_listing(member(route, answer, "customFields"), FieldRecord)

    async def create(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str] = ()
    ) -> FieldRecord:
        """Add a field of type `text`, `select`, `checkbox` or `date` (4.7).

        `options` are what a select offers. Raises `Refused`, `NotAllowed`. Never repeat it blindly.
        """
        route = Endpoint.CREATE_FIELD.at(board_id=board_id)
        return await self._write(route, title, field_type, options)

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
        route = Endpoint.UPDATE_FIELD.at(board_id=board_id, custom_field_id=field_id)
        return await self._write(route, title, field_type, options)

    async def reposition(self, board_id: int, field_id: int, index: int) -> None:
        """Put a field at a place, counted from 1 (4.7).

        Raises `ValueError` for a place below 1, `Refused`, `NotThere`, `NotAllowed`.
        """
        if index < 1:
            raise ValueError("a place among the fields is counted from 1")
        route = Endpoint.REPOSITION_FIELD.at(board_id=board_id, custom_field_id=field_id)
        await self._service.ask(route, body={"newIndex": index})

    async def delete(self, board_id: int, field_id: int) -> None:
        """Delete a field with its values (4.7). Raises `NotThere` if it is already gone."""
        await self._service.ask(
            Endpoint.DELETE_FIELD.at(board_id=board_id, custom_field_id=field_id)
        )

    async def values(self, board_id: int, task_id: int) -> Listing[FieldValueRecord]:
        """What a task has in the fields of its board (4.7). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.LIST_FIELD_VALUES.at(board_id=board_id, task_id=task_id)
        answer = await self._service.ask(route)
        return await read_listing(member(route, answer, "customFields"), FieldValueRecord)

    async def set_value(
        self, board_id: int, task_id: int, field_id: int, value: FieldValue
    ) -> FieldRecord:
        """Give a task a value in a field, None for no value; returns the field (4.7).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.SET_FIELD_VALUE.at(board_id=board_id, task_id=task_id)
        body = {"custom_field_id": field_id, "value": written_value(value)}
        return record(route, await self._service.ask(route, body=body), FieldRecord, "customField")

    async def _write(
        self, route: Route, title: str, field_type: str, options: Sequence[str]
    ) -> FieldRecord:
        field: dict[str, object] = {"title": title, "type": field_type}
        if options:
            field["options"] = list(options)
        answer = await self._service.ask(route, body={"customField": field})
        return record(route, answer, FieldRecord, "customField")


def read_value(field: FieldRecord, value: FieldValueRecord) -> FieldValue:
    """What a task has in a field, as what it is; text as it came for types of no section.

    A check or a date that cannot be understood is as if there were none.
    """
    if field.field_type == "checkbox":
        return as_flag(value.value)
    if field.field_type == "date":
        return as_wall_time(value.value)
    return as_text(value.value) or None


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
        return value.strftime(_WALL)
    if isinstance(value, date):
        return f"{value.isoformat()} 00:00:00"
    return value
