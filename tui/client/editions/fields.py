"""Sets dates in custom fields in the spelling that a service reads (4.7)."""

from datetime import date, datetime, time

from tui.client.capabilities import FieldDates
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.forms import Form, Forms
from tui.client.resources.labels import Value

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_OFFSET = 5
"""The length of `+0100`; zones of long ago have seconds too."""


class CheckedFields(Client):
    """Sets custom fields, dates as specified or in words."""

    forms: Forms

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: Value
    ) -> Document:
        set_value = super().set_field_value
        if not isinstance(value, date):
            return await set_value(board_id, task_id, field_id, value)
        when = value if isinstance(value, datetime) else datetime.combine(value, time())

        async def send(form: Form) -> Document:
            # Both paid editions answer 500 to `YYYY-MM-DD HH:MM:SS` and to ISO 8601.
            is_in_words = form["field_dates"] is FieldDates.WORDS
            spelt = self._in_words(when) if is_in_words else when
            return await set_value(board_id, task_id, field_id, spelt)

        return await self.forms.accepted([{"field_dates": form} for form in FieldDates], send)

    def _in_words(self, wall: datetime) -> str:
        """A wall time as browsers write it, `Thu Dec 24 2026 00:00:00 GMT+0100`."""
        zone = self.service.site.site
        zoned = wall.astimezone() if zone is None else wall.replace(tzinfo=zone)
        # `strftime` would write the names in the language of the locale.
        day, month = _DAYS[wall.weekday()], _MONTHS[wall.month - 1]
        offset = f"{zoned:%z}"[:_OFFSET]
        return f"{day} {month} {wall:%d} {wall.year:04} {wall:%H:%M:%S} GMT{offset}"
