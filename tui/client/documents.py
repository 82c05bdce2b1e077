"""The types that the client returns to the store: documents, pages, and changes of a board.

A document is the JSON object of `tui.client.decoding.decode`. This module imports
nothing heavy, so that the store can use these types before the first paint.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from tui.record import record

Document = dict[str, Any]
TasksArrived = Callable[[Sequence[Document], int], None]
"""Called with tasks of a list as they arrive, and with the bytes received so far."""
BytesListener = Callable[[int, int | None], None]
"""Called with the bytes transferred so far, and the total or None."""


class DocumentPage(NamedTuple):
    """One page of a long list, `total` being its length, or None if not reported.

    Pages count from 1; `number` is None where the service does not report it. `is_empty` says that
    nothing is listed on it, not even what cannot be read.
    """

    documents: list[Document]
    is_last: bool
    total: int | None = None
    number: int | None = None
    last: int = 1
    is_empty: bool = False


@record
class BoardChanges:
    """The changes of a board since a time stamp.

    `synced_at` is empty where the service always lists the last minute. `has_changes` is None if it
    did not say. A `must_reload` board has to be fetched in full; `is_complete` says that no kind of
    change is left out. `gone` are the ids of removed tasks, `has_gone` says that unlisted tasks
    were removed. `frame` is the board with its stages and labels, if listed completely; `parts` are
    single stages, labels and fields of the board, by the names `stages`, `labels` and `board`.
    `is_frame_outdated` says that something was deleted from the board, or that its stages or labels
    have to be fetched.
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
        """Whether the service lists the changes of the last minute."""
        return not self.synced_at

    @property
    def is_unexplained(self) -> bool:
        """Whether something changed that is not listed."""
        tasks = self.tasks or self.gone or self.has_gone
        frame = any(self.parts.values()) or self.frame is not None or self.is_frame_outdated
        return bool(self.has_changes) and not (tasks or frame)


def break_circles(tasks: Iterable[Document]) -> None:
    """Remove the parent of tasks that are, through their parents, subtasks of themselves.

    Otherwise they would appear neither on the board nor below any card.
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
        # What leads into the circle keeps its parent.
        for member in path[path.index(at) :] if at in path else ():
            below[member]["parent_id"] = None
