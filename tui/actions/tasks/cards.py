"""The chosen cards of a screen, which its actions share."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tui.actions.availability import VIEWER
from tui.actions.host import ErrorsSaid, Host
from tui.actions.tasks.history import undo_hint
from tui.config.drafts import DraftOfOne
from tui.config.stage_settings import card_limits
from tui.model.board import BoardView
from tui.model.detail import DetailPart, TaskDetail
from tui.model.ids import numbered
from tui.model.people import Role
from tui.model.relations import Relations, Standing
from tui.model.task import Label, Person, Task
from tui.runtime.key_queue import keys_held
from tui.store import operations as change
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput


class Cards:
    """The chosen tasks of one board; each change of them is one undo step.

    The screen supplies callbacks: `chosen` returns the chosen tasks, `changed` is called after a
    change of them, `why_none` says why no task is chosen, and what to press.
    """

    def __init__(
        self,
        host: Host,
        board_id: int,
        *,
        chosen: Callable[[], tuple[Task, ...]],
        changed: Callable[[], None] = lambda: None,
        why_none: Callable[[], tuple[str, str]] = lambda: (
            "no card here",
            "{task.new:n} to add one",
        ),
    ) -> None:
        self.host = host
        self.context = host.context
        self.store = host.context.store
        self.now = host.context.now
        self.say = host.say
        self.ask = host.ask
        self.board_id = board_id
        self._changed = changed
        self._why_none = why_none
        self._chosen = chosen
        self._renamed: dict[int, int] = {}

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self._chosen()

    @property
    def view(self) -> BoardView | None:
        return self.store.board(self.board_id)

    @property
    def people(self) -> tuple[Person, ...]:
        """The members of the board; none if the board is not loaded."""
        view = self.view
        return view.people if view is not None else ()

    @property
    def me(self) -> Person | None:
        """The user as a member of the board; None if they are not one."""
        return self.store.me.among(self.people)

    @property
    def role(self) -> Role:
        view = self.view
        return Role.MANAGER if view is None else view.board.role_of(self.store.me)

    def need_tasks(self) -> tuple[Task, ...]:
        tasks = self.tasks
        if not tasks:
            why, hint = self._why_none()
            self.say(why, hint=hint)
        return tasks

    def need_tasks_anywhere(self) -> tuple[Task, ...]:
        """The chosen tasks, for what can be done to those of several boards together."""
        return self.need_tasks()

    def by_board(self, tasks: Sequence[Task]) -> list[tuple[BoardView, tuple[Task, ...]]]:
        """Tasks of the boards of the chosen ones, with the board that they are on."""
        view = self.view
        return [(view, tuple(tasks))] if view is not None and tasks else []

    def need_detail(self) -> TaskDetail | None:
        """The detail of the first chosen task; say so if it is not loaded."""
        tasks = self.need_tasks()
        detail = self.store.detail(tasks[0].id) if tasks else None
        if tasks and detail is None:
            self.say("this card is still loading", hint="{task.open:↵} to open it")
        return detail

    def why_lacking(self, tasks: Iterable[Task], part: DetailPart) -> str:
        """Why one of the tasks has no such part on this service; empty if that is not known.

        What only could not be read is there all the same, and can be added to.
        """
        details = filter(None, (self.store.detail(task.id) for task in tasks))
        reasons = (detail.why.get(part, "") for detail in details if part not in detail.unread)
        return next(filter(None, reasons), "")

    def detail_as_now(self, detail: TaskDetail) -> TaskDetail | None:
        """The current detail of a task, after a dialog; say so if the task is gone."""
        now = self.store.detail(self.called(detail.task.id))
        if now is None:
            self.say(f"{named([detail.task])} was deleted", error=True)
        return now

    def as_now(self, tasks: Sequence[Task]) -> tuple[Task, ...]:
        """The current state of tasks, after a dialog; leave out those gone meanwhile and say so."""
        ids = {self.called(task.id) for task in tasks}
        active = self.view.among(ids) if self.view is not None else ()
        present = {task.id: task for task in active}
        for task in tasks:
            if task.parent_id is not None or task.archived_at is not None:
                detail = self.store.detail(self.called(task.parent_id or task.id))
                now = detail.find(self.called(task.id)) if detail is not None else None
                present |= {now.id: now} if now is not None else {}
        if len(present) < len(ids):
            self.say("deleted cards were skipped", error=True)
        current = (present.get(self.called(task.id)) for task in tasks)
        return tuple(task for task in current if task is not None)

    async def submit(
        self, operations: Sequence[Operation], message: str = "", *, hint: str = ""
    ) -> bool:
        """Submit the operations that change something as one undo step, and show `message`.

        Returns whether any was stored; a failure is shown on the status line, and with a message
        also that nothing would change. The message names the key that undoes, unless it has a
        `hint` of its own.
        """
        with ErrorsSaid(self.host):
            return await self.keep(operations, message, hint=hint)
        return False

    async def keep(
        self, operations: Sequence[Operation], message: str = "", *, hint: str = ""
    ) -> bool:
        """Do the same, but raise `CallboardError`: a form stays open if submitting fails."""
        changing = [operation for operation in operations if not operation.changes_nothing]
        if not changing:
            if operations and message:
                self.say("nothing was changed")
            return False
        if self.role is Role.VIEWER:
            self.say(VIEWER)
            return False
        # The view is read before the change, to tell which limits the change passes.
        limits, previous, relations = self.limits, self.view, self.store.relations()
        # Keys typed while the change is stored are meant for the changed board.
        with keys_held(self.host.app):
            await self.store.submit(*changing)
        self._note(changing)
        if limits and previous is not None:
            message = ": ".join(filter(None, (message, *self._limits_passed(previous))))
        if message and not any(
            isinstance(operation, change.Edit) and operation.blocker for operation in changing
        ):
            message = unblocked_in_words(relations, self.store.relations()) or message
        if message:
            self.say(message, hint=hint or undo_hint(self.context), sign=glyphs.DONE)
        return True

    @property
    def limits(self) -> Mapping[int, int]:
        """The user's own card limits, by stage id."""
        return card_limits(self.context.preferences, self.board_id)

    def _limits_passed(self, previous: BoardView) -> list[str]:
        limits, now = self.limits, self.view
        if now is None:
            return []
        old, new = previous.over_limit(limits), now.over_limit(limits)
        return [
            f"{quoted(stage.title)} has {counted(new[stage.id], 'card')}, over its limit of"
            f" {limits[stage.id]}"
            for stage in now.stages
            if new.get(stage.id, 0) > old.get(stage.id, 0)
        ]

    async def change(self, operations: Sequence[Operation], message: str = "") -> bool:
        """Submit changes of the chosen tasks like `submit`, and notify the screen."""
        is_stored = await self.submit(operations, message)
        if is_stored:
            self._changed()
        return is_stored

    def _note(self, operations: Sequence[Operation]) -> None:
        # Remember the first card's changes for “repeat”, if all of them make sense on another card.
        from tui.store.operations.repeating import is_repeatable

        first = [
            operation for operation in operations if operation.task_id == operations[0].task_id
        ]
        if all(is_repeatable(operation) for operation in first):
            self.context.last_change.operations = tuple(first)

    async def retitle(self, task: Task, typed: str) -> bool:
        """Change the title of a task; False if the store rejects it."""
        title = " ".join(typed.split())
        operation = change.set_title(task, title)
        if not title:
            self.say("a title cannot be empty: nothing was changed")
        elif not operation.changes_nothing:
            return await self.submit([operation])
        return True

    def title_draft(self, task: Task) -> DraftOfOne:
        return DraftOfOne(self.context.drafts, f"title-{task.id}", task.title)

    def say_draft(self, typed: LineInput) -> None:
        """Say so if a title input was restored from a draft."""
        if typed.is_from_draft:
            self.say("your draft title", hint="{input.cancel:esc} to keep the current title")

    def called(self, some_id: int) -> int:
        """The current id of something that may have had a local id before it was sent."""
        return self._renamed.get(some_id, some_id)

    def hear(self, event: StoreEvent) -> None:
        """Note the ids that the service assigned to what was created here."""
        if isinstance(event, BoardChanged | BoardsChanged):
            self.board_id = event.renamed.get(self.board_id, self.board_id)
            self._renamed.update(event.renamed)


