"""Filtering a board as one types, and finding a stage by its name while cards are lifted.

A filter is always shown while it is on, and Esc takes it off.
"""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tui.model.board import BoardView
from tui.model.people import initials_of
from tui.screens.actions.task_actions import TaskActions
from tui.widgets.board.deck import Deck
from tui.widgets.line_input import LineInput

FILTER, STAGE = "filter", "stage"


class Filtering(TaskActions):
    """A board screen whose cards can be filtered; the input takes the place of the status line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "filter",
            "filter",
            id="board.filter",
            tooltip="Filter as you type: words, #12, label:bug, @name, p:high, due:late, is:open",
        ),
    ]

    deck: Deck
    filter_words = ""
    _stage_before = 0

    def redraw(self) -> None:
        """Draw the board under the present filter; for subclasses."""
        raise NotImplementedError

    def set_filter(self, words: str) -> None:
        """Filter by these words from now on."""
        self.filter_words = words

    def filtered(self, whole: BoardView) -> BoardView:
        """The board as shown: the same view while nothing is filtered."""
        if not self.filter_words.strip():
            return whole
        from tui.model.filter import matcher, parse

        me = self.store.me.among(whole.people)
        wanted = parse(self.filter_words, me.id if me else None)
        if wanted.is_empty:
            return whole
        shows = matcher(wanted, self.context.now(), initials_of(whole.people))
        tasks = {
            stage.id: tuple(task for task in whole.in_stage(stage.id) if shows(task))
            for stage in whole.stages
        }
        return replace(whole, tasks=tasks)

    def clear_filter(self) -> None:
        """Show every card again."""
        self._use("")
        self.show_status()

    def action_filter(self) -> None:
        """Type a filter, or with a card lifted the name of a stage."""
        purpose = FILTER if self.deck.lift is None else STAGE
        typed = LineInput(
            purpose,
            self.filter_words if purpose == FILTER else "",
            placeholder=(
                "words  #12  label:bug  @name  p:high  due:late  is:open"
                if purpose == FILTER
                else "name of a stage · ↵ stays there · esc"
            ),
        )
        self.status.display = False
        typed.add_class("filter-line")
        self._stage_before = self.deck.over
        self.mount(typed)
        typed.focus()

    @on(LineInput.Typed)
    def follow_typing(self, event: LineInput.Typed) -> None:
        """Filter, or carry to the stage whose name fits best."""
        if event.input.purpose == FILTER:
            self._use(event.text)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self.deck.shown.stages]
            if best := rank(event.text, titles):
                self.deck.carry_to_stage(best[0])

    @on(LineInput.Done)
    def end_filter(self, event: LineInput.Done) -> None:
        """Go back to the board, leaving the filter on."""
        if event.input.purpose in (FILTER, STAGE):
            self._close(event.input)

    @on(LineInput.GivenUp)
    def give_filter_up(self, event: LineInput.GivenUp) -> None:
        """Go back to the board as it was without it."""
        if event.input.purpose == FILTER:
            self._use("")
        elif event.input.purpose == STAGE:
            self.deck.carry_to_stage(self._stage_before)
        if event.input.purpose in (FILTER, STAGE):
            self._close(event.input)

    def _use(self, words: str) -> None:
        """Filter by these words, on screen and for the next time."""
        self.set_filter(words)
        self.context.preferences.keep(self.board_id, filter=words.strip())
        self.redraw()

    def _close(self, typed: LineInput) -> None:
        """Put the status line back in the place of the input."""
        typed.remove()
        self.status.display = True
        self.deck.focus()
        self.show_status()
