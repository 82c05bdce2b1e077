"""Every endpoint the client knows, once: method, path and whether it is safe to repeat.

The rule it keeps: a method and a path are written down here and nowhere else, so that the table
can be held against the specification and against the embedded service.
"""

from dataclasses import dataclass
from enum import Enum, unique

_SAFE = True
_UNSAFE = False


@unique
class Endpoint(Enum):
    """One row of section 4: HTTP method, path below the base URL, safe to repeat blindly."""

    LIST_BOARDS = ("GET", "/projects", _SAFE)
    GET_BOARD = ("GET", "/projects/{board_id}", _SAFE)
    CREATE_BOARD = ("POST", "/projects", _UNSAFE)
    UPDATE_BOARD = ("PUT", "/projects/{board_id}", _UNSAFE)
    DELETE_BOARD = ("DELETE", "/projects/{board_id}", _UNSAFE)
    ARCHIVE_BOARD = ("PUT", "/projects/{board_id}/archive-board", _UNSAFE)
    RESTORE_BOARD = ("PUT", "/projects/{board_id}/restore-board", _UNSAFE)
    DUPLICATE_BOARD = ("POST", "/projects/{board_id}/duplicate-board", _UNSAFE)
    LIST_BOARD_USERS = ("GET", "/projects/{board_id}/users", _SAFE)
    LIST_BOARD_ACTIVITIES = ("GET", "/projects/{board_id}/activities", _SAFE)
    HAS_DATA_CHANGED = ("GET", "/projects/{board_id}/has-data-changed", _SAFE)

    CREATE_STAGE = ("POST", "/projects/{board_id}/stage-create", _UNSAFE)
    UPDATE_STAGE = ("PUT", "/projects/{board_id}/update-stage/{stage_id}", _UNSAFE)
    ARCHIVE_STAGE = ("PUT", "/projects/{board_id}/archive-stage/{stage_id}", _UNSAFE)
    RESTORE_STAGE = ("PUT", "/projects/{board_id}/restore-stage/{stage_id}", _UNSAFE)
    REPOSITION_STAGES = ("PUT", "/projects/{board_id}/re-position-stages", _UNSAFE)
    ARCHIVE_STAGE_TASKS = (
        "PUT",
        "/projects/{board_id}/stage/{stage_id}/archive-all-task",
        _UNSAFE,
    )
    SORT_STAGE_TASKS = ("PUT", "/projects/{board_id}/stage/{stage_id}/sort-task", _UNSAFE)
    LIST_ARCHIVED_STAGES = ("GET", "/projects/{board_id}/archived-stages", _SAFE)
    LIST_AVAILABLE_POSITIONS = (
        "GET",
        "/projects/{board_id}/stage-task-available-positions/{stage_id}",
        _SAFE,
    )

    LIST_TASKS = ("GET", "/projects/{board_id}/tasks", _SAFE)
    GET_TASK = ("GET", "/projects/{board_id}/tasks/{task_id}", _SAFE)
    CREATE_TASK = ("POST", "/projects/{board_id}/tasks", _UNSAFE)
    UPDATE_TASK = ("PUT", "/projects/{board_id}/tasks/{task_id}", _UNSAFE)
    DELETE_TASK = ("DELETE", "/projects/{board_id}/tasks/{task_id}", _UNSAFE)
    MOVE_TASK = ("PUT", "/projects/{board_id}/tasks/{task_id}/move-task", _UNSAFE)
    CLONE_TASK = ("POST", "/projects/{board_id}/tasks/{task_id}/clone-task", _UNSAFE)
    LIST_TASK_ACTIVITIES = ("GET", "/projects/{board_id}/tasks/{task_id}/activities", _SAFE)

    LIST_COMMENTS = ("GET", "/projects/{board_id}/tasks/{task_id}/comments", _SAFE)
    CREATE_COMMENT = ("POST", "/projects/{board_id}/tasks/{task_id}/comments", _UNSAFE)
    UPDATE_COMMENT = (
        "PUT",
        "/projects/{board_id}/tasks/{task_id}/comments/{comment_id}",
        _UNSAFE,
    )
    UPDATE_COMMENT_SHORT = ("PUT", "/projects/{board_id}/tasks/comments/{comment_id}", _UNSAFE)
    DELETE_COMMENT = ("DELETE", "/projects/{board_id}/tasks/comments/{comment_id}", _UNSAFE)

    LIST_LABELS = ("GET", "/projects/{board_id}/labels", _SAFE)
    CREATE_LABEL = ("POST", "/projects/{board_id}/labels", _UNSAFE)
    UPDATE_LABEL = ("PUT", "/projects/{board_id}/labels/{label_id}", _UNSAFE)
    DELETE_LABEL = ("DELETE", "/projects/{board_id}/labels/{label_id}", _UNSAFE)
    LIST_USED_LABELS = ("GET", "/projects/{board_id}/labels/used-in-tasks", _SAFE)
    LIST_TASK_LABELS = ("GET", "/projects/{board_id}/tasks/{task_id}/labels", _SAFE)
    ATTACH_LABEL = ("POST", "/projects/{board_id}/labels/task", _UNSAFE)
    DETACH_LABEL = ("DELETE", "/projects/{board_id}/tasks/{task_id}/labels/{label_id}", _UNSAFE)

    def __init__(self, method: str, path: str, is_safe: bool) -> None:
        self.method = method
        self.path = path
        self.is_safe = is_safe

    def at(self, **ids: int) -> "Route":
        """This endpoint for certain things, as `GET_TASK.at(board_id=1, task_id=2)`."""
        return Route(self.method, self.path.format(**ids), self.is_safe)


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path with its ids filled in; printed as the log shows it."""

    method: str
    path: str
    is_safe: bool

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
