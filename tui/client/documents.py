"""What the client hands to the store: documents, pages of them, and what changed on a board.

A document is the plain JSON object that `tui.client.records.base.Part.document` makes. The module
imports nothing heavy, so that the store can name these types before the first paint.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Document = dict[str, Any]
TasksArrived = Callable[[Sequence[Document], int], None]
"""Hears of the tasks of a list as they come, and of how many bytes came in all."""
BytesListener = Callable[[int, int | None], None]
"""Hears how many bytes went over the wire so far, and of how many; None while nobody knows."""


class DocumentPage(NamedTuple):
    """One page of a long list; `is_last` says that no page follows, `total` how long the list is.

    `total` is None where the service does not tell.
    """

    documents: list[Document]
    is_last: bool
    total: int | None = None


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What a service tells of a board since it was asked last.

    `synced_at` is empty where the service lists the last minute, whatever it is asked.
    `has_changes` is None if it did not say. A `must_reload` board has to be read again whole;
    `is_complete` says that no kind of change is left out. `gone` are the ids of tasks that are
    gone, `has_gone` says that some are without telling which. `frame` is the board with its stages
    and labels, if it is told whole; `parts` are single stages and labels, and what is told of the
    board itself, by the names `stages`, `labels` and `board`. `is_frame_outdated` says that
    something was deleted from the board, or that its stages or labels have to be read again.
    """

    synced_at: str = ""
    has_changes: bool | None = None
    must_reload: bool = False
    is_complete: bool = False
    tasks: Sequence[Document] = ()
    gone: frozenset[int] = frozenset()
    has_gone: bool = False
    frame: Document | None = None
    parts: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    is_frame_outdated: bool = False

    @property
    def is_brief(self) -> bool:
        """Whether the service lists what was touched in the last minute."""
        return not self.synced_at

    @property
    def is_unexplained(self) -> bool:
        """Whether something changed of which nothing more is told."""
        tasks = self.tasks or self.gone or self.has_gone
        frame = any(self.parts.values()) or self.frame is not None or self.is_frame_outdated
        return bool(self.has_changes) and not (tasks or frame)


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
