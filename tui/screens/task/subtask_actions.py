"""The subtasks of the opened task: made, renamed, copied, deleted, moved.

Whatever is done to the chosen subtasks is one step to undo. Only what subtasks alone can do is
here; everything else is done by the keys of any task.
"""

from collections.abc import Sequence

from textual import on, work

from tui.context import Context
from tui.model import lift
from tui.model.board import BoardView
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.lift import Lift
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions
from tui.screens.task.subtask_changes import made_at, moves, moves_to_group, named
from tui.screens.task.subtask_list import SubtaskList
from tui.screens.task.subtask_typing import NOTHING
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.cells import cut, width as cell_width
from tui.text.clean import quoted
from tui.widgets import glyphs
from tui.widgets.painted import Line

_FREE = {"help", "back"}
TITLE_WIDTH = 36
GROUP_WIDTH = 24
KEYS_WIDTH = 46
"""What all but the titles takes, about."""
NARROW = 60
"""Below so many cells it is not said where it came from."""


class SubtaskActions(TaskActions):
    """A screen with the subtasks of an opened task, `self.detail`, in the list `self.subtasks`."""

    subtasks: SubtaskList
    detail: TaskDetail | None

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._pasted = ""

    @property
    def is_waiting(self) -> bool:
        """Whether a subtask is lifted."""
        return self.subtasks.lift is not None or super().is_waiting

    def tasks_changed(self) -> None:
        """Take the marks off once their subtasks were changed."""
        super().tasks_changed()
        if self.subtasks.lift is None:
            self.subtasks.put_back()

    def why_not(self, key: str) -> str:
        """With a subtask lifted, most keys wait."""
        if self.subtasks.lift is not None:
            return f"‘{key}’ waits: drop the subtask first, or put it back with esc"
        return super().why_not(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """With a subtask lifted, nothing but carrying and dropping works."""
        if self.subtasks.lift is not None and action not in _FREE:
            return False
        return super().check_action(action, parameters)

    def status_line(self) -> Line | None:
        """What is lifted, or how many subtasks are marked."""
        lifted = self.subtasks.lift
        if lifted is not None:
            return moving_line(lifted, self.subtasks.lanes, self.size.width)
        if self.subtasks.marks:
            marked = f" {len(self.subtasks.marks)} marked"
            return ((marked, "hand"), ("  every action works on all · esc", "quiet"))
        return super().status_line()

    @on(SubtaskList.LiftChanged)
    def say_lifted(self, event: SubtaskList.LiftChanged) -> None:
        """Say what is lifted and where it would go."""
        self.clear_message()
        if event.lost:
            self.say("the subtask in your hand was taken away: nothing was moved", error=True)

    @on(SubtaskList.CursorMoved)
    def say_marked(self) -> None:
        """Say how many subtasks are marked."""
        self.show_status()

    @on(SubtaskList.NothingThere)
    def say_why_nothing(self, event: SubtaskList.NothingThere) -> None:
        """Say why a key did nothing."""
        self.say(event.why)

    @on(SubtaskList.DropRequested)
    async def move_subtasks(self, event: SubtaskList.DropRequested) -> None:
        """Move the subtasks to where they were dropped; nothing is sent if they are there."""
        if self.detail is None:
            return
        steps = moves(self.detail, event.lift)
        if not steps:
            self.say(f"{named(event.lift.tasks)} stays where it is")
            return
        self.subtasks.go_to_subtask(event.lift.tasks[0].id)
        if await self.submit(steps):
            self.tasks_changed()

    @on(SubtaskList.NewTyped)
    async def make_typed(self, event: SubtaskList.NewTyped) -> None:
        """Make the subtask, or the group, that was typed, and have the next one typed below it."""
        detail = self.detail
        if detail is None:
            return
        if event.spot.is_group:
            group = change.CreateGroup.new(detail.task, event.title)
            if await self.submit([group], f"added the group {quoted(event.title)}"):
                self.subtasks.go_to_group(group.group_id)
            return
        made = made_at(detail, event.spot, [event.title])
        draft = self.subtasks.new_draft
        draft.hand_over(made.subtask_ids[0])
        if await self.submit(made.operations):
            draft.forget()
            self.subtasks.go_on_below(made.group_id, made.subtask_ids[0])
        else:
            self.subtasks.give_back(event.title)

    @on(SubtaskList.RenameTyped)
    async def rename_typed(self, event: SubtaskList.RenameTyped) -> None:
        """Give the subtask, or the group, the title that was typed."""
        subtask, group = event.row.subtask, event.row.group
        if subtask is not None:
            if await self.retitle(subtask, event.title):
                self.title_draft(subtask).forget()
        elif not event.title:
            self.say("a title cannot be empty: it stays as it was")
        elif reason := self.unavailable("subtask.new-group"):
            self.say(reason)
        elif group is not None and self.detail is not None and event.title != group.title:
            await self.submit([change.rename_group(self.detail.task, group, event.title)])

    @on(SubtaskList.LinesPasted)
    def offer_lines(self, event: SubtaskList.LinesPasted) -> None:
        """Offer a subtask for each of several lines that were pasted into a title."""
        if self.detail is not None:
            self._pasted = event.text
            self.ask_for_lines(self.detail)

    @on(SubtaskList.Asked)
    async def do_asked(self, event: SubtaskList.Asked) -> None:
        """Do to the chosen subtasks, or to the group, what was asked for."""
        detail, chosen = self.detail, self.subtasks.chosen
        if detail is None or detail.groups is None:
            self.say(self.subtasks.words)
        elif event.action == "paste":
            self.ask_for_lines(detail)
        elif event.action == "delete" and not chosen and event.row and event.row.group:
            if reason := self.unavailable("subtask.new-group"):
                self.say(reason)
            else:
                self.ask_to_delete_group(event.row.group)
        elif not chosen:
            self.say(NOTHING, hint="n makes one")
        elif event.action == "delete":
            self.ask_to_delete(chosen)
        elif event.action == "clone":
            await self._clone(detail, chosen)
        elif event.action == "to_task":
            self.ask_for_stage(chosen)
        elif event.action == "to_group":
            self.ask_for_group(chosen)

    @work(exclusive=True, group="dialog")
    async def ask_to_delete(self, chosen: tuple[Task, ...]) -> None:
        """Ask, then delete subtasks."""
        from tui.dialogs.confirm import ConfirmDialog

        text = "Comments and history go with it. x closes instead and keeps everything."
        if len(chosen) > 1:
            text = "\n".join([*(f"· {one.title}" for one in chosen[:3]), "", text])
        if not await self.app.push_screen_wait(ConfirmDialog(f"Delete {named(chosen)}?", text)):
            self.say("nothing was deleted")
            return
        detail = self.detail
        if detail is not None:
            there = [one for one in chosen if detail.place_of(one.id) is not None]
            steps: list[Operation] = [change.DeleteSubtask.on(detail, one) for one in there]
            await self._done(steps, f"deleted {named(chosen)}")

    @work(exclusive=True, group="dialog")
    async def ask_to_delete_group(self, group: SubtaskGroup) -> None:
        """Ask, saying how many subtasks go with it, then delete a group."""
        from tui.dialogs.confirm import ConfirmDialog

        count = len(group.subtasks)
        text = (
            f"Its {counted(count)} go{'es' if count == 1 else ''} with it."
            if count
            else "It is empty."
        )
        title = f"Delete the group {quoted(group.title)}?"
        if not await self.app.push_screen_wait(ConfirmDialog(title, text)):
            self.say("nothing was deleted")
            return
        now = None if self.detail is None else self.detail.group(group.id)
        if self.detail is not None and now is not None:
            step = change.DeleteGroup.on(self.detail.task, now)
            await self._done([step], f"deleted the group {quoted(group.title)}")

    @work(exclusive=True, group="dialog")
    async def ask_for_stage(self, chosen: tuple[Task, ...]) -> None:
        """Ask for a stage, and make the subtasks tasks of their own in it."""
        from tui.dialogs.pick.parent import PickParent, PlaceChoice

        stages = self.view.stages if self.view is not None else ()
        if not stages:
            self.say("the board has no stage for it yet")
            return
        places = [PlaceChoice(stage.id, stage.title) for stage in stages]
        title = f"Make {named(chosen)} a task of its own in …"
        picked = await self.app.push_screen_wait(PickParent(title, places))
        stage = (
            self.view.stage(picked.key) if picked is not None and self.view is not None else None
        )
        if stage is not None and (detail := self.detail) is not None:
            steps: list[Operation] = [
                change.ConvertToTask.on(detail, one, stage.id)
                for one in chosen
                if detail.place_of(one.id) is not None
            ]
            await self._done(
                steps, f"{named(chosen)} {'is' if len(chosen) == 1 else 'are'} in {stage.title} now"
            )

    @work(exclusive=True, group="dialog")
    async def ask_for_group(self, chosen: tuple[Task, ...]) -> None:
        """Ask for a group, or for the title of a new one, and move the subtasks to its end."""
        from tui.dialogs.pick.parent import PickParent, PlaceChoice

        detail = self.detail
        if detail is None:
            return
        places = [
            PlaceChoice(group.id, group.title, f"{group.done}/{len(group.subtasks)}")
            for group in detail.groups or ()
        ]
        dialog = PickParent(f"Move {named(chosen)} to the group …", places, create="a new group")
        picked, detail = await self.app.push_screen_wait(dialog), self.detail
        if picked is None or detail is None:
            return
        steps: list[Operation] = []
        group = detail.group(picked.key)
        if picked.created:
            new = change.CreateGroup.new(detail.task, picked.created)
            steps, group = [new], SubtaskGroup(new.group_id, picked.created)
        if group is not None:
            steps += moves_to_group(detail, chosen, group)
            await self._done(steps, f"moved {named(chosen)} to {quoted(group.title)}")

    @work(exclusive=True, group="dialog")
    async def ask_for_lines(self, detail: TaskDetail) -> None:
        """Ask for a text, and make a subtask of each of its lines, as one step."""
        from tui.dialogs.paste_lines import PasteLines
        from tui.text.checklist import checklist

        spot = self.subtasks.spot
        pasted = await self.app.push_screen_wait(
            PasteLines(
                f"Subtasks of {quoted(detail.task.title)}", self._pasted, checklist, "subtask"
            )
        )
        if pasted is None:
            return
        self._pasted = pasted.text
        if not pasted.is_taken:
            self.say("kept what you pasted" if pasted.text else "nothing was made")
            return
        lines = checklist(pasted.text)
        done = [index for index, line in enumerate(lines) if line.is_done]
        made = made_at(self.detail or detail, spot, [line.title for line in lines], done)
        if await self.submit(made.operations, f"added {counted(len(lines))}"):
            self._pasted = ""
            self.subtasks.go_to_subtask(made.subtask_ids[0])

    async def _clone(self, detail: TaskDetail, chosen: tuple[Task, ...]) -> None:
        copies = [change.CloneSubtask.on(detail, one) for one in chosen]
        if await self._done(copies, f"copied {named(chosen)}"):
            self.subtasks.go_to_subtask(copies[0].subtask_id)

    async def _done(self, steps: Sequence[Operation], said: str) -> bool:
        """Make a step of what is left to do of it, and take the marks off; whether it was made."""
        if not steps:
            self.say("they are not there any more: nothing was changed")
            return False
        if not await self.submit(steps, said):
            return False
        self.tasks_changed()
        return True


def counted(count: int) -> str:
    """So many subtasks, in words."""
    return f"{count} subtask{'' if count == 1 else 's'}"


def moving_line(lifted: Lift, shown: BoardView, width: int) -> Line:
    """What is lifted, where it would go, where it came from, and how to let go.

    Where `width` is small the titles are cut, so that the keys can be seen.
    """
    over, home = shown.stage(lifted.stage_id), shown.stage(lifted.home_stage_id)
    names = [lifted.tasks[0].title, over.title if over else "", home.title if home else ""]
    if sum(map(cell_width, names)) > width - KEYS_WIDTH:
        room = max(16, width - KEYS_WIDTH)
        names = [cut(names[0], room // 2), *(cut(name, room // 4) for name in names[1:])]
    title, to, origin = (
        cut(name, most)
        for name, most in zip(names, (TITLE_WIDTH, GROUP_WIDTH, GROUP_WIDTH), strict=True)
    )
    count = len(lift.others(lifted, shown, lifted.stage_id)) + len(lifted.tasks)
    what = f"“{title}”" if len(lifted.tasks) == 1 else f"{len(lifted.tasks)} subtasks"
    return (
        (f" MOVING {what}", "hand"),
        (f"  {glyphs.ARROW}  {to} {lifted.row + 1}/{count}", "name"),
        (f"   from {origin} {lifted.home_row + 1}" if width >= NARROW else "", "quiet"),
        ("   ↵", "key"),
        (" drop  ", "quiet"),
        ("esc", "key"),
        (" cancel", "quiet"),
    )
