"""The tasks that are chosen on a screen: what actions on tasks work on."""

from collections.abc import Callable, Sequence

from tui.actions.availability import VIEWER
from tui.actions.host import ErrorsSaid, Host
from tui.config.drafts import DraftOfOne
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.widgets.line_input import LineInput


class TaskContext:
    """The chosen tasks of one board; every change of them is one step to undo.

    A screen tells by `chosen` which these are, lets a title be typed with `edit_title`, and hears
    with `changed` that they were changed. `go_to` puts the cursor on what an operation is about:
    None if that is not shown, else a note on where it is, which may be empty.
    """

    def __init__(
        self,
        host: Host,
        board_id: int,
        *,
        chosen: Callable[[], tuple[Task, ...]],
        edit_title: Callable[[Task], None] | None = None,
        changed: Callable[[], None] | None = None,
        go_to: Callable[[Operation], str | None] = lambda _: None,
    ) -> None:
        self.host = host
        self.context = host.context
        self.store = host.context.store
        self.now = host.context.now
        self.say = host.say
        self.ask = host.ask
        self.go_to = go_to
        self.board_id = board_id
        self._edit_title = edit_title
        self._changed = changed
        self._chosen = chosen
        self._renamed: dict[int, int] = {}

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The chosen tasks."""
        return self._chosen()

    @property
    def view(self) -> BoardView | None:
        """The board as the store has it now."""
        return self.store.board(self.board_id)

    @property
    def people(self) -> tuple[Person, ...]:
        """The members of the board, as far as it is known."""
        view = self.view
        return view.people if view is not None else ()

    @property
    def me(self) -> Person | None:
        """The person at the keyboard, if they are on the board."""
        return self.store.me.among(self.people)

    @property
    def is_read_only(self) -> bool:
        """Whether the person is a viewer of the board."""
        view = self.view
        return view is not None and view.board.is_read_only_for(self.store.me)

    def need_tasks(self) -> tuple[Task, ...]:
        """The chosen tasks; where there are none, that is said."""
        tasks = self.tasks
        if not tasks:
            self.say("there is no card here", hint="n makes one")
        return tasks

    def need_detail(self) -> TaskDetail | None:
        """The first chosen task with everything around it; where that is not known, it is said."""
        tasks = self.need_tasks()
        detail = self.store.detail(tasks[0].id) if tasks else None
        if tasks and detail is None:
            self.say("this task is still loading", hint="↵ opens it")
        return detail

    def detail_as_now(self, before: TaskDetail) -> TaskDetail | None:
        """A task as it is now, after a question; where it is gone, that is said."""
        now = self.store.detail(self.called(before.task.id))
        if now is None:
            self.say(f"{named([before.task])} is gone", error=True)
        return now

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
            self.say("what no longer exists was left out", error=True)
        kept = (present.get(self.called(task.id)) for task in tasks)
        return tuple(task for task in kept if task is not None)

    async def submit(self, operations: Sequence[Operation], said: str = "") -> bool:
        """Make changes as one step; whether they were kept. Says `said`, or what went wrong."""
        if self.is_read_only:
            self.say(VIEWER)
            return False
        is_kept = False
        with ErrorsSaid(self.host):
            await self.store.submit(*operations)
            is_kept = True
        if is_kept and said:
            self.say(said, hint="u undoes it")
        return is_kept

    async def change(self, operations: Sequence[Operation], said: str = "") -> bool:
        """As `submit`, for changes of the chosen tasks: the screen hears of it."""
        is_kept = await self.submit(operations, said)
        if is_kept and self._changed is not None:
            self._changed()
        return is_kept

    def edit_title(self, task: Task) -> None:
        """Have a new title typed, where the screen lets that be done."""
        if self._edit_title is not None:
            self._edit_title(task)

    async def retitle(self, task: Task, typed: str) -> bool:
        """Give a task the title that was typed; False if that could not be kept."""
        title = " ".join(typed.split())
        if not title:
            self.say("a title cannot be empty: nothing was changed")
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

    def called(self, some_id: int) -> int:
        """The id that something has now, which may have been made here and not been sent then."""
        return self._renamed.get(some_id, some_id)

    def hear(self, event: StoreEvent) -> None:
        """What was made here is called by its new id once the service gave one."""
        if isinstance(event, BoardChanged | BoardsChanged):
            self.board_id = event.renamed.get(self.board_id, self.board_id)
            self._renamed.update(event.renamed)


def named(tasks: Sequence[Task]) -> str:
    """Tasks in words: the title of one, the number of several."""
    return quoted(tasks[0].title) if len(tasks) == 1 else f"{len(tasks)} cards"
