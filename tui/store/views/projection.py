"""The projection: the service's state with pending operations applied.

Nothing is rolled back: an accepted or refused operation leaves the pending ones, and the view is
projected again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.store.operations.base import Operation
from tui.store.operations.ids import renamed
from tui.store.outbox.entry import OutboxEntry


def project(view: BoardView, pending: Iterable[Operation]) -> BoardView:
    """Apply pending operations in order, to the truth or to what is drawn already."""
    operations = tuple(pending)
    drawn = reduce(lambda board, operation: operation.apply(board), operations, view)
    touched = view.pending.union(
        operation.task_id for operation in operations if operation.task_id is not None
    )
    return drawn if touched == drawn.pending else drawn.with_pending(touched)


def without_made(truth: BoardView, entries: Iterable[OutboxEntry]) -> BoardView:
    """The board without what entries in flight may have created already.

    These things are drawn by their local ids; otherwise they would be there twice.
    """
    for entry in entries:
        if entry.is_outstanding and not entry.is_accepted:
            truth = entry.operation.without_made(truth, entry.newest_id)
    return truth


def drawn_with_new_ids(drawn: BoardView, ids: Mapping[int, int]) -> BoardView:
    """A view with local ids replaced by assigned ones."""
    view = drawn
    for old, new in ids.items():
        task, where = view.task(old), view.place_of(old)
        if task is not None and where is not None:
            stage_id, place = where
            view = view.without_task(old).with_task_at(replace(task, id=new), stage_id, place)
    pending = frozenset(ids.get(task_id, task_id) for task_id in drawn.pending)
    # Only a pending relation can name a card by its local id.
    for task in view.among(pending):
        if task.blockers and (current := renamed(task, ids)) is not task:
            view = view.with_task(current)
    return view.with_pending(pending)


def projected(truth: TaskDetail, entries: Iterable[OutboxEntry]) -> TaskDetail:
    """An opened task with the pending operations applied, marked as pending where they show."""
    entries = tuple(entry for entry in entries if entry.is_drawn)
    for entry in entries:
        if entry.is_outstanding and not entry.is_accepted:
            truth = entry.operation.without_made_in_detail(truth, entry.newest_id)
    detail, touched = truth, set[tuple[str, int]]()
    for operation in (entry.operation for entry in entries):
        # Operations on other tasks of the board return the very same object.
        changed = operation.apply_detail(detail)
        if changed is not detail:
            touched.update(operation.shown_on)
        detail = changed
    return replace(detail, pending=frozenset(touched)) if touched else detail
