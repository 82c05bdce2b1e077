"""Folders of boards (section 2.9)."""

from pydantic import Field

from tui.client.records.base import Record
from tui.client.records.values import Ids, Instant, OtherId, Text


class FolderRecord(Record):
    """A folder of boards (section 2.9)."""

    title: Text = ""
    created_by: OtherId = None
    boards_ids: Ids = Field(default_factory=list)
    created_at: Instant = None
    updated_at: Instant = None
