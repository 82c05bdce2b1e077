"""A fake of the service, and a connection to it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from tests.store.faults import READS
from tests.store.machine.fake_details import ANN, BEN, ME, PEOPLE, FakeDetailsService
from tests.store.machine.fake_details_calls import FakeDetailsRemote
from tests.store.machine.fake_stages import FakeStageCalls
from tui.client.capabilities import Feature
from tui.client.documents import BoardChanges, Document, TasksArrived
from tui.client.errors import NotFound, Refused, ServerFault
from tui.model.people import RoleWord

BOARD = 1
OPEN, DOING, DONE = 11, 12, 13
_ROLES = {ME: "admin", ANN: "member", BEN: "viewer"}


def _stage(stage_id: int, title: str, status: str = "open") -> Document:
    return {
        "id": stage_id,
        "title": title,
        "position": float(stage_id),
        "settings": {"default_task_status": status},
        "archived_at": None,
    }


def _updated(document: Document, **news: object) -> Document:
    document.update(news)
    return document


class _State(NamedTuple):
    """What a board was like: its tasks by their ids, and the rest of it."""

    tasks: dict[int, str]
    frame: str


class FakeService(FakeDetailsService):
    """One board with three stages, of which the last closes what is moved into it.

    So do others whose default status is closed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.boards: dict[int, Document] = {
            BOARD: {"id": BOARD, "title": "Relaunch", "type": "to-do", "archived_at": None}
        }
        self.stages: dict[int, list[Document]] = {
            BOARD: [_stage(OPEN, "Open"), _stage(DOING, "Doing"), _stage(DONE, "Done", "closed")]
        }
        self.roles: dict[int, dict[int, str]] = {}
        self.by_id: dict[int, Document] = {}
        self.newest_id = 100
        self._states: dict[int, list[_State]] = {}

    def new_id(self) -> int:
        self.newest_id += 1
        return self.newest_id

    def synced_at(self, board_id: int) -> str:
        """The number of the present state of a board."""
        self._note(board_id, self._states.setdefault(board_id, []))
        return str(len(self._states[board_id]))

    def note_changes(self) -> None:
        """Something was written: note what the boards are like that news were asked of."""
        for board_id, states in self._states.items():
            self._note(board_id, states)

    def news(self, board_id: int, since: str) -> BoardChanges:
        """What was changed after an earlier state, even if it is as it was again."""
        if board_id not in self.boards:
            raise NotFound("There is no such board.", status=404)
        synced_at = self.synced_at(board_id)
        states = self._states[board_id]
        if not since.isdigit() or int(since) > len(states):
            raise ServerFault("That is no time of this service.", status=500)
        steps = tuple(pairwise(states[int(since) - 1 :]))
        changed = {
            key
            for before, after in steps
            for key in before.tasks.keys() | after.tasks.keys()
            if before.tasks.get(key) != after.tasks.get(key)
        }
        there = sorted(changed & states[-1].tasks.keys())
        is_other_frame = any(before.frame != after.frame for before, after in steps)
        return BoardChanges(
            synced_at,
            has_changes=bool(steps),
            is_complete=True,
            tasks=[dict(self.by_id[key]) for key in there],
            gone=frozenset(changed.difference(there)),
            frame=self.frame(board_id) if is_other_frame else None,
        )

    def _note(self, board_id: int, states: list[_State]) -> None:
        if board_id not in self.boards:
            return
        state = _State(
            {one["id"]: repr(one) for one in self.by_id.values() if one["board_id"] == board_id},
            repr((self.boards[board_id], self.stages[board_id], self.labels.get(board_id)))
            + repr(self.members(board_id)),
        )
        if not states or states[-1] != state:
            states.append(state)

    def frame(self, board_id: int) -> Document:
        """A board with everything but its tasks."""
        return {
            **self.boards[board_id],
            "stages": [dict(stage) for stage in self.stages[board_id]],
            "labels": [dict(label) for label in self.labels.get(board_id, [])],
            "custom_fields": [dict(field) for field in self.fields_of(board_id)],
            "users": self.members(board_id),
        }

    def members(self, board_id: int) -> list[Document]:
        """The members of a board: everybody, until somebody changes that."""
        roles = self.roles.setdefault(board_id, dict(_ROLES))
        return [{**PEOPLE[one], "role": role} for one, role in roles.items()]

    def set_role(self, board_id: int, user_id: int, role: str) -> list[Document]:
        """Give somebody a role; without one they are on no card of the board any more."""
        self.members(board_id)
        if role:
            self.roles[board_id][user_id] = role
        elif self.roles[board_id].pop(user_id, None):
            for task in self.by_id.values():
                if task["board_id"] == board_id:
                    task["assignees"] = [one for one in task["assignees"] if one["ID"] != user_id]
        return self.members(board_id)

    def add(self, title: str, stage_id: int = OPEN, board_id: int = BOARD, **more: Any) -> Document:
        """Make a task at the end of a stage."""
        others = self.lane(stage_id)
        task: Document = {
            "id": self.new_id(),
            "board_id": board_id,
            "stage_id": stage_id,
            "title": title,
            "status": "open",
            "priority": "low",
            "position": others[-1]["position"] + 1.0 if others else 1.0,
            "description": None,
            "due_at": None,
            "archived_at": None,
            "parent_id": None,
            "labels": [],
            "assignees": [],
            **more,
        }
        self.by_id[task["id"]] = task
        return task

    def lane(self, stage_id: int) -> list[Document]:
        """The active tasks of a stage, in order."""
        tasks = (
            task
            for task in self.by_id.values()
            if task["stage_id"] == stage_id and not task["archived_at"]
        )
        return sorted(tasks, key=lambda task: (task["position"], task["id"]))

    def titles(self, stage_id: int) -> list[str]:
        return [task["title"] for task in self.lane(stage_id)]

    def task(self, task_id: int) -> Document:
        if task_id not in self.by_id:
            raise NotFound("There is no such task.", status=404)
        return self.by_id[task_id]

    def set(self, task_id: int, name: str, value: object) -> Document:
        task = self.task(task_id)
        if name == "archived_at" and value is None and task["archived_at"]:
            lane = self.lane(task["stage_id"])
            task["position"] = lane[0]["position"] / 2 if lane else 1.0
        if name == "is_template":
            task["meta"] = {**(task.get("meta") or {}), name: value}
        else:
            task[name] = value
        return task

    def move(self, task_id: int, stage_id: int, index: int) -> Document:
        task = self.task(task_id)
        if task["archived_at"]:
            raise Refused("The task is archived.", status=409)
        others = [other for other in self.lane(stage_id) if other["id"] != task_id]
        others.insert(index - 1, task)
        if task["stage_id"] != stage_id and self._closes(stage_id):
            task["status"] = "closed"
        task["stage_id"] = stage_id
        for position, other in enumerate(others, start=1):
            other["position"] = float(position)
        return task

    def _closes(self, stage_id: int) -> bool:
        stages = (stage for stages in self.stages.values() for stage in stages)
        closing = (
            one["id"] for one in stages if one["settings"]["default_task_status"] == "closed"
        )
        return stage_id in closing

    def delete(self, task_id: int) -> None:
        self.task(task_id)
        del self.by_id[task_id]


