"""Actions on the selected subtasks: delete, clone, paste, move to a group, convert to tasks.

An action on several subtasks is one undo step. Only actions specific to subtasks are here; for
others the actions on tasks are used.
"""

from collections.abc import Callable, Sequence

from tui.actions.availability import missing
from tui.actions.old import Action
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.task import Task
from tui.screens.task.subtask_changes import moves_to_group, named
from tui.screens.task.subtask_typing import SubtaskTyping
from tui.screens.task.subtask_view import NOTHING, SubtaskView
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed


class SubtaskContext:
    """What the actions work on: the selection of a list; `find` gives the parent task."""

    def __init__(
        self, tasks: Cards, shown: SubtaskView, find: Callable[[], TaskDetail | None]
    ) -> None:
        self.tasks = tasks
        self.typing = SubtaskTyping(tasks, shown, find)
        self.shown = shown
        self.say = tasks.say
        self.ask = tasks.ask
        self._find = find

    @property
    def detail(self) -> TaskDetail | None:
        """The parent task."""
        return self._find()

    def need_chosen(self) -> tuple[Task, ...]:
        """The selected subtasks; if there are none, show a message."""
        if self.typing.need_detail() is None:
            return ()
        if not self.shown.chosen:
            self.say(NOTHING, hint="{subtask.new:n} makes one")
        return self.shown.chosen

    async def done(self, steps: Sequence[Operation], said: str) -> bool:
        """Submit the operations as one step; whether that was done."""
        if not steps:
            self.say("they no longer exist: nothing was changed")
            return False
        return await self.tasks.change(steps, said)


class NewSubtask(Action[SubtaskContext]):
    """Opens the input for a new subtask below the cursor."""

    id, keys, label, hint = "subtask.new", "n", "New subtask", "new"
    changes_board = True
    needs = Feature.SUBTASKS

    async def run(self, on: SubtaskContext) -> None:
        on.typing.type_new()


class NewGroup(Action[SubtaskContext]):
    """Opens the input for a new group."""

    id, keys, label = "subtask.new-group", "N", "New group"
    changes_board = True
    needs = Feature.SUBTASK_GROUPS

    async def run(self, on: SubtaskContext) -> None:
        on.typing.type_group()


class RenameSubtask(Action[SubtaskContext]):
    """Opens an input over the title at the cursor."""

    id, keys, label = "subtask.rename", "e", "Rename subtask or group"
    changes_board = True

    async def run(self, on: SubtaskContext) -> None:
        on.typing.rename()


