"""Webhooks, and what they take (section 2.13)."""

from tui.client.records.base import One, Part, Record
from tui.client.records.values import Instant, OptionalText, OtherId, Text


class WebhookTarget(Part):
    """What a webhook is called, where its tasks go, and its address (section 2.13).

    The address holds the key, and whoever has it can make tasks: never log it.
    """

    name: Text = ""
    board: OtherId = None
    stage: OtherId = None
    query_timestamp: OptionalText = None
    url: OptionalText = None


class WebhookRecord(Record):
    """A webhook: its `value` tells what it is (section 2.13)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    key: OptionalText = None
    value: One[WebhookTarget] = None
    created_at: Instant = None
    updated_at: Instant = None


class AcceptedText(Part):
    """How a webhook understands a field, in the service's words (section 2.13)."""

    field: Text = ""
    type: Text = ""
    rules: Text = ""
    description: Text = ""


class AcceptedField(Part):
    """A field of a task that webhooks take (section 2.13)."""

    key: Text
    field: One[AcceptedText] = None

    @property
    def is_required(self) -> bool:
        """Whether a webhook refuses a task without it."""
        return self.field is not None and self.field.rules == "required"
