"""Recorded exchanges, and which method of the client makes each of them."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from tests.client.scripted import session
from tui.client.capabilities import Capabilities, CommentPath, Feature, StageBody
from tui.client.editions.client import client_for
from tui.client.endpoints import Endpoint
from tui.client.resources.tasks import Claim

HERE = Path(__file__).parent / "recordings"
WHOLE = Path(__file__).parents[3] / "shared" / "recordings"

PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89"
    b"\0\0\0\nIDATx\x9cc\0\1\0\0\5\0\1\r\n-\xb4\0\0\0\0IEND\xaeB`\x82"
)
"""A picture of one pixel."""

_NAMES = {"path_word": r"(?!search-)[a-z-]+"}
"""What stands for a name in a path that is not an id."""

_Method = Callable[..., Awaitable[object]]

METHODS: dict[Endpoint, _Method] = {
    Endpoint.LIST_BOARDS: lambda c: c.list_boards(),
    Endpoint.GET_BOARD: lambda c, board_id: c.board(board_id),
    Endpoint.CREATE_BOARD: lambda c: c.create_board("t", "", "to-do"),
    Endpoint.UPDATE_BOARD: lambda c, board_id: c.update_board(board_id, title="t"),
    Endpoint.DELETE_BOARD: lambda c, board_id: c.delete_board(board_id),
    Endpoint.ARCHIVE_BOARD: lambda c, board_id: c.archive_board(board_id),
    Endpoint.RESTORE_BOARD: lambda c, board_id: c.restore_board(board_id),
    Endpoint.DUPLICATE_BOARD: lambda c, board_id: c.duplicate_board(board_id, "t"),
    Endpoint.LIST_BOARD_USERS: lambda c, board_id: c.members(board_id),
    Endpoint.LIST_BOARD_ACTIVITIES: lambda c, board_id: c.activity_page(board_id),
    Endpoint.HAS_DATA_CHANGED: lambda c, board_id: c.ask_changes(board_id, "x"),
    Endpoint.CREATE_STAGE: lambda c, board_id: c.create_stage(board_id, "t"),
    Endpoint.UPDATE_STAGE: lambda c, board_id, stage_id: c.update_stage(board_id, stage_id, "t"),
    Endpoint.UPDATE_STAGE_PROPERTY: lambda c, board_id, stage_id: c._set_property(
        board_id, stage_id, "title", "t"
    ),
    Endpoint.ARCHIVE_STAGE: lambda c, board_id, stage_id: c.archive_stage(board_id, stage_id),
    Endpoint.RESTORE_STAGE: lambda c, board_id, stage_id: c.restore_stage(board_id, stage_id),
    Endpoint.REPOSITION_STAGES: lambda c, board_id: c.reposition_stages(board_id, [2, 1]),
    Endpoint.ARCHIVE_STAGE_TASKS: lambda c, board_id, stage_id: c.archive_tasks(board_id, stage_id),
    Endpoint.SORT_STAGE_TASKS: lambda c, board_id, stage_id: c.sort_tasks(
        board_id, stage_id, by="title"
    ),
    Endpoint.LIST_ARCHIVED_STAGES: lambda c, board_id: c.archived_stages(board_id),
    Endpoint.LIST_AVAILABLE_POSITIONS: lambda c, board_id, stage_id: c.available_positions(
        board_id, stage_id
    ),
    Endpoint.LIST_TASKS: lambda c, board_id: c.tasks(board_id),
    Endpoint.LIST_ARCHIVED_TASKS: lambda c, board_id: c.archived_tasks(board_id),
    Endpoint.GET_TASK: lambda c, board_id, task_id: c.task(board_id, task_id),
    Endpoint.CREATE_TASK: lambda c, board_id: c.create_task(board_id, 5, "t"),
    Endpoint.UPDATE_TASK: lambda c, board_id, task_id: c.set_task(board_id, task_id, "title", "t"),
    Endpoint.DELETE_TASK: lambda c, board_id, task_id: c.delete_task(board_id, task_id),
    Endpoint.MOVE_TASK: lambda c, board_id, task_id: c.move_task(board_id, task_id, 5, 1),
    Endpoint.CLAIM_TASK: lambda c, board_id, task_id: c._claim(
        board_id, task_id, Claim(2, (), (), 5, 9)
    ),
    Endpoint.CLONE_TASK: lambda c, board_id, task_id: c.clone_task(board_id, task_id, 5, "t"),
    Endpoint.LIST_TASK_ACTIVITIES: lambda c, board_id, task_id: c.activities(board_id, task_id),
    Endpoint.LIST_COMMENTS: lambda c, board_id, task_id: c.comments(board_id, task_id),
    Endpoint.CREATE_COMMENT: lambda c, board_id, task_id: c.create_comment(board_id, task_id, "t"),
    Endpoint.UPDATE_COMMENT: lambda c, board_id, task_id, comment_id: c.update_comment(
        board_id, task_id, comment_id, "t"
    ),
    Endpoint.UPDATE_COMMENT_SHORT: lambda c, board_id, comment_id: c.update_comment(
        board_id, 3, comment_id, "t"
    ),
    Endpoint.UPDATE_COMMENT_OWN: lambda c, comment_id: c.update_comment(1, 3, comment_id, "t"),
    Endpoint.DELETE_COMMENT_OWN: lambda c, comment_id: c._delete_comment(
        1, comment_id, is_reply=False
    ),
    Endpoint.UPDATE_REPLY_OWN: lambda c, comment_id: c.update_comment(
        1, 3, comment_id, "t", parent_id=2
    ),
    Endpoint.DELETE_REPLY_OWN: lambda c, comment_id: c._delete_comment(
        1, comment_id, is_reply=True
    ),
    Endpoint.DELETE_COMMENT: lambda c, board_id, comment_id: c.delete_comment(
        board_id, 3, comment_id
    ),
    Endpoint.UPLOAD_COMMENT_IMAGE: lambda c, board_id, task_id: c.upload_image(
        board_id, task_id, "p.png", PNG
    ),
    Endpoint.LIST_SUBTASKS: lambda c, board_id, task_id: c.subtask_groups(board_id, task_id),
    Endpoint.CREATE_SUBTASK: lambda c, board_id, task_id: c.create_subtask(
        board_id, task_id, 6, "t"
    ),
    Endpoint.CREATE_SUBTASK_GROUP: lambda c, board_id, task_id: c.create_subtask_group(
        board_id, task_id, "t"
    ),
    Endpoint.UPDATE_SUBTASK_GROUP: lambda c, board_id, task_id: c.rename_subtask_group(
        board_id, task_id, 6, "t"
    ),
    Endpoint.DELETE_SUBTASK_GROUP: lambda c, board_id, task_id: c.delete_subtask_group(
        board_id, task_id, 6
    ),
    Endpoint.DELETE_SUBTASK: lambda c, board_id, task_id: c.delete_subtask(board_id, task_id),
    Endpoint.MOVE_SUBTASKS: lambda c, board_id, task_id: c.move_subtasks(board_id, task_id, 6, [7]),
    Endpoint.REPOSITION_SUBTASK: lambda c, board_id, subtask_id: c.place_subtask(
        board_id, subtask_id, 6, 1
    ),
    Endpoint.CONVERT_TO_SUBTASK: lambda c, board_id, task_id: c.task_to_subtask(
        board_id, task_id, 8
    ),
    Endpoint.MOVE_SUBTASK_TO_BOARD: lambda c, board_id, task_id: c.subtask_to_task(
        board_id, task_id, 2
    ),
    Endpoint.CLONE_SUBTASK: lambda c, board_id, task_id: c.clone_subtask(board_id, task_id),
    Endpoint.LIST_LABELS: lambda c, board_id: c.labels(board_id),
    Endpoint.CREATE_LABEL: lambda c, board_id: c.create_label(board_id, "t", "#ffffff", "#000000"),
    Endpoint.UPDATE_LABEL: lambda c, board_id, label_id: c.update_label(
        board_id, label_id, "t", "#ffffff", "#000000"
    ),
    Endpoint.DELETE_LABEL: lambda c, board_id, label_id: c.delete_label(board_id, label_id),
    Endpoint.LIST_USED_LABELS: lambda c, board_id: c.used_labels(board_id),
    Endpoint.LIST_TASK_LABELS: lambda c, board_id, task_id: c.labels_of(board_id, task_id),
    Endpoint.ATTACH_LABEL: lambda c, board_id: c._attach_label(board_id, 3, 4),
    Endpoint.DETACH_LABEL: lambda c, board_id, task_id, label_id: c._detach_label(
        board_id, task_id, label_id
    ),
    Endpoint.LIST_FIELDS: lambda c, board_id: c.fields(board_id),
    Endpoint.CREATE_FIELD: lambda c, board_id: c.create_field(board_id, "t", "text"),
    Endpoint.UPDATE_FIELD: lambda c, board_id, custom_field_id: c.update_field(
        board_id, custom_field_id, title="t", field_type="text"
    ),
    Endpoint.REPOSITION_FIELD: lambda c, board_id, custom_field_id: c.reposition_field(
        board_id, custom_field_id, 1
    ),
    Endpoint.DELETE_FIELD: lambda c, board_id, custom_field_id: c.delete_field(
        board_id, custom_field_id
    ),
    Endpoint.LIST_FIELD_VALUES: lambda c, board_id, task_id: c.field_values(board_id, task_id),
    Endpoint.SET_FIELD_VALUE: lambda c, board_id, task_id: c.set_field_value(
        board_id, task_id, 9, "t"
    ),
    Endpoint.LIST_FOLDERS: lambda c: c.folders(),
    Endpoint.CREATE_FOLDER: lambda c: c.create_folder("t"),
    Endpoint.UPDATE_FOLDER: lambda c, folder_id: c.rename_folder(folder_id, "t"),
    Endpoint.DELETE_FOLDER: lambda c, folder_id: c.delete_folder(folder_id),
    Endpoint.ADD_BOARDS_TO_FOLDER: lambda c, folder_id: c.add_to_folder(folder_id, [1]),
    Endpoint.REMOVE_BOARD_FROM_FOLDER: lambda c, folder_id: c.remove_from_folder(folder_id, 1),
    Endpoint.LIST_USERS: lambda c: c.users(),
    Endpoint.WHO_AM_I: lambda c: c.me(),
    Endpoint.LIST_SITE_USERS: lambda c: c.site_users("t"),
    Endpoint.SEARCH_USERS: lambda c: c.search_users("t"),
    Endpoint.ADD_MEMBER: lambda c, board_id: c.add_member(board_id, 2),
    Endpoint.REMOVE_MEMBER: lambda c, board_id, user_id: c.remove_member(board_id, user_id),
    Endpoint.MAKE_MANAGER: lambda c, board_id, user_id: c.make_manager(board_id, user_id),
    Endpoint.REMOVE_MANAGER: lambda c, board_id, user_id: c.remove_manager(board_id, user_id),
    Endpoint.MAKE_MEMBER: lambda c, board_id, user_id: c.make_member(board_id, user_id),
    Endpoint.MAKE_VIEWER: lambda c, board_id, user_id: c.make_viewer(board_id, user_id),
    Endpoint.REMOVE_USER_FROM_BOARD: lambda c: c.remove_user(1, 2),
    Endpoint.SYNC_ROLES: lambda c, user_id: c.sync_roles(user_id, {1: "member", 3: ""}),
    Endpoint.LIST_ASSIGNEES: lambda c, board_id: c.assignees(board_id),
    Endpoint.LIST_WEBHOOKS: lambda c: c.webhooks(),
    Endpoint.CREATE_WEBHOOK: lambda c: c.create_webhook("t", 1, 2),
    Endpoint.DELETE_WEBHOOK: lambda c, webhook_id: c.delete_webhook(webhook_id),
}
"""One way to call each endpoint through the client; the ids go by their names in the path."""

_OWN_PATH = {"comment_path": CommentPath.OWN}
_LEARNT: Mapping[Endpoint, Mapping[str, Any]] = {
    Endpoint.UPDATE_STAGE_PROPERTY: {"stage_body": StageBody.PROPERTY},
    Endpoint.UPDATE_COMMENT_SHORT: {"comment_path": CommentPath.SHORT},
    Endpoint.UPDATE_COMMENT_OWN: _OWN_PATH,
    Endpoint.DELETE_COMMENT_OWN: _OWN_PATH,
    Endpoint.UPDATE_REPLY_OWN: _OWN_PATH,
    Endpoint.DELETE_REPLY_OWN: _OWN_PATH,
    Endpoint.LIST_SUBTASKS: {},
    Endpoint.LIST_ARCHIVED_TASKS: {
        "offered": frozenset(Feature) - {Feature.ARCHIVED_TASKS},
        "missing": frozenset({Feature.ARCHIVED_TASKS}),
    },
}


def known_to_ask(endpoint: Endpoint) -> Capabilities:
    """What is known of a service where `METHODS` ask an endpoint, and nothing else."""
    known = Capabilities.embedded()
    learnt = _LEARNT.get(endpoint)
    return known if learnt is None else replace(known, is_trusted=False, **learnt)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was made once, and the answer it got."""

    name: str
    method: str
    path: str
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        """The JSON of the answer."""
        return json.loads(self.content)

    def endpoint(self) -> tuple[Endpoint, dict[str, int]] | None:
        """The endpoint that was asked, with the ids in its path; None if the client has none."""
        for endpoint in Endpoint:
            match = re.fullmatch(_pattern(endpoint), self.path)
            if match and endpoint.method == self.method:
                found = match.groupdict().items()
                return endpoint, {name: int(part) for name, part in found if name not in _NAMES}
        return None

    def answer(self, request: httpx.Request) -> httpx.Response:
        """The recorded answer; any other path than the recorded one is not offered."""
        if request.url.path != f"/site/v2{self.path}" or request.method != self.method:
            body = {"code": "rest_no_route", "message": "No route.", "data": {"status": 404}}
            return httpx.Response(404, json=body)
        return httpx.Response(self.status, headers=self.headers, content=self.content)


