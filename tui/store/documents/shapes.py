"""The shape of what a service says, and of what is kept of it.

A document is a plain JSON object as the service said it, with ids made integers, decimals made
numbers and empty arrays made objects where an object is due. Unknown fields stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
"""One thing as the service said it, ready for the cache."""


@dataclass(frozen=True, slots=True)
class FirstPaint:
    """What the first paint of a board needs: the board, the first tasks and how many there are."""

    board: Document
    tasks: tuple[Document, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)


def is_same(known: Document | None, told: Document) -> bool:
    """Whether nothing that is told is new."""
    return known is not None and all(known.get(name) == value for name, value in told.items())
