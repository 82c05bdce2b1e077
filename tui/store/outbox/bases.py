"""What pending changes are based on: the one place with the rule.

A change may know its base, the value that it replaces. By its base others' changes are told, and
whether it has to be sent at all: a change that sets its base is dropped. So a base is what the
service holds when it is the change's turn, or it is not known (then the change is always sent):

- At first it is the value as drawn, which earlier pending changes may have set.
- Several kinds may set one value: a field is set by edits of it, a stage by moves, and the status
  of a task by nearly everything that happens to the task, such as a stage that closes what enters.
- The base comes from the *last* of the earlier changes that may set the value. When that one is
  accepted, the base is what the service stored. Of those before it nothing is taken: their replies
  do not show what comes between.
- If that one is refused, conflicts or is discarded, the base is what it was based on itself, also
  of a change that was made before and is submitted after that. If it is of another kind, that is
  not known. It is not known either if one of another kind is dropped.
"""

from collections.abc import Sequence

from tui.store.operations.base import Operation
from tui.store.outbox.entry import OutboxEntry


def based_on(entry: OutboxEntry, later: Sequence[OutboxEntry]) -> list[OutboxEntry]:
    """The unsent changes that are based on what an entry sets or creates.

    `later` are the entries after it that are about the same, oldest first.
    """
    based: list[OutboxEntry] = []
    between: list[Operation] = []
    for other in later:
        operation = other.operation
        is_set = entry.operation.creates is not None or entry.operation.may_set(operation)
        is_set_again = any(each.may_set(operation) for each in between)
        if other.was_never_sent and operation.keeps_base and is_set and not is_set_again:
            based.append(other)
        if other.is_drawn:
            between.append(operation)
    return based


def without(earlier: Operation, operation: Operation) -> Operation:
    """A change that was based on one that does not take effect."""
    if earlier.sets_the_same(operation):
        return operation.without(earlier)
    return operation.without_base()


def without_all(apart: Sequence[OutboxEntry], operation: Operation) -> Operation:
    """A change that may be based on any of these, which do not take effect."""
    for entry in reversed(apart):
        is_same = entry.subject == operation.subject and operation.keeps_base
        if is_same and entry.operation.creates is None and entry.operation.may_set(operation):
            operation = without(entry.operation, operation)
    return operation


def without_undrawn(
    apart: Sequence[OutboxEntry], operation: Operation, undo: Sequence[Operation]
) -> Operation:
    """A change that was made when one of these was drawn, which do not take effect.

    `undo`, its inverse, has the value that is drawn now.
    """
    for entry in reversed(apart):
        is_seen = operation.is_based_on(entry.operation)
        if is_seen and not any(map(operation.is_based_on, undo)):
            operation = without(entry.operation, operation)
    return operation
