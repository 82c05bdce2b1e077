"""The filter of a board: the query, what it shows, and its chips in the bar."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.custom_field import FieldValue
from tui.model.task import Task
from tui.screens.board.deck import Deck
from tui.screens.status_line import StatusLine
from tui.text.cells import cut, width
from tui.text.clean import line
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span

if TYPE_CHECKING:
    from tui.model.query.about import About
    from tui.model.query.terms import Query, Term

_LEAST_CHIP = 8


class Filtering:
    """Filters the `deck` by the query `words`; `changed` redraws the board.

    `cleared` is the filter that was cleared last.
    """

    deck: Deck

    def __init__(self, cards: Cards, status: StatusLine, changed: Callable[[], None]) -> None:
        self.cards = cards
        self.words = cards.context.preferences.text(cards.board_id, "filter")
        self.cleared = ""
        self._status = status
        self._changed = changed
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

        marks = self.cards.store.changed_by_others(self.cards.board_id)
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
        self.apply()

    def apply(self) -> None:
        """Draw the board by the filter, with the cursor on a card that it shows."""
        self._changed()
        if self.words.strip():
            self.deck.to_nearest_card()

    def save(self) -> None:
        self.cards.context.preferences.keep(self.cards.board_id, filter=self.words.strip())

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
        has_cards = any(self.deck.whole.tasks.values())
        if not self.words.strip() or any(self.deck.shown.tasks.values()) or not has_cards:
            return None
        hint = keyed("  {board.back:esc} clears it")
        return (" No card matches the filter", "said"), (hint, "quiet")

    def _about(self, whole: BoardView) -> "About":
        from tui.model.query.about import About

        me, now = self.cards.store.me, self.cards.now()
        return About.of([whole], me, now, self._marked, self._values)

    def _values(self, task: Task) -> tuple[FieldValue, ...]:
        # Those of an opened task are newer.
        detail = self.cards.store.detail(task.id)
        return task.values if detail is None or detail.values is None else detail.values
