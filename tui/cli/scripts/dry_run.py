"""`--dry-run`: prints the requests that changes would make, and sends none.

Each change is delivered as always, to a client that records. What it reads before is answered from
the boards as they are known; the requests after the first of a change, which correct what some
services do, depend on the response and are not foreseen.
"""

import itertools
import json
import re
from collections.abc import Callable, Sequence
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
_BOARD = re.compile(r"/projects/(-?\d+)()")
_NEW_STAGES = 1 << 50
"""Below the ids in which the stages of a board that is not there yet are counted."""
_POSITIONS = re.compile(r"/projects/(-?\d+)/stage-task-available-positions/(-?\d+)")


async def show_requests(
    opened: Opened, views: Sequence[BoardView], operations: Sequence[Operation], *, as_json: bool
) -> int:
    """Print the requests of changes to these boards; the exit code.

    Raises `ApiError` if one would be refused before anything is sent.
    """
    known = {view.board.id: view for view in views}
    recording = Recording(lambda path: _answer(known, path))
    remote = await opened.recorded(recording)
    made = {
        number: f"{{stage {number - _NEW_STAGES}}}"
        for number in range(_NEW_STAGES + 1, _NEW_STAGES + 1 + len(DEFAULT_STAGES))
    }
    new = itertools.count(1)
    for operation in operations:
        count = len(recording.requests)
        try:
            await operation.deliver(remote, known[operation.board_id])
        except ApiError:
            if len(recording.requests) == count:
                raise
        if operation.creates is not None:
            made[operation.creates] = f"{{new {operation.subject.kind} {next(new)}}}"
        for board_id, view in known.items():
            known[board_id] = operation.apply(view)
    requests = [_with_names(request, made) for request in recording.requests]
    if as_json:
        write_json([request._asdict() for request in requests])
    for method, path, body in () if as_json else requests:
        told = "" if body is None else json.dumps(body, ensure_ascii=False)
        say(f"{method} {path} {told}")
    if not (requests or as_json):
        say("nothing would change: there is no request to send")
    return 0


def _with_names(request: Recorded, made: dict[int, str]) -> Recorded:
    """A request with names for the ids of what would be created before."""

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: named(one) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [named(one) for one in value]
        return made.get(value, value) if type(value) is int else value

    parts = request.path.split("/")
    path = "/".join(made.get(int(one), one) if _is_number(one) else one for one in parts)
    return Recorded(request.method, path, named(request.body))


def _is_number(part: str) -> bool:
    return part.removeprefix("-").isdecimal()


def _answer(known: dict[int, BoardView], path: str) -> Any:
    """What the service answers a question about a board as it is known; None if it is not."""
    for pattern, answer in _ANSWERS:
        found = pattern.fullmatch(path)
        view = known.get(int(found[1])) if found else None
        if found and view is not None:
            return answer(view, int(found[2] or 0))
    return None


def _tasks(view: BoardView, task_id: int) -> dict[str, Any] | None:
    if not task_id:
        return {"tasks": [_document(task) for task in view.all_tasks()]}
    task = view.task(task_id)
    return None if task is None else {"task": _document(task)}


def _positions(view: BoardView, stage_id: int) -> dict[str, Any]:
    return {"availablePositions": [*range(1, len(view.in_stage(stage_id)) + 2)]}


def _board(view: BoardView, _: int) -> dict[str, Any]:
    """A board that would be new, with the stages that it begins with."""
    stages = [
        {"id": _NEW_STAGES + number, "board_id": 1, "title": title, "position": number}
        for number, title in enumerate(DEFAULT_STAGES, 1)
    ]
    return {"board": {"id": abs(view.board.id), "title": view.board.title, "stages": stages}}


_ANSWERS: tuple[tuple[re.Pattern[str], Callable[[BoardView, int], Any]], ...] = (
    (_BOARD, _board),
    (_TASK, _tasks),
    (_POSITIONS, _positions),
)


def _document(task: Task) -> dict[str, Any]:
    return {
        "id": abs(task.id),  # the id of a new task is not known; a local one is no id of a service
        "board_id": task.board_id,
        "stage_id": task.stage_id,
        "title": task.title,
        "status": task.status.value,
        "priority": task.priority.value,
        "position": task.position,
        "assignees": [{"ID": one.id, "display_name": one.name} for one in task.assignees],
        "labels": [{"id": one.id, "title": one.title} for one in task.labels],
    }
