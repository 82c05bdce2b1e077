"""The types of tasks and what belongs to them, and the columns of a task (section 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from tui.schema.base import (
    DONE,
    Count,
    Dated,
    IdText,
    Object,
    Priority,
    Status,
    ValueReading,
    Wall,
)
from tui.schema.boards import (
    Board,
    FieldValue,
    Stage,
    TaskLabel,
    User,
)


@dataclass(frozen=True, slots=True)
class TaskColumn:
    """A column of `task`: its default in a new task, whether a copy keeps it, and if it is set.

    One that `is_set` is set to any value of its type as a property of the task (4.3).
    """

    new: str | None = None
    is_copied: bool = False
    is_set: bool = False


class TaskColumns(Dated):
    """The columns of `task` shown unchanged in replies; insert and copy are derived from them."""

    id: int
    parent_id: Annotated[int | None, TaskColumn()]
    board_id: Annotated[int, TaskColumn()]
    stage_id: Annotated[int | None, TaskColumn()]
    crm_contact_id: Annotated[int | None, TaskColumn(is_copied=True, is_set=True)]
    title: Annotated[str, TaskColumn(is_copied=True)]
    slug: Annotated[str, TaskColumn(is_copied=True)]
    type: Annotated[str, TaskColumn("task")]
    status: Annotated[Status, TaskColumn("open")]
    priority: Annotated[Priority, TaskColumn("low", is_copied=True)]
    description: Annotated[str | None, TaskColumn(is_copied=True)]
    lead_value: Annotated[str, TaskColumn("0.00", is_copied=True), ValueReading.NUMBER]
    created_by: int
    position: Annotated[float, TaskColumn(is_copied=True)]
    comments_count: Count
    issue_number: int | None
    source: Annotated[str | None, TaskColumn("web")]
    source_id: Annotated[str | None, TaskColumn()]
    reminder_type: Annotated[str, TaskColumn("none", is_set=True)]
    remind_at: Annotated[Wall | None, TaskColumn(is_set=True)]
    started_at: Annotated[Wall | None, TaskColumn(is_copied=True, is_set=True)]
    due_at: Annotated[Wall | None, TaskColumn(is_copied=True, is_set=True)]
    last_completed_at: Annotated[Wall | None, TaskColumn()]
    archived_at: Annotated[Wall | None, TaskColumn()]


class _TaskSettings(TypedDict):
    cover: Any
    subtask_count: int
    attachment_count: int
    subtask_completed_count: int


TEMPLATE = "is_template"
"""The member of `meta` that makes a task a template; also a property of the task (4.3)."""


class _TaskMeta(TypedDict, total=False):
    is_template: Literal["yes", "no"]
    subtask_group_id: int
    group_name: str


class Task(TaskColumns):
    """A task or a subtask (2.2)."""

    settings: _TaskSettings
    meta: _TaskMeta
    repeat_task_meta: Annotated[Object | None, ValueReading.RAW]
    isOverdue: bool
    isUpcoming: bool
    is_watching: bool
    labels: list[TaskLabel]
    assignees: list[User]
    task_custom_fields: list[FieldValue]
    board: NotRequired[Board]
    stage: NotRequired[Stage | None]
    nextStage: NotRequired[str | None]
    watchers: NotRequired[list[User]]
    attachments: NotRequired[list[Object]]


SHOWN_COLUMNS = tuple(TaskColumns.__annotations__)
TASK_COLUMNS: Mapping[str, TaskColumn] = {
    name: column
    for name, kind in TaskColumns.__annotations__.items()
    for column in getattr(kind, "__metadata__", ())
    if isinstance(column, TaskColumn)
} | {
    "subtask_group_id": TaskColumn(),
    "settings": TaskColumn("{}", is_copied=True),
    "meta": TaskColumn("{}"),
}
"""Every column of `task` that a new row sets; the last three are shown in another form."""


class SubtaskGroup(Dated):
    """A group of subtasks (2.11)."""

    id: int
    task_id: int
    key: Literal["group_name"]
    value: str
    subtasks: NotRequired[list[Task]]


class Image(Dated):
    """A picture of a comment (2.6)."""

    id: int
    object_id: int
    object_type: Literal["comment_image"]
    attachment_type: str
    title: str
    file_path: str
    full_url: str
    file_size: str
    settings: Annotated[str, ValueReading.RAW]
    driver: str
    file_hash: str
    status: str
    secure_url: str
    public_url: NotRequired[str]


class _CommentSettings(TypedDict, total=False):
    raw_description: str | None
    mentioned_id: list[int] | None


class Comment(Dated):
    """A comment or a reply (2.5)."""

    id: int
    board_id: int
    task_id: int
    parent_id: Annotated[int | None, ValueReading.PARENT]
    type: Literal["comment", "reply"]
    privacy: Literal["private", "public"]
    status: str
    author_name: str
    author_email: str
    author_ip: str
    description: str
    created_by: int
    settings: _CommentSettings
    replies: list["Comment"]
    replies_count: int
    avatar: str
    user: User | None
    images: list[Image]
    task: NotRequired[Task]


class Activity(Dated):
    """A change with its author (2.12)."""

    id: int
    object_id: IdText
    object_type: Literal["task_activity", "board_activity"]
    action: str
    column: str
    old_value: str | None
    new_value: str | None
    description: str | None
    created_by: IdText
    settings: Object | None
    user: User | None


TASKS_DONE = {"updatedTasks": list[Task]} | DONE
SUBTASKS = {"changedSubtasks": list[Task]}
GROUP_DONE = {"subtaskGroup": SubtaskGroup} | DONE
