"""The filter of a board, and the search for a stage to move lifted cards to.

Both are typed in an input in place of the status line. The bar shows an active filter; Esc clears
it.
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
    """Filters a deck; `changed` redraws the board."""

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
        """The filtered board; `whole` itself if there is no filter."""
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
        """Clear the filter."""
        self._use("")
        self._status.draw()

    def begin(self) -> None:
        """Open the input for a filter, or with a card lifted for the name of a stage."""
        if self._deck.stage_lift is not None:
            self._tasks.say("a lifted column is moved by its keys", hint="h l 0 $ 1–9")
            return
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
        """Apply the filter, or move the lifted cards to the stage that matches best."""
        if event.input.purpose == FILTER:
            self._use(event.text)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self._deck.shown.stages]
            if best := rank(event.text, titles):
                self._deck.carry_to_stage(best[0])

    def done(self, event: LineInput.Done) -> None:
        """Close the input and keep the filter."""
        self._close(event.input)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; clear the filter, or move the lifted cards back."""
        if event.input.purpose == FILTER:
            self._use("")
        else:
            self._deck.carry_to_stage(self._stage_before)
        self._close(event.input)

    def _use(self, words: str) -> None:
        """Apply a filter, and save it for the next visit to the board."""
        self.words = words
        self._tasks.context.preferences.keep(self._tasks.board_id, filter=words.strip())
        self._changed()

    def _close(self, typed: LineInput) -> None:
        """Replace the input by the status line."""
        typed.remove()
        self._status.display = True
        self._deck.focus()
        self._status.draw()
