"""The custom fields of a board, and a task's values in them."""

from dataclasses import dataclass
from enum import StrEnum

from tui.model.ids import BoardId, FieldId


class FieldType(StrEnum):
    """The types of fields that are drawn in ways of their own; any other is drawn as text."""

    TEXT = "text"
    TEXTAREA = "textarea"
    NUMBER = "number"
    URL = "url"
    SELECT = "select"
    CHECKBOX = "checkbox"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class CustomField:
    """A field of a board; `options` are what a select offers, in order."""

    id: FieldId
    board_id: BoardId
    title: str
    type: FieldType = FieldType.TEXT
    options: tuple[str, ...] = ()
    position: float = 0.0

    @property
    def is_checkbox(self) -> bool:
        """Whether its values are yes and no."""
        return self.type is FieldType.CHECKBOX


@dataclass(frozen=True, slots=True)
class FieldValue:
    """What one task has in one field: text, or yes or no for a checkbox."""

    field_id: FieldId
    value: str | bool

    @property
    def in_words(self) -> str:
        """The value for people."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return self.value
