"""Custom fields of boards, and their values on tasks."""

from enum import StrEnum

from tui.model.ids import BoardId, FieldId
from tui.record import record


class FieldType(StrEnum):
    """Field types that are drawn in special ways; any other is drawn as text."""

    TEXT = "text"
    TEXTAREA = "textarea"
    NUMBER = "number"
    URL = "url"
    SELECT = "select"
    CHECKBOX = "checkbox"
    DATE = "date"

    @property
    def in_words(self) -> str:
        """The type for the user."""
        return {FieldType.TEXTAREA: "long text", FieldType.URL: "link"}.get(self, self.value)


@record
class CustomField:
    """A field of a board; `options` are those of a select, in order."""

    id: FieldId
    board_id: BoardId
    title: str
    type: FieldType = FieldType.TEXT
    options: tuple[str, ...] = ()
    position: float = 0.0

    @property
    def is_checkbox(self) -> bool:
        """Whether its values are booleans."""
        return self.type is FieldType.CHECKBOX


@record
class FieldValue:
    """The value of a field of a task: text, or a boolean for a checkbox."""

    field_id: FieldId
    value: str | bool

    @property
    def in_words(self) -> str:
        """The value for people."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return self.value
