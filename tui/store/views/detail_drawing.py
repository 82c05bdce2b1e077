"""An opened task as drawn: what the service last said, and what is on its way on top of it.

The rule it keeps: the same as for boards: nothing is undone by hand, what is drawn is made anew.
"""

from collections.abc import Iterable
from dataclasses import replace

from tui.model.detail import TaskDetail
from tui.store.outbox.entry import Entry


def projected(truth: TaskDetail, entries: Iterable[Entry]) -> TaskDetail:
    """An opened task with the pending operations applied, and what they are about marked."""
    entries = tuple(entry for entry in entries if entry.is_drawn)
    for entry in entries:
        if entry.is_outstanding and entry.operation.creates is not None:
            truth = entry.operation.without_made_in_detail(truth, entry.newest_id)
    detail, touched = truth, set[tuple[str, int]]()
    for operation in (entry.operation for entry in entries):
        changed = operation.apply_detail(detail)
        if changed is not detail:
            touched.add((operation.subject.kind, operation.subject.id))
        detail = changed
    return replace(detail, pending=frozenset(touched)) if touched else detail
