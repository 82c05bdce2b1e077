"""What was done to tasks and boards (section 2.12)."""

from pydantic import Field

from tui.client.records.base import Record
from tui.client.records.nested import One
from tui.client.records.people import UserRecord
from tui.client.records.values import Instant, Object, OptionalText, OtherId, Text


class ActivityRecord(Record):
    """Something that was done to a task or a board (section 2.12)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    action: Text = ""
    column: Text = ""
    old_value: OptionalText = None
    new_value: OptionalText = None
    description: OptionalText = None
    created_by: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    user: One[UserRecord] = None