@cache
def _pattern(endpoint: Endpoint) -> str:
    return re.sub(
        r"{(\w+)}",
        lambda part: f"(?P<{part[1]}>{_NAMES.get(part[1], '[0-9]+')})",
        endpoint.path,
    )


@cache
def recordings(folder: Path) -> list[Exchange]:
    """All recordings in a folder, those of no endpoint too."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def load(folder: Path) -> list[Exchange]:
    """The recordings in a folder whose request is one that the client makes."""
    return [exchange for exchange in recordings(folder) if exchange.endpoint() is not None]


async def replay(exchange: Exchange) -> object:
    """Call the client's method for an exchange against the recorded answer."""
    endpoint, ids = exchange.endpoint() or (Endpoint.LIST_BOARDS, {})
    known = known_to_ask(endpoint)
    transport = httpx.MockTransport(exchange.answer)
    async with client_for(session(transport), capabilities=known) as client:
        return await METHODS[endpoint](client, **ids)


@cache
def task_documents() -> list[dict[str, Any]]:
    """Tasks as a deployed service listed them; copy before changing."""
    tasks: list[dict[str, Any]] = _read(HERE / "4.3_tasks_list_as_admin.json").body["tasks"]
    return tasks


def _read(path: Path) -> Exchange:
    recording = json.loads(path.read_text(encoding="utf-8"))
    asked, answered = recording["request"], recording["response"]
    body = answered["body"]
    text = json.dumps(body) if answered["body_is_json"] else body
    return Exchange(
        path.stem,
        asked["method"],
        asked["path"],
        answered["status"],
        answered["headers"],
        text.encode(),
    )