class DeleteSubtask(Action[SubtaskContext]):
    """Asks, then deletes the selected subtasks, or the group at the cursor."""

    id, keys, label = "subtask.delete", "D", "Delete subtask or group"
    changes_board = asks = True

    async def run(self, on: SubtaskContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        row = on.shown.row
        if on.detail is not None and row is not None and row.group and not on.shown.chosen:
            await _delete_group(on, row.group)
            return
        chosen = on.need_chosen()
        if not chosen:
            return
        text = keyed(
            "Comments and history go with it. {task.close:x} closes instead and keeps everything."
        )
        if len(chosen) > 1:
            text = "\n".join([*(f"· {one.title}" for one in chosen[:3]), "", text])
        if not await on.ask(ConfirmDialog(f"Delete {named(chosen)}?", text)):
            on.say("nothing was deleted")
            return
        detail = on.detail
        if detail is not None:
            there = [one for one in chosen if detail.place_of(one.id) is not None]
            steps = [change.DeleteSubtask.on(detail, one) for one in there]
            await on.done(steps, f"deleted {named(chosen)}")


class CopySubtask(Action[SubtaskContext]):
    """Clones the selected subtasks."""

    id, keys, label = "subtask.clone", "C", "Clone subtask"
    changes_board = True
    needs = Feature.SUBTASK_COPIES

    async def run(self, on: SubtaskContext) -> None:
        chosen, detail = on.need_chosen(), on.detail
        if not chosen or detail is None:
            return
        copies = [change.CloneSubtask.on(detail, one) for one in chosen]
        if await on.done(copies, f"copied {named(chosen)}"):
            on.shown.go_to_subtask(copies[0].subtask_id)


class PasteSubtasks(Action[SubtaskContext]):
    """Asks for a text, and creates a subtask for each line."""

    id, keys, label = "subtask.paste", "P", "Paste lines as subtasks"
    changes_board = asks = True
    needs = Feature.SUBTASKS

    async def run(self, on: SubtaskContext) -> None:
        await on.typing.ask_for_lines()


class ToTask(Action[SubtaskContext]):
    """Asks for a stage, and converts the selected subtasks to tasks in it."""

    id, keys, label = "subtask.to-task", "<", "Convert to task"
    changes_board = asks = True

    async def run(self, on: SubtaskContext) -> None:
        from tui.dialogs.pick.find import PickParent, PlaceChoice

        chosen = on.need_chosen()
        if not chosen:
            return
        stages = on.tasks.view.stages if on.tasks.view is not None else ()
        if not stages:
            on.say("the board has no stage for it yet")
            return
        places = [PlaceChoice(stage.id, stage.title) for stage in stages]
        title = f"Convert {named(chosen)} to a task in …"
        picked, view = await on.ask(PickParent(title, places)), on.tasks.view
        stage = view.stage(picked.key) if picked is not None and view is not None else None
        if stage is None or (detail := on.detail) is None:
            return
        steps = [
            change.ConvertToTask.on(detail, one, stage.id)
            for one in chosen
            if detail.place_of(one.id) is not None
        ]
        are = "is" if len(chosen) == 1 else "are"
        await on.done(steps, f"{named(chosen)} {are} in {stage.title} now")


class ToGroup(Action[SubtaskContext]):
    """Asks for a group, or the title of a new one, and moves the selected subtasks to its end."""

    id, keys, label = "subtask.to-group", "m", "Move to group"
    changes_board = asks = True
    needs = Feature.SUBTASK_GROUPS

    async def run(self, on: SubtaskContext) -> None:
        from tui.dialogs.pick.find import PickParent, PlaceChoice

        chosen, detail = on.need_chosen(), on.detail
        if not chosen or detail is None:
            return
        places = [
            PlaceChoice(group.id, group.title, f"{group.done}/{len(group.subtasks)}")
            for group in detail.groups or ()
        ]
        dialog = PickParent(f"Move {named(chosen)} to the group …", places, create="a new group")
        picked, detail = await on.ask(dialog), on.detail
        if picked is None or detail is None:
            return
        steps: list[Operation] = []
        group = detail.group(picked.key)
        if picked.created:
            new = change.CreateGroup.new(detail.task, picked.created)
            steps, group = [new], SubtaskGroup(new.group_id, picked.created)
        if group is not None:
            steps += moves_to_group(detail, chosen, group)
            await on.done(steps, f"moved {named(chosen)} to {quoted(group.title)}")


class NoArchive(Action[SubtaskContext]):
    """Shows that subtasks cannot be archived, in place of archiving the parent task."""

    id, keys, label = "subtask.archive", "A", "Archive subtask"
    changes_board = True

    async def run(self, on: SubtaskContext) -> None:
        hint = "{task.close:x} closes it, {subtask.delete:D} deletes it"
        on.say("a subtask cannot be archived", hint=hint)


SUBTASK_ACTIONS: tuple[Action[SubtaskContext], ...] = (
    NewSubtask(), RenameSubtask(), NewGroup(), DeleteSubtask(), CopySubtask(), PasteSubtasks(),
    ToTask(), ToGroup(), NoArchive(),
)  # fmt: skip


async def _delete_group(on: SubtaskContext, group: SubtaskGroup) -> None:
    """Ask, with the number of its subtasks, then delete a group."""
    from tui.dialogs.confirm import ConfirmDialog

    if reason := missing(on.tasks.store, Feature.SUBTASK_GROUPS):
        on.say(reason)
        return
    count = len(group.subtasks)
    goes = f"Its {counted(count, 'subtask')} go{'es' if count == 1 else ''} with it."
    title = f"Delete the group {quoted(group.title)}?"
    if not await on.ask(ConfirmDialog(title, goes if count else "It is empty.")):
        on.say("nothing was deleted")
        return
    detail = on.detail
    now = None if detail is None else detail.group(group.id)
    if detail is not None and now is not None:
        step = change.DeleteGroup.on(detail.task, now)
        await on.done([step], f"deleted the group {quoted(group.title)}")
