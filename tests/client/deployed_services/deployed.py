"""A small service in memory that differs from the specification in what a test says, and counts.

One board with two stages. Positions are kept with two decimals, and a move into a gap that is used
up does nothing.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import httpx

from tests.client.scripted import session
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for

BOARD, OPEN, DONE = 1, 11, 12
CENT = Decimal("0.01")
PEOPLE = {1: "ann", 2: "bob", 3: "carol", 4: "dan", 5: "eve"}

TIMES = "DEPLOYED_EXAMPLES_TIMES"

Document = dict[str, Any]
Assigner = Callable[[set[int], set[int]], set[int]]


def examples(number: int) -> int:
    """So many in the suite, more with `python -m tests.client.deployed_services`."""
    return number * int(os.environ.get(TIMES, "1"))


def sets(_present: set[int], sent: set[int]) -> set[int]:
    """The list that is sent is the list that is kept."""
    return sent


def toggles(present: set[int], sent: set[int]) -> set[int]:
    """Everybody in the list is put on the task or taken off it."""
    return present ^ sent


def refused(status: int, body: object) -> httpx.Response:
    """An answer that says no."""
    return httpx.Response(status, json=body)


NO_ROUTE = {"code": "rest_no_route", "message": "No route was found.", "data": {"status": 404}}


@dataclass
class Deployed(httpx.AsyncBaseTransport):
    """The service; `asked` are the calls, as `PUT /projects/1/tasks/7`, with their bodies."""

    assigner: Assigner = toggles
    watch_values: dict[object, bool] = field(default_factory=lambda: {"start": True, "stop": False})
    replies_tell_people: bool = True
    runs_out: bool = True
    reverses_ties: bool = False
    deletes: bool = True
    reopens: bool = True
    moves: bool = True
    touched: set[int] = field(default_factory=set)
    gone: Callable[[], httpx.Response] = lambda: refused(
        500, {"code": "plugin_exception", "data": [], "message": "Task not found"}
    )
    tasks: dict[int, Document] = field(default_factory=dict)
    asked: list[tuple[str, Any]] = field(default_factory=list)
    interfere: Callable[[str], httpx.Response | None] = lambda _: None
    falter: Callable[[str], httpx.Response | None] = lambda _: None

    def client(
        self,
        capabilities: Capabilities = UNKNOWN,
        timezone: str = "",
    ) -> Client:
        """A client of it; what it learns is in `learnt`."""
        self.learnt: list[Capabilities] = []
        return client_for(
            session(self),
            capabilities=capabilities,
            timezone=timezone,
            learned=self.learnt.append,
        )

    def add(self, task_id: int, stage_id: int = OPEN, **more: Any) -> Document:
        """Put a task at the end of a stage."""
        lane = self.lane(stage_id)
        position = lane[-1]["position"] + 1 if lane else Decimal(1)
        self.tasks[task_id] = {
            "id": task_id,
            "stage_id": stage_id,
            "title": f"T{task_id}",
            "status": "open",
            "position": position,
            "due_at": None,
            "archived_at": None,
            "assignees": set(),
            "is_watching": False,
            **more,
        }
        return self.tasks[task_id]

    def lane(self, stage_id: int) -> list[Document]:
        """The active tasks of a stage, as this service has them in order."""
        tasks = [
            task
            for task in self.tasks.values()
            if task["stage_id"] == stage_id and not task["archived_at"]
        ]
        sign = -1 if self.reverses_ties else 1
        return sorted(tasks, key=lambda task: (task["position"], sign * task["id"]))

    def order(self, stage_id: int = OPEN) -> list[int]:
        """The ids of a stage as people see them: by position, then by id."""
        lane = self.lane(stage_id)
        return [t["id"] for t in sorted(lane, key=lambda task: (task["position"], task["id"]))]

    def positions(self, stage_id: int = OPEN, but: int | None = None) -> list[tuple[int, float]]:
        """The ids and positions of a stage, in order, without one task."""
        return [
            (task_id, float(self.tasks[task_id]["position"]))
            for task_id in self.order(stage_id)
            if task_id != but
        ]

    def count(self, pattern: str) -> int:
        """How many calls there were like that."""
        return sum(re.search(pattern, call) is not None for call, _ in self.asked)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/site/v2")
        call = f"{request.method} {path}"
        body = json.loads(request.content or b"null")
        self.asked.append((call, body))
        hindered = self.interfere(call)
        if hindered is not None:
            return hindered
        answer = self._answer(call, body)
        return self.falter(call) or answer

    def _answer(self, call: str, body: Any) -> httpx.Response:
        for pattern, handler in self._handlers():
            match = re.fullmatch(pattern, call)
            if match:
                return handler(body, *(int(part) for part in match.groups()))
        return refused(404, NO_ROUTE)

    def _handlers(self) -> Iterable[tuple[str, Callable[..., httpx.Response]]]:
        board, task = rf"/projects/{BOARD}", rf"/projects/{BOARD}/tasks/(\d+)"
        return (
            (f"GET {board}/tasks", self._list),
            (f"GET {task}", self._get),
            (f"PUT {task}", self._set),
            (f"DELETE {task}", self._delete),
            (f"PUT {task}/move-task", self._move),
            (rf"PUT {board}/stage/(\d+)/sort-task", self._sort),
            (rf"PUT {board}/restore-stage/(\d+)", self._restore_stage),
        )

    def _list(self, _body: object) -> httpx.Response:
        active = [task for task in self.tasks.values() if not task["archived_at"]]
        return httpx.Response(200, json={"tasks": [self.shown(task) for task in active]})

    def _get(self, _body: object, task_id: int) -> httpx.Response:
        if task_id not in self.tasks:
            return self.gone()
        return httpx.Response(200, json={"task": self.shown(self.tasks[task_id])})

    def _set(self, body: Any, task_id: int) -> httpx.Response:
        if task_id not in self.tasks:
            return self.gone()
        task, name, value = self.tasks[task_id], body["property"], body["value"]
        if name == "assignees":
            task["assignees"] = self.assigner(task["assignees"], set(value))
        elif name == "is_watching":
            task["is_watching"] = self.watch_values.get(value, task["is_watching"])
        elif name == "due_at":
            task |= {"due_at": value, "status": "open" if self.reopens else task["status"]}
        else:
            task[name] = value
        shown = self.shown(task)
        if not self.replies_tell_people:
            del shown["assignees"], shown["is_watching"]
        return httpx.Response(200, json={"task": shown, "updatedTasks": [shown]})

    def _delete(self, _body: object, task_id: int) -> httpx.Response:
        if task_id not in self.tasks:
            return self.gone()
        if self.deletes:
            del self.tasks[task_id]
        return httpx.Response(200, json={"message": "Task has been deleted", "updatedTasks": []})

    def _move(self, body: Any, task_id: int) -> httpx.Response:
        task, stage_id, index = self.tasks[task_id], body["newStageId"], body["newIndex"]
        others = [one for one in self.lane(stage_id) if one["id"] != task_id]
        position = self._position([one["position"] for one in others], index)
        if position is not None and self.moves:
            task |= {"stage_id": stage_id, "position": position}
        told = [self.shown(self.tasks[one]) for one in sorted({task_id, *self.touched})]
        reply = self.shown(task) | {"position": float(task["position"])}
        return httpx.Response(
            200,
            json={"task": reply, "updatedTasks": told, "last_updated": "2026-11-21"},
        )

    def _position(self, others: list[Decimal], index: int) -> Decimal | None:
        """Where a task goes; None if two neighbours share a position, so that it stays."""
        if not others:
            return Decimal(1)
        if index > len(others) + 1:
            index = 1
        if index == len(others) + 1:
            return others[-1] + 1
        lower, upper = (others[index - 2] if index > 1 else Decimal(0)), others[index - 1]
        if lower == upper and self.runs_out:
            return None
        middle = (lower + upper) / 2
        return middle.quantize(CENT, ROUND_HALF_UP) if self.runs_out else middle

    def _sort(self, body: Any, stage_id: int) -> httpx.Response:
        assert body == {"order": "position", "orderBy": "ASC"}, f"sorted by position alone: {body}"
        lane = self.lane(stage_id)
        for number, task in enumerate(lane, start=1):
            task["position"] = Decimal(number)
        return httpx.Response(200, json={"updatedTasks": [self.shown(task) for task in lane]})

    def _restore_stage(self, _body: object, stage_id: int) -> httpx.Response:
        for task in self.tasks.values():
            if task["stage_id"] == stage_id:
                task |= {"archived_at": None, "position": Decimal(0)}
        return httpx.Response(200, json={"success": True, "updatedStage": {"id": stage_id}})

    def shown(self, task: Document) -> Document:
        """A task as it is told: decimals as text, people as records."""
        people = [
            {"ID": user_id, "display_name": PEOPLE.get(user_id, "?")}
            for user_id in sorted(task["assignees"])
        ]
        position = task["position"]
        text = f"{position:.2f}" if self.runs_out else str(position)
        return task | {
            "board_id": str(BOARD),
            "stage_id": str(task["stage_id"]),
            "position": text,
            "assignees": people,
        }
