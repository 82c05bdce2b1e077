"""The filter of a board, and the search for a stage to move lifted cards to.

Both are typed in an input above the status line, which shows completions, or what is wrong below
the place where it is. The bar shows an active filter; Esc clears it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.custom_field import FieldValue
from tui.model.moving.cursor import find
from tui.model.task import Task
from tui.screens.board.deck import Deck
from tui.screens.board.keys import CARRY_KEYS
from tui.screens.status_line import StatusLine
from tui.text.cells import cut, width
from tui.text.clean import line
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, Span, line_width

if TYPE_CHECKING:
    from tui.model.query.about import About
    from tui.model.query.reading import Problem
    from tui.model.query.terms import Query, Term

FILTER, STAGE = "filter", "stage"
SAVED = "filters"
"""The preference with the saved filters of a board, by name."""
_LEAST_CHIP = 8


class Filtering:
    """Filters the `deck` by the query `words`; `changed` redraws the board.

    `cleared` is the filter that was cleared last.
    """

    deck: Deck

    def __init__(self, tasks: Cards, status: StatusLine, changed: Callable[[], None]) -> None:
        self.tasks = tasks
        self.words = tasks.context.preferences.text(tasks.board_id, "filter")
        self.cleared = ""
        self._status = status
        self._changed = changed
        self._stage_before = 0
        self._task_before: int | None = None
        self._marked: frozenset[int] = frozenset()

    @property
    def query(self) -> "Query":
        from tui.model.query.reading import parse

        return parse(self.words)

    @property
    def about(self) -> "About":
        """What the names in the filter refer to."""
        return self._about(self.deck.whole)

    def shown(self, whole: BoardView) -> BoardView:
        """The filtered board; `whole` itself if there is no filter.

        Cards that others changed stay while they are filtered for, also once they count as seen.
        """
        if not self.words.strip():
            return whole
        from tui.model.query.matching import filtered
        from tui.model.query.reading import read
        from tui.model.query.terms import Kind

        marks = self.tasks.store.changed_by_others(self.tasks.board_id)
        asks_for_changes = any(term.kind is Kind.CHANGED for term in self.query.terms)
        self._marked = self._marked.union(marks) if asks_for_changes else frozenset()
        about = self._about(whole)
        return filtered(whole, read(self.words, about).query, about)

    def chips(self, room: int) -> list[Span]:
        """The terms of the filter as far as there is room, then the number of others.

        A term that is not understood, and so left out, has a warning sign.
        """
        if not self.words.strip():
            return []
        from tui.model.query.reading import read

        query, understood = self.query, read(self.words, self.about).query
        chips: list[Span] = []
        used = width(glyphs.SEARCH)
        for number, term in enumerate(query.terms):
            is_known = term in understood.terms
            sign = "" if is_known else glyphs.NEEDS_YOU
            text = line(f"{sign}{term.print()}")
            text = text if number else cut(text, max(_LEAST_CHIP, room - used - 4))
            rest = len(query.terms) - number
            needed = width(text) + 4 + (len(f"+{rest}") + 1 if rest > 1 else 0)
            if number and used + needed > room:
                chips.append((f"+{rest} ", "warning"))
                break
            chips += [(f" {text} ", "chip" if is_known else "error"), (" ", "warning")]
            used += width(text) + 3
        return [(glyphs.SEARCH, "warning"), *chips, (" ", "warning")] if chips else []

    def use(self, words: str) -> None:
        """Apply a filter, and save it for the next visit to the board."""
        self.words = words
        self.save()
        self._apply()

    def _apply(self) -> None:
        """Draw the board by the filter, with the cursor on a card that it shows."""
        self._changed()
        if self.words.strip():
            self.deck.to_nearest_card()

    def save(self) -> None:
        self.tasks.context.preferences.keep(self.tasks.board_id, filter=self.words.strip())

    def put(self, old: "tuple[Term, ...]", new: "tuple[Term, ...]") -> None:
        """Replace terms of the filter."""
        self.use(self.query.having(old, new).print())

    def clear(self) -> None:
        """Clear the filter, but remember it."""
        self.cleared = self.words
        self.use("")
        self._status.draw()

    @property
    def counts(self) -> tuple[int, int]:
        """The number of cards shown, and of all."""
        shown, whole = self.deck.shown, self.deck.whole
        return sum(1 for _ in shown.all_tasks()), sum(map(whole.count, whole.tasks))

    def empty_line(self) -> Line | None:
        """The status line if the filter hides every card; None if it does not."""
        is_hiding = any(self.deck.whole.tasks.values())
        if not self.words.strip() or any(self.deck.shown.tasks.values()) or not is_hiding:
            return None
        hint = keyed("  {board.back:esc} clears it")
        return ((" No card matches the filter", "said"), (hint, "quiet"))

    def begin(self) -> None:
        """Open the input for a filter, or with a card lifted for the name of a stage."""
        if self.deck.stage_lift is not None:
            self.tasks.say("a lifted column is moved by its keys", hint=CARRY_KEYS)
            return
        from tui.model.query.completing import completions
        from tui.model.query.reading import TERM

        is_filter = self.deck.lift is None
        typed = LineInput(
            FILTER if is_filter else STAGE,
            self.words if is_filter else "",
            placeholder=(
                "words  #12  label:bug  @name  p:high  due:late  -is:open"
                if is_filter
                else keyed("name of a stage · ↵ stays there · {input.cancel:esc}")
            ),
            completions=lambda word: completions(word, self.about) if is_filter else (),
            words=TERM,
        )
        typed.add_class("filter-line", "-above-status")
        self._stage_before = self.deck.over
        self._task_before = self.deck.current.id if self.deck.current is not None else None
        self.deck.screen.mount(typed)
        typed.focus()
        if is_filter:
            self._hint(typed)

    def follow(self, event: LineInput.Typed) -> None:
        """Apply the filter, or move the lifted cards to the stage that matches best."""
        if event.input.purpose == FILTER:
            self.words = event.text  # saved when the input is closed
            self._apply()
            self._hint(event.input)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self.deck.shown.stages]
            if best := rank(event.text, titles):
                self.deck.carry_to_stage(best[0])

    def done(self, event: LineInput.Done) -> None:
        """Close the input and keep the filter, unless something in it is wrong."""
        if event.input.purpose == FILTER:
            from tui.model.query.reading import read

            problems = read(event.text, self.about).problems
            if problems:
                event.input.cursor_position = problems[0].end
                self._status.hold(self._problem(event.input, problems[0]))
                return
        self._close(event.input)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; clear the filter, or move the lifted cards back."""
        if event.input.purpose == FILTER:
            self.clear()
            if (before := find(self.deck.grid.cells, self._task_before)) is not None:
                self.deck.go_to(before)
        else:
            self.deck.carry_to_stage(self._stage_before)
        self._close(event.input)

    def _about(self, whole: BoardView) -> "About":
        from tui.model.query.about import About

        me, now = self.tasks.store.me, self.tasks.now()
        return About.of([whole], me, now, self._marked, self._values)

    def _values(self, task: Task) -> tuple[FieldValue, ...]:
        """The values of a task's custom fields; those of an opened task are newer."""
        detail = self.tasks.store.detail(task.id)
        return task.values if detail is None or detail.values is None else detail.values

    def _hint(self, typed: LineInput) -> None:
        """Show how the term at the cursor can go on, else what is wrong, else what is shown."""
        from tui.model.query.completing import completions
        from tui.model.query.reading import read

        found = completions(typed.word, self.about)
        if found and found != (typed.word,):
            hint = keyed("   {input.complete:tab} completes")
            shown = cut("  ".join(map(line, found)), self._status.size.width - width(hint) - 1)
            self._status.hold(((f" {shown}", "said"), (hint, "quiet")))
            return
        at = typed.cursor_position
        problems = [
            one
            for one in read(typed.value, self.about).problems
            if not (one.is_begun and one.start <= at <= one.end)
        ]
        if problems:
            self._status.hold(self._problem(typed, problems[0]))
            return
        shown_count, count = self.counts
        keys = keyed("↵ keeps the filter · {input.cancel:esc} clears it")
        self._status.hold(((f" {shown_count} of {count} cards", "said"), (f"   {keys}", "quiet")))

    def _problem(self, typed: LineInput, problem: "Problem") -> Line:
        """What is wrong, after carets below the place where there is room for them."""
        before, wrong = typed.value[: problem.start], typed.value[problem.start : problem.end]
        start = 1 + width(before) - typed.scroll_offset.x
        marked: Line = (
            (" " * max(0, start), "said"),
            ("^" * width(wrong), "error"),
            (f" {problem.why}", "error"),
        )
        has_room = start > 0 and line_width(marked) <= self._status.size.width
        return marked if has_room else ((f" {problem.why}", "error"),)

    def _close(self, typed: LineInput) -> None:
        self.save()
        typed.remove()
        self._status.hold(())
        self.deck.focus()
