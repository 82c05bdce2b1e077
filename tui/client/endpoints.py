"""The endpoints of the interface: method, path, encoding and section.

Every method and path is written here only, so that tests can compare the table with the
specification and with the embedded service.
"""

import re
from dataclasses import dataclass
from enum import Enum, unique

from tui.client.capabilities import Feature

_SAFE_METHODS = frozenset({"GET", "HEAD"})


@unique
class Encoding(Enum):
    """How the body of a request is encoded."""

    JSON = "application/json"
    FORM = "application/x-www-form-urlencoded"
    MULTIPART = "multipart/form-data"


_FORM = Encoding.FORM
_MULTIPART = Encoding.MULTIPART
_DEPLOYED = "deployed"
"""Not in the specification, but offered by deployed services."""
SITE = "site"
"""Belongs to the site that a deployed service is part of."""

_PART = re.compile(r"{\w+}")
_BOARD = "/projects/{board_id}"
_STAGE = _BOARD + "/stage/{stage_id}"
_TASK = _BOARD + "/tasks/{task_id}"
_GROUP = _TASK + "/subtask-group"
_USER = _BOARD + "/user/{user_id}"
_FIELD = _BOARD + "/custom-field/{custom_field_id}"
_FOLDER = "/admin/folders/{folder_id}"


