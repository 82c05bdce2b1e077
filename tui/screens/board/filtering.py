"""The filter of a board, and the name of a stage to carry cards to, typed at the bottom.

A filter is always shown while it is on, and Esc takes it off.
"""

from collections.abc import Callable
from dataclasses import replace

from tui.actions.tasks.context import TaskContext
from tui.model.board import BoardView
from tui.model.people import initials_of
from tui.screens.board.deck import Deck
from tui.screens.status_line import StatusLine
from tui.widgets.line_input import LineInput

FILTER, STAGE = "filter", "stage"


class Filtering:
    """Filters a deck; the input takes the place of the status line, `changed` draws the board."""

    def __init__(
        self,
        tasks: TaskContext,
        status: StatusLine,
        deck: Callable[[], Deck],
        changed: Callable[[], None],
    ) -> None:
        self.words = tasks.context.preferences.text(tasks.board_id, "filter")
        self._tasks = tasks
        self._find_deck = deck
        self._status = status
        self._changed = changed
        self._stage_before = 0

    @property
    def _deck(self) -> Deck:
        return self._find_deck()

    def shown(self, whole: BoardView) -> BoardView:
        """The board as shown: the same view while nothing is filtered."""
        if not self.words.strip():
            return whole
        from tui.model.filter import matcher, parse

        me = self._tasks.store.me.among(whole.people)
        wanted = parse(self.words, me.id if me else None)
        if wanted.is_empty:
            return whole
        shows = matcher(wanted, self._tasks.now(), initials_of(whole.people))
        tasks = {
            stage.id: tuple(task for task in whole.in_stage(stage.id) if shows(task))
            for stage in whole.stages
        }
        return replace(whole, tasks=tasks)

    def clear(self) -> None:
        """Show every card again."""
        self._use("")
        self._status.draw()

    def begin(self) -> None:
        """Type a filter, or with a card lifted the name of a stage."""
        purpose = FILTER if self._deck.lift is None else STAGE
        typed = LineInput(
            purpose,
            self.words if purpose == FILTER else "",
            placeholder=(
                "words  #12  label:bug  @name  p:high  due:late  is:open"
                if purpose == FILTER
                else "name of a stage · ↵ stays there · esc"
            ),
        )
        self._status.display = False
        typed.add_class("filter-line")
        self._stage_before = self._deck.over
        self._deck.screen.mount(typed)
        typed.focus()

    def follow(self, event: LineInput.Typed) -> None:
        """Filter, or carry to the stage whose name fits best."""
        if event.input.purpose == FILTER:
            self._use(event.text)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self._deck.shown.stages]
            if best := rank(event.text, titles):
                self._deck.carry_to_stage(best[0])

    def done(self, event: LineInput.Done) -> None:
        """Go back to the board, leaving the filter on."""
        self._close(event.input)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Go back to the board as it was without it."""
        if event.input.purpose == FILTER:
            self._use("")
        else:
            self._deck.carry_to_stage(self._stage_before)
        self._close(event.input)

    def _use(self, words: str) -> None:
        """Filter by these words, on screen and for the next time."""
        self.words = words
        self._tasks.context.preferences.keep(self._tasks.board_id, filter=words.strip())
        self._changed()

    def _close(self, typed: LineInput) -> None:
        """Put the status line back in the place of the input."""
        typed.remove()
        self._status.display = True
        self._deck.focus()
        self._status.draw()
