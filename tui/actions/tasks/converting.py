"""Converting tasks to subtasks of another task, in an existing group or a new one.

Tasks that cannot be converted are reported before any dialog opens. A new group is part of the same
undo step.
"""

from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.client.capabilities import Feature
from tui.model.moving.subtasks import DEFAULT_GROUP
from tui.model.task import Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted

_NEW_GROUP = "a new group"


class ToSubtask(Action[TaskContext]):
    """Asks for a parent and a group, and converts the selected tasks to subtasks."""

    id, keys, label = "task.to-subtask", ">", "Convert to subtask"
    needs = Feature.SUBTASKS
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.pick.find import PickParent, PlaceChoice

        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None:
            return
        if why := next(filter(None, (_why_not_convertible(on, task) for task in tasks)), ""):
            on.say(why)
            return
        chosen = {task.id for task in tasks}
        places = [
            PlaceChoice(task.id, task.title, stage.title)
            for stage in view.stages
            for task in view.in_stage(stage.id)
            if task.id not in chosen
        ]
        dialog = PickParent(f"Convert {named(tasks)} to a subtask of …", places)
        picked = await on.ask(dialog)
        parent = None if picked is None or on.view is None else on.view.task(picked.key)
        group = await _pick_group(on, parent) if parent is not None else None
        if parent is None or group is None:
            return
        group_id, steps = group
        steps += [change.ConvertToSubtask.on(task, parent, group_id) for task in tasks]
        verb = "is a subtask" if len(tasks) == 1 else "are subtasks"
        await on.change(steps, f"{named(tasks)} {verb} of {quoted(parent.title)} now")


async def _pick_group(on: TaskContext, parent: Task) -> tuple[int | None, list[Operation]] | None:
    """Ask for a group if the service offers groups; with it the step that creates it, if it is new.

    No id means the default group. None if the dialog was cancelled.
    """
    if on.store.offers(Feature.SUBTASK_GROUPS) is False:
        return None, []
    from tui.dialogs.pick.find import PickParent, PlaceChoice

    detail = on.store.detail(parent.id)
    groups = () if detail is None else detail.groups or ()
    places = [
        PlaceChoice(group.id, group.title, f"{group.done}/{len(group.subtasks)}")
        for group in groups
    ] or [PlaceChoice(0, DEFAULT_GROUP)]
    title = f"In which group of {quoted(parent.title)}?"
    picked = await on.ask(PickParent(title, places, create=_NEW_GROUP))
    if picked is None:
        return None
    is_known = detail is not None and detail.groups is not None
    created = picked.created or (DEFAULT_GROUP if is_known and not groups else "")
    if not created:
        return picked.key or None, []
    made = change.CreateGroup.new(parent, created)
    return made.group_id, [made]


def _why_not_convertible(on: TaskContext, task: Task) -> str:
    """The reason why a task cannot become a subtask; empty if it can."""
    detail = on.store.detail(task.id)
    has_subtasks = task.subtasks_total if detail is None else detail.progress[1]
    if task.parent_id is not None:
        return f"{quoted(task.title)} is a subtask already"
    if has_subtasks:
        return f"{quoted(task.title)} has subtasks itself: it cannot become one"
    return ""
