"""Webhooks: addresses that create tasks on a board from what is posted to them (2.13)."""

from dataclasses import dataclass, field
from datetime import datetime

MASK = "••••••••"
_EMBEDDED = "http://embedded/"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook; its `address` and the `key` in it are secrets, which let anybody create tasks."""

    id: int
    name: str
    board_id: int
    stage_id: int
    created_at: datetime | None = None
    address: str = field(default="", repr=False)
    key: str = field(default="", repr=False)

    @property
    def masked_address(self) -> str:
        """The address without its key."""
        if self.key and self.key in self.address:
            return self.hide_key(self.address)
        scheme, mark, location = self.address.partition("://")
        return f"{scheme}://{location.partition('/')[0]}/{MASK}" if mark else ""

    @property
    def is_embedded(self) -> bool:
        """Whether it is of the embedded service, which other programs cannot reach."""
        return self.address.startswith(_EMBEDDED)

    def hide_key(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self.key, MASK) if self.key else text


@dataclass(frozen=True, slots=True)
class AcceptedField:
    """A field of a task that webhooks accept; `kind` and `rules` are the service's words."""

    key: str
    kind: str = ""
    rules: str = ""
    description: str = ""
