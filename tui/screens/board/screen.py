"""The board screen: columns of cards, and the parts that handle what happens on it.

It puts the parts together, passes on the messages and events that Textual and the store send to a
screen, and draws the board of the store, filtered. Each part can be read by itself:

- `deck`: the columns, with cursor, marks and lifts; `carrying`: what is lifted, and its drop.
- `filter` and `typing`: the inputs of the filter, of new cards and of titles.
- `bar`: counts and sync status; `look`: the lines of a card; `unseen`: updates by others.
- `stages`, `preview`, `panels` and `tutorial`; `agents`: what agents said last.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import WorkType

from tui.actions.action import action, bindings
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.refresh import RefreshActions
from tui.config.stage_settings import with_own_settings
from tui.context import Context
from tui.model.board import Board, BoardView
from tui.model.people import Role
from tui.model.task import Task
from tui.navigation import BoardRequested, TaskRequested
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.screens.agent_progress import AgentsOnBoard
from tui.screens.base import CallboardScreen
from tui.screens.board.bar import FRESHNESS_SECONDS, BoardBar, PendingSigns
from tui.screens.board.carrying import Carrying
from tui.screens.board.deck import Deck
from tui.screens.board.filter import FILTER, STAGE, Filter
from tui.screens.board.look import BoardLook
from tui.screens.board.panels import NoCardsPanel, TourPanel
from tui.screens.board.preview import CardPreview
from tui.screens.board.relation_line import relation_line
from tui.screens.board.stages import StageActions
from tui.screens.board.tutorial import LessonTicks, Tutorial
from tui.screens.board.typing import CardTyping
from tui.screens.board.unseen import UnseenUpdates
from tui.screens.board_lines import trouble_notice
from tui.screens.keys import Hints
from tui.store.events import BoardChanged, StatusChanged, StoreEvent, UnseenChanged
from tui.store.protocol import FIRST_CARDS
from tui.text.clean import line
from tui.tour import is_tour
from tui.widgets.bars import Notice
from tui.widgets.line_input import LineInput
from tui.widgets.line_list import LineList
from tui.widgets.painted import DrawnLines, Line

_LOOKING_SECONDS = 0.05
"""Delay before loading the remaining cards, so that the sync status arrives first."""
_HINTS_WITHOUT_MATCH: Hints = {
    "board.back": "clear filter",
    "board.filter": "change",
    "task.new": "new",
    "board.filter-mine": "my cards",
}
_HINTS_WITHOUT_STAGES: Hints = {"stage.new-right": "new stage", "stage.archived": "archived"}
_HINTS_OF_EMPTY_BOARD: Hints = {
    "task.new": "new card",
    "task.new-form": "with all fields",
    "stage.new-right": "new stage",
    "go.boards": "boards",
}
_HINTS_OF_TOUR: Hints = {
    "cursor.down cursor.up": "down, up",
    "task.lift": "lift",
    "task.open": "open",
    "task.new": "new",
    "task.close": "close",
    "board.undo": "undo",
    "task.menu": "menu",
}


class BoardScreen(CallboardScreen):
    """One board with its stages as columns."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        CardActions, HistoryActions, RefreshActions, CardTyping, BoardLook
    )
    actions_of = (AgentsOnBoard, Filter, StageActions, CardPreview)
    start = "last-board"

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context)
        self.cards = Cards(
            self,
            board_id,
            chosen=lambda: self.deck.chosen,
            changed=lambda: self.deck.clear_marks(),  # noqa: PLW0108  there is no deck yet
            why_none=lambda: self.deck.why_no_card,
        )
        cached = self.store.board(board_id) or BoardView(Board(board_id, ""), complete=False)
        whole = with_own_settings(cached, context.preferences)
        self.filter = Filter(self.cards, self.status, self.redraw, self._pick_filter)
        self.tutorial = Tutorial(self.cards)
        self.agents = AgentsOnBoard(self.cards, self.redraw)
        self.look = BoardLook(self.cards, self.tutorial, self.agents, self.redraw)
        self.deck = Deck(whole, self.filter.shown(whole), self.look.of(whole), self.cards)
        self.filter.deck = self.deck
        self.shows = self.deck.shows
        self.unseen = UnseenUpdates(self, self.deck)
        self.deck.news = self.unseen.task_ids(whole)
        self.lessons = LessonTicks(
            self,
            self.deck,
            self.tutorial,
            redraw=self.redraw,
            drawn=lambda: (self.look.density, self.filter.words),
        )
        self.typing = CardTyping(self.deck, self.status)
        self.stages = StageActions(self.deck, self.redraw)
        self.carrying = Carrying(self.deck, self.stages, self.status)
        self.preview = CardPreview(self.deck)
        self.tour_panel = TourPanel(self.cards, self.deck)
        self.no_cards = NoCardsPanel(self.filter, self.deck)
        status, seconds = self.store.status(board_id), context.sign_seconds
        self.signs = PendingSigns(self, self.redraw, seconds=seconds, status=status)
        self.board_bar = BoardBar(
            self,
            self.deck,
            filtering=self.filter,
            tutorial=self.tutorial,
            preview=self.preview,
            signs=self.signs,
        )
        for owner in (
            RefreshActions(self.cards),
            self.agents,
            self.look,
            self.filter,
            self.typing,
            CardActions(self.cards, self.typing.type_title, lambda: self.preview.links),
            self.stages,
            HistoryActions(self, lambda: self.board_id, self.deck.go_to_changed),
            self.preview,
        ):
            self.actions.offer(owner)
        self.offer_commands(lambda: self.cards)

    @property
    def board_id(self) -> int:
        """The id of the board; it changes when the service assigns one to a new board."""
        return self.cards.board_id

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.board_bar.loading
        with self.deck:
            yield self.preview
        yield self.tour_panel
        yield self.no_cards
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
        self.deck.focus()
        self.preview.take_room()
        self.tour_panel.take_room()
        self.set_interval(FRESHNESS_SECONDS, self.board_bar.draw)
        self.board_bar.draw()
        self.lessons.board_changed()
        self.unseen.follow_cursor()
        if self.filter.words.strip():
            message = f"board filtered: {line(self.filter.words)}"
            self.status.tell_quietly(message, hint="{board.back:esc} to clear it")
        self.agents.follow(self.deck.whole)
        # After the first paint, which shows what is cached.
        self.call_after_refresh(self._open)

    def on_resize(self) -> None:
        self.preview.take_room()
        self.tour_panel.take_room()
        self.no_cards.take_room()
        self.filter.draw()
        if self.look.fit():
            self.redraw()
        self.board_bar.draw()

    def came_back(self) -> None:
        # A task may have been changed meanwhile, or the settings.
        if self.look.fit() or self.filter.words:
            self.redraw()
        self.preview.follow()

    def own_notice(self) -> Notice | None:
        if self.deck.is_lifting:
            return self.carrying.notice(self.size.width)
        trouble = trouble_notice(self.store.status(self.board_id))
        return self.typing.notice or trouble or self.agents.notice(self.deck.current)

    def hints(self) -> tuple[Line, Line]:
        if self.filter.is_typed:
            return self.filter.hints()
        if self.deck.is_lifting:
            return self.carrying.hints(self.keys.hints(self.role)[1], self.size.width)
        if self.deck.marks and not self.no_cards.visible:
            return self.keys.marked_hints(self.role, len(self.deck.marks))
        of_state = self._hints_of_state()
        return self.keys.hints(self.role, of_state, are_all=bool(of_state))

    def _hints_of_state(self) -> Hints:
        if self.deck.whole.lacks_stages:
            return _HINTS_WITHOUT_STAGES
        if self.no_cards.visible:
            return _HINTS_WITHOUT_MATCH
        if is_tour(self.deck.whole):
            return _HINTS_OF_TOUR
        return _HINTS_OF_EMPTY_BOARD if self.deck.whole.is_empty else {}

    def edge_line(self, width: int) -> tuple[Line, Line]:
        return self._relation_line(width) or self.deck.edge_line(width)

    def _relation_line(self, width: int) -> tuple[Line, Line] | None:
        task, look = self.deck.current, self.deck.look
        if task is None or self.deck.is_lifting:
            return None
        boards = self.store.boards() if look.relations.blocking(task) else ()
        return relation_line(task, self.deck.whole, look, boards, width)

    @action("board.back", "escape", "Cancel, clear marks or filter", while_moving=True)
    def go_back(self) -> None:
        if self.deck.put_back() or self.status.clear():
            self.status.draw()
        elif self.filter.words:
            self.filter.clear()
        elif not self.tour_panel.hide():
            self.say("nothing to close", hint="{go.boards:g b} for boards, {app.quit:q} to quit")

    def click_count(self, words: str) -> None:
        if not self.board_bar.click(words):
            super().click_count(words)

    @property
    def has_data_for_keys(self) -> bool:
        is_here = self.deck.whole.stages or self.deck.whole.complete
        # With a problem nothing may arrive for long; keys do not wait for it.
        return bool(is_here or self.store.status(self.board_id).problem)

    @property
    def own_board(self) -> int:
        return self.board_id

    @property
    def request_here(self) -> BoardRequested:
        current = self.deck.current
        return BoardRequested(self.board_id, None if current is None else current.id)

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        return self.cards.tasks

    @property
    def drawn_card(self) -> DrawnLines | None:
        return self.deck.drawn_card

    @property
    def role(self) -> Role:
        return self.cards.role

    @property
    def waits_for(self) -> str:
        return self.carrying.waits_for

    @on(Deck.DropRequested)
    async def move_lifted(self, event: Deck.DropRequested) -> None:
        await self.carrying.drop(event.lift)

    @on(Deck.LiftChanged)
    def say_lifted(self, event: Deck.LiftChanged) -> None:
        self.carrying.lift_changed(event.lost)

    @on(Deck.CursorMoved)
    def follow_cursor(self) -> None:
        self.typing.cursor_moved()
        self.preview.follow()
        self.lessons.board_changed()
        self.unseen.follow_cursor()
        self.board_bar.follow_marks()
        # Folding posts `CursorMoved` as well.
        self.deck.keep_folds()
        self.status.draw()

    def on_screen_suspend(self) -> None:
        self.lessons.screen_opened()

    @on(TaskRequested)
    def look_at_opened(self, event: TaskRequested) -> None:
        self.unseen.mark_seen(event.task_id)

    @on(LineInput.Typed)
    def follow_typing(self, event: LineInput.Typed) -> None:
        self._typist(event.input).follow(event)

    def on_filter_input_help_requested(self) -> None:
        self.show_help("filter")

    def _typist(self, line_input: LineInput) -> Filter | CardTyping:
        return self.filter if line_input.purpose in (FILTER, STAGE) else self.typing

    @on(LineList.Scrolled)
    def _place_input(self) -> None:
        self.typing.place()

    @on(LineInput.Done)
    async def end_typing(self, event: LineInput.Done) -> None:
        await self._typist(event.input).done(event)

    @on(LineInput.GivenUp)
    def give_typing_up(self, event: LineInput.GivenUp) -> None:
        self._typist(event.input).given_up(event)

    @on(LineInput.Blank)
    def offer_templates(self) -> None:
        self.typing.offer_templates()

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        self.typing.lines_pasted(event)

    def on_paste(self, event: events.Paste) -> None:
        # On a board with cards a stray paste does nothing.
        has_lines = sum(bool(line.strip()) for line in event.text.splitlines()) > 1
        can_write = self.deck.whole.is_empty and has_lines and not self.waits_for
        if can_write and not self.actions.says_why_not("task.new"):
            self.typing.paste(event.text)

    async def _pick_filter(self) -> None:
        from tui.screens.board.filter_picking import pick_filter

        await pick_filter(self.filter)

    async def _open(self) -> None:
        # If the first cards of each stage fill the screen, the rest is read a little later.
        shows_few = self.size.height <= FIRST_CARDS and self.deck.grouping is None
        needs_all = self.filter.words or not shows_few
        after = None if needs_all else partial(INPUT_PRIORITY.until_input, _LOOKING_SECONDS)
        # Not called yet: the program may end before.
        opening: WorkType[None] = partial(self.store.open_board, self.board_id, after=after)
        self.run_worker(opening, group="open", exclusive=True)

    def hear(self, event: StoreEvent) -> None:
        # First, because the board itself may have got its id, which is compared below.
        self.cards.hear(event)
        super().hear(event)
        self.preview.hear(event)
        if isinstance(event, UnseenChanged) and event.board_id == self.board_id:
            self.unseen.announce(event.changes)
            self.redraw()
        elif isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.redraw(event.renamed)
        elif isinstance(event, BoardChanged) and self.store.relations() != self.deck.look.relations:
            self.redraw()  # a card of another board blocks one of this, or does so no more
        elif isinstance(event, StatusChanged):
            self.board_bar.follow_status()
        else:
            self.board_bar.draw()

    def redraw(self, renamed: Mapping[int, int] = MappingProxyType({})) -> None:
        """Draw the board of the store; `renamed` maps local ids to those of the service."""
        board = self.store.board(self.board_id) or self.deck.whole
        # Most changes are accepted before their sign could be seen, see `PendingSigns`.
        if board.pending and not self.signs.are_due(self.store.status(self.board_id)):
            board = board.with_pending(())
        whole = with_own_settings(board, self.context.preferences)
        shown = self.filter.shown(whole)
        self.deck.news = self.unseen.task_ids(whole)
        self.deck.show(whole, shown, self.look.of(whole), renamed)
        self.typing.place()
        self.preview.follow()
        self.tour_panel.take_room()
        self.no_cards.take_room()
        self.lessons.board_changed()
        self.unseen.follow_cursor()
        self.agents.follow(whole)
        self.board_bar.draw()

    async def on_unmount(self) -> None:
        # The filter is otherwise saved only when its input is closed.
        self.filter.save()
        await self.unseen.leave()
