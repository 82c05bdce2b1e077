"""Actions on the chosen tasks: status, title, priority, due date, archive, undo and redo.

Each works on all chosen tasks as one step to undo; what cannot be done is said, and nothing that
was typed is lost.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.config.drafts import DraftOfOne
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.news import told_together
from tui.model.task import Priority, Status, Task
from tui.screens.actions.removing import archiving, deleting, is_archived, what_goes
from tui.screens.availability import VIEWER
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import trouble_hint
from tui.store import operations as change
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent, UndoAsks
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.dates import parse_when, spoken
from tui.widgets.line_input import LineInput


class TaskActions(CallboardScreen):
    """A screen on which tasks can be chosen and changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit_title", "title", id="task.edit-title", tooltip="Edit the title"),
        Binding("x", "close", "close", id="task.close", tooltip="Close the task, or reopen it"),
        Binding(
            "p", "priority", "priority", id="task.priority", show=False, tooltip="Set the priority"
        ),
        Binding("d", "due", "due", id="task.due", show=False, tooltip="Set the due date"),
        Binding(
            "A", "archive", "Archive", id="task.archive", show=False,
            tooltip="Archive, or restore",
        ),
        Binding("D", "delete", "Delete", id="task.delete", show=False, tooltip="Delete (asks)"),
        Binding("u", "undo", "undo", id="board.undo", tooltip="Undo the last change"),
        Binding(
            "U", "redo", "Redo", id="board.redo", show=False, tooltip="Redo what was undone"
        ),
        Binding(
            "R", "refresh_board", "Refresh", id="board.refresh", show=False,
            tooltip="Ask the service for news now",
        ),
    ]  # fmt: skip

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context)
        self.board_id = board_id
        self._renamed: dict[int, int] = {}

    @property
    def chosen_tasks(self) -> tuple[Task, ...]:
        """The tasks that an action works on; for subclasses."""
        raise NotImplementedError

    @property
    def view(self) -> BoardView | None:
        """The board as the store has it now."""
        return self.store.board(self.board_id)

    @property
    def is_read_only(self) -> bool:
        """Whether the person is a viewer of the board."""
        view = self.view
        return view is not None and view.board.is_read_only_for(self.store.me)

    def edit_title(self, task: Task) -> None:
        """Let the title be edited; for subclasses."""
        raise NotImplementedError

    def tasks_changed(self) -> None:
        """The chosen tasks were changed; for subclasses that keep marks."""

    async def submit(self, operations: Sequence[Operation], said: str = "") -> bool:
        """Make changes as one step; whether they were kept. Says `said`, or what went wrong."""
        if self.is_read_only:
            self.say(VIEWER)
            return False
        try:
            await self.store.submit(*operations)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return False
        if said:
            self.say(said, hint="u undoes it")
        return True

    async def retitle(self, task: Task, typed: str) -> bool:
        """Give a task the title that was typed; False if that could not be kept."""
        title = " ".join(typed.split())
        if not title:
            self.say("a title cannot be empty: it stays as it was")
        elif title != task.title:
            return await self.submit([change.set_title(task, title)])
        return True

    def title_draft(self, task: Task) -> DraftOfOne:
        """What is kept of another title for a task that is being typed."""
        return DraftOfOne(self.context.drafts, f"title-{task.id}", task.title)

    def say_draft(self, typed: LineInput) -> None:
        """Say that an input starts from what was typed before the program ended."""
        if typed.is_from_draft:
            self.say("your draft of the title", hint="esc leaves the title as it is")

    def need_tasks(self) -> tuple[Task, ...]:
        """The chosen tasks; where there are none, that is said."""
        if not self.chosen_tasks:
            self.say("there is no card here", hint="n makes one")
        return self.chosen_tasks

    def called(self, some_id: int) -> int:
        """The id that something has now, which may have been made here and not been sent then."""
        return self._renamed.get(some_id, some_id)

    def as_now(self, tasks: Sequence[Task]) -> tuple[Task, ...]:
        """Tasks as they are now, after a question; those gone meanwhile are left out, and said."""
        ids = {self.called(task.id) for task in tasks}
        active = self.view.all_tasks() if self.view is not None else ()
        present = {task.id: task for task in active if task.id in ids}
        for task in tasks:
            if task.parent_id is not None or task.archived_at is not None:
                detail = self.store.detail(self.called(task.parent_id or task.id))
                found = detail.find(self.called(task.id)) if detail is not None else None
                present |= {found.id: found} if found is not None else {}
        if len(present) < len(ids):
            self.say("what is no longer there was left out", error=True)
        kept = (present.get(self.called(task.id)) for task in tasks)
        return tuple(task for task in kept if task is not None)

    def action_edit_title(self) -> None:
        """Edit the title of the first chosen task."""
        if tasks := self.need_tasks():
            self.edit_title(tasks[0])

    async def action_close(self) -> None:
        """Close the chosen tasks; if all are closed, reopen them."""
        tasks = self.need_tasks()
        status = Status.OPEN if all(task.is_closed for task in tasks) else Status.CLOSED
        changed = [task for task in tasks if task.status is not status]
        done = "reopened" if status is Status.OPEN else "closed"
        if changed:
            said = f"{done} {named(changed)}"
            if await self.submit([change.set_status(task, status) for task in changed], said):
                self.tasks_changed()

    @work(exclusive=True, group="dialog")
    async def action_priority(self) -> None:
        """Ask for a priority and give it to the chosen tasks."""
        from tui.dialogs.choose import Choice, ChooseDialog

        tasks = self.need_tasks()
        if not tasks:
            return
        choices = [Choice(each[0], each.capitalize(), each) for each in ("high", "medium", "low")]
        title = f"Priority of {named(tasks)}"
        answer = await self.app.push_screen_wait(
            ChooseDialog(title, choices, tasks[0].priority.value)
        )
        if answer is None:
            return
        priority = Priority(answer)
        changed = [
            change.set_priority(task, priority) for task in tasks if task.priority != priority
        ]
        if changed and await self.submit(changed, f"priority {answer}: {named(tasks)}"):
            self.tasks_changed()

    @work(exclusive=True, group="dialog")
    async def action_due(self) -> None:
        """Ask for a due date in words and give it to the chosen tasks."""
        from tui.dialogs.ask import AskDialog

        tasks = self.need_tasks()
        if not tasks:
            return
        due = tasks[0].due_at
        answer = await self.app.push_screen_wait(
            AskDialog(
                f"When is {named(tasks)} due?",
                f"{due:%Y-%m-%d %H:%M}" if due else "",
                placeholder="fri · tomorrow 17:00 · +3d · 2026-12-01 · empty for never",
                reading=self._read_due,
                replaces=True,
            )
        )
        if answer is None:
            return
        when = parse_when(answer, self.context.now()) if answer.strip() else None
        changed = [change.set_due(task, when) for task in tasks if task.due_at != when]
        said = f"due {spoken(when, self.context.now())}" if when else "no due date"
        if changed and await self.submit(changed, f"{said}: {named(tasks)}"):
            self.tasks_changed()

    async def action_archive(self) -> None:
        """Archive the chosen tasks; if all are archived, restore them."""
        tasks, view = self.need_tasks(), self.view
        if not tasks or view is None:
            return
        operations = archiving(tasks, view)
        done = "restored" if is_archived(tasks) else "archived"
        if not operations:
            self.say("a subtask is not archived by itself", hint="x closes it, D deletes it")
        elif await self.submit(operations, f"{done} {named(tasks)}"):
            self.tasks_changed()

    @work(exclusive=True, group="dialog")
    async def action_delete(self) -> None:
        """Ask, then delete the chosen tasks."""
        from tui.dialogs.confirm import ConfirmDialog

        tasks = self.need_tasks()
        if not tasks:
            return
        asked = ConfirmDialog(f"Delete {named(tasks)}?", what_goes(tasks))
        if not await self.app.push_screen_wait(asked):
            self.say("nothing was deleted")
            return
        tasks, view = self.as_now(tasks), self.view
        operations = deleting(tasks, view, self.store.detail) if view is not None else []
        if operations and await self.submit(operations, f"deleted {named(tasks)}"):
            self.tasks_changed()

    async def action_undo(self) -> None:
        """Undo the last step on this board."""
        await self._travel(back=True)

    async def action_redo(self) -> None:
        """Redo what was undone last."""
        await self._travel(back=False)

    async def action_refresh_board(self) -> None:
        """Ask the service for news now."""
        self.say("asking for news …")
        self.run_worker(self._refresh(), group="refresh", exclusive=True)

    async def _refresh(self) -> None:
        known = self.store.changed_by_others(self.board_id)
        try:
            await self.store.refresh(self.board_id)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return
        status = self.store.status(self.board_id)
        if status.problem:
            self.say(status.problem, hint=trouble_hint(status), error=True)
            return
        marks = self.store.changed_by_others(self.board_id)
        news = tuple(one for task_id, one in marks.items() if known.get(task_id) != one)
        self.say(told_together(news) if news else "up to date")

    async def _travel(self, *, back: bool, even_so: bool = False) -> None:
        travel = self.store.undo if back else self.store.redo
        try:
            what = await travel(self.board_id, even_so=even_so)
        except UndoAsks as asked:
            self._ask_even_so(asked, back=back)
            return
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return
        if what is None:
            self.say("nothing to undo" if back else "nothing to redo")
        else:
            self.say(f"{'undone' if back else 'redone'}: {what}")

    @work(exclusive=True, group="dialog")
    async def _ask_even_so(self, asked: UndoAsks, *, back: bool) -> None:
        """Show what would be undone or redone, and go on only where that is wanted."""
        from tui.dialogs.conflict import EvenSoDialog

        if await self.app.push_screen_wait(EvenSoDialog(asked, self.context.now(), back=back)):
            await self._travel(back=back, even_so=True)
        else:
            self.say("left as it is now")

    def hear(self, event: StoreEvent) -> None:
        """A board that was made here is called by its new id once the service gave one."""
        if isinstance(event, BoardChanged | BoardsChanged):
            self.board_id = event.renamed.get(self.board_id, self.board_id)
            self._renamed.update(event.renamed)
        super().hear(event)

    def _read_due(self, words: str) -> str:
        """What words mean as a due date."""
        if not words.strip():
            return "no due date"
        return spoken(parse_when(words, self.context.now()), self.context.now())


def named(tasks: Sequence[Task]) -> str:
    """Tasks in words: the title of one, the number of several."""
    return quoted(tasks[0].title) if len(tasks) == 1 else f"{len(tasks)} cards"
