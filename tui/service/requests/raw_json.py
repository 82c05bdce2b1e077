"""A reply whose JSON has been written already."""

from typing import NamedTuple


class Ready(NamedTuple):
    """The text of a JSON document, in ASCII."""

    text: str
