"""The board screen: columns of cards, the actions on them, and markers of remote changes.

It draws the board of the store, filtered. A remote change counts as seen when the cursor was on its
card for a moment, when the card was opened, or when the user leaves the board.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import WorkType

from tui.actions.action import bindings
from tui.actions.card_actions import CardActions
from tui.actions.lists import ListsOfBoard
from tui.actions.old import Action, Do, bindings as old_bindings
from tui.actions.stages import StageActions
from tui.actions.tasks.cards import Cards, named
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.refresh import RefreshActions
from tui.context import Context, Density
from tui.model.board import Board, BoardView
from tui.model.people import Role, initials_of
from tui.model.remote_changes import ChangeKind, summarize
from tui.model.task import Task
from tui.navigation import BoardsRequested, TaskRequested
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.screens.base import CallboardScreen
from tui.screens.board.card import Look
from tui.screens.board.deck import Deck
from tui.screens.board.filter_actions import FILTER_ACTIONS
from tui.screens.board.filtering import FILTER, STAGE, Filtering
from tui.screens.board.swimlanes import GroupCards, Swimlanes, drop, drop_words
from tui.screens.board.timers import Glance, Paced
from tui.screens.board.typing import NEW, CardTyping
from tui.screens.board_lines import (
    board_line,
    loading_line,
    moving_line,
    moving_stage_line,
    trouble_line,
)
from tui.store.events import BoardChanged, Loading, StatusChanged, StoreEvent, UnseenChanged
from tui.store.protocol import FIRST_CARDS
from tui.text.clean import counted, line
from tui.text.keyed import keyed
from tui.theme import stylesheet
from tui.widgets.bars import Bar
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

FRESHNESS_SECONDS = 5
"""How often the age of the data is updated in the bar."""
_LEAST_TITLE = 24
"""So many cells of the bar are left to the title and the sync status by a filter."""
_STATUS_PAUSE = 0.5
_LOOKING_SECONDS = 3.0


class NewCard(Action["BoardScreen"]):
    """Starts typing a new card below the cursor."""

    id, keys, label, hint = "task.new", "n", "New card: title #label @who !high ^fri", "new"
    changes_board = True

    async def run(self, on: "BoardScreen") -> None:
        on.typing.type_new()
        on.status.draw()


class NewCardForm(Action["BoardScreen"]):
    """Asks for a new card in a form."""

    id, keys, label = "task.new-form", "N", "New card with all fields"
    changes_board = asks = True

    async def run(self, on: "BoardScreen") -> None:
        from tui.screens.board.card_form import ask_for_card

        await ask_for_card(on.tasks, on.deck)


class ChangeDensity(Action["BoardScreen"]):
    """Shows fewer or more lines of each card."""

    id, keys, label = "board.density", "ctrl+e", "Change lines per card"
    while_moving = True

    async def run(self, on: "BoardScreen") -> None:
        on.density = on.density.next
        on.context.preferences.keep(on.board_id, density=int(on.density))
        on.redraw()
        on.say(f"{counted(on.density, 'line')} a card")


class Back(Action["BoardScreen"]):
    """Cancels the first of: lift, marks, error message, filter; else goes to the boards."""

    id, keys, label = "board.back", "escape", "Cancel, clear marks or filter, go back"
    while_moving = True

    async def run(self, on: "BoardScreen") -> None:
        if on.deck.put_back() or on.status.clear():
            on.status.draw()
        elif on.filter.words:
            on.filter.clear()
        else:
            on.post_message(BoardsRequested())


BOARD_ACTIONS: tuple[Action["BoardScreen"], ...] = (
    NewCard(),
    NewCardForm(),
    ChangeDensity(),
    Back(),
    Do("go.boards", "g b", "Go to boards", lambda on: on.post_message(BoardsRequested())),
)


class BoardScreen(CallboardScreen):
    """One board with its stages as columns."""

    CSS_PATH = stylesheet("board.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(CardActions, HistoryActions, RefreshActions),
        *old_bindings(BOARD_ACTIONS, FILTER_ACTIONS, (GroupCards(),)),
        *bindings(StageActions, ListsOfBoard),
    ]

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context)
        self.tasks = Cards(
            self,
            board_id,
            chosen=lambda: self.deck.chosen,
            changed=self.clear_marks,
            why_none=lambda: self.deck.why_no_card,
        )
        self.actions.offer(CardActions(self.tasks, self.edit_title))
        self.actions.offer(RefreshActions(self.tasks))
        self.actions.offer(ListsOfBoard(self, lambda: self.board_id))
        self.actions.add(BOARD_ACTIONS, self)
        self.density = _density(context, board_id)
        known = self.store.board(board_id) or BoardView(Board(board_id, ""), complete=False)
        self.whole = known.with_limits(self.tasks.limits)
        self.filter = Filtering(self.tasks, self.status, self.redraw)
        self.actions.add(FILTER_ACTIONS, self.filter)
        self.deck = Deck(self.whole, self.filter.shown(self.whole), self._look())
        self.filter.deck = self.deck
        self.deck.news = self.marked(self.whole)
        self.typing = CardTyping(self.tasks, self.deck)
        self.stages = StageActions(self.tasks, self.deck, self.redraw)
        self.actions.offer(self.stages)
        self.actions.offer(HistoryActions(self, lambda: self.board_id, self.deck.go_to_changed))
        self.actions.add((GroupCards(),), Swimlanes(self.tasks, self.deck, self.redraw))
        self.glance = Glance(self.tasks, self.deck)
        self.loading_bar = Bar()
        self.loading_bar.add_class("board-loading")
        self.deck.collapsed = context.preferences.numbers(board_id, "collapsed")
        self._bar_pace = Paced(self, self.show_bar, _STATUS_PAUSE)
        self._problem_shown: Line | None = None

    @property
    def board_id(self) -> int:
        """The id of the board; it changes when the service assigns one to a new board."""
        return self.tasks.board_id

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.loading_bar
        yield self.deck
        yield self.status

    def on_mount(self) -> None:
        """Draw the cached board, then open it in the store."""
        self.deck.focus()
        self.set_interval(FRESHNESS_SECONDS, self.show_bar)
        self.show_bar()
        self.glance.look(self)
        if self.filter.words.strip():
            said = f"the board is filtered: {line(self.filter.words)}"
            self.status.tell_quietly(said, hint="{board.back:esc} clears it")
        self.call_after_refresh(self._open)

    def on_resize(self) -> None:
        """Move the input for a new card, once its column has its new width."""
        self.call_after_refresh(self.typing.put_at_gap)
        self.show_bar()

    def came_back(self) -> None:
        """Apply the filter to what was changed in a task meanwhile, and the settings."""
        before, self.density = self.density, _density(self.context, self.board_id)
        if self.filter.words or self.density != before:
            self.redraw()

    def show_bar(self) -> None:
        """Update the bar, the loading line and the status line."""
        status = self.store.status(self.board_id)
        news, now = len(self.deck.news), self.context.now()
        room = self.size.width - _LEAST_TITLE
        left, right = board_line(
            self.whole, status, self.filter.chips(room), now, news,
            is_read_only=self.role is Role.VIEWER,
        )  # fmt: skip
        self.bar.say(left, right)
        is_unknown = not (self.whole.complete or self.whole.stages or status.problem)
        loading = status.loading or (Loading() if is_unknown else None)
        self.loading_bar.display = loading is not None
        if loading is not None:
            self.loading_bar.say(loading_line(loading))
        self.status.draw()

    def status_line(self) -> Line | None:
        """What is lifted or typed, the number of marked cards, or the connection problem."""
        lifted, column = self.deck.lift, self.deck.stage_lift
        if column is not None:
            return moving_stage_line(column, self.deck.shown)
        if lifted is not None:
            becomes = drop_words(lifted, self.deck.grid)
            return moving_line(lifted, self.deck.grid, self.whole, becomes, self.size.width)
        if (typed := self.typing.line) is not None:
            return typed
        if self.deck.marks:
            marked = f" {len(self.deck.marks)} marked"
            keys = "  every action works on all · {board.back:esc}"
            return ((marked, "hand"), (keyed(keys), "quiet"))
        return trouble_line(self.store.status(self.board_id)) or self.filter.empty_line()

    def edit_title(self, task: Task) -> None:
        """Open the input over the title of a card."""
        self.typing.type_title(task)
        self.status.draw()

    def clear_marks(self) -> None:
        """Clear the marks, after their cards were changed."""
        if self.deck.marks and not self.deck.is_lifting:
            self.deck.put_back()

    @property
    def has_data_for_keys(self) -> bool:
        is_known = bool(self.whole.stages) or self.whole.complete
        return is_known or bool(self.store.status(self.board_id).problem)

    @property
    def role(self) -> Role:
        return self.tasks.role

    @property
    def waits_for(self) -> str:
        """How to end the move that blocks most keys while something is lifted."""
        lifted = "column" if self.deck.stage_lift is not None else "card"
        keys = keyed("or press {board.back:esc}")
        return f"drop the {lifted} first, {keys}" if self.deck.is_lifting else ""

    @on(Deck.DropRequested)
    async def move_cards(self, event: Deck.DropRequested) -> None:
        """Submit the changes of the dropped cards; none if they were dropped where they were."""
        lifted, grid = event.lift, self.deck.grid
        changes = drop(lifted, grid, self.whole)
        if not changes:
            self.say(f"{named(lifted.tasks)} stays where it is")
            return
        becomes, first = drop_words(lifted, grid), lifted.tasks[0].id
        self.deck.follow = first
        said = f"{becomes}: {named(lifted.tasks)}" if becomes else ""
        is_kept = await self.tasks.submit(changes, said)
        if is_kept and (hidden := self.deck.why_hidden(self.tasks.called(first))):
            self.say(f"{said or f'moved {named(lifted.tasks)}'}: {hidden[0]}", hint=hidden[1])
        self.deck.follow = None

    @on(Deck.ColumnDropRequested)
    async def move_column(self, event: Deck.ColumnDropRequested) -> None:
        await self.stages.move(event.lift)

    @on(Deck.LiftChanged)
    def say_lifted(self, event: Deck.LiftChanged) -> None:
        self.status.clear()
        if event.lost:
            lost = f"the lifted {event.lost} is no longer on the board"
            self.say(f"{lost}: nothing was moved", error=True)

    @on(Deck.CursorMoved)
    def say_marks(self) -> None:
        """Update the status line, end typing, and save which columns are folded."""
        self.typing.cursor_moved()
        self.glance.look(self)
        folds = {"collapsed": self.deck.collapsed, "folded-lanes": self.deck.folded_lanes}
        self.context.preferences.keep(self.board_id, **folds)
        self.status.draw()

    @on(Deck.NothingThere)
    def say_why(self, event: Deck.NothingThere) -> None:
        self.say(event.why, hint=event.hint)

    @on(Deck.OpenRequested)
    def open_task(self, event: Deck.OpenRequested) -> None:
        self.glance.seen(event.task.id)
        self.post_message(TaskRequested(self.board_id, event.task.id))

    @on(LineInput.Typed)
    def follow_typing(self, event: LineInput.Typed) -> None:
        """Update the filter, the stage searched for, or the preview of a new card."""
        self.filter.follow(event)
        self.typing.follow(event)
        if event.input.purpose == NEW and event.text:
            self.status.key_pressed()

    @on(LineInput.Done)
    async def end_typing(self, event: LineInput.Done) -> None:
        if event.input.purpose in (FILTER, STAGE):
            self.filter.done(event)
        else:
            await self.typing.done(event)
            self.status.draw()

    @on(LineInput.GivenUp)
    def give_typing_up(self, event: LineInput.GivenUp) -> None:
        if event.input.purpose in (FILTER, STAGE):
            self.filter.given_up(event)
        else:
            self.typing.given_up(event)
            self.status.draw()

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        self.typing.lines_pasted(event)
        self.status.draw()

    async def _open(self) -> None:
        """Open the board in the store, now that it has been painted.

        If the first cards of each stage fill the screen, the rest is read at the first input, or
        after a few seconds without any.
        """
        shows_few = self.size.height <= FIRST_CARDS and self.deck.grouping is None
        needs_all = self.filter.words or not shows_few
        after = None if needs_all else partial(INPUT_PRIORITY.until_input, _LOOKING_SECONDS)

        async def open_board() -> None:
            await self.store.open_board(self.board_id, after=after)

        opening: WorkType[None] = open_board  # not called yet: the program may end before
        self.run_worker(opening, group="open", exclusive=True)

    def hear(self, event: StoreEvent) -> None:
        """Redraw what a store event changed."""
        self.tasks.hear(event)
        super().hear(event)
        if isinstance(event, UnseenChanged) and event.board_id == self.board_id:
            self._show_remote_changes(event)
        if isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.redraw(event.renamed)
        elif isinstance(event, StatusChanged):
            self._show_sync_status()
        else:
            self.show_bar()

    def _show_remote_changes(self, event: UnseenChanged) -> None:
        """Mark the cards with remote changes, and summarize them if the status line is free."""
        if event.changes:
            has_card = any(one.kind is not ChangeKind.GONE for one in event.changes)
            hint = "{cursor.next-news:]} goes there" if has_card else ""
            self.status.tell_quietly(summarize(event.changes), hint=hint)
        self.redraw()

    def _show_sync_status(self) -> None:
        """Update the bar with the sync status: a new problem at once, the rest at intervals."""
        status = self.store.status(self.board_id)
        problem = trouble_line(status._replace(pending=0))
        is_new, self._problem_shown = problem != self._problem_shown, problem
        if is_new and status.remedy:
            self.status.make_room()
        self._bar_pace.ask(at_once=is_new)

    def redraw(self, renamed: Mapping[int, int] = MappingProxyType({})) -> None:
        """Draw the board of the store; `renamed` maps local ids to those of the service."""
        known = self.store.board(self.board_id) or self.whole
        self.whole = known.with_limits(self.tasks.limits)
        shown = self.filter.shown(self.whole)
        self.deck.news = self.marked(self.whole)
        self.deck.show(self.whole, shown, self._look(), renamed)
        self.typing.put_at_gap()
        self.glance.look(self)
        self.show_bar()

    async def on_unmount(self) -> None:
        """Mark the whole board as seen, and save a filter that is still being typed."""
        self.filter.save()
        await self.store.mark_seen(self.board_id)

    def marked(self, whole: BoardView) -> frozenset[int]:
        """The ids of the cards on the board that have unseen remote changes."""
        marks = self.store.changed_by_others(self.board_id)
        if not marks:
            return frozenset()
        return frozenset(task.id for task in whole.all_tasks() if task.id in marks)

    def _look(self) -> Look:
        """The common inputs of all cards, rounded to the minute to redraw cards rarely."""
        now = self.context.now().replace(second=0, microsecond=0)
        return Look(self.density, now, initials_of(self.whole.people))


def _density(context: Context, board_id: int) -> Density:
    """The lines of a card on a board: those chosen there, else those of the settings."""
    return Density(context.preferences.number(board_id, "density", context.settings.density))
