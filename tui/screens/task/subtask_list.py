"""The actions on subtasks: new ones, new groups, titles, delete, clone, move to a group, convert.

An action on several subtasks is one undo step. Titles are typed in the list; after a new subtask
the next one can be typed at once. Drafts of them survive Esc and a restart. What works on all tasks
is in `CardActions`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from textual import on
from textual.binding import BindingType

from tui.actions.action import board_action
from tui.actions.availability import missing
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.moving import pick_group
from tui.client.capabilities import Feature
from tui.config.drafts import DraftOfOne
from tui.model.board import Place
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.moving.subtasks import RowKey, SubtaskRow, TitleSpot
from tui.model.task import Status, Task
from tui.screens.status_line import StatusLine
from tui.screens.task.subtask_lines import named, why_empty
from tui.screens.task.subtask_view import KEYS, NOTHING, SubtaskView
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed
from tui.text.plain_names import DEFAULT_GROUP
from tui.widgets.line_input import LineInput
from tui.widgets.title_input import TitleInput

NEW, GROUP, RENAME = "new subtask", "new group", "rename subtask"


class SubtaskList(SubtaskView):
    """The groups of subtasks of a task as one focusable widget, with the actions on them."""

    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self, tasks: Cards, status: StatusLine) -> None:
        super().__init__(tasks, status)
        self._renamed: SubtaskRow | None = None
        self._pasted = ""

    @board_action("subtask.new", "n", "New subtask", hint="new", needs=Feature.SUBTASKS)
    def type_new(self) -> None:
        if self._need_parent() is not None:
            draft = self._new_draft
            typed = TitleInput(NEW, placeholder="title", draft=draft, takes_lines=True, enter="add")
            typed.leave = _leave(typed)
            self.open_input(typed, self.spot)

    @board_action("subtask.rename", "e", "Rename subtask or group")
    def rename(self) -> None:
        self._renamed = row = self.row
        if row is None or row.group is None:
            self._tasks.say(f"{NOTHING} to rename")
        elif row.subtask is not None:
            draft = self._tasks.title_draft(row.subtask)
            self.open_input(TitleInput(RENAME, row.subtask.title, draft=draft))
        else:
            self.open_input(TitleInput(RENAME, row.group.in_words))

    @board_action("subtask.new-group", "N", "New group", needs=Feature.SUBTASK_GROUPS)
    def type_group(self) -> None:
        if self._need_parent() is not None:
            typed = TitleInput(GROUP, placeholder="title of the group", enter="add")
            self.open_input(typed, TitleSpot(is_group=True))

    @board_action("subtask.delete", "D", "Delete subtask or group", asks=True)
    async def delete(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        row = self.row
        if self.detail is not None and row and row.group and not self.chosen:
            await self._delete_group(row.group)
            return
        chosen = self._need_chosen()
        if not chosen:
            return
        text = keyed(
            "Comments and history will be deleted too."
            " {task.close:x} to close instead and keep everything."
        )
        if len(chosen) > 1:
            text = "\n".join([*(f"· {subtask.title}" for subtask in chosen[:3]), "", text])
        if not await self._tasks.ask(ConfirmDialog(f"Delete {named(chosen)}?", text)):
            self._tasks.say("nothing was deleted")
        else:
            await self._change(chosen, change.DeleteSubtask.on, f"deleted {named(chosen)}")

    async def _delete_group(self, group: SubtaskGroup) -> None:
        from tui.dialogs.questions import ConfirmDialog

        if reason := missing(self._tasks.store, Feature.SUBTASK_GROUPS):
            self._tasks.say(reason)
            return
        count = len(group.subtasks)
        goes = f"Its {counted(count, 'subtask')} go{'es' if count == 1 else ''} with it."
        title = f"Delete the group {quoted(group.in_words)}?"
        if not await self._tasks.ask(ConfirmDialog(title, goes if count else "It is empty.")):
            self._tasks.say("nothing was deleted")
            return
        # The group may have changed, or be gone, while the question was open.
        detail = self.detail
        now = None if detail is None else detail.group(group.id)
        if detail is not None and now is not None:
            step = change.DeleteGroup.on(detail.task, now)
            await self._tasks.change([step], f"deleted the group {quoted(group.in_words)}")

    @board_action("subtask.clone", "C", "Duplicate subtask", needs=Feature.SUBTASK_COPIES)
    async def clone(self) -> None:
        chosen, detail = self._need_chosen(), self.detail
        if chosen and detail is not None:
            copies = [change.CloneSubtask.on(detail, subtask) for subtask in chosen]
            if await self._tasks.change(copies, f"duplicated {named(chosen)}"):
                self.go_to_subtask(copies[0].subtask_id)

    @board_action(
        "subtask.paste", "P", "Paste lines as subtasks", needs=Feature.SUBTASKS, asks=True
    )
    async def paste(self) -> None:
        from tui.dialogs.write import PasteLines
        from tui.text.checklist import checklist

        detail, spot = self._need_parent(), self.spot
        if detail is None:
            return
        title = f"Subtasks of {quoted(detail.task.title)}"
        pasted = await self._tasks.ask(PasteLines(title, self._pasted, checklist, "subtask"))
        if pasted is None:
            return
        self._pasted = pasted.text
        if not pasted.is_submitted:
            self._tasks.say("saved as a draft" if pasted.text else "nothing was added")
            return
        lines = checklist(pasted.text)
        done = [index for index, line in enumerate(lines) if line.is_done]
        # Subtasks may have come while the dialog was open: use the detail of now.
        batch = made_at(self.detail or detail, spot, [line.title for line in lines], done)
        if await self._tasks.submit(batch.operations, f"added {counted(len(lines), 'subtask')}"):
            self._pasted = ""
            self.go_to_subtask(batch.subtask_ids[0])

    @board_action("subtask.to-task", "<", "Convert to card", asks=True)
    async def convert_to_task(self) -> None:
        from tui.dialogs.pick.places import PickParent, PlaceChoice

        chosen = self._need_chosen()
        if not chosen:
            return
        view = self._tasks.view
        if view is None or not view.stages:
            self._tasks.say("the board has no stages yet")
            return
        places = [PlaceChoice(stage.id, stage.title) for stage in view.stages]
        picked = await self._tasks.ask(
            PickParent(f"Convert {named(chosen)} to a card in …", places)
        )
        # The stage may have been archived while the dialog was open.
        view = self._tasks.view
        stage = view.stage(picked.key) if picked is not None and view is not None else None
        if stage is not None:
            converted = partial(change.ConvertToTask.on, stage_id=stage.id)
            are = "is" if len(chosen) == 1 else "are"
            await self._change(chosen, converted, f"{named(chosen)} {are} now in {stage.title}")

    @board_action("subtask.to-group", "m", "Move to group", needs=Feature.SUBTASK_GROUPS, asks=True)
    async def move_to_group(self) -> None:
        chosen, detail = self._need_chosen(), self.detail
        if not chosen or detail is None:
            return
        title = f"Move {named(chosen)} to the group …"
        choice, detail = await pick_group(self._tasks, detail.task, title), self.detail
        if choice is None or detail is None:
            return
        group, steps = choice
        # A group that is only created by `steps` is not in the detail yet.
        now = group if steps else detail.group(group.id)
        if now is not None:
            steps += moves_to_group(detail, chosen, now)
            await self._tasks.change(steps, f"moved {named(chosen)} to {quoted(now.title)}")

    @board_action("subtask.archive", "A", "Archive subtask")
    def archive(self) -> None:
        hint = "{task.close:x} to close it, {subtask.delete:D} to delete it"
        self._tasks.say("a subtask cannot be archived", hint=hint)

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        event.stop()
        # Closing the input clears the gap, so it is read first.
        title, spot = " ".join(event.text.split()), self.gap
        if event.input.purpose == NEW and title:
            # The input stays for the next title.
            event.input.value = ""
        else:
            self.close_input()
        detail = self.detail
        if event.input.purpose == RENAME and self._renamed is not None:
            await self._rename(self._renamed, title)
        elif detail is None or spot is None or not title:
            return
        elif spot.is_group:
            group = change.CreateGroup.new(detail.task, title)
            if await self._tasks.submit([group], f"added the group {quoted(title)}"):
                self.go_to_key(RowKey(group.group_id))
        else:
            await self._create(detail, spot, title)

    @on(LineInput.Typed)
    def make_room(self, event: LineInput.Typed) -> None:
        event.stop()
        if event.input.purpose == NEW:
            event.input.leave = _leave(event.input)
            self._status.draw()
        self.show_rows()

    @on(LineInput.GivenUp)
    def leave_title(self, event: LineInput.GivenUp) -> None:
        event.stop()
        self.close_input()
        if event.input.purpose == NEW and event.text.strip():
            self._tasks.say(keyed("saved as a draft: {subtask.new:n} to continue"))
        else:
            event.input.forget_draft()

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        event.stop()
        self.close_input()
        event.input.forget_draft()
        self._pasted = event.text
        self._tasks.host.dialogs.run(self.paste)

    async def _create(self, detail: TaskDetail, spot: TitleSpot, title: str) -> None:
        batch, draft = made_at(detail, spot, [title]), self._new_draft
        # If the program is killed before `forget`, the next start finds out by this id whether the
        # store has the subtask.
        draft.hand_over(batch.subtask_ids[0])
        is_made = await self._tasks.submit(batch.operations)
        # Read after the wait: the user may have closed the input, or typed the next title.
        typed = self.typed
        if is_made:
            draft.forget()
            if typed is not None:
                self.gap = TitleSpot(batch.group_id, batch.subtask_ids[0])
            self.go_to_subtask(batch.subtask_ids[0])
        elif typed is not None:
            # A refused title goes before what was typed meanwhile.
            typed.value = f"{title} {typed.value}".strip()
            typed.action_end()

    async def _rename(self, row: SubtaskRow, title: str) -> None:
        group, detail = row.group, self.detail
        if row.subtask is not None:
            if await self._tasks.retitle(row.subtask, title):
                self._tasks.title_draft(row.subtask).forget()
        elif not title:
            self._tasks.say("title is required: nothing was changed")
        elif reason := missing(self._tasks.store, Feature.SUBTASK_GROUPS):
            self._tasks.say(reason)
        elif group is not None and detail is not None and title != group.in_words:
            await self._tasks.submit([change.rename_group(detail.task, group, title)])

    @property
    def _new_draft(self) -> DraftOfOne:
        detail = self.detail
        task_id = 0 if detail is None else detail.task.id
        return DraftOfOne(self._tasks.context.drafts, f"new-subtask-{task_id}", "")

    def _need_parent(self) -> TaskDetail | None:
        detail = self.detail
        if detail is None or detail.groups is None:
            self._tasks.say(why_empty(detail))
            return None
        return detail

    def _need_chosen(self) -> tuple[Task, ...]:
        if self._need_parent() is None:
            return ()
        if not self.chosen:
            self._tasks.say(NOTHING, hint="{subtask.new:n} to add one")
        return self.chosen

    async def _change(
        self,
        chosen: Sequence[Task],
        operation: Callable[[TaskDetail, Task], Operation],
        message: str,
    ) -> None:
        # Some may have been deleted while a dialog was open.
        detail = self.detail
        left = [subtask for subtask in chosen if detail is not None and detail.place_of(subtask.id)]
        if detail is not None and left:
            await self._tasks.change([operation(detail, subtask) for subtask in left], message)
        else:
            self._tasks.say("they were deleted: nothing was changed")


def _leave(typed: LineInput) -> str:
    return "save draft" if typed.value.strip() else "close"


class Made(NamedTuple):
    """The operations that create subtasks, their group, and their local ids in order."""

    operations: list[Operation]
    group_id: int
    subtask_ids: list[int]


def made_at(
    detail: TaskDetail, spot: TitleSpot, titles: Sequence[str], done: Iterable[int] = ()
) -> Made:
    """Create subtasks with these titles at a spot, in order; `done` are the indexes to close.

    If the group no longer exists, they go to the first group, or to a new one.
    """
    group = detail.group(spot.group_id or 0) or next(iter(detail.groups or ()), None)
    operations: list[Operation] = []
    if group is None:
        new = change.CreateGroup.new(detail.task, DEFAULT_GROUP)
        group = SubtaskGroup(new.group_id, DEFAULT_GROUP)
        operations.append(new)
    ids = [subtask.id for subtask in group.subtasks]
    on_top = bool(ids) and spot.above not in ids
    below = ids[ids.index(spot.above) + 1 :] if spot.above in ids else []
    batch = [change.CreateSubtask.new(detail.task, group, title, on_top=on_top) for title in titles]
    # Each new top subtask pushes the earlier ones down: created in reverse, they are in order.
    operations.extend(reversed(batch) if on_top else batch)
    above = spot.above
    for creation in batch:
        # Subtasks are created at an end of the group; between others they are moved to their place.
        if below:
            place = Place(above, below[0])
            keys = (creation.board_id, creation.task_id, group.id, creation.subtask_id)
            move = change.MoveSubtask(*keys, creation.title, place, group.id, group.title)
            operations.append(move)
        above = creation.subtask_id
    for index in done:
        task_id, board_id, title = batch[index].subtask_id, batch[index].board_id, titles[index]
        subtask = Task(task_id, board_id, None, title, parent_id=detail.task.id)
        operations.append(change.set_status(subtask, Status.CLOSED))
    return Made(operations, group.id, [creation.subtask_id for creation in batch])


def moves_to_group(
    detail: TaskDetail, subtasks: Sequence[Task], group: SubtaskGroup
) -> list[Operation]:
    """The moves of subtasks to the end of a group, in their order; one if all are new there."""
    if len(subtasks) > 1 and not any(subtask in group.subtasks for subtask in subtasks):
        return [change.MoveSubtasks.on(detail, subtasks, group)]
    chosen = {subtask.id for subtask in subtasks}
    ids = [subtask.id for subtask in group.subtasks if subtask.id not in chosen]
    operations: list[Operation] = []
    above = ids[-1] if ids else None
    for subtask in subtasks:
        operations.append(change.MoveSubtask.on(detail, subtask, group.id, Place(above)))
        above = subtask.id
    return operations
