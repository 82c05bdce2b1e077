"""Comments, and the images in them (sections 2.5, 2.6)."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from tui.client.records.base import Many, One, Record
from tui.client.records.people import UserRecord
from tui.client.records.values import (
    Count,
    Instant,
    Object,
    OptionalText,
    OtherId,
    Raw,
    Text,
    as_ids,
    as_other_id,
    as_text,
)

ParentId = Annotated[
    int | None, BeforeValidator(lambda value: 0 if value is False else as_other_id(value))
]
"""The comment that is answered; 0 where a service took no answer for one to nothing."""


class ImageRecord(Record):
    """An uploaded image, or an attachment of a task (section 2.6).

    `object_id` is 0 until a comment takes it; `secure_url` is signed: never log it.
    """

    object_id: OtherId = None
    object_type: OptionalText = None
    attachment_type: OptionalText = None
    title: Text = ""
    file_path: OptionalText = None
    full_url: OptionalText = None
    file_size: OptionalText = None
    settings: Raw = None
    driver: OptionalText = None
    file_hash: OptionalText = None
    status: OptionalText = None
    created_at: Instant = None
    updated_at: Instant = None
    secure_url: OptionalText = None
    public_url: OptionalText = None


class CommentRecord(Record):
    """A comment on a task, or a reply to one (section 2.5)."""

    board_id: OtherId = None
    task_id: OtherId = None
    parent_id: ParentId = None
    type: OptionalText = None
    privacy: OptionalText = None
    status: OptionalText = None
    author_name: OptionalText = None
    author_email: OptionalText = None
    author_ip: OptionalText = None
    description: Text = ""
    created_by: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    updated_at: Instant = None
    replies_count: Count = 0
    avatar: OptionalText = None
    user: One[UserRecord] = None
    images: Many[ImageRecord] = Field(default_factory=list)
    replies: "Many[CommentRecord]" = Field(default_factory=list)

    @property
    def answers_nothing(self) -> bool:
        """Whether a service stored it as the answer to no comment; such ones are never listed."""
        return self.parent_id == 0

    @property
    def raw_description(self) -> str | None:
        """The text as it was typed, with entities where the service put them."""
        return as_text(self.settings.get("raw_description"))

    @property
    def mentioned_ids(self) -> list[int]:
        """The ids of those whom the comment mentions."""
        return as_ids(self.settings.get("mentioned_id"))
