"""The keys of a board's filter, and the input for it and for the stage to move lifted cards to.

The input is above the status line, which shows completions, or what is wrong below the place where
it is. The bar shows an active filter; Esc clears it.
"""

from typing import TYPE_CHECKING

from tui.actions.action import action
from tui.model.moving.cursor import find
from tui.screens.board.deck import CARRY_KEYS, Deck
from tui.screens.board.filtering import Filtering
from tui.screens.status_line import StatusLine
from tui.text.cells import cut, width
from tui.text.clean import line
from tui.text.keyed import keyed
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, line_width

if TYPE_CHECKING:
    from tui.model.query.reading import Problem

FILTER, STAGE = "filter", "stage"


class FilterActions:
    """What is done with a filter by keys, and by typing."""

    def __init__(self, filtering: Filtering, deck: Deck, status: StatusLine) -> None:
        self._filter = filtering
        self._cards = filtering.cards
        self._deck = deck
        self._status = status
        self._stage_before = 0
        self._task_before: int | None = None

    @action("board.filter", "slash", "Filter cards", hint="filter", while_moving=True)
    def begin(self) -> None:
        if self._deck.stage_lift is not None:
            self._cards.say("a lifted column is moved by its keys", hint=CARRY_KEYS)
            return
        from tui.model.query.completing import completions
        from tui.model.query.reading import TERM

        is_filter = self._deck.lift is None
        line_input = LineInput(
            FILTER if is_filter else STAGE,
            self._filter.words if is_filter else "",
            placeholder=(
                "words  #12  label:bug  @name  p:high  due:late  -is:open"
                if is_filter
                else keyed("name of a stage · ↵ stays there · {input.cancel:esc}")
            ),
            completions=lambda word: completions(word, self._filter.about) if is_filter else (),
            words=TERM,
        )
        line_input.add_class("filter-line", "-above-status")
        self._stage_before = self._deck.over
        self._task_before = self._deck.current.id if self._deck.current is not None else None
        self._deck.screen.mount(line_input)
        line_input.focus()
        if is_filter:
            self._hint(line_input)

    @action("board.pick-filter", "f", "Filter by picked values, save filters", asks=True)
    async def pick(self) -> None:
        from tui.screens.board.filter_picking import pick_filter

        await pick_filter(self._filter)

    @action("board.filter-mine", "M", "Show only my cards, or all")
    def show_mine(self) -> None:
        from tui.model.query.terms import Kind, Special, Term

        mine = Term(Kind.PERSON, Special.ME)
        is_mine = mine in self._filter.query.terms
        if self._cards.me is None and not is_mine:
            self._cards.say("you are not a member of this board, so no card is yours")
            return
        self._filter.put((mine,), () if is_mine else (mine,))
        shown, count = self._filter.counts
        if self._filter.words:
            hint = "{board.back:esc} clears it"
            self._cards.say(f"the filter shows {shown} of {count} cards", hint=hint)
        else:
            self._cards.say("showing all cards")

    def follow(self, event: LineInput.Typed) -> None:
        """Apply the filter, or move the lifted cards to the stage that matches best."""
        if event.input.purpose == FILTER:
            self._filter.words = event.text  # saved when the input is closed
            self._filter.apply()
            self._hint(event.input)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self._deck.shown.stages]
            if best := rank(event.text, titles):
                self._deck.carry_to_stage(best[0])

    def done(self, event: LineInput.Done) -> None:
        """Close the input and keep the filter, unless something in it is wrong."""
        if event.input.purpose == FILTER:
            from tui.model.query.reading import read

            if problems := read(event.text, self._filter.about).problems:
                event.input.cursor_position = problems[0].end
                self._status.hold(self._problem(event.input, problems[0]))
                return
        self._close(event.input)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; clear the filter, or move the lifted cards back."""
        if event.input.purpose == FILTER:
            self._filter.clear()
            if (before := find(self._deck.grid.cells, self._task_before)) is not None:
                self._deck.go_to(before)
        else:
            self._deck.carry_to_stage(self._stage_before)
        self._close(event.input)

    def _hint(self, line_input: LineInput) -> None:
        from tui.model.query.completing import completions
        from tui.model.query.reading import read

        words = completions(line_input.word, self._filter.about)
        if words and words != (line_input.word,):
            hint = keyed("   {input.complete:tab} completes")
            room = self._status.size.width - width(hint) - 1
            candidates = cut("  ".join(map(line, words)), room)
            self._status.hold(((f" {candidates}", "said"), (hint, "quiet")))
            return
        # What is being typed at the cursor is not wrong yet.
        problems = [
            each
            for each in read(line_input.value, self._filter.about).problems
            if not (each.is_begun and each.start <= line_input.cursor_position <= each.end)
        ]
        if problems:
            self._status.hold(self._problem(line_input, problems[0]))
            return
        shown, count = self._filter.counts
        keys = keyed("   ↵ keeps the filter · {input.cancel:esc} clears it")
        self._status.hold(((f" {shown} of {count} cards", "said"), (keys, "quiet")))

    def _problem(self, line_input: LineInput, problem: "Problem") -> Line:
        # Carets below the place, where there is room for them.
        wrong = line_input.value[problem.start : problem.end]
        start = 1 + width(line_input.value[: problem.start]) - line_input.scroll_offset.x
        why = (f" {problem.why}", "error")
        marked: Line = ((" " * max(0, start), "said"), ("^" * width(wrong), "error"), why)
        has_room = start > 0 and line_width(marked) <= self._status.size.width
        return marked if has_room else (why,)

    def _close(self, line_input: LineInput) -> None:
        self._filter.save()
        line_input.remove()
        self._status.hold(())
        self._deck.focus()
