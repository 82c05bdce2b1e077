"""The rule for the bases of pending changes.

A change may know its base, the value that it replaces. Comparing the base with the service's value
reveals changes of others, and a change that sets its own base need not be sent. So the base must be
the value that the service holds when the change is sent, or unknown; then it is always sent:

- Initially it is the value as drawn, which earlier pending changes may have set.
- Several kinds of changes may set one value: edits set a field, moves set the stage, and nearly
  everything may set the status of a task, as a stage may close the tasks that enter it.
- The base follows the *last* earlier change that may set the value. When that is accepted, the base
  becomes what the service stored. Replies to those before it are not used, since they do not show
  the effect of the changes in between.
- If that change is refused, conflicts or is discarded, the base becomes the base of that change,
  also for one that was planned before this and is submitted afterwards. If that change is of
  another kind, the base is unknown; it is unknown too if a change of another kind is dropped.
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
    for candidate in later:
        operation = candidate.operation
        is_set = entry.operation.creates is not None or entry.operation.may_set(operation)
        is_set_again = any(setter.may_set(operation) for setter in between)
        if candidate.was_never_sent and operation.keeps_base and is_set and not is_set_again:
            based.append(candidate)
        # What is not drawn does not take effect, so nothing that follows is based on it.
        if candidate.is_drawn:
            between.append(operation)
    return based


def without(earlier: Operation, operation: Operation) -> Operation:
    """A change that was based on one that does not take effect."""
    if earlier.sets_the_same(operation):
        return operation.without(earlier)
    return operation.without_base()


def without_all(apart: Sequence[OutboxEntry], operation: Operation) -> Operation:
    """A change that may be based on any of these, which do not take effect."""
    # From the newest to the oldest: each step leads to the base of the one before.
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
