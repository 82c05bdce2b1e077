"""`--dry-run`: prints the requests that changes would make, and sends none.

Each change is delivered as always, to a client that records. What it reads before is answered from
the boards as they are known; the requests after the first of a change, which correct what some
services do, depend on the response and are not foreseen.
"""

import asyncio
import itertools
import json
from collections.abc import Sequence
from typing import Any

from tui.cli.output import ascii_only, say, write_json
from tui.cli.scripts.opened import Opened
from tui.client.errors import ApiError
from tui.client.recording import Recorded, Recording
from tui.model.blocked_by import joined
from tui.model.board import BoardView
from tui.model.task import Task
from tui.store.operations.base import Operation
from tui.store.operations.boards import DEFAULT_STAGES

_NEW_STAGES = 1 << 50
"""Below the ids in which the stages of a board that is not there yet are counted."""


async def show_requests(
    opened: Opened, views: Sequence[BoardView], operations: Sequence[Operation]
) -> int:
    """Print the requests of changes to these boards; the exit code.

    Raises `ApiError` if one would be refused before anything is sent.
    """
    boards = {view.board.id: view for view in views}
    recording = Recording(lambda path: _reply(boards, path))
    remote = await asyncio.to_thread(opened.workspace.recorded, recording)
    names = {
        _NEW_STAGES + number: f"{{stage {number}}}" for number in range(1, len(DEFAULT_STAGES) + 1)
    }
    new = itertools.count(1)
    for operation in operations:
        count = len(recording.requests)
        try:
            await operation.deliver(remote, boards[operation.board_id])
        except ApiError:
            # After its first request a change fails only because the reply is made up.
            if len(recording.requests) == count:
                raise
        if operation.creates is not None:
            names[operation.creates] = f"{{new {operation.subject.kind} {next(new)}}}"
        # The next change is delivered to the board as this one leaves it.
        for board_id, view in boards.items():
            boards[board_id] = operation.apply(view)
    requests = [_with_names(request, names) for request in recording.requests]
    if opened.how.as_json:
        write_json([request._asdict() for request in requests])
        return 0
    for method, path, body in requests:
        words = "" if body is None else json.dumps(body, ensure_ascii=ascii_only.get())
        say(f"{method} {path} {words}")
    if not requests:
        say("nothing would change: there is no request to send")
    return 0


def _with_names(request: Recorded, names: dict[int, str]) -> Recorded:
    # With names for the ids of what would be created before.
    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [named(item) for item in value]
        return names.get(value, value) if type(value) is int else value

    path = "/".join(
        names.get(int(part), part) if _is_id(part) else part for part in request.path.split("/")
    )
    return Recorded(request.method, path, named(request.body))


def _reply(boards: dict[int, BoardView], path: str) -> dict[str, Any] | None:
    # What the service replies to a question about a board that is cached.
    match path.removeprefix("/").split("/"):
        case ["projects", board_id, *rest] if _is_id(board_id) and int(board_id) in boards:
            view = boards[int(board_id)]
        case _:
            return None
    match rest:
        case []:  # a new one, with the stages that it begins with
            stages = [
                {"id": _NEW_STAGES + number, "board_id": 1, "title": title, "position": number}
                for number, title in enumerate(DEFAULT_STAGES, 1)
            ]
            board = view.board
            return {"board": {"id": abs(board.id), "title": board.title, "stages": stages}}
        case ["stage-task-available-positions", stage_id] if _is_id(stage_id):
            return {"availablePositions": [*range(1, len(view.in_stage(int(stage_id))) + 2)]}
        case ["tasks"]:
            return {"tasks": [_document(task) for task in view.all_tasks()]}
        case ["tasks", task_id] if _is_id(task_id) and (task := view.task(int(task_id))):
            return {"task": _document(task)}
    return None


def _is_id(part: str) -> bool:
    return part.removeprefix("-").isdecimal()


def _document(task: Task) -> dict[str, Any]:
    return {
        "id": abs(task.id),  # the id of a new task is not known; a local one is no id of a service
        "board_id": task.board_id,
        "stage_id": task.stage_id,
        "title": task.title,
        "description": joined(task.description, task.blockers),
        "status": task.status.value,
        "priority": task.priority.value,
        "position": task.position,
        "assignees": [{"ID": person.id, "display_name": person.name} for person in task.assignees],
        "labels": [{"id": label.id, "title": label.title} for label in task.labels],
    }
