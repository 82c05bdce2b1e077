"""The task that a screen shows: what the store knows of it, its neighbours and its activities.

A subtask, or an archived task, is not on the board and is found in what was opened; a task that is
nowhere is gone. Activities are asked for when somebody looks at them, a page at a time.
"""

from dataclasses import replace

from textual import on, work

from tui.context import Context
from tui.errors import CallboardError
from tui.model.activity import by_day
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions
from tui.screens.task.activity_list import ActivityList
from tui.store.events import BoardChanged, DetailChanged, StatusChanged, StoreEvent

ASKING = "asking for what was done …"
OLDER = "asking for what was done before …"
NOTHING = "nothing is recorded"
NO_DEEPER = "a subtask has no subtasks of its own"


class ShownTask(TaskActions):
    """A screen that shows one task; `parent_id` is where a subtask was opened from."""

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self.task_id = 0
        self.parent_id: int | None = None
        self.detail: TaskDetail | None = None
        self._is_oldest_first = self._kept_order()
        self._is_asking = False
        self._why_not = ""

    def begin(self, board_id: int, task_id: int, parent_id: int | None = None) -> None:
        """Show this task from now on, as if the screen were new."""
        self.board_id, self.task_id, self.parent_id = board_id, task_id, parent_id
        self.detail = None
        self.begin_anew()
        self.has_turned()
        self._is_oldest_first = self._kept_order()

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
        """Another task is shown from now on: its activities begin at the top."""
        self._why_not = ""
        self.activity.top = 0

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

    @property
    def activity(self) -> ActivityList:
        """Where it is drawn; for subclasses."""
        raise NotImplementedError

    @property
    def activity_order(self) -> str:
        """The order, in words."""
        return "oldest first" if self._is_oldest_first else "newest first"

    def begin_activity(self) -> None:
        """A person looks at it: what could not be had may be asked for again."""
        self._why_not = ""
        self.show_activity()

    def show_activity(self) -> None:
        """Draw what is known, with a word about what is not."""
        detail = self.detail
        known = detail.activities if detail is not None else None
        why = self._why_not or (detail.why.get(Part.ACTIVITIES, "") if detail is not None else "")
        is_whole = known is not None and detail is not None and detail.all_activities
        is_open = not (is_whole or why or self._is_asking)
        note = why or (OLDER if known else ASKING)
        if is_whole:
            note = "" if known else NOTHING
        days = by_day(known or (), self.context.now(), oldest_first=self._is_oldest_first)
        first = self._is_oldest_first or not days
        self.activity.show(
            days, above=note if first else "", below="" if first else note, is_open=is_open
        )

    @on(ActivityList.OrderRequested)
    def turn_order(self) -> None:
        """Show the other order, and remember it."""
        self._is_oldest_first = not self._is_oldest_first
        order = "oldest" if self._is_oldest_first else "newest"
        self.context.preferences.keep(self.board_id, activity=order)
        self.activity.top = 0
        self.begin_activity()
        self.show_task()
        self.say(self.activity_order)

    @on(ActivityList.MoreRequested)
    def ask_for_more(self) -> None:
        """Ask for older ones, unless that is going on."""
        if not self._is_asking:
            self._is_asking = True
            self.run_worker(self._ask(), group="activities", exclusive=True)

    async def _ask(self) -> None:
        task_id = self.task_id
        before = self.store.detail(task_id)
        try:
            await self.store.older_activities(task_id)
        except CallboardError as error:
            self._why_not = f"what was done cannot be had: {error.message}"
        else:
            after = self.store.detail(task_id)
            if _known(after) == _known(before):
                self._why_not = (
                    "nothing is recorded before the service has the task"
                    if task_id < 0
                    else "the service says no more"
                )
        finally:
            self._is_asking = False
        self.look()
        self.show_activity()

    def _kept_order(self) -> bool:
        return self.context.preferences.text(self.board_id, "activity") == "oldest"


def _known(detail: TaskDetail | None) -> tuple[int | None, bool]:
    """How much is known, to tell whether anything came."""
    if detail is None or detail.activities is None:
        return None, False
    return len(detail.activities), detail.all_activities
