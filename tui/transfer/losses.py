"""What of a file cannot be taken: every kind of thing is listed, with how many cards have it."""

from collections.abc import Hashable

from tui.text import clean
from tui.text.clean import counted, quoted

NOT_UNDERSTOOD = "not understood"
DATE_ALONE = "the date"
"""Why a field is listed: the card is closed, for example, but does not get the date."""


class Losses:
    """Counts what cannot be taken, by what it is."""

    def __init__(self) -> None:
        self._cards: dict[str, set[Hashable]] = {}
        self._counts: dict[str, int] = {}

    def of_card(self, things: str, card: Hashable) -> None:
        """Note that a card has something; `card` tells it from the others of the file."""
        self._cards.setdefault(things, set()).add(card)

    def of_board(self, things: str, count: int = 1) -> None:
        """Count things that belong to no card, in the plural."""
        if count:
            self._counts[things] = self._counts.get(things, 0) + count

    def lines(self) -> tuple[str, ...]:
        """One line for each kind."""
        of_cards = (f"{things}: {_cards(len(cards))}" for things, cards in self._cards.items())
        return (*of_cards, *(f"{things}: {count:,}" for things, count in self._counts.items()))


def field_called(name: str, why: str = "") -> str:
    """The field of another program with this name, in words, and why it is not taken."""
    return f"{quoted(clean.line(name))}{f' ({why})' if why else ''}"


def _cards(count: int) -> str:
    return counted(count, "card") if count < 1_000 else f"{count:,} cards"  # noqa: PLR2004
