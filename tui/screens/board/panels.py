"""What is said over or below the columns: what the tutorial is for, and why no card is shown."""

from textual.geometry import Offset, Size

from tui.actions.tasks.cards import Cards
from tui.screens.board.deck import Deck
from tui.screens.board.filter import Filter
from tui.text.clean import counted
from tui.text.keyed import keyed
from tui.tour import is_tour
from tui.widgets.bars import key_line
from tui.widgets.painted import Line, PaintedLines, cut_line, line_width

_LEAST_HEIGHT, _ROOMY_HEIGHT = 20, 30
"""Lower terminals have no panel, and those below the second height one of two lines."""
_READ = "tour-read"
_WIDTH = 50


class TourPanel(PaintedLines):
    """What the tutorial board is for, until Esc hides it.

    It takes no room on other boards, on low terminals, and once it was hidden.
    """

    ground = "raised"

    def __init__(self, cards: Cards, deck: Deck) -> None:
        super().__init__()
        self.display = False
        self._cards, self._deck = cards, deck

    def take_room(self) -> None:
        """Show or hide it for the board and the height that there are."""
        is_read = self._cards.context.preferences.number(self._cards.board_id, _READ, 0)
        is_high = self.app.size.height >= _LEAST_HEIGHT
        self.display = not is_read and is_high and is_tour(self._deck.whole)
        self.set_class(self._is_low, "-low")

    @property
    def _is_low(self) -> bool:
        return self.app.size.height < _ROOMY_HEIGHT

    def hide(self) -> bool:
        """Hide it for good; whether it was shown."""
        if not self.display:
            return False
        self._cards.context.preferences.keep(self._cards.board_id, **{_READ: 1})
        self.take_room()
        return True

    def lines_now(self, size: Size) -> list[Line]:
        del size
        title: Line = (("Tutorial", "strong"),)
        purpose: Line = (
            ("Try these, like moving a card, to tick them off, or press ", "text"),
            (keyed("{task.close:x}"), "accent"),
            (".", "text"),
        )
        ways: Line = (
            (keyed("{board.undo:u}"), "accent"),
            (" undoes any step. Your own boards: ", "text"),
            (keyed("{go.boards:g b}"), "accent"),
            (", then ", "text"),
            (keyed("{boards.new:n}"), "accent"),
            (".   ", "text"),
            (keyed("{board.back:esc}"), "accent"),
            (" close", "quiet"),
        )
        return (
            [(*title, ("  ", "text"), *purpose), ways] if self._is_low else [title, purpose, ways]
        )


class NoCardsPanel(PaintedLines):
    """Says over the columns that there are no stages, or that the filter hides every card."""

    ground = "card"

    def __init__(self, filtering: Filter, deck: Deck) -> None:
        super().__init__()
        self.visible = False
        self._filter, self._deck = filtering, deck
        self._text: tuple[Line, ...] = ()

    def take_room(self) -> None:
        """Show it in the middle of the screen while no card can be shown."""
        self._text = self._reason()
        if self._text:
            screen = self.app.size
            width = max(1, min(_WIDTH, screen.width - 4))
            self.styles.width = width
            self.styles.offset = Offset((screen.width - width) // 2, max(0, screen.height // 2 - 3))
            self.redraw()
        # Setting `display` would lay out and write the whole screen.
        if self.visible != bool(self._text):
            self.visible = bool(self._text)

    def _reason(self) -> tuple[Line, ...]:
        if self._deck.whole.lacks_stages:
            ways = key_line("{stage.new-right:S n} add one   {stage.archived:S R} archived stages")
            return (("This board has no stages yet", "strong"),), (), ways
        hides_all = self._filter.hides_all
        if hides_all is None:
            return ()
        hidden, drop = hides_all
        title = f"The filter hides all {counted(hidden, 'card')}"
        ways = key_line("{board.back:esc} clear   {board.filter:/} edit")
        return ((title, "strong"),), ((drop, "quiet"),), (), ways

    def lines_now(self, size: Size) -> list[Line]:
        return [_centred(line, size.width) for line in ((), *self._text, ())]


def _centred(line: Line, width: int) -> Line:
    line = tuple(cut_line(line, width))
    return ((" " * ((width - line_width(line)) // 2), "text"), *line)
