"""The shape of what a service says, and of what is kept of it.

The rule it keeps: a document is a plain JSON object as the service said it, with ids made integers,
decimals made numbers and empty arrays made objects where an object is due. Unknown fields stay.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
"""One thing as the service said it, ready for the cache."""


@dataclass(frozen=True, slots=True)
class KeptBoardDocuments:
    """What the first paint of a board needs: the board, the first tasks and how many there are."""

    board: Document
    tasks: tuple[Document, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)


def break_circles(tasks: Iterable[Document]) -> None:
    """Take the parent from tasks that are, through their parents, subtasks of themselves.

    None of them would be on the board otherwise, nor below any card of it.
    """
    below = {task["id"]: task for task in tasks if task.get("parent_id")}
    seen: set[int] = set()
    for task_id in below:
        path: list[int] = []
        at = task_id
        while at in below and at not in seen:
            seen.add(at)
            path.append(at)
            at = below[at]["parent_id"]
        for member in path[path.index(at) :] if at in path else ():
            below[member]["parent_id"] = None
