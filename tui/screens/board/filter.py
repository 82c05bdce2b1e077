"""The filter of a board: the query, what it shows, its chips in the bar, and its keys.

The input for it, and for the stage to move lifted cards to, is above the status line, which shows
completions. The bar shows an active filter; Esc clears it.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tui.actions.action import action
from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.custom_field import FieldValue
from tui.model.task import Task
from tui.runtime.slices import Slicer
from tui.screens.board.deck import CARRY_KEYS, Deck
from tui.screens.status_line import StatusLine
from tui.text.cells import cut, width
from tui.text.clean import line
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, Span

if TYPE_CHECKING:
    from tui.model.query.language import ParsedQuery, Query, QueryContext, QueryProblem, Term
    from tui.screens.board.filter_line import FilterPanel

FILTER, STAGE = "filter", "stage"
_LEAST_CHIP = 8


class Filter:
    """Filters the `deck` by the query `words`; `cleared` is the filter that was cleared last.

    `redraw` draws the board again, `pick` asks for values to filter by.
    """

    deck: Deck

    def __init__(
        self,
        cards: Cards,
        status: StatusLine,
        redraw: Callable[[], None],
        pick: Callable[[], Awaitable[None]],
    ) -> None:
        self.cards = cards
        self.words = cards.context.preferences.text(cards.board_id, "filter")
        self.cleared = ""
        self._status = status
        self._redraw = redraw
        self._pick = pick
        self._marked: frozenset[int] = frozenset()
        self._panel: FilterPanel | None = None
        self._is_wrong = False
        self._stage_before = 0
        self._task_before: int | None = None
        self._lane_before: int | None = None
        self._empty: tuple[BoardView, str, str] | None = None
        """The board and the filter that hides all of it, and which term to drop."""

    @property
    def query(self) -> "Query":
        from tui.model.query.language import parse

        return parse(self.words)

    @property
    def about(self) -> "QueryContext":
        return self._about(self.deck.whole)

    def shown(self, whole: BoardView) -> BoardView:
        """The filtered board; `whole` itself if there is no filter.

        Cards that others changed stay while they are filtered for, also once they count as seen.
        """
        if not self.words.strip():
            return whole
        from tui.model.query.language import read
        from tui.model.query.matching import filtered
        from tui.model.query.terms import TermKind

        marks = self.cards.store.changed_by_others(self.cards.board_id)
        # With `changed:yes`, a card that counts as seen would vanish under the cursor.
        asks_for_changes = any(term.kind is TermKind.CHANGED for term in self.query.terms)
        self._marked = self._marked.union(marks) if asks_for_changes else frozenset()
        about = self._about(whole)
        return filtered(whole, read(self.words, about).query, about)

    def _read(self, words: str) -> "ParsedQuery":
        from tui.model.query.language import read

        return read(words, self.about)

    def chips(self, room: int) -> list[Span]:
        """The terms of the filter as far as there is room, then the number of others.

        A term that is not understood, and so left out, has a warning sign.
        """
        if not self.words.strip():
            return []
        query, understood = self.query, self._read(self.words).query
        chips: list[Span] = []
        used = width(glyphs.SEARCH)
        for number, term in enumerate(query.terms):
            is_known = term in understood.terms
            sign = "" if is_known else glyphs.NEEDS_YOU
            text = line(f"{sign}{term.print()}")
            text = text if number else cut(text, max(_LEAST_CHIP, room - used - 4))
            remaining = len(query.terms) - number
            needed = width(text) + 4 + (len(f"+{remaining}") + 1 if remaining > 1 else 0)
            if number and used + needed > room:
                chips.append((f"+{remaining} ", "warn"))
                break
            chips += [(f" {text} ", "cursor" if is_known else "blocked"), (" ", "warn")]
            used += width(text) + 3
        return [(glyphs.SEARCH, "warn"), *chips, (" ", "warn")] if chips else []

    def use(self, words: str) -> None:
        """Apply a filter, and save it for the next visit to the board."""
        self.words = words
        self.save()
        self.apply()

    def apply(self) -> None:
        """Draw the board by the filter, with the cursor on a card that it shows."""
        self._redraw()
        if self.words.strip():
            self.deck.to_nearest_card()

    def save(self) -> None:
        self.cards.context.preferences.keep(self.cards.board_id, filter=self.words.strip())

    def put(self, old: "tuple[Term, ...]", new: "tuple[Term, ...]") -> None:
        self.use(self.query.having(old, new).print())

    def clear(self) -> None:
        self.cleared = self.words
        self.use("")
        self._status.draw()

    @property
    def counts(self) -> tuple[int, int]:
        shown, whole = self.deck.shown, self.deck.whole
        return sum(map(len, shown.tasks.values())), sum(map(whole.count, whole.tasks))

    @property
    def hides_all(self) -> tuple[int, str] | None:
        """How many cards the filter hides if it hides all, and without which term it shows some."""
        whole = self.deck.whole
        hidden = 0 if any(self.deck.shown.tasks.values()) else self.counts[1]
        if not self.words.strip() or not hidden:
            return None
        if self._empty is None or self._empty[0] is not whole or self._empty[1] != self.words:
            # Cached, because each term is tried on all cards, and every redraw asks for this.
            self._empty = (whole, self.words, self._without(whole, hidden))
        return hidden, self._empty[2]

    def _without(self, whole: BoardView, hidden: int) -> str:
        from tui.model.query.matching import term_to_drop

        drop = term_to_drop(whole, self._read(self.words).query, self.about)
        if drop is None or drop[1] == hidden:
            return ""
        return f"without {line(drop[0].print())} it would show {drop[1]}"

    def _about(self, whole: BoardView) -> "QueryContext":
        from tui.model.query.language import QueryContext

        me, now = self.cards.store.me, self.cards.now()
        relations = self.cards.store.relations()
        return QueryContext.of(
            [whole], me, now, self._marked, values=self._values, relations=relations
        )

    def _values(self, task: Task) -> tuple[FieldValue, ...]:
        # The details of an opened task are newer than the board.
        detail = self.cards.store.detail(task.id)
        return task.values if detail is None or detail.values is None else detail.values

    @action(
        "board.filter", "slash", "Filter cards", hint="filter", words="search", while_moving=True
    )
    def begin(self) -> None:
        if self.deck.stage_lift is not None:
            self.cards.say("a lifted column is moved by its keys", hint=CARRY_KEYS)
            return
        self._stage_before = self.deck.over
        self._task_before = self.deck.current.id if self.deck.current is not None else None
        self._lane_before = self.deck.lane_id
        if self.deck.lift is None:
            self._begin_typing()
            return
        line_input = LineInput(STAGE, placeholder="name of a stage", enter="select", leave="back")
        line_input.add_class("filter-line", "-above-status")
        self.deck.screen.mount(line_input)
        line_input.focus()

    def _begin_typing(self) -> None:
        from tui.screens.board.filter_line import FilterInput, FilterPanel

        line_input = FilterInput(FILTER, self.words, self._completions)
        line_input.add_class("filter-line", "-in-panel")
        self._panel = FilterPanel(line_input)
        self.deck.screen.mount(self._panel, line_input)
        line_input.focus()
        self.draw()
        self.deck.screen.run_worker(_unpack(self.deck.whole), group="filter", exclusive=True)

    def _completions(self, word: str) -> tuple[str, ...]:
        from tui.model.query.language import completions, similar

        return completions(word, self.about) or similar(word, self.about)

    @action("board.pick-filter", "f", "Filter by picked values, save filters", asks=True)
    async def pick(self) -> None:
        await self._pick()

    @action("board.filter-mine", "M", "Show only my cards, or all", words="assignee")
    def show_mine(self) -> None:
        from tui.model.query.language import Term
        from tui.model.query.terms import Special, TermKind

        my_cards = Term(TermKind.PERSON, Special.ME)
        is_mine = my_cards in self.query.terms
        if self.cards.me is None and not is_mine:
            self.cards.say("you are not a member of this board, so no cards are yours")
            return
        self.put((my_cards,), () if is_mine else (my_cards,))
        shown, count = self.counts
        if self.words:
            hint = "{board.back:esc} to clear it"
            self.cards.say(f"the filter shows {shown} of {count} cards", hint=hint)
        else:
            self.cards.say("showing all cards")

    def follow(self, event: LineInput.Typed) -> None:
        if event.input.purpose == FILTER:
            self.words = event.text  # saved when the input is closed
            self.apply()
            self.draw()
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self.deck.shown.stages]
            if best := rank(event.text, titles):
                self.deck.carry_to_stage(best[0])

    async def done(self, event: LineInput.Done) -> None:
        """Close the input and keep the filter, unless something in it is wrong."""
        if event.input.purpose == FILTER and (problems := self._read(event.text).problems):
            event.input.cursor_position = problems[0].end
            if self._panel is not None:
                self._say(self._panel, problems[0])
            return
        self._close(event.input)

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; clear the filter, or move the lifted cards back."""
        if event.input.purpose == FILTER:
            self.clear()
            # Looked up only now, because the filter may have hidden the card.
            cursor = self.deck.grid.find(self._task_before, self._lane_before)
            if cursor is not None:
                self.deck.go_to(cursor)
        else:
            self.deck.carry_to_stage(self._stage_before)
        self._close(event.input)

    def draw(self) -> None:
        """Say what the filter that is being typed shows, or what is wrong with it."""
        if self._panel is None:
            return
        # What is being typed at the cursor is not wrong yet.
        typed = self._panel.input
        problems = [
            problem
            for problem in self._read(typed.value).problems
            if not (problem.is_begun and problem.start <= typed.cursor_position <= problem.end)
        ]
        self._say(self._panel, problems[0] if problems else None)

    def _say(self, panel: "FilterPanel", problem: "QueryProblem | None") -> None:
        from tui.screens.board.filter_line import below_input

        self._is_wrong = problem is not None
        has_room = panel.say(problem)
        typed, word, (shown, count) = panel.input.value, panel.input.word, self.counts
        words, note = self._completions(word), ""
        if problem is not None and not has_room:
            words, note = (), f"! {problem.why}"
        elif problem is not None and typed[problem.start : problem.end] == word:
            key, colon, _ = word.rpartition(":")
            words = tuple(completion.removeprefix(key + colon) for completion in words)
            note = "did you mean" if words else ""
        elif not words or words == (word,):
            words, note = (), f"{shown} of {count} cards"
        self._status.hold(below_input(words, note, typed, self.deck.screen.size.width))

    @property
    def is_typed(self) -> bool:
        """Whether a filter is being typed."""
        return self._panel is not None

    def hints(self) -> tuple[Line, Line]:
        """The keys of the input."""
        from tui.screens.board.filter_line import filter_hints

        return filter_hints(self.deck.screen.size.width, is_wrong=self._is_wrong)

    def _close(self, line_input: LineInput) -> None:
        self.save()
        line_input.remove()
        if self._panel is not None:
            self._panel.remove()
            self._panel = None
        self._status.hold(None)
        self.deck.focus()


async def _unpack(whole: BoardView) -> None:
    # Unpacks the cards while the first word is typed, so that no key waits for 100,000 of them.
    slicer = Slicer()
    for stage in whole.stages:
        for chunk in whole.in_stage(stage.id).chunks:
            chunk.unpack()
            await slicer.yield_if_over()
