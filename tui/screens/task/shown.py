"""One task that a screen shows: which it is, what the store knows of it, and its neighbours.

The rule it keeps: what is known is shown at once, and the rest when it comes. A subtask, or an
archived task, is not on the board and is found in what was opened; a task that is nowhere is gone.
"""

from dataclasses import replace

from textual import work

from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions
from tui.screens.context import Context
from tui.store.events import BoardChanged, DetailChanged, StatusChanged, StoreEvent

NO_DEEPER = "a subtask has no subtasks of its own"


class ShownTask(TaskActions):
    """A screen that shows one task; `parent_id` is where a subtask was opened from."""

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self.task_id = 0
        self.parent_id: int | None = None
        self.detail: TaskDetail | None = None

    def begin(self, board_id: int, task_id: int, parent_id: int | None = None) -> None:
        """Show this task from now on, as if the screen were new."""
        self.board_id, self.task_id, self.parent_id = board_id, task_id, parent_id
        self.detail = None
        self.begin_anew()
        self.has_turned()

    @property
    def task_shown(self) -> Task | None:
        """The task as it is now; None once it is nowhere."""
        view = self.view
        task = view.task(self.task_id) if view is not None else None
        if task is not None:
            return task
        around = self.store.detail(self.parent_id) if self.parent_id is not None else None
        own = self.store.detail(self.task_id)
        if around is not None:
            inside = around.find(self.task_id)
            return own.task if own is not None and inside is not None else inside
        found = own.task if own is not None else None
        is_elsewhere = found is not None and (found.parent_id or found.archived_at)
        return found if is_elsewhere or (view is not None and not view.complete) else None

    @property
    def parent_shown(self) -> Task | None:
        """The task of which it is a subtask, as far as that is known."""
        task, view = self.task_shown, self.view
        parent_id = self.parent_id if task is None else task.parent_id or self.parent_id
        if parent_id is None or view is None:
            return None
        around = self.store.detail(parent_id)
        return view.task(parent_id) or (around.task if around is not None else None)

    def look(self) -> Task | None:
        """Take what the store knows now; the task, if it is still somewhere."""
        task, known = self.task_shown, self.store.detail(self.task_id)
        if task is None:
            self.detail = None
        elif known is None:
            self.detail = TaskDetail(task)
        else:
            self.detail = known if known.task == task else replace(known, task=task)
        if self.detail is not None and task is not None and task.parent_id is not None:
            why = {**self.detail.why, Part.SUBTASKS: NO_DEEPER}
            self.detail = replace(self.detail, groups=None, why=why)
        return task

    def show_task(self) -> None:
        """Draw the task as it is now; for subclasses."""
        raise NotImplementedError

    def show_bar(self) -> None:
        """Say where the task is and how fresh that is; for subclasses."""
        raise NotImplementedError

    def has_turned(self) -> None:
        """Another task is shown from now on; for subclasses."""

    @work(exclusive=True, group="open-task")
    async def open(self) -> None:
        """Have the store show what it knows, and ask for the rest."""
        await self.store.open_task(self.board_id, self.task_id)

    def came_back(self) -> None:
        """The task is looked at again: the store may have been asked for another one."""
        self.open()

    def turn(self, by: int) -> None:
        """Show the task above or below this one."""
        line = self._line()
        ids = [task.id for task in line]
        if self.task_id not in ids:
            return
        index = ids.index(self.task_id) + by
        if not 0 <= index < len(ids):
            self.say("this is the first card here" if by < 0 else "this is the last card here")
            return
        self.task_id = ids[index]
        self.has_turned()
        self.open()
        self.show_task()
        if self.task_id in self.store.changed_by_others(self.board_id):
            self.run_worker(self.store.looked_at(self.board_id, self.task_id), group="looked")

    def _line(self) -> tuple[Task, ...]:
        """The tasks among which this one stands: of its stage, or of its group."""
        task, view = self.task_shown, self.view
        if task is None or view is None:
            return ()
        if view.task(task.id) is not None and task.stage_id is not None:
            return view.in_stage(task.stage_id)
        around = self.store.detail(self.parent_id) if self.parent_id is not None else None
        found = around.place_of(task.id) if around is not None else None
        group = around.group(found[0]) if around is not None and found else None
        return group.subtasks if group is not None else (task,)

    def hear(self, event: StoreEvent) -> None:
        """Draw the task again when it, or its board, looks different."""
        super().hear(event)
        if isinstance(event, BoardChanged):
            self.task_id = event.renamed.get(self.task_id, self.task_id)
            if self.parent_id is not None:
                self.parent_id = event.renamed.get(self.parent_id, self.parent_id)
        is_ours = isinstance(event, BoardChanged) and event.board_id == self.board_id
        is_about = isinstance(event, DetailChanged) and event.task_id in (
            self.task_id,
            self.parent_id,
        )
        if is_ours or is_about:
            self.show_task()
        elif isinstance(event, StatusChanged):
            self.show_bar()
