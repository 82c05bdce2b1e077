"""An answer that satisfies every method of the client, and ids for every path."""

from typing import Any

from tui.client.endpoints import Endpoint

ANSWER: dict[str, Any] = {
    "board": {"id": 1, "stages": []},
    "boards": {"data": []},
    "data": {"id": 2, "available_positions": [1]},
    "updatedStage": {"id": 2},
    "updatedStages": [{"id": 2}],
    "stages": {"data": []},
    "task": {"id": 3},
    "tasks": [],
    "updatedTasks": [],
    "comment": {"id": 4},
    "comments": {"data": []},
    "label": {"id": 5},
    "labels": [],
    "users": [],
    "activities": {"data": []},
    "stage": {"id": 2},
    "imageAttachment": {"id": 11},
    "subtaskGroups": [],
    "subtaskGroup": {"id": 12},
    "subtask": {"id": 6},
    "deletedSubtask": {"id": 6},
    "moveSubtask": {"id": 6},
    "changedSubtasks": [],
    "parentTask": {"id": 3},
    "customFields": [],
    "customField": {"id": 7},
    "folders": [],
    "folder": {"id": 8},
    "member": {"ID": 9},
    "webhooks": [],
    "webhook": {"name": "W"},
    "has_changes": False,
    "synced_at": "2026-11-21 12:00:00",
}
IDS = {
    "board_id": 1,
    "stage_id": 2,
    "task_id": 3,
    "comment_id": 4,
    "label_id": 5,
    "subtask_id": 6,
    "custom_field_id": 7,
    "folder_id": 8,
    "user_id": 9,
    "webhook_id": 10,
}


def answer_to(endpoint: Endpoint) -> object:
    """What is due from an endpoint: an object with everything, or an array."""
    return [] if endpoint is Endpoint.SEARCH_USERS else ANSWER


def ids_of(endpoint: Endpoint) -> dict[str, int]:
    """An id for each part of the endpoint's path that is one."""
    return {name: number for name, number in IDS.items() if f"{{{name}}}" in endpoint.path}
