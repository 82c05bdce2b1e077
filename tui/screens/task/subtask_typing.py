"""Titles typed in the list of subtasks: of new subtasks, new groups, and to rename either.

After a new subtask the next one can be typed at once. The titles of subtasks are saved as drafts,
which survive Esc and a restart.
"""

from collections.abc import Callable

from tui.actions.availability import missing
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.config.drafts import DraftOfOne
from tui.model.detail import TaskDetail
from tui.model.moving.subtasks import Spot, SubtaskRow
from tui.screens.task.subtask_changes import made_at
from tui.screens.task.subtask_view import NOTHING, SubtaskView
from tui.store import operations as change
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed
from tui.widgets.line_input import LineInput

NEW, GROUP, RENAME = "new subtask", "new group", "rename subtask"


class SubtaskTyping:
    """Inputs for titles in a list; `find` gives the parent task."""

    def __init__(
        self, tasks: Cards, shown: SubtaskView, find: Callable[[], TaskDetail | None]
    ) -> None:
        self._tasks = tasks
        self._shown = shown
        self._find = find
        self._renamed: SubtaskRow | None = None
        self._pasted = ""

    def need_detail(self) -> TaskDetail | None:
        """The parent task; if its subtasks are not loaded, show why and return None."""
        detail = self._find()
        if detail is None or detail.groups is None:
            self._tasks.say(self._shown.words)
            return None
        return detail

    def type_new(self) -> None:
        """Open the input for a new subtask below the cursor."""
        if self.need_detail() is not None:
            placeholder = keyed("title · ↵ adds it · {input.cancel:esc} ends")
            typed = LineInput(NEW, placeholder=placeholder, draft=self._new_draft, takes_lines=True)
            self._shown.open_input(typed, self._shown.spot)

    def type_group(self) -> None:
        """Open the input for a new group."""
        if self.need_detail() is not None:
            typed = LineInput(
                GROUP, placeholder=keyed("title of the group · ↵ makes it · {input.cancel:esc}")
            )
            self._shown.open_input(typed, Spot(is_group=True))

    def rename(self) -> None:
        """Open an input over the title at the cursor."""
        self._renamed = row = self._shown.row
        if row is None or row.group is None:
            self._tasks.say(f"{NOTHING} to rename")
        elif row.subtask is not None:
            draft = self._tasks.title_draft(row.subtask)
            self._shown.open_input(LineInput(RENAME, row.subtask.title, draft=draft))
        else:
            self._shown.open_input(LineInput(RENAME, row.group.title))

    async def done(self, event: LineInput.Done) -> None:
        """Submit the title; after a new subtask keep the input open for the next one."""
        title, spot = " ".join(event.text.split()), self._shown.gap
        if event.input.purpose == NEW and title:
            event.input.value = ""
        else:
            self._shown.close_input()
        detail = self._find()
        if event.input.purpose == RENAME and self._renamed is not None:
            await self._rename(self._renamed, title)
        elif detail is None or spot is None or not title:
            return
        elif spot.is_group:
            group = change.CreateGroup.new(detail.task, title)
            if await self._tasks.submit([group], f"added the group {quoted(title)}"):
                self._shown.go_to_group(group.group_id)
        else:
            await self._create(detail, spot, title)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; keep the draft of a new subtask, discard the one of a rename."""
        self._shown.close_input()
        if event.input.purpose == NEW and event.text.strip():
            self._tasks.say(keyed("kept what you typed: {subtask.new:n} goes on with it"))
        else:
            event.input.forget_draft()

    def lines_pasted(self, event: LineInput.LinesPasted) -> None:
        """Close the input, and offer to create a subtask for each pasted line."""
        self._shown.close_input()
        event.input.forget_draft()
        self._pasted = event.text
        self._tasks.host.dialogs.run(self.ask_for_lines())

    async def ask_for_lines(self) -> None:
        """Ask for a text, and create a subtask for each line, as one step."""
        from tui.dialogs.write import PasteLines
        from tui.text.checklist import checklist

        detail, spot = self.need_detail(), self._shown.spot
        if detail is None:
            return
        title = f"Subtasks of {quoted(detail.task.title)}"
        pasted = await self._tasks.ask(PasteLines(title, self._pasted, checklist, "subtask"))
        if pasted is None:
            return
        self._pasted = pasted.text
        if not pasted.is_submitted:
            self._tasks.say("kept what you pasted" if pasted.text else "nothing was made")
            return
        lines = checklist(pasted.text)
        done = [index for index, line in enumerate(lines) if line.is_done]
        made = made_at(self._find() or detail, spot, [line.title for line in lines], done)
        if await self._tasks.submit(made.operations, f"added {counted(len(lines), 'subtask')}"):
            self._pasted = ""
            self._shown.go_to_subtask(made.subtask_ids[0])

    @property
    def _new_draft(self) -> DraftOfOne:
        """The draft of a new subtask's title."""
        detail = self._find()
        task_id = 0 if detail is None else detail.task.id
        return DraftOfOne(self._tasks.context.drafts, f"new-subtask-{task_id}", "")

    async def _create(self, detail: TaskDetail, spot: Spot, title: str) -> None:
        """Create a subtask; if that fails, put its title back into the input."""
        made, draft = made_at(detail, spot, [title]), self._new_draft
        draft.hand_over(made.subtask_ids[0])
        is_made = await self._tasks.submit(made.operations)
        typed = self._shown.typed
        if is_made:
            draft.forget()
            if typed is not None:
                self._shown.gap = Spot(made.group_id, made.subtask_ids[0])
            self._shown.go_to_subtask(made.subtask_ids[0])
        elif typed is not None:
            typed.value = f"{title} {typed.value}".strip()
            typed.action_end()

    async def _rename(self, row: SubtaskRow, title: str) -> None:
        """Rename the subtask or group of a row."""
        group, detail = row.group, self._find()
        if row.subtask is not None:
            if await self._tasks.retitle(row.subtask, title):
                self._tasks.title_draft(row.subtask).forget()
        elif not title:
            self._tasks.say("a title cannot be empty: nothing was changed")
        elif reason := missing(self._tasks.store, Feature.SUBTASK_GROUPS):
            self._tasks.say(reason)
        elif group is not None and detail is not None and title != group.title:
            await self._tasks.submit([change.rename_group(detail.task, group, title)])