def unblocked_in_words(previous: Relations, now: Relations) -> str:
    """Which cards a change has unblocked, and how; empty if none."""
    unblocked = [] if now is previous else [*now.unblocked_since(previous)]
    if not unblocked:
        return ""
    (first, blocker), more = unblocked[0], len(unblocked) - 1
    cards = f"{numbered(first.id)}{f' and {more} more' if more else ''}"
    standing = now.standing(blocker.id)
    what = Standing.DELETED if standing.is_lost else standing
    return f"unblocked {cards}: {numbered(blocker.id)} was {what}"


def named(tasks: Sequence[Task]) -> str:
    """Tasks for a message: the quoted title of one, or the number of cards, and of their boards."""
    if len(tasks) == 1:
        return quoted(tasks[0].title)
    boards = len({task.board_id for task in tasks})
    return f"{len(tasks)} cards{f' on {boards} boards' if boards > 1 else ''}"


def mixed_ids(of_tasks: Sequence[Iterable[Person | Label]]) -> frozenset[int]:
    """The ids of the people or labels that some tasks have, but not all."""
    return frozenset(item.id for of_task in of_tasks for item in of_task) - shared_ids(of_tasks)


def shared_ids(of_tasks: Iterable[Iterable[Person | Label]]) -> frozenset[int]:
    """The ids of the people or labels that all tasks have."""
    ids = [frozenset(item.id for item in of_task) for of_task in of_tasks]
    return frozenset.intersection(*ids) if ids else frozenset()
