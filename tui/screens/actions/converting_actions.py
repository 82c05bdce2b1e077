"""Making a task a subtask of another one, in a group that is chosen or made in the same step.

What cannot become one is said before anything is asked.
"""

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature
from tui.model.subtasks import DEFAULT_GROUP
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions, named
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted

_NEW_GROUP = "a new group"


class ConvertingActions(TaskActions):
    """A screen on which tasks can be made subtasks of another task."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            ">", "to_subtask", "To a subtask", id="task.to-subtask", show=False,
            tooltip="Make the task a subtask of another one",
        ),
    ]  # fmt: skip

    @work(exclusive=True, group="dialog")
    async def action_to_subtask(self) -> None:
        """Ask for the parent and the group, and make the chosen tasks subtasks."""
        from tui.dialogs.pick.parent import PickParent, PlaceChoice

        tasks, view = self.need_tasks(), self.view
        if not tasks or view is None:
            return
        if why := next(filter(None, map(self._why_not_one, tasks)), ""):
            self.say(why)
            return
        chosen = {task.id for task in tasks}
        places = [
            PlaceChoice(task.id, task.title, stage.title)
            for stage in view.stages
            for task in view.in_stage(stage.id)
            if task.id not in chosen
        ]
        dialog = PickParent(f"Make {named(tasks)} a subtask of …", places)
        picked = await self.app.push_screen_wait(dialog)
        parent = None if picked is None or self.view is None else self.view.task(picked.key)
        if parent is not None:
            await self._convert(tasks, parent)

    async def _convert(self, tasks: tuple[Task, ...], parent: Task) -> None:
        """Ask for the group where there is a choice, and make the tasks subtasks."""
        if self.store.offers(Feature.SUBTASK_GROUPS) is False:
            await self._make_subtasks(tasks, parent, None, [])
            return
        from tui.dialogs.pick.parent import PickParent, PlaceChoice

        detail = self.store.detail(parent.id)
        groups = () if detail is None else detail.groups or ()
        places = [
            PlaceChoice(group.id, group.title, f"{group.done}/{len(group.subtasks)}")
            for group in groups
        ] or [PlaceChoice(0, DEFAULT_GROUP)]
        title = f"In which group of {quoted(parent.title)}?"
        picked = await self.app.push_screen_wait(PickParent(title, places, create=_NEW_GROUP))
        if picked is None:
            return
        steps: list[Operation] = []
        group_id = picked.key or None
        is_known = detail is not None and detail.groups is not None
        created = picked.created or (DEFAULT_GROUP if is_known and not groups else "")
        if created:
            group = change.CreateGroup.new(parent, created)
            group_id = group.group_id
            steps.append(group)
        await self._make_subtasks(tasks, parent, group_id, steps)

    async def _make_subtasks(
        self, tasks: tuple[Task, ...], parent: Task, group_id: int | None, steps: list[Operation]
    ) -> None:
        """Make tasks subtasks in a group, None for the default one, after other steps."""
        steps += [change.ConvertToSubtask.on(task, parent, group_id) for task in tasks]
        verb = "is a subtask" if len(tasks) == 1 else "are subtasks"
        if await self.submit(steps, f"{named(tasks)} {verb} of {quoted(parent.title)} now"):
            self.tasks_changed()

    def _why_not_one(self, task: Task) -> str:
        """Why a task cannot become a subtask, in words; empty if it can."""
        detail = self.store.detail(task.id)
        has_subtasks = task.subtasks_total if detail is None else detail.progress[1]
        if task.parent_id is not None:
            return f"{quoted(task.title)} is a subtask already"
        if has_subtasks:
            return f"{quoted(task.title)} has subtasks itself: it cannot become one"
        return ""
