"""People, and how they belong to boards (section 2.10)."""

from pydantic import AliasChoices, Field

from tui.client.records.base import Many, One, Part, Record
from tui.client.records.values import (
    Flag,
    Flags,
    Instant,
    OptionalText,
    OtherId,
    OwnId,
    Raw,
    Role,
    Text,
    as_flags,
)


class PivotRecord(Part):
    """How two things belong together: a member and a board, a task and a label (section 2.10).

    `settings` and `preferences` are as they came, mostly in PHP's serialised notation;
    `settings_flags` and `preference_flags` say what is in them.
    """

    object_id: OtherId = None
    foreign_id: OtherId = None
    settings: Raw = None
    preferences: Raw = None
    created_at: Instant = None
    updated_at: Instant = None

    @property
    def settings_flags(self) -> Flags:
        """Yes or no for each of `is_admin` and `is_viewer_only` that the service tells."""
        return as_flags(self.settings)

    @property
    def preference_flags(self) -> Flags:
        """Yes or no for each `email_after_…` and `dashboard_notification` that was told."""
        return as_flags(self.preferences)

    @property
    def is_admin(self) -> bool | None:
        """Whether the member manages the board; None if the service does not say."""
        return self.settings_flags.get("is_admin")


class BoardRoleRecord(Record):
    """A board somebody belongs to, and as what; on the list of all users."""

    title: Text = ""
    role: Role = None


class UserRecord(Record):
    """A user, or a member of a board with a role (section 2.10).

    `boards` is there on the list of all users, `is_admin` and `is_board_admin` in the answers to a
    change of role, `pivot` where members are read as people of their board.
    """

    id: OwnId = Field(validation_alias=AliasChoices("ID", "id"), serialization_alias="ID")
    user_login: Text = ""
    user_nicename: OptionalText = None
    display_name: Text = ""
    user_email: OptionalText = None
    email: OptionalText = None
    user_url: OptionalText = None
    user_registered: OptionalText = None
    user_status: OptionalText = None
    photo: OptionalText = None
    role: Role = None
    is_super: Flag = None
    is_wpadmin: Flag = None
    is_admin: Flag = None
    is_board_admin: Flag = None
    boards: Many[BoardRoleRecord] = Field(default_factory=list)
    pivot: One[PivotRecord] = None
