"""Numbers of cards in texts, such as `#12`, which are links to the cards.

A number is that of one card on whatever board it is: a name before it, as in `Support #801`, is for
people. What is part of a word, of an address or of a colour is none.
"""

import re
from collections.abc import Iterator

_NUMBER = re.compile(r"(?<![\w&/#])#[0-9]{1,18}\b")


def spans_of_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers of cards are in a text: the first character, and the one behind the last."""
    for match in _NUMBER.finditer(text) if "#" in text else ():
        if match[0].strip("#0"):
            yield match.span()


def card_numbers(text: str) -> tuple[str, ...]:
    """The numbers of cards in a text, as they are written, each once."""
    return tuple(dict.fromkeys(text[begin:end] for begin, end in spans_of_numbers(text)))


def is_card_number(link: str) -> bool:
    """Whether a link is the number of a card."""
    return _NUMBER.fullmatch(link) is not None
