"""The rows of section 4 of the interface specification: method, path, section.

Read from the specification where it lies beside the project; otherwise the rows written down here,
which a test holds against it.
"""

import re
from pathlib import Path

Row = tuple[str, str, str]

SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "interface.md"

_HEADING = re.compile(r"### (4\.\d+) ")
_ROW = re.compile(r"\| (GET|POST|PUT|DELETE) \| (\S+) ")


def rows_of(specification: Path) -> list[Row]:
    """The rows in the tables of section 4; one that stands in two of them comes twice."""
    rows, section = [], ""
    for line in specification.read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.match(line):
            section = heading[1]
        elif (row := _ROW.match(line)) and section:
            rows.append((row[1], row[2], section))
    return rows


_WRITTEN = """
4.1
GET /projects
GET /projects/{board_id}
POST /projects
PUT /projects/{board_id}
DELETE /projects/{board_id}
PUT /projects/{board_id}/archive-board
PUT /projects/{board_id}/restore-board
POST /projects/{board_id}/duplicate-board
GET /projects/{board_id}/users
GET /projects/{board_id}/activities
4.2
POST /projects/{board_id}/stage-create
PUT /projects/{board_id}/update-stage/{stage_id}
PUT /projects/{board_id}/archive-stage/{stage_id}
PUT /projects/{board_id}/restore-stage/{stage_id}
PUT /projects/{board_id}/re-position-stages
PUT /projects/{board_id}/stage/{stage_id}/archive-all-task
PUT /projects/{board_id}/stage/{stage_id}/sort-task
GET /projects/{board_id}/archived-stages
GET /projects/{board_id}/stage-task-available-positions/{stage_id}
4.3
GET /projects/{board_id}/tasks
GET /projects/{board_id}/tasks/{task_id}
POST /projects/{board_id}/tasks
PUT /projects/{board_id}/tasks/{task_id}
DELETE /projects/{board_id}/tasks/{task_id}
PUT /projects/{board_id}/tasks/{task_id}/move-task
POST /projects/{board_id}/tasks/{task_id}/clone-task
GET /projects/{board_id}/tasks/{task_id}/activities
4.4
GET /projects/{board_id}/tasks/{task_id}/comments
POST /projects/{board_id}/tasks/{task_id}/comments
PUT /projects/{board_id}/tasks/{task_id}/comments/{comment_id}
DELETE /projects/{board_id}/tasks/comments/{comment_id}
POST /projects/{board_id}/tasks/{task_id}/comment-image-upload
4.5
GET /projects/{board_id}/tasks/{task_id}/subtasks
POST /projects/{board_id}/tasks/{task_id}/subtasks
POST /projects/{board_id}/tasks/{task_id}/subtask-group
PUT /projects/{board_id}/tasks/{task_id}/subtask-group
DELETE /projects/{board_id}/tasks/{task_id}/subtask-group
DELETE /projects/{board_id}/tasks/{task_id}/delete-subtask
POST /projects/{board_id}/tasks/{task_id}/move-subtask
PUT /projects/{board_id}/tasks/update-subtask-position/{subtask_id}
PUT /projects/{board_id}/tasks/{task_id}/convert-to-subtask
PUT /projects/{board_id}/tasks/{task_id}/move-to-board
POST /projects/{board_id}/tasks/{task_id}/clone-subtask
4.6
GET /projects/{board_id}/labels
POST /projects/{board_id}/labels
PUT /projects/{board_id}/labels/{label_id}
DELETE /projects/{board_id}/labels/{label_id}
GET /projects/{board_id}/labels/used-in-tasks
GET /projects/{board_id}/tasks/{task_id}/labels
POST /projects/{board_id}/labels/task
DELETE /projects/{board_id}/tasks/{task_id}/labels/{label_id}
4.7
GET /projects/{board_id}/custom-fields
POST /projects/{board_id}/custom-field
PUT /projects/{board_id}/custom-field/{custom_field_id}
PUT /projects/{board_id}/custom-field/{custom_field_id}/update-position
DELETE /projects/{board_id}/custom-field/{custom_field_id}
GET /projects/{board_id}/tasks/{task_id}/custom-fields
POST /projects/{board_id}/tasks/{task_id}/custom-fields
4.8
GET /admin/folders
POST /admin/folders
PUT /admin/folders/{folder_id}
DELETE /admin/folders/{folder_id}
POST /admin/folders/{folder_id}/add-board
POST /admin/folders/{folder_id}/remove-board
4.9
GET /service-users
GET /search-service-users
GET /projects/{board_id}/users
POST /projects/{board_id}/add-members
POST /projects/{board_id}/user/{user_id}/remove
POST /projects/{board_id}/user/{user_id}/make-manager
POST /projects/{board_id}/user/{user_id}/remove-manager
POST /projects/{board_id}/user/{user_id}/make-member
POST /projects/{board_id}/user/{user_id}/make-viewer
DELETE /remove-user-from-board
POST /managers/roles/{user_id}
GET /projects/{board_id}/assignees
4.10
GET /webhooks
POST /webhooks
DELETE /webhooks/{id}
"""


def written_rows() -> list[Row]:
    """The rows as they are written down here."""
    rows, section = [], ""
    for line in _WRITTEN.split("\n"):
        method, _, path = line.partition(" ")
        if path:
            rows.append((method, path, section))
        else:
            section = line
    return rows
