"""`--dry-run`: prints the requests that changes would make, and sends none.

Each change is delivered as always, to a client that records. What it reads before is answered from
the boards as they are known; the requests after the first of a change, which correct what some
services do, depend on the response and are not foreseen.
"""

import asyncio
import itertools
import json
import re
from collections.abc import Sequence
from typing import Any

from tui.cli.output import say, write_json
from tui.cli.scripts.opened import Opened
from tui.client.errors import ApiError
from tui.client.recording import Recorded, Recording
from tui.model.board import BoardView
from tui.model.task import Task
from tui.store.operations.base import Operation
from tui.store.operations.boards import DEFAULT_STAGES

_TASK = re.compile(r"/projects/(-?\d+)/tasks(?:/(-?\d+))?")
_BOARD = re.compile(r"/projects/(-?\d+)")
_NEW_STAGES = 1 << 50
"""Below the ids in which the stages of a board that is not there yet are counted."""
_POSITIONS = re.compile(r"/projects/(-?\d+)/stage-task-available-positions/(-?\d+)")


async def show_requests(
    opened: Opened, views: Sequence[BoardView], operations: Sequence[Operation], *, as_json: bool
) -> int:
    """Print the requests of changes to these boards; the exit code.

    Raises `ApiError` if one would be refused before anything is sent.
    """
    boards = {view.board.id: view for view in views}
    recording = Recording(lambda path: _reply(boards, path))
    remote = await asyncio.to_thread(opened.workspace.recorded, recording)
    names = {
        number: f"{{stage {number - _NEW_STAGES}}}"
        for number in range(_NEW_STAGES + 1, _NEW_STAGES + 1 + len(DEFAULT_STAGES))
    }
    new = itertools.count(1)
    for operation in operations:
        count = len(recording.requests)
        try:
            await operation.deliver(remote, boards[operation.board_id])
        except ApiError:
            if len(recording.requests) == count:
                raise
        if operation.creates is not None:
            names[operation.creates] = f"{{new {operation.subject.kind} {next(new)}}}"
        for board_id, view in boards.items():
            boards[board_id] = operation.apply(view)
    requests = [_with_names(request, names) for request in recording.requests]
    if as_json:
        write_json([request._asdict() for request in requests])
    for method, path, body in () if as_json else requests:
        say(f"{method} {path} {'' if body is None else json.dumps(body, ensure_ascii=False)}")
    if not (requests or as_json):
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
        names.get(int(part), part) if part.removeprefix("-").isdecimal() else part
        for part in request.path.split("/")
    )
    return Recorded(request.method, path, named(request.body))


def _reply(boards: dict[int, BoardView], path: str) -> dict[str, Any] | None:
    # What the service replies to a question about a board that is cached.
    for pattern in (_BOARD, _TASK, _POSITIONS):
        match = pattern.fullmatch(path)
        view = boards.get(int(match[1])) if match else None
        if match is None or view is None:
            continue
        if pattern is _BOARD:  # a new one, with the stages that it begins with
            stages = [
                {"id": _NEW_STAGES + number, "board_id": 1, "title": title, "position": number}
                for number, title in enumerate(DEFAULT_STAGES, 1)
            ]
            board = view.board
            return {"board": {"id": abs(board.id), "title": board.title, "stages": stages}}
        if pattern is _POSITIONS:
            return {"availablePositions": [*range(1, len(view.in_stage(int(match[2]))) + 2)]}
        if match[2] is None:
            return {"tasks": [_document(task) for task in view.all_tasks()]}
        task = view.task(int(match[2]))
        return None if task is None else {"task": _document(task)}
    return None


def _document(task: Task) -> dict[str, Any]:
    return {
        "id": abs(task.id),  # the id of a new task is not known; a local one is no id of a service
        "board_id": task.board_id,
        "stage_id": task.stage_id,
        "title": task.title,
        "status": task.status.value,
        "priority": task.priority.value,
        "position": task.position,
        "assignees": [{"ID": each.id, "display_name": each.name} for each in task.assignees],
        "labels": [{"id": label.id, "title": label.title} for label in task.labels],
    }
