"""The task that a task screen shows, and the tasks before and after it.

Subtasks and archived tasks are not on the board; they are looked up among the opened tasks. A task
found in neither no longer exists.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tui.actions.tasks.cards import Cards
from tui.config.stage_settings import with_own_settings
from tui.model.board import StageKind
from tui.model.detail import DetailPart, RowKey, TaskDetail
from tui.model.events.history import LONG, Age, ages, thresholds
from tui.model.stage_kinds import kinds_of
from tui.model.task import Task
from tui.store.events import BoardChanged, DetailChanged, PendingChange, PendingState, StoreEvent

_DRAWN = (PendingState.WAITING, PendingState.SENDING, PendingState.UNSURE)


class ShownTask:
    """The shown task; `parent_id` is the task from which a subtask was opened.

    `detail` is the state at the last call of `look`.
    """

    def __init__(self, tasks: Cards, task_id: int, parent_id: int | None) -> None:
        self._tasks = tasks
        self._store = tasks.store
        self.detail: TaskDetail | None = None
        self.begin(task_id, parent_id)

    def begin(self, task_id: int, parent_id: int | None) -> None:
        self.task_id, self.parent_id = task_id, parent_id
        self.detail = None
        self.age: Age | None = None
        self.is_stale = False

    @property
    def task(self) -> Task | None:
        view = self._tasks.view
        task = view.task(self.task_id) if view is not None else None
        if task is not None:
            return task
        around = self._store.detail(self.parent_id) if self.parent_id is not None else None
        own = self._store.detail(self.task_id)
        task = own.task if own is not None else None
        if around is not None:
            # The parent decides whether the subtask still exists; its own detail may be older.
            inside = around.find(self.task_id)
            return task if task is not None and inside is not None else inside
        # A task that is not on a complete board is gone; while the board is read, it may come.
        is_elsewhere = task is not None and (task.parent_id or task.archived_at)
        return task if is_elsewhere or (view is not None and not view.complete) else None

    @property
    def parent(self) -> Task | None:
        task, view = self.task, self._tasks.view
        parent_id = self.parent_id if task is None else task.parent_id or self.parent_id
        if parent_id is None or view is None:
            return None
        around = self._store.detail(parent_id)
        return view.task(parent_id) or (around.task if around is not None else None)

    def look(self) -> Task | None:
        """Update `detail` from the store, and return the task if it still exists."""
        task = self.task
        if task is None:
            self.detail = None
            return None
        detail = self._store.detail(self.task_id) or TaskDetail(task)
        # The projected task counts; the detail may be of another time.
        if detail.task != task:
            detail = replace(detail, task=task)
        if task.parent_id is not None:
            why = {**detail.why, DetailPart.SUBTASKS: "a subtask cannot have subtasks"}
            detail = replace(detail, groups=None, why=why)
        self.detail = detail
        return task

    async def read_age(self, task: Task) -> None:
        """Read how long the task has been in its stage, and whether that is long for the stage."""
        view = self._tasks.view
        stage = view.stage(task.stage_id) if view is not None else None
        if view is None or stage is None:
            return
        view = with_own_settings(view, self._tasks.context.preferences)
        history = await self._store.history(task.board_id, task.id)
        self.age = ages([(task, stage.title)], history).get(task.id)
        is_active = kinds_of(view.stages)[stage.id] is StageKind.ACTIVE
        most = thresholds(history).get(stage.title, LONG)
        now = self._tasks.now().astimezone()
        self.is_stale = self.age is not None and is_active and now - self.age.since > most

    @property
    def place(self) -> tuple[int, int]:
        """The number of the task among its neighbours, from 1, and how many there are; or zeros."""
        ids = self._neighbours()
        return (ids.index(self.task_id) + 1, len(ids)) if self.task_id in ids else (0, 0)

    def turn(self, by: int) -> bool:
        """Go to the previous or next task; if there is none, show a message and return False."""
        ids = self._neighbours()
        if self.task_id not in ids:
            self._tasks.say("this is the only card here")
            return False
        index = ids.index(self.task_id) + by
        if not 0 <= index < len(ids):
            self._tasks.say(f"this is the {'first' if by < 0 else 'last'} card here")
            return False
        self.task_id = ids[index]
        return True

    def _neighbours(self) -> Sequence[int]:
        # The tasks in the same stage, or the subtasks in the same group.
        task, view = self.task, self._tasks.view
        if task is None or view is None:
            return []
        if view.task(task.id) is not None and task.stage_id is not None:
            return view.in_stage(task.stage_id).ids
        around = self._store.detail(self.parent_id) if self.parent_id is not None else None
        groups = (around.groups or ()) if around is not None else ()
        ids = ([subtask.id for subtask in group.subtasks] for group in groups)
        return next((group for group in ids if task.id in group), [task.id])

    def hear(self, event: StoreEvent) -> bool:
        """Replace local ids by those of the service; whether the task must be redrawn."""
        if isinstance(event, BoardChanged):
            # A task that was just created has a local id until the service assigns one.
            self.task_id = event.renamed.get(self.task_id, self.task_id)
            if self.parent_id is not None:
                self.parent_id = event.renamed.get(self.parent_id, self.parent_id)
            return event.board_id == self._tasks.board_id
        ours = (self.task_id, self.parent_id)
        return isinstance(event, DetailChanged) and event.task_id in ours


def fields_waiting(waiting: Iterable[PendingChange], task_id: int) -> frozenset[RowKey]:
    """The fields of a task with pending changes that are drawn: neither refused nor in conflict."""
    return frozenset(
        pending.operation.row
        for pending in waiting
        if pending.state in _DRAWN
        and pending.operation.task_id == task_id
        and pending.operation.row is not None
    )
