"""The board as drawn: what the service last said, and what is on its way on top of it.

The rule it keeps: nothing is undone by hand. A change that is accepted or refused leaves the
pending ones, and the board is projected again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce

from tui.model.board import BoardView
from tui.store.operations.base import Operation
from tui.store.outbox.entry import Entry
from tui.store.views.mutable_board import Easel

_MANY = 8


def project(truth: BoardView, pending: Iterable[Operation]) -> BoardView:
    """Apply the pending operations to what the service last said, in order."""
    operations = tuple(pending)
    if len(operations) < _MANY:
        return drawn_also(truth.with_pending(()), operations)
    easel: BoardView = Easel.of(truth.with_pending(()))
    for operation in operations:
        easel = operation.apply(easel)
    drawn = easel.view() if isinstance(easel, Easel) else easel
    return drawn.with_pending(_touched(operations))


def without_made(truth: BoardView, entries: Iterable[Entry]) -> BoardView:
    """The board without what changes have made whose answer is outstanding.

    These are drawn by their local ids until then; drawn by both, they would be there twice.
    """
    for entry in entries:
        if entry.is_outstanding and entry.operation.creates is not None:
            truth = entry.operation.without_made(truth, entry.newest_id)
    return truth


def drawn_also(drawn: BoardView, submitted: Iterable[Operation]) -> BoardView:
    """Apply operations that were just submitted to what is drawn already."""
    operations = tuple(submitted)
    view = reduce(lambda view, operation: operation.apply(view), operations, drawn)
    touched = drawn.pending.union(_touched(operations))
    return view if touched == view.pending else replace(view, pending=touched)


def _touched(operations: Iterable[Operation]) -> Iterator[int]:
    changed = (operation.task_id for operation in operations)
    return (task_id for task_id in changed if task_id is not None)


def drawn_with_new_ids(drawn: BoardView, renamed: Mapping[int, int]) -> BoardView:
    """What is drawn already, with tasks called by the ids the service gave them."""
    view = drawn
    for old, new in renamed.items():
        task, found = view.task(old), view.place_of(old)
        if task is not None and found is not None:
            stage_id, place = found
            view = view.without_task(old).with_task_at(replace(task, id=new), stage_id, place)
    pending = frozenset(renamed.get(one, one) for one in drawn.pending)
    return replace(view, pending=pending)
