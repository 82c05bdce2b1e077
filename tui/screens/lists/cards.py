"""A list of cards of one or several boards, on which the actions of a board work in place."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, TypeVar

from tui.actions.action import action, board_action
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards, named
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.actions.tasks.on_boards import CardsOnBoards
from tui.context import Context
from tui.model.board import BoardView, Place
from tui.model.people import Role
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.events import StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.widgets.painted import DrawnLines, Line

R = TypeVar("R")
_STAGES = {1: "the next stage", -1: "the previous stage"}
"""Where cards go that move to different stages."""


class ListedCardActions:
    """What is done with the chosen cards in lists alone."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards

    @board_action("card.previous", "H,shift+left", "Move card to previous stage",
            arguments=(-1,))  # fmt: skip
    @board_action("card.next", "L,shift+right", "Move card to next stage",
            arguments=(1,))  # fmt: skip
    async def shift(self, by: int) -> None:
        tasks = self._cards.need_tasks_anywhere()
        moves: list[change.MoveTask] = []
        for view, own in self._cards.by_board(tasks):
            moves += _to_next_stage(view, own, by)
        going = {move.task_id for move in moves}
        moved = [task for task in tasks if task.id in going]
        titles = {move.stage_title for move in moves}
        if moves:
            stage = quoted(titles.pop()) if len(titles) == 1 else _STAGES[by]
            await self._cards.change(moves, f"moved {named(moved)} to {stage}")
        elif tasks:
            are = "this card is" if len(tasks) == 1 else "these cards are"
            self._cards.say(f"{are} already in the {'last' if by > 0 else 'first'} stage")

    @action("card.open", "", "Open card")
    def open(self) -> None:
        if tasks := self._cards.need_tasks():
            self._cards.host.post_message(TaskRequested(self._cards.board_id, tasks[0].id))


def _to_next_stage(view: BoardView, tasks: Sequence[Task], by: int) -> list[change.MoveTask]:
    # Each card goes to the stage beside its own, below those that went there before it. The cards
    # that leave a stage are moved after those that come to it: their places are still there.
    moves: list[change.MoveTask] = []
    pairs = [*zip(view.stages, view.stages[1:], strict=False)]
    if by < 0:
        pairs = [(stage, left) for left, stage in reversed(pairs)]
    for stage, target in pairs:
        place = view.end_of(target.id)
        for task in tasks:
            if task.stage_id == stage.id:
                moves.append(change.MoveTask.on(task, target.id, place, stage_title=target.title))
                place = Place(above=task.id)
    return moves


LISTED = (CardActions, ListedCardActions, HistoryOfAllBoards)
"""The actions of a list of cards."""


class CardListScreen(TableScreen[R]):
    """A list of cards; each action works on the boards of the chosen ones."""

    actions_of: ClassVar[tuple[type, ...]] = LISTED
    is_of_board = False

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self._by_board: dict[int, Cards] = {}
        clear = self.row_list.clear_marks
        self._on_several = CardsOnBoards(
            self, 0, chosen=self._chosen, changed=clear, why_none=self._why_none
        )

        def shows(task_id: int) -> bool:
            first, last = self.row_list.in_sight
            cards = map(self.card, self.row_list.rows[first : last + 1])
            return any(card is not None and card.id == task_id for card in cards)

        self.shows = shows

        def type_title(task: Task) -> None:
            self.dialogs.run(partial(_ask_title, self.chosen_cards, task))

        self.actions.offer_for(
            CardActions, lambda: CardActions(self.chosen_cards, type_title, lambda: self.links_here)
        )
        self.actions.offer_for(ListedCardActions, lambda: ListedCardActions(self.chosen_cards))
        self.actions.offer(HistoryOfAllBoards(self, self.go_to))
        self.offer_commands(lambda: self.chosen_cards)

    def card(self, row: R) -> Task | None:
        """The card of a row; None if it is of another kind."""
        raise NotImplementedError

    @property
    def chosen_tasks(self) -> list[Task]:
        """The cards of the marked rows, else of the one at the cursor."""
        return [task for task in map(self.card, self.row_list.chosen) if task is not None]

    @property
    def links_here(self) -> tuple[str, ...]:
        """The links of texts that the row at the cursor shows; for subclasses."""
        return ()

    def notice_of_marks(self) -> None:
        return  # the footer counts them

    def hints(self) -> tuple[Line, Line]:
        if self.row_list.marks:
            return self.keys.marked_hints(self.role, len(self.row_list.marks))
        return super().hints()

    @property
    def drawn_card(self) -> DrawnLines | None:
        return self.row_list.drawn_row

    @property
    def own_board(self) -> int | None:
        return next((task.board_id for task in self.chosen_tasks), None)

    @property
    def chosen_cards(self) -> Cards:
        """The chosen cards, on their board or on several."""
        tasks = self.chosen_tasks
        board_ids = {task.board_id for task in tasks}
        if len(board_ids) > 1:
            return self._on_several
        board_id = tasks[0].board_id if tasks else 0
        if board_id not in self._by_board:
            clear = self.row_list.clear_marks
            self._by_board[board_id] = Cards(
                self, board_id, chosen=self._chosen, changed=clear, why_none=self._why_none
            )
        return self._by_board[board_id]

    def _chosen(self) -> tuple[Task, ...]:
        return tuple({task.id: task for task in self.chosen_tasks}.values())

    def _why_none(self) -> tuple[str, str]:
        return ("this row is not a card", "") if self.row_list.chosen else self.empty()

    @property
    def role(self) -> Role:
        return self.chosen_cards.role

    def hear(self, event: StoreEvent) -> None:
        for cards in (*self._by_board.values(), self._on_several):
            cards.hear(event)
        super().hear(event)

    def go_to(self, operation: Operation) -> str | None:
        (kind, own_id), parent_id = operation.subject, operation.task_id
        for index, task in enumerate(map(self.card, self.row_list.rows)):
            if task is not None and task.id in (own_id if kind == "task" else None, parent_id):
                self.row_list.go_to(index)
                return ""
        return None


async def _ask_title(cards: Cards, task: Task) -> None:
    from tui.dialogs.questions import AskDialog

    typed = await cards.ask(AskDialog(f"Title of #{task.id}", task.title))
    # The card may have changed while the dialog was open.
    now = cards.as_now([task]) if typed is not None else ()
    if typed is not None and now:
        await cards.retitle(now[0], typed)
