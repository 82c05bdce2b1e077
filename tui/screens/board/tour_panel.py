"""What the tutorial board is for, in three sentences below its columns, until Esc hides it."""

from textual.geometry import Size

from tui.actions.tasks.cards import Cards
from tui.screens.board.deck import Deck
from tui.text.keyed import keyed
from tui.tour import is_tour
from tui.widgets.painted import Line, Lines

_LEAST_HEIGHT = 30
_READ = "tour-read"


class TourPanel(Lines):
    """The panel; it takes no room on other boards, on low terminals, and once it was hidden."""

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

    def hide(self) -> bool:
        """Hide it for good; whether it was shown."""
        if not self.display:
            return False
        self._cards.context.preferences.keep(self._cards.board_id, **{_READ: 1})
        self.take_room()
        return True

    def lines_now(self, size: Size) -> list[Line]:
        del size
        undo, boards = keyed("{board.undo:u}"), keyed("{go.boards:g b}")
        what = "Do what each card says; closed ones count as tried. Nothing can break here: "
        return [
            (("A board that explains itself", "strong"),),
            ((what, "text"), (undo, "accent"), (" undoes everything.", "text")),
            (
                ("Your own boards: ", "text"),
                (boards, "accent"),
                (", then ", "text"),
                (keyed("{boards.new:n}"), "accent"),
                (".   ", "text"),
                (keyed("{board.back:esc}"), "accent"),
                (" hides this", "quiet"),
            ),
        ]