@unique
class Endpoint(Enum):
    """One row of section 4: HTTP method, path below the base URL, section, encoding of the body.

    `{path_word}` is a segment that services choose, `service` in the specification. `feature` is
    the feature that a service without the endpoint lacks.
    """

    LIST_BOARDS = ("GET", "/projects", "4.1")
    GET_BOARD = ("GET", _BOARD, "4.1")
    CREATE_BOARD = ("POST", "/projects", "4.1")
    UPDATE_BOARD = ("PUT", _BOARD, "4.1")
    DELETE_BOARD = ("DELETE", _BOARD, "4.1")
    ARCHIVE_BOARD = ("PUT", _BOARD + "/archive-board", "4.1", Feature.BOARD_ARCHIVE)
    RESTORE_BOARD = ("PUT", _BOARD + "/restore-board", "4.1", Feature.BOARD_ARCHIVE)
    DUPLICATE_BOARD = ("POST", _BOARD + "/duplicate-board", "4.1", Feature.BOARD_COPIES)
    LIST_BOARD_USERS = ("GET", _BOARD + "/users", "4.1")
    LIST_BOARD_ACTIVITIES = ("GET", _BOARD + "/activities", "4.1")
    HAS_DATA_CHANGED = ("GET", _BOARD + "/has-data-changed", _DEPLOYED, Feature.CHANGE_NEWS)

    CREATE_STAGE = ("POST", _BOARD + "/stage-create", "4.2")
    UPDATE_STAGE = ("PUT", _BOARD + "/update-stage/{stage_id}", "4.2")
    UPDATE_STAGE_PROPERTY = ("PUT", _BOARD + "/update-stage-property/{stage_id}", _DEPLOYED)
    ARCHIVE_STAGE = ("PUT", _BOARD + "/archive-stage/{stage_id}", "4.2")
    RESTORE_STAGE = ("PUT", _BOARD + "/restore-stage/{stage_id}", "4.2")
    REPOSITION_STAGES = ("PUT", _BOARD + "/re-position-stages", "4.2")
    ARCHIVE_STAGE_TASKS = ("PUT", _STAGE + "/archive-all-task", "4.2")
    SORT_STAGE_TASKS = ("PUT", _STAGE + "/sort-task", "4.2")
    LIST_ARCHIVED_STAGES = ("GET", _BOARD + "/archived-stages", "4.2")
    LIST_AVAILABLE_POSITIONS = ("GET", _BOARD + "/stage-task-available-positions/{stage_id}", "4.2")

    LIST_TASKS = ("GET", _BOARD + "/tasks", "4.3")
    LIST_ARCHIVED_TASKS = ("GET", _BOARD + "/archived-tasks", _DEPLOYED, Feature.ARCHIVE_PAGES)
    GET_TASK = ("GET", _TASK, "4.3")
    CREATE_TASK = ("POST", _BOARD + "/tasks", "4.3")
    UPDATE_TASK = ("PUT", _TASK, "4.3")
    DELETE_TASK = ("DELETE", _TASK, "4.3")
    MOVE_TASK = ("PUT", _TASK + "/move-task", "4.3")
    CLAIM_TASK = ("PUT", _TASK + "/claim", _DEPLOYED, Feature.CLAIMS)
    CLONE_TASK = ("POST", _TASK + "/clone-task", "4.3", Feature.TASK_COPIES)
    LIST_TASK_ACTIVITIES = ("GET", _TASK + "/activities", "4.3")

    LIST_COMMENTS = ("GET", _TASK + "/comments", "4.4")
    CREATE_COMMENT = ("POST", _TASK + "/comments", "4.4")
    UPDATE_COMMENT = ("PUT", _TASK + "/comments/{comment_id}", "4.4")
    UPDATE_COMMENT_SHORT = ("PUT", _BOARD + "/tasks/comments/{comment_id}", _DEPLOYED)
    DELETE_COMMENT = ("DELETE", _BOARD + "/tasks/comments/{comment_id}", "4.4")
    # Of the old paid edition, which answers 404 below a board.
    UPDATE_COMMENT_OWN = ("PUT", "/tasks/{comment_id}/comments", _DEPLOYED)
    DELETE_COMMENT_OWN = ("DELETE", "/tasks/{comment_id}/comments", _DEPLOYED)
    UPDATE_REPLY_OWN = ("PUT", "/tasks/reply/{comment_id}", _DEPLOYED)
    DELETE_REPLY_OWN = ("DELETE", "/tasks/reply/{comment_id}", _DEPLOYED)
    UPLOAD_COMMENT_IMAGE = (
        "POST",
        _TASK + "/comment-image-upload",
        "4.4",
        Feature.PICTURES,
        _MULTIPART,
    )

    LIST_SUBTASKS = ("GET", _TASK + "/subtasks", "4.5", Feature.SUBTASKS)
    CREATE_SUBTASK = ("POST", _TASK + "/subtasks", "4.5", Feature.SUBTASKS)
    CREATE_SUBTASK_GROUP = ("POST", _GROUP, "4.5", Feature.SUBTASK_GROUPS)
    UPDATE_SUBTASK_GROUP = ("PUT", _GROUP, "4.5", Feature.SUBTASK_GROUPS)
    DELETE_SUBTASK_GROUP = ("DELETE", _GROUP, "4.5", Feature.SUBTASK_GROUPS)
    DELETE_SUBTASK = ("DELETE", _TASK + "/delete-subtask", "4.5")
    MOVE_SUBTASKS = ("POST", _TASK + "/move-subtask", "4.5")
    REPOSITION_SUBTASK = ("PUT", _BOARD + "/tasks/update-subtask-position/{subtask_id}", "4.5")
    CONVERT_TO_SUBTASK = ("PUT", _TASK + "/convert-to-subtask", "4.5")
    MOVE_SUBTASK_TO_BOARD = ("PUT", _TASK + "/move-to-board", "4.5")
    CLONE_SUBTASK = ("POST", _TASK + "/clone-subtask", "4.5", Feature.SUBTASK_COPIES)

    LIST_LABELS = ("GET", _BOARD + "/labels", "4.6")
    CREATE_LABEL = ("POST", _BOARD + "/labels", "4.6")
    UPDATE_LABEL = ("PUT", _BOARD + "/labels/{label_id}", "4.6")
    DELETE_LABEL = ("DELETE", _BOARD + "/labels/{label_id}", "4.6")
    LIST_USED_LABELS = ("GET", _BOARD + "/labels/used-in-tasks", "4.6")
    LIST_TASK_LABELS = ("GET", _TASK + "/labels", "4.6")
    ATTACH_LABEL = ("POST", _BOARD + "/labels/task", "4.6")
    DETACH_LABEL = ("DELETE", _TASK + "/labels/{label_id}", "4.6")

    LIST_FIELDS = ("GET", _BOARD + "/custom-fields", "4.7", Feature.CUSTOM_FIELDS)
    CREATE_FIELD = ("POST", _BOARD + "/custom-field", "4.7", Feature.CUSTOM_FIELDS, _FORM)
    UPDATE_FIELD = ("PUT", _FIELD, "4.7", None, _FORM)
    REPOSITION_FIELD = (
        "PUT",
        _FIELD + "/update-position",
        "4.7",
        Feature.CUSTOM_FIELD_ORDER,
        _FORM,
    )
    DELETE_FIELD = ("DELETE", _FIELD, "4.7")
    LIST_FIELD_VALUES = ("GET", _TASK + "/custom-fields", "4.7", Feature.CUSTOM_FIELDS)
    SET_FIELD_VALUE = ("POST", _TASK + "/custom-fields", "4.7")

    LIST_FOLDERS = ("GET", "/admin/folders", "4.8", Feature.FOLDERS)
    CREATE_FOLDER = ("POST", "/admin/folders", "4.8", Feature.FOLDERS, _FORM)
    UPDATE_FOLDER = ("PUT", _FOLDER, "4.8", None, _FORM)
    DELETE_FOLDER = ("DELETE", _FOLDER, "4.8")
    ADD_BOARDS_TO_FOLDER = ("POST", _FOLDER + "/add-board", "4.8")
    REMOVE_BOARD_FROM_FOLDER = ("POST", _FOLDER + "/remove-board", "4.8", None, _FORM)

    LIST_USERS = ("GET", "/{path_word}-users", "4.9", Feature.SERVICE_USERS)
    SEARCH_USERS = ("GET", "/search-{path_word}-users", "4.9", Feature.USER_SEARCH)
    ADD_MEMBER = ("POST", _BOARD + "/add-members", "4.9")
    REMOVE_MEMBER = ("POST", _USER + "/remove", "4.9")
    MAKE_MANAGER = ("POST", _USER + "/make-manager", "4.9", Feature.ROLES)
    REMOVE_MANAGER = ("POST", _USER + "/remove-manager", "4.9", Feature.ROLES)
    MAKE_MEMBER = ("POST", _USER + "/make-member", "4.9", Feature.VIEWER_ROLES)
    MAKE_VIEWER = ("POST", _USER + "/make-viewer", "4.9", Feature.VIEWER_ROLES)
    REMOVE_USER_FROM_BOARD = (
        "DELETE",
        "/remove-user-from-board",
        "4.9",
        Feature.REMOVAL_FROM_BOARD,
    )
    SYNC_ROLES = ("POST", "/managers/roles/{user_id}", "4.9", Feature.ROLES)
    WHO_AM_I = ("GET", "/wp/v2/users/me", SITE)
    LIST_SITE_USERS = ("GET", "/wp/v2/users", SITE, Feature.SITE_USERS)
    # On deployed services only people who already have a task.
    LIST_ASSIGNEES = ("GET", _BOARD + "/assignees", "4.9")

    LIST_WEBHOOKS = ("GET", "/webhooks", "4.10", Feature.WEBHOOKS)
    CREATE_WEBHOOK = ("POST", "/webhooks", "4.10", Feature.WEBHOOKS)
    DELETE_WEBHOOK = ("DELETE", "/webhooks/{webhook_id}", "4.10")

    def __init__(
        self,
        method: str,
        path: str,
        section: str,
        feature: Feature | None = None,
        encoding: Encoding = Encoding.JSON,
    ) -> None:
        self.method = method
        self.path = path
        self.section = section
        self.encoding = encoding
        self.feature = feature

    @property
    def is_deployed_only(self) -> bool:
        """Whether it is not in the specification."""
        return self.section in {_DEPLOYED, SITE}

    def at(self, *parts: int | str) -> "RequestLine":
        """This endpoint with ids, in the order of its path: `GET_TASK.at(1, 2)`."""
        return RequestLine(
            self.method,
            _PART.sub("{}", self.path).format(*parts),
            self.method in _SAFE_METHODS,
            self.encoding,
            self.section == SITE,
            self.feature,
        )


@dataclass(frozen=True, slots=True)
class RequestLine:
    """A method and a path with ids filled in; printed as in the log.

    A route that `is_safe` changes nothing and may be retried. The path of one that `is_of_site` is
    relative to the site's index. `feature` is what a service without it lacks.
    """

    method: str
    path: str
    is_safe: bool
    encoding: Encoding = Encoding.JSON
    is_of_site: bool = False
    feature: Feature | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
