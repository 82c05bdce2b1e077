"""The types of boards, their parts, and people (section 2)."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from tui.schema.base import (
    DONE,
    Color,
    Dated,
    Decimal,
    IdText,
    Object,
    RoleName,
    Status,
    ValueReading,
    Wall,
)


class User(TypedDict):
    """A person (2.10)."""

    ID: int
    user_login: str
    user_nicename: str
    user_email: str
    email: str
    user_url: str
    user_registered: Wall
    user_status: str
    display_name: str
    photo: str


class Membership(Dated):
    """The relation of a person and a board (2.10)."""

    object_id: int
    foreign_id: int
    settings: str
    preferences: str


class Member(User):
    """A person with a role on a board."""

    role: RoleName
    is_super: bool
    is_wpadmin: bool
    is_admin: NotRequired[bool]
    is_board_admin: NotRequired[bool]
    pivot: NotRequired[Membership]


class _PersonBoard(TypedDict):
    id: int
    title: str
    role: RoleName


class ListedPerson(TypedDict):
    """A person in the administrators' list."""

    ID: int
    display_name: str
    photo: str
    email: str
    is_super: bool
    is_wpadmin: bool
    boards: list[_PersonBoard]


class StageSettings(TypedDict):
    """The settings of a stage that the service uses; it keeps others too."""

    default_task_status: Status
    default_task_assignees: list[int]
    is_template: bool


STAGE_DEFAULTS: StageSettings = {
    "default_task_status": "open",
    "default_task_assignees": [],
    "is_template": False,
}


class Stage(Dated):
    """A stage of a board (2.4)."""

    id: int
    board_id: int
    title: str
    slug: str | None
    type: Literal["stage"]
    position: float
    color: str | None
    bg_color: str | None
    settings: StageSettings
    archived_at: Wall | None
    created_by: int


class Label(Dated):
    """A label of a board (2.7)."""

    id: int
    board_id: int
    title: str | None
    slug: str | None
    type: Literal["label"]
    position: Decimal
    color: str | None
    bg_color: Color
    settings: Object | None
    archived_at: Wall | None


class _LabelPivot(Dated):
    object_id: int
    foreign_id: int
    settings: Object | None


class TaskLabel(Label):
    """A label on a task."""

    pivot: _LabelPivot


class _FieldSettings(TypedDict):
    custom_field_type: str
    select_options: NotRequired[list[str]]


class CustomField(Dated):
    """A custom field of a board (2.8)."""

    id: int
    board_id: int
    title: str
    slug: str
    type: Literal["custom-field"]
    position: float
    color: str | None
    bg_color: str | None
    settings: _FieldSettings
    archived_at: Wall | None


class _FieldValueSettings(TypedDict):
    value: Any


class FieldValue(Dated):
    """The value of a custom field of a task (2.8)."""

    id: int
    object_id: int
    object_type: Literal["task_custom_field"]
    foreign_id: int
    settings: _FieldValueSettings
    preferences: Object | None


class _Background(TypedDict):
    id: str
    is_image: bool
    image_url: str | None
    color: Color


class _BoardSettings(TypedDict):
    tasks_count: int


class BoardName(TypedDict):
    """A board in the list of all people."""

    id: int
    title: str
    meta: Object
    isUserOnlyViewer: bool


class Board(Dated):
    """A board (2.3)."""

    id: int
    parent_id: int | None
    title: str
    description: str
    type: Literal["to-do", "roadmap"]
    currency: str
    background: _Background
    settings: _BoardSettings
    completed_tasks_count: Annotated[str, ValueReading.COUNT]
    created_by: int
    archived_at: Wall | None
    meta: Object
    isUserOnlyViewer: bool
    users: NotRequired[list[Member]]
    stages: NotRequired[list[Stage]]
    owner: NotRequired[User | None]
    labels: NotRequired[list[Label]]
    labelColor: NotRequired[Object]
    labelColorText: NotRequired[Object]
    custom_fields: NotRequired[list[CustomField]]
    pivot: NotRequired[Membership]


class FoundUser(User):
    """A person found by a search, with the boards that the caller may see."""

    is_super: bool
    is_wpadmin: bool
    which_boards: list[Board]


class AnyUser(Member, FoundUser):
    """A person with all that any reply may say of them."""

    boards: NotRequired[list[_PersonBoard]]


class AnyBoard(Board):
    """A board with what deployed services and single replies say of it too."""

    role: NotRequired[RoleName]
    synced_at: NotRequired[str | None]


class AnyStage(Stage):
    """A stage with its board, as in some replies of deployed services."""

    board: NotRequired[Board]


class FolderOfBoard(TypedDict):
    """The folder of a board."""

    board_id: int
    folder_id: int


class Folder(Dated):
    """A folder of boards (2.9)."""

    id: int
    title: str
    created_by: int
    boards_ids: list[int]


class WebhookValue(TypedDict):
    """The target of a webhook; its address is a secret that allows creating tasks."""

    name: str
    board: IdText
    stage: IdText
    url: str


class Webhook(Dated):
    """An address that creates tasks (2.13)."""

    id: int
    object_id: int | None
    object_type: Literal["webhook"]
    key: str
    value: Annotated[WebhookValue, ValueReading.PART]


class _WebhookFieldRules(TypedDict):
    field: str
    type: str
    rules: str
    description: str


class WebhookField(TypedDict):
    """A field that a webhook accepts."""

    key: str
    field: Annotated[_WebhookFieldRules, ValueReading.PART]


STAGES_DONE = {"updatedStages": list[Stage]} | DONE
FIELD_DONE = {"customField": CustomField} | DONE
MEMBER_DONE = {"member": Member} | DONE