class FakeRemote(FakeDetailsRemote, FakeStageCalls):
    """A connection to a `FakeService`."""

    def __init__(self, service: FakeService) -> None:
        self.service = service

    def _call(self, name: str, work: Callable[[], Any]) -> Any:
        result = work()
        if name not in READS:
            self.service.note_changes()
        return result

    async def keeps_replies(self) -> bool:
        return False

    async def list_version(self) -> str:
        return ""

    def offers(self, feature: Feature) -> bool | None:
        del feature
        return None

    async def boards(self) -> list[Document]:
        boards: list[Document] = self._call(
            "boards", lambda: [dict(board) for board in self.service.boards.values()]
        )
        return boards

    async def board(self, board_id: int) -> Document:
        def read() -> Document:
            if board_id not in self.service.boards:
                raise NotFound("There is no such board.", status=404)
            synced_at = self.service.synced_at(board_id)
            return {**self.service.frame(board_id), "synced_at": synced_at}

        board: Document = self._call("board", read)
        return board

    async def archived_tasks(self, board_id: int) -> list[Document]:
        tasks: list[Document] = self._call(
            "archived_tasks",
            lambda: [
                dict(task)
                for task in self.service.by_id.values()
                if task["board_id"] == board_id and task["archived_at"] and not task["parent_id"]
            ],
        )
        return tasks

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        tasks: list[Document] = self._call(
            "tasks",
            lambda: [
                dict(task)
                for task in self.service.by_id.values()
                if task["board_id"] == board_id
                and not task["archived_at"]
                and task["parent_id"] is None
            ],
        )
        if arrived is not None:
            arrived(tasks, 0)
        return tasks

    async def task(self, board_id: int, task_id: int) -> Document:
        del board_id
        return self._copy("task", lambda: self.service.task(task_id))

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        news: BoardChanges = self._call("changes_since", lambda: self.service.news(board_id, since))
        return news

    async def newest_activity(self, board_id: int) -> int:
        del board_id
        newest: int = self._call("newest_activity", lambda: self.service.newest_id)
        return newest

    async def members(self, board_id: int) -> list[Document]:
        members: list[Document] = self._call("members", lambda: self.service.members(board_id))
        return members

    async def set_role(self, board_id: int, user_id: int, role: RoleWord) -> list[Document]:
        members: list[Document] = self._call(
            "set_role", lambda: self.service.set_role(board_id, user_id, role)
        )
        return members

    async def create_board(
        self,
        title: str,
        description: str,
        board_type: str,
        *,
        currency: str | None = None,
        folder_id: int | None = None,
        stages: Sequence[Mapping[str, object]] | None = None,
    ) -> Document:
        del currency, folder_id, stages
        return self._copy(
            "create_board",
            lambda: self._new_board(
                [("Open", "open")], title=title, description=description, type=board_type
            ),
        )

    async def duplicate_board(
        self,
        board_id: int,
        title: str,
        *,
        with_tasks: bool,
        with_labels: bool,
        with_templates: bool,
    ) -> Document:
        del with_tasks, with_labels, with_templates

        def make() -> Document:
            if board_id not in self.service.boards:
                raise NotFound("There is no such board.", status=404)
            stages = [
                (one["title"], one["settings"]["default_task_status"])
                for one in self.service.stages[board_id]
                if not one["archived_at"]
            ]
            return self._new_board(stages, title=title, type="to-do")

        return self._copy("duplicate_board", make)

    def _new_board(self, stages: Sequence[tuple[str, str]], **values: str) -> Document:
        board_id = self.service.new_id()
        board: Document = {"id": board_id, "archived_at": None, **values}
        self.service.boards[board_id] = board
        self.service.stages[board_id] = [
            _stage(self.service.new_id(), title, status) for title, status in stages
        ]
        return board

    async def update_board(self, board_id: int, title: str, description: str | None) -> Document:
        del description
        board = self.service.boards[board_id]
        return self._copy("update_board", lambda: _updated(board, title=title))

    async def archive_board(self, board_id: int) -> Document:
        board = self.service.boards[board_id]
        stamp = "2026-11-20 09:00:00"
        return self._copy("archive_board", lambda: _updated(board, archived_at=stamp))

    async def restore_board(self, board_id: int) -> Document:
        board = self.service.boards[board_id]
        return self._copy("restore_board", lambda: _updated(board, archived_at=None))

    async def delete_board(self, board_id: int) -> None:
        self._call("delete_board", lambda: self.service.boards.pop(board_id))

    async def create_stage(self, board_id: int, title: str, status: str) -> list[Document]:
        stage = _stage(self.service.new_id(), title, status)
        self._call("create_stage", lambda: self.service.stages[board_id].append(stage))
        return [dict(stage)]

    async def update_stage(self, board_id: int, stage_id: int, title: str) -> Document:
        stage = self._stage(board_id, stage_id)
        return self._copy("update_stage", lambda: _updated(stage, title=title))

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        stage = self._stage(board_id, stage_id)
        self._call("archive_stage", lambda: stage.update(archived_at="2026-11-20 09:00:00"))

    async def reposition_stages(self, board_id: int, stage_ids: list[int]) -> None:
        def order() -> None:
            for position, stage_id in enumerate(stage_ids, start=1):
                self._stage(board_id, stage_id)["position"] = float(position)

        self._call("reposition_stages", order)

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        return self._copy(
            "create_task",
            lambda: self.service.add(title, stage_id, board_id, priority=priority),
        )

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        del board_id
        return self._copy("set_task", lambda: self.service.set(task_id, name, value))

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[tuple[int, float]] = (),
    ) -> Document:
        del board_id, others
        return self._copy("move_task", lambda: self.service.move(task_id, stage_id, index))

    async def delete_task(self, board_id: int, task_id: int) -> None:
        del board_id
        self._call("delete_task", lambda: self.service.delete(task_id))

    def _copy(self, name: str, work: Callable[[], Document]) -> Document:
        return dict(self._call(name, work))

    def _stage(self, board_id: int, stage_id: int) -> Document:
        return next(stage for stage in self.service.stages[board_id] if stage["id"] == stage_id)
