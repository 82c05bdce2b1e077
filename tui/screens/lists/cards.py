"""A list of cards of one or several boards, on which the actions of a board work in place."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.actions.task_actions import TASK_ACTIONS
from tui.actions.tasks.context import TaskContext, named
from tui.actions.tasks.history import HISTORY_ACTIONS, HistoryOfAllBoards
from tui.context import Context
from tui.model.board import Place
from tui.model.people import Role
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.events import StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import quoted

R = TypeVar("R")


class ShiftStage(Action[TaskContext]):
    """Moves the cards to the end of the next stage, or of the previous one."""

    changes_board = True

    def __init__(self, name: str, keys: str, by: int) -> None:
        self.id, self.keys, self.label = f"card.{name}", keys, f"Move card to {name} stage"
        self._by = by

    async def run(self, on: TaskContext) -> None:
        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None:
            return
        ids = [stage.id for stage in view.stages]
        index = ids.index(tasks[0].stage_id) + self._by if tasks[0].stage_id in ids else -1
        if not 0 <= index < len(ids):
            on.say(f"there is no stage {'after' if self._by > 0 else 'before'} that of this card")
            return
        stage = view.stages[index]
        moved = [task for task in tasks if task.stage_id != stage.id]
        place = view.end_of(stage.id)
        moves: list[Operation] = []
        for task in moved:
            moves.append(change.MoveTask.on(task, stage.id, place, stage_title=stage.title))
            place = Place(above=task.id)
        await on.change(moves, f"moved {named(moved)} to {quoted(stage.title)}")


class OpenCard(Action[TaskContext]):
    """Shows the card in the task screen."""

    id, label = "card.open", "Open card"

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        if tasks:
            on.host.post_message(TaskRequested(on.board_id, tasks[0].id))


CARD_ACTIONS: tuple[Action[TaskContext], ...] = (
    *(each for each in TASK_ACTIONS if each not in HISTORY_ACTIONS and each.id != "board.refresh"),
    ShiftStage("previous", "H,shift+left", -1),
    ShiftStage("next", "L,shift+right", 1),
    OpenCard(),
)
"""The actions on the cards of a list; the list has a refresh of its own."""


class Cards:
    """The cards that the actions of a list run on: each has the context of its board.

    `task` returns the card of a row, or None if the row is of another kind.
    """

    def __init__(self, screen: TableScreen[Any], task: Callable[[Any], Task | None]) -> None:
        self._screen = screen
        self._rows = screen.row_list
        self._task = task
        self._contexts: dict[int, TaskContext] = {}

    def at_cursor(self) -> TaskContext:
        """The marked cards, else the one at the cursor, on the board of the first of them."""
        boards = (task.board_id for task in map(self._task, self._rows.chosen) if task)
        return self._of_board(next(boards, 0))

    def hear(self, event: StoreEvent) -> None:
        for each in self._contexts.values():
            each.hear(event)

    def _of_board(self, board_id: int) -> TaskContext:
        if board_id not in self._contexts:
            self._contexts[board_id] = TaskContext(
                self._screen,
                board_id,
                chosen=lambda: self._chosen(board_id),
                edit_title=lambda task: self._screen.dialogs.run(self._ask_title(task)),
                changed=self._rows.clear_marks,
                go_to=self.go_to,
                why_none=self._why_none,
            )
        return self._contexts[board_id]

    def _chosen(self, board_id: int) -> tuple[Task, ...]:
        """The marked cards, or the one at the cursor; none if they are on several boards."""
        found = {task.id: task for task in map(self._task, self._rows.chosen) if task}
        is_one_board = all(task.board_id == board_id for task in found.values())
        return tuple(found.values()) if is_one_board else ()

    def _why_none(self) -> tuple[str, str]:
        chosen = self._rows.chosen
        if any(map(self._task, chosen)):
            return "the marked cards are on several boards", "mark cards of one board"
        return ("this is not a card", "") if chosen else self._screen.empty()

    def go_to(self, operation: Operation) -> str | None:
        """Put the cursor on the card of an operation."""
        tasks = [self._task(row) for row in self._rows.rows]
        (kind, own_id), parent_id = operation.subject, operation.task_id
        for index, task in enumerate(tasks):
            if task is not None and task.id in (own_id if kind == "task" else None, parent_id):
                self._rows.go_to(index)
                return ""
        return None

    async def _ask_title(self, task: Task) -> None:
        from tui.dialogs.ask import AskDialog

        tasks = self._of_board(task.board_id)
        typed = await self._screen.ask(AskDialog(f"Title of #{task.id}", task.title))
        now = tasks.as_now([task]) if typed is not None else ()
        if typed is not None and now:
            await tasks.retitle(now[0], typed)


class CardListScreen(TableScreen[R]):
    """A list of cards; each action works on the board of the card at the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(CARD_ACTIONS)
    actions_of = (HistoryOfAllBoards,)
    is_of_board = False

    def __init__(
        self, context: Context, card_actions: Sequence[Action[TaskContext]] = CARD_ACTIONS
    ) -> None:
        super().__init__(context)
        self.cards = Cards(self, self.card)
        self.actions.add_for(card_actions, self.cards.at_cursor)
        self.actions.offer(HistoryOfAllBoards(self, self.cards.go_to))

    def card(self, row: R) -> Task | None:
        """The card of a row; None if it is of another kind."""
        raise NotImplementedError

    @property
    def role(self) -> Role:
        return self.cards.at_cursor().role

    def hear(self, event: StoreEvent) -> None:
        self.cards.hear(event)
        super().hear(event)
