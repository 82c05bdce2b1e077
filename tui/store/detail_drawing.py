"""An opened task as drawn: what the service last said, and what is on its way on top of it.

The rule it keeps: the same as for boards: nothing is undone by hand, what is drawn is made anew.
"""

from collections.abc import Iterable
from dataclasses import replace

from tui.model.detail import TaskDetail
from tui.store.operations.base import Operation


def projected(truth: TaskDetail, pending: Iterable[Operation]) -> TaskDetail:
    """An opened task with the pending operations applied, and what they are about marked."""
    detail, touched = truth, set[tuple[str, int]]()
    for operation in pending:
        changed = operation.apply_detail(detail)
        if changed is not detail:
            touched.add((operation.subject.kind, operation.subject.id))
        detail = changed
    return replace(detail, pending=frozenset(touched)) if touched else detail
