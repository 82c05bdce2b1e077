"""The board as drawn: what the service last said, and what is on its way on top of it.

The rule it keeps: nothing is undone by hand. A change that is accepted or refused leaves the
pending ones, and the board is projected again.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from tui.model.board import BoardView
from tui.store.operations.base import Operation


def project(truth: BoardView, pending: Iterable[Operation]) -> BoardView:
    """Apply the pending operations to what the service last said, in order."""
    operations = tuple(pending)
    return drawn_also(truth.with_pending(()), operations)


def drawn_also(drawn: BoardView, submitted: Iterable[Operation]) -> BoardView:
    """Apply operations that were just submitted to what is drawn already."""
    operations = tuple(submitted)
    view = reduce(lambda view, operation: operation.apply(view), operations, drawn)
    touched = drawn.pending | {operation.task_id for operation in operations}
    return view if touched == view.pending else replace(view, pending=touched)
