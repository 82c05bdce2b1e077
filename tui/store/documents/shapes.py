"""Types of documents, as received and as cached.

A document is a JSON object with ids as integers, decimals as numbers, and empty arrays as objects
where an object is due. Unknown fields are kept.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from tui.model.lane import Lane
from tui.model.task import Task
from tui.record import record

Document = dict[str, Any]
"""A JSON object of the service, normalised for the cache."""


@record
class FirstPaint:
    """The data for the first paint of a board: its first tasks, and how many there are.

    `revision` is the cache's when it was read.
    """

    board: Document
    tasks: tuple[Task, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)
    revision: int = 0


class WholeBoard(NamedTuple):
    """A board with all its cards by stage, and the highest id that a task ever had on it.

    `revision` is the cache's when it was read.
    """

    board: Document
    newest_id: int
    lanes: Mapping[int, Lane]
    revision: int


def is_same(known: Document | None, received: Document) -> bool:
    """Whether every field of the new document equals the known one."""
    return known is not None and all(known.get(name) == value for name, value in received.items())


def object_in(value: object) -> Document:
    """A value that should be an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}
