"""The board screen: columns of cards, the actions on them, and markers of remote changes.

It draws the board of the store, filtered. A remote change counts as seen when the cursor was on its
card for a moment, when the card was opened, or when the user leaves the board.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import WorkType

from tui.actions.action import action, bindings
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.refresh import RefreshActions
from tui.config.preferences import ALL_BOARDS, SEEN
from tui.config.stage_settings import with_own_settings
from tui.context import Context, Density
from tui.model.board import Board, BoardView
from tui.model.people import Role, initials_of
from tui.model.remote_changes import ChangeKind, summarize
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.screens.base import CallboardScreen
from tui.screens.board.card import CardLook
from tui.screens.board.carrying import Carrying
from tui.screens.board.deck import Deck
from tui.screens.board.filter import FILTER, STAGE, Filter
from tui.screens.board.panels import NoCardsPanel, TourPanel
from tui.screens.board.pending_signs import PendingSigns
from tui.screens.board.preview import CardPreview
from tui.screens.board.stages import StageActions
from tui.screens.board.tutorial import Tutorial
from tui.screens.board.typing import CardTyping
from tui.screens.board_lines import (
    board_line,
    loading_line,
    sync_words,
    trouble_notice,
)
from tui.screens.keys import Hints
from tui.store.events import (
    BoardChanged,
    Loading,
    StatusChanged,
    StoreEvent,
    SyncStatus,
    UnseenChanged,
)
from tui.store.protocol import FIRST_CARDS
from tui.text.clean import counted, line
from tui.tour import is_tour
from tui.widgets import glyphs
from tui.widgets.bars import Bar, Notice
from tui.widgets.line_input import LineInput
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line

FRESHNESS_SECONDS = 5
"""How often the age of the data is updated in the bar."""
_LEAST_TITLE = 24
"""The cells of the bar that the chips of a filter leave to the title and the sync status."""
_STATUS_PAUSE = 0.5
_ROOMY_HEIGHT = 30
"""From this height on cards have three lines, unless the user chose how many."""
_LOOKING_SECONDS = 0.05
"""Delay before loading the remaining cards, so that the sync status arrives first."""
_FILTERS = {
    "open": "is:open",
    "late": "due:overdue",
    "week": "is:open due:week",
    "new": "changed:yes",
}
"""What a click on a count of the bar filters by, by the last word of the count."""
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
}


class BoardScreen(CallboardScreen):
    """One board with its stages as columns."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        CardActions, HistoryActions, RefreshActions, CardTyping
    )
    actions_of = (Filter, StageActions, CardPreview)
    start = "last-board"

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context)
        self.cards = Cards(
            self,
            board_id,
            chosen=lambda: self.deck.chosen,
            changed=self.clear_marks,
            why_none=lambda: self.deck.why_no_card,
        )
        self.density = Density.ROOMY
        self._take_density()
        cached = self.store.board(board_id) or BoardView(Board(board_id, ""), complete=False)
        self.whole = with_own_settings(cached, context.preferences)
        self.filter = Filter(self.cards, self.status, self.redraw, self._pick_filter)
        self.tutorial = Tutorial(self.cards, self._drawn)
        self.deck = Deck(self.whole, self.filter.shown(self.whole), self._look(), self.cards)
        self.filter.deck = self.deck
        self.shows = self.deck.shows
        self.deck.news = self._news()
        self._folds_kept = self._folds
        self.typing = CardTyping(self.deck, self.status)
        self.stages = StageActions(self.deck, self.redraw)
        self.carrying = Carrying(self.deck, self.stages, self.status)
        self.preview = CardPreview(self.deck)
        self.tour_panel = TourPanel(self.cards, self.deck)
        self.no_cards = NoCardsPanel(self.filter, self.deck)
        for owner in (
            RefreshActions(self.cards),
            self.filter,
            self.typing,
            CardActions(self.cards, self.typing.type_title),
            self.stages,
            HistoryActions(self, lambda: self.board_id, self.deck.go_to_changed),
            self.preview,
        ):
            self.actions.offer(owner)
        self.loading_bar = Bar()
        self.loading_bar.add_class("board-loading", update=False)
        status, seconds = self.store.status(board_id), context.sign_seconds
        self._signs = PendingSigns(self, self.redraw, seconds=seconds, status=status)
        self._bar_shown_at = -_STATUS_PAUSE
        self._bar_is_due = False
        self._glance: Timer | None = None
        self._glance_at: int | None = None
        self._problem_shown: Notice | None = None
        self._status_shown: tuple[object, ...] = ()
        self._marks_shown = 0

    @property
    def board_id(self) -> int:
        """The id of the board; it changes when the service assigns one to a new board."""
        return self.cards.board_id

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.loading_bar
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
        self.set_interval(FRESHNESS_SECONDS, self.show_bar)
        self.show_bar()
        self._follow_tutorial()
        self._look_at_news()
        if self.filter.words.strip():
            message = f"the board is filtered: {line(self.filter.words)}"
            self.status.tell_quietly(message, hint="{board.back:esc} clears it")
        # After the first paint, which shows what is cached.
        self.call_after_refresh(self._open)

    def on_resize(self) -> None:
        self.preview.take_room()
        self.tour_panel.take_room()
        self.no_cards.take_room()
        self.filter.draw()
        if self._take_density():
            self.redraw()
        self.show_bar()

    def _take_density(self) -> bool:
        # Whether the cards have more or fewer lines now.
        usual = self.context.settings.density
        chosen = self.context.preferences.number(self.board_id, "density", usual)
        fitting = Density.ROOMY if self.app.size.height >= _ROOMY_HEIGHT else Density.NORMAL
        previous, self.density = self.density, Density(chosen or fitting)
        return self.density != previous

    def came_back(self) -> None:
        # A task may have been changed meanwhile, or the settings.
        if self._take_density() or self.filter.words:
            self.redraw()
        self.preview.follow()

    def show_bar(self) -> None:
        status = self.store.status(self.board_id)
        self._status_shown = self._looks(status)
        status = self._signs.drawn(status)
        news, now = len(self.deck.news), self.context.now()
        room = self.size.width - _LEAST_TITLE
        left, right = board_line(
            self.whole, status, self.filter.chips(room), now, self.size.width,
            marks=len(self.deck.marks), news=news, is_read_only=self.role is Role.VIEWER,
            shown=self.filter.counts if self.filter.words.strip() else None,
            tutorial=self.tutorial.progress(self.whole),
            is_local=self.context.is_embedded,
        )  # fmt: skip
        self._marks_shown = len(self.deck.marks)
        self.bar.say(left, right)
        is_unknown = not (self.whole.complete or self.whole.stages or status.problem)
        loading = status.loading or (Loading() if is_unknown else None)
        self.loading_bar.display = loading is not None
        if loading is not None:
            self.loading_bar.say(loading_line(loading))
        self.status.draw()

    def own_notice(self) -> Notice | None:
        if self.deck.is_lifting:
            return self.carrying.notice(self.size.width)
        return self.typing.notice or trouble_notice(self.store.status(self.board_id))

    def hints(self) -> tuple[Line, Line]:
        if self.filter.is_typed:
            return self.filter.hints()
        if self.deck.is_lifting:
            return self.carrying.hints(self.keys.hints(self.role)[1], self.size.width)
        of_state = self._hints_of_state()
        return self.keys.hints(self.role, of_state, are_all=bool(of_state))

    def _hints_of_state(self) -> Hints:
        if self.whole.lacks_stages:
            return _HINTS_WITHOUT_STAGES
        if self.no_cards.visible:
            return _HINTS_WITHOUT_MATCH
        if is_tour(self.whole):
            return _HINTS_OF_TOUR
        return _HINTS_OF_EMPTY_BOARD if self.whole.is_empty else {}

    def edge_line(self, width: int) -> tuple[Line, Line]:
        return self.deck.edge_line(width)

    @action("board.density", "ctrl+e", "Change lines per card", words="compact", while_moving=True)
    def change_density(self) -> None:
        self.density = self.density.next
        self.context.preferences.keep(self.board_id, density=int(self.density))
        self.redraw()
        self.say(f"{counted(self.density, 'line')} a card")

    @action("board.back", "escape", "Cancel, clear marks or filter", while_moving=True)
    def go_back(self) -> None:
        if self.deck.put_back() or self.status.clear():
            self.status.draw()
        elif self.filter.words:
            self.filter.clear()
        elif not self.tour_panel.hide():
            self.say("nothing is open", hint="{go.boards:g b} shows the boards, {app.quit:q} quits")

    def click_count(self, words: str) -> None:
        count_name = "new" if words.startswith(glyphs.NEWS) else words.rpartition(" ")[2]
        if count_name == "marked":
            self.clear_marks()
        elif count_name == "shown" and not self.waits_for:
            self.filter.clear()
        elif count_name not in _FILTERS or self.waits_for:
            super().click_count(words)
        elif self.filter.words == _FILTERS[count_name]:
            self.filter.clear()
        else:
            self.filter.use(_FILTERS[count_name])
            self.say(f"only cards: {words}", hint="{board.back:esc} shows all")

    def clear_marks(self) -> None:
        if self.deck.marks and not self.deck.is_lifting:
            self.deck.put_back()

    @property
    def has_data_for_keys(self) -> bool:
        is_here = self.whole.stages or self.whole.complete
        # With a problem nothing may arrive for long; keys do not wait for it.
        return bool(is_here or self.store.status(self.board_id).problem)

    @property
    def own_board(self) -> int:
        return self.board_id

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        return self.cards.tasks

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
    def say_marks(self) -> None:
        self.typing.cursor_moved()
        self.preview.follow()
        self._follow_tutorial()
        self._look_at_news()
        if len(self.deck.marks) != self._marks_shown:
            self.show_bar()
        # Folding posts `CursorMoved` as well, so the folds are saved here.
        if (folds := self._folds) != self._folds_kept:
            self._folds_kept = folds
            self.context.preferences.keep(self.board_id, **folds)
        self.status.draw()

    def _drawn(self) -> Hashable:
        deck = self.deck
        folds = deck.collapsed, deck.is_zoomed
        return deck.cursor, deck.marks, folds, self.density, self.filter.words

    def _follow_tutorial(self) -> None:
        if not self.deck.is_lifting:
            self._say_ticked(is_ticked=self.tutorial.board_changed(self.whole))

    def _say_ticked(self, *, is_ticked: bool) -> None:
        if is_ticked and (progress := self.tutorial.progress(self.whole)):
            # The action shows its own message after this; `add` appends to it.
            self.call_later(self.redraw)
            self.call_later(self.status.add, "ticked off: {} of {} done".format(*progress))

    def on_screen_suspend(self) -> None:
        self._say_ticked(is_ticked=self.tutorial.screen_opened(self.whole))

    @property
    def _folds(self) -> Mapping[str, frozenset[int]]:
        return {"collapsed": self.deck.collapsed, "folded-lanes": self.deck.folded_lanes}

    @on(TaskRequested)
    def look_at_opened(self, event: TaskRequested) -> None:
        self._mark_seen(event.task_id)

    @on(LineInput.Typed)
    def follow_typing(self, event: LineInput.Typed) -> None:
        self._typist(event.input).follow(event)

    async def on_filter_input_help_requested(self) -> None:
        from tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.keys.available(), topic="filter"))

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

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        self.typing.lines_pasted(event)

    def on_paste(self, event: events.Paste) -> None:
        # On a board with cards a stray paste does nothing.
        has_lines = sum(bool(line.strip()) for line in event.text.splitlines()) > 1
        can_write = self.whole.is_empty and has_lines and not self.waits_for
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
            if event.changes:
                has_card = any(
                    remote_change.kind is not ChangeKind.GONE for remote_change in event.changes
                )
                hint = "{cursor.next-news:]} goes there" if has_card else ""
                self.status.tell_quietly(summarize(event.changes), hint=hint)
            self.redraw()
        elif isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.redraw(event.renamed)
        elif isinstance(event, StatusChanged):
            self._show_sync_status()
        else:
            self.show_bar()

    def _show_sync_status(self) -> None:
        # A new problem is shown at once, all else at intervals, because keys wait while the bar is
        # written.
        status = self.store.status(self.board_id)
        if self._looks(status) == self._status_shown and not self.preview.display:
            return
        # The text counts pending changes; another count is no new problem.
        problem = trouble_notice(status._replace(pending=0))
        is_new, self._problem_shown = problem != self._problem_shown, problem
        if is_new and status.remedy:
            self.status.make_room()
        pause = _STATUS_PAUSE - (monotonic() - self._bar_shown_at)
        if pause <= 0 or is_new:
            self._show_bar_now()
        elif not self._bar_is_due:
            self._bar_is_due = True
            self.set_timer(pause, self._show_bar_now)

    def _looks(self, status: SyncStatus) -> tuple[object, ...]:
        # All that is drawn of a status.
        words = sync_words(self._signs.drawn(status), self.context.now())
        return words, status.loading, trouble_notice(status)

    def _show_bar_now(self) -> None:
        self._bar_is_due = False
        self._bar_shown_at = monotonic()
        self.show_bar()
        self.preview.redraw()

    def _look_at_news(self) -> None:
        # A remote change counts as seen once the cursor has been on its card for a moment.
        task = self.deck.current
        task_id = task.id if task is not None and task.id in self.deck.news else None
        if task_id == self._glance_at:
            return
        if self._glance is not None:
            self._glance.stop()
        self._glance_at = task_id
        if task_id is not None:
            self._glance = self.set_timer(self.context.glance_seconds, self._end_glance)

    def _end_glance(self) -> None:
        task_id, self._glance_at = self._glance_at, None
        if task_id is not None and self.app.app_focus and self.is_current:
            self._mark_seen(task_id)
        else:
            # Nobody looks while another window or screen is in front: wait for another moment.
            self._look_at_news()

    def _mark_seen(self, task_id: int) -> None:
        if task_id in self.deck.news:
            marking = self.store.mark_seen(self.board_id, {task_id})
            self.run_worker(marking, group="looked", exclusive=False)

    def redraw(self, renamed: Mapping[int, int] = MappingProxyType({})) -> None:
        """Draw the board of the store; `renamed` maps local ids to those of the service."""
        board = self.store.board(self.board_id) or self.whole
        # Most changes are accepted before their sign could be seen, see `PendingSigns`.
        if board.pending and not self._signs.are_due(self.store.status(self.board_id)):
            board = board.with_pending(())
        self.whole = with_own_settings(board, self.context.preferences)
        shown = self.filter.shown(self.whole)
        self.deck.news = self._news()
        self.deck.show(self.whole, shown, self._look(), renamed)
        self.typing.place()
        self.preview.follow()
        self.tour_panel.take_room()
        self.no_cards.take_room()
        self._follow_tutorial()
        self._look_at_news()
        self.show_bar()

    async def on_unmount(self) -> None:
        # The filter is otherwise saved only when its input is closed.
        self.filter.save()
        self.note_left()
        await self.store.mark_seen(self.board_id)

    def note_left(self) -> None:
        """Keep when the user left the board."""
        preferences, now = self.context.preferences, int(self.context.now().timestamp())
        seen = preferences.numbers_by_id(ALL_BOARDS, SEEN)
        preferences.keep(ALL_BOARDS, **{SEEN: {**seen, self.board_id: now}})

    def _news(self) -> frozenset[int]:
        changed = self.store.changed_by_others(self.board_id)
        if not changed:
            return frozenset()
        return frozenset(task.id for task in self.whole.among(changed))

    def _look(self) -> CardLook:
        # Cards compare equal, and are not drawn again, within the same minute.
        now = self.context.now().replace(second=0, microsecond=0)
        people = self.whole.people
        ticked = self.tutorial.ticked_ids(self.whole)
        return CardLook(
            self.density, now, initials_of(people), self.store.me, len(people) > 1, ticked
        )
